#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "engine/engine.hpp"

namespace scholar::protocols {

// The Chess Engine Communication Protocol, version 2 (Mann and Muller 2009), for xboard and its kin: reads
// commands until "quit" or the end of input. Errors are answered in the protocol's words and change nothing.
// The engine ends games that are over by rule, and never resigns. `first` is a line that has been read
// already.
void run_xboard(engine::Engine& engine, std::istream& in, std::ostream& out,
                const std::optional<std::string>& first = std::nullopt);

}  // namespace scholar::protocols
