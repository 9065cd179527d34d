#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "engine/engine.hpp"

namespace scholar::protocols {

// The Universal Chess Interface, April 2006: reads commands until "quit" or the end of input. A command that
// is wrong is answered by "info string error: …", leaves everything as it was, and the engine goes on. Beside
// the standard: "go perft N", "bench [depth]", "d" (the board) and "eval". A count of perft and a bench run
// beside the reading of commands, as a search does: "stop" and "quit" end them. What would end a search waits
// for them, so that one position after another can be asked about. `first` is a line that has been read
// already.
void run_uci(engine::Engine& engine, std::istream& in, std::ostream& out,
             std::optional<std::string> first = std::nullopt);

}  // namespace scholar::protocols
