#pragma once

#include <array>

#include "chess/bitboard.hpp"
#include "chess/position.hpp"

namespace scholar::nets {

// What a side attacks, own men that it defends included.
struct Attacks {
    std::array<chess::Bitboard, chess::kPieceKinds.size()> by_kind{};
    chess::Bitboard all = 0;
    chess::Bitboard twice = 0;             // by two men or more
    std::array<chess::Bitboard, 64> from;  // of the side's officers and king, by where they stand
};
Attacks attacks_by(const chess::Position& position, chess::Color color);

}  // namespace scholar::nets
