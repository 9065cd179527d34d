#pragma once

#include <array>
#include <cstdint>

#include "base/random.hpp"
#include "chess/types.hpp"

// The random numbers that a position's key is the sum (exclusive or) of. For the rules themselves: everybody
// else takes Position::key().

namespace scholar::chess::detail {

struct Zobrist {
    std::array<std::array<std::uint64_t, 64>, 16> piece{};
    std::array<std::uint64_t, 16> castling{};
    std::array<std::uint64_t, 8> en_passant{};
    std::uint64_t black_to_move{};

    constexpr Zobrist() {
        base::Random random(0x5C401A2);
        for (const Color color : kColors)
            for (const PieceKind kind : kPieceKinds)
                for (auto& number : piece[make_piece(color, kind)]) number = random.next();
        // A set of rights is the sum of its single rights, so that any change is one look-up.
        std::array<std::uint64_t, 4> single{};
        for (auto& number : single) number = random.next();
        for (unsigned rights = 0; rights < 16; ++rights)
            for (unsigned right = 0; right < 4; ++right)
                if (rights >> right & 1) castling[rights] ^= single[right];
        for (auto& number : en_passant) number = random.next();
        black_to_move = random.next();
    }
};

inline constexpr Zobrist kZobrist;

}  // namespace scholar::chess::detail
