#pragma once

#include <memory>

#include "learning/selfplay_loop/learn_status.hpp"

namespace scholar::learning {

// Shows a run to a person: on a terminal a screen that is redrawn in place, elsewhere a line a minute and at
// each rating. Writes to standard output, or to standard error if that is taken by JSON lines.
std::unique_ptr<LearnObserver> make_learn_screen(bool to_stderr);

// The screen's lines, for tests: no more than `width` characters each.
std::vector<std::string> screen_lines(const LearnStatus& status, int width);
// The line for a log.
std::string status_line(const LearnStatus& status);

}  // namespace scholar::learning
