#pragma once

#include <cstdint>
#include <ostream>
#include <rapidcheck.h>
#include <string>
#include <vector>

#include "chess/line.hpp"

namespace scholar::tests {

// A random game for property tests, from the standard position, Chess960 or a position with something odd in
// it. RapidCheck shortens one that fails, and shows its start, its moves and the FEN where it ends.
struct Playout {
    std::string start;  // FEN
    std::vector<std::uint16_t>
        choices;  // which of the legal moves, modulo their number; longer than the game

    // The game with all its positions.
    chess::Line line() const;
    // Where it ends.
    chess::Position end() const { return line().current(); }
};
std::ostream& operator<<(std::ostream& out, const Playout& playout);

// Start position by Scharnagl's number, 0 to 959, for each side; 518 is the standard one.
std::string chess960_fen(int white, int black);

}  // namespace scholar::tests

namespace rc {

template <>
struct Arbitrary<scholar::tests::Playout> {
    static Gen<scholar::tests::Playout> arbitrary();
};

}  // namespace rc
