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
    // With the clocks of hmvc and fmvn, which are no operations here.
    Position position;
    // In order of appearance, unknown opcodes too; operands as written, strings without quotes and escapes.
    std::vector<std::pair<std::string, std::vector<std::string>>> operations;

    // The operands of an opcode; nullptr if it is not there.
    const std::vector<std::string>* find(std::string_view opcode) const;
    // The operands of a move-list opcode such as bm or am, as moves.
    base::Result<std::vector<Move>> moves(std::string_view opcode) const;
    // The operands of an opcode that is a line of play, such as pv: each is a move after the one before.
    base::Result<std::vector<Move>> variation(std::string_view opcode) const;

    bool operator==(const Epd&) const = default;
};

// In strings \" \\ \n \r \t are escapes; a backslash before anything else stands for itself.
base::Result<Epd> parse_epd(std::string_view line);

// One line without its end; reading it gives the same value again. Strings are quoted where the standard asks
// for it or reading needs it.
std::string to_epd(const Epd& epd);

}  // namespace scholar::chess
