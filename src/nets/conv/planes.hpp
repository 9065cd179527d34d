#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "chess/line.hpp"
#include "nets/container/abilities.hpp"

// What a convolutional network sees: planes of 8×8 numbers, from the side to move's viewpoint. For Black the
// board is turned over so that the own pieces stand below: a1 is where a8 was, files stay.
//
// Layout of all planes: [plane][rank][file], the own first rank and file a first, so that the square of an
// index is chess::relative_square(side to move, index).

namespace scholar::nets {

enum class PlanesLayout : std::uint8_t {
    // One board, 18 planes, of which the position alone decides:
    //   0…5    own pawns, knights, bishops, rooks, queens, king: 1 on their squares
    //   6…11   the enemy's
    //   12, 13 whether we may castle on the king's side, the queen's: all squares 1
    //   14, 15 whether they may
    //   16     the square where we may take en passant, if that is legal
    //   17     1 everywhere, so that the edges of the board, beyond which is 0, can be seen
    Board18,
    // Eight boards, 112 planes: lc0's "classical" input. The position and the seven before it, the newest
    // first, each from the viewpoint of who is to move now, in 13 planes:
    //   0…11   pieces as above
    //   12     whether that position had stood on the board before: all squares 1
    // then
    //   104, 105 whether we may castle on the queen's side, the king's (sic)
    //   106, 107 whether they may
    //   108    whether we are Black
    //   109    the halfmove clock, everywhere
    //   110    0
    //   111    1 everywhere
    // Where the game did not begin with the start position, the first board known is repeated for those
    // before it (with its last pawn move taken back if that is known from en passant): lc0's history fill
    // "fen_only". Otherwise they are 0.
    Lc0Classical112,
};

constexpr std::size_t kPlaneSquares = 64;

// "board-18", "lc0-112": as files name them.
std::string_view to_string(PlanesLayout layout);
std::optional<PlanesLayout> find_planes_layout(std::string_view name);
constexpr int plane_count(PlanesLayout layout) {
    return layout == PlanesLayout::Board18 ? 18 : 112;
}
Reads reads_of(PlanesLayout layout);

// The planes of the line's current position, plane_count() · 64 numbers, all of which are written.
void encode_planes(PlanesLayout layout, const chess::Line& line, std::span<float> out);

// A plane in short: a number on some squares, 0 on all others. Bits are the squares as seen by the side to
// move.
struct Plane {
    std::uint64_t squares = 0;
    float value = 1;
};
// The same planes, plane_count() of them.
void encode_planes(PlanesLayout layout, const chess::Line& line, std::span<Plane> out);

}  // namespace scholar::nets
