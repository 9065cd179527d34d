#pragma once

#include <cstdint>

#include "chess/position.hpp"

// Hashes of a part of what stands on the board, for tables that learn about that part.

namespace scholar::search {

namespace detail {

// One round of multiplying and folding (as in W. Yi's wyhash): two words of any pattern to one that looks
// random.
inline std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<__uint128_t>(a ^ 0x9E3779B97F4A7C15ULL) * (b ^ 0xC2B2AE3D27D4EB4FULL);
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace detail

// The pawns of both sides.
inline std::uint64_t pawn_hash(const chess::Position& position) {
    return detail::fold(position.pieces(chess::White, chess::Pawn),
                        position.pieces(chess::Black, chess::Pawn));
}

// Knights, bishops and kings of both sides.
inline std::uint64_t minor_hash(const chess::Position& position) {
    const chess::Bitboard white = position.pieces(chess::White);
    const std::uint64_t minors = detail::fold(position.pieces(chess::Knight), position.pieces(chess::Bishop));
    const chess::Bitboard all =
        position.pieces(chess::Knight) | position.pieces(chess::Bishop) | position.pieces(chess::King);
    return detail::fold(minors ^ position.pieces(chess::King), all & white);
}

// All but the pawns of one side.
inline std::uint64_t piece_hash(const chess::Position& position, chess::Color color) {
    const std::uint64_t light =
        detail::fold(position.pieces(color, chess::Knight), position.pieces(color, chess::Bishop));
    const std::uint64_t heavy =
        detail::fold(position.pieces(color, chess::Rook), position.pieces(color, chess::Queen));
    return detail::fold(light ^ position.pieces(color, chess::King), heavy);
}

}  // namespace scholar::search
