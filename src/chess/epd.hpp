#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "chess/position.hpp"

namespace scholar::chess {

// Extended Position Description: four FEN fields, then operations "opcode operand …;". Six FEN fields are
// read too, as many opening files have them.
struct Epd {
    Position position;
    // In order of appearance; operands as written, quotes removed from strings.
    std::vector<std::pair<std::string, std::vector<std::string>>> operations;

    // The operands of an opcode; nullptr if it is not there.
    const std::vector<std::string>* find(std::string_view opcode) const;
    // The operands of a move-list opcode such as bm or am, as moves.
    base::Result<std::vector<Move>> moves(std::string_view opcode) const;
};

base::Result<Epd> parse_epd(std::string_view line);

}  // namespace scholar::chess
