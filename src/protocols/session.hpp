#pragma once

#include <iosfwd>

#include "engine/engine.hpp"

namespace scholar::protocols {

// Speaks the protocol that is asked for: xboard's if the first word is "xboard", else UCI.
void run_session(engine::Engine& engine, std::istream& in, std::ostream& out);

}  // namespace scholar::protocols
