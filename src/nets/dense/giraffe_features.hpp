#pragma once

#include <string>
#include <vector>

#include "chess/position.hpp"

// The input of Giraffe (M. Lai, "Giraffe: Using Deep Reinforcement Learning to Play Chess", 2015, section
// 4.1). The paper says what there is and that it is 363 numbers, but what it names makes 345. The program of
// the time (the revision of 8 September 2015, its feature conversion) has 18 more: for each officer how many
// squares it could go to safely (14), and the castling rights a second time, beside the rooks (4); and its
// kings have no more than their squares. So has ours:
//
//   position    19  side to move; castling rights; how many queens, rooks, bishops, knights and pawns each
//                   side has, of 1, 2, 2, 2, 8; file and rank of each king
//   pieces     216  for White, then Black:
//                     queen            1 slot of 14: exists, file, rank, attacker, defender, how far it can
//                     go
//                                      north, east, south, west, north-east, south-east, south-west,
//                                      north-west, safe squares
//                     rooks            2 slots of 10, likewise with four directions; then castling rights: 2
//                     bishops          2 slots of 10
//                     knights          2 slots of 6, without directions
//                     pawns            8 slots of 5: exists, file, rank, attacker, defender
//   squares    128  of each square the lowest-valued white attacker; then the lowest-valued black one
//
// Flags are 0 and 1. Files and ranks are 0 to 1 from a to h, from 1 to 8. Distances are in sevenths and count
// the square of the piece that stops them, whosever it is, as the program's do. Of attackers (the enemy's)
// and defenders (the own) the lowest-valued counts: pawn 1, knight 5/6, bishop 4/6, rook 3/6, queen 2/6, king
// 1/6, nothing 0. This is their order alone; the program had its values in pawns there. Pins do not matter
// and nobody attacks through others. A square is safe where no enemy piece attacks that is of a lower value
// (bishop and knight are alike), and where one attacks at all, another own piece does too; sixteenths. All
// numbers of an empty slot are 0.
//
// Slots go by place. A pawn takes the slot of its file; a second one on a file (the higher one) the nearest
// that is left, to the west where two are as near. Of two officers of a kind the one on the lower file has
// the first slot, on one file that on the lower rank; a lone one has the first on files a to d, the second on
// e to h. Of more, after promotions, the first and the last have slots, and the others are counted, attack
// and defend.

namespace scholar::nets {

// What of it a feature set has.
struct GiraffeParts {
    bool all_but_lists = true;  // castling rights, counts, directions, safe squares
    bool maps = true;           // the squares
    // How far kings, knights and pawns go too, at the end of each's numbers: 1 for each of the eight
    // directions of a king or a knight that does not lead off the board; for a pawn whether there are squares
    // that it attacks to the west and to the east, and how far it may advance, of two squares. The paper saw
    // no gain.
    bool steps = false;
};

template <GiraffeParts kParts>
void encode_giraffe(const chess::Position& position, float* out);
// The names of all numbers, in their order: "white rook 1 file".
std::vector<std::string> giraffe_feature_names(GiraffeParts parts);

constexpr GiraffeParts kGiraffe363{};
constexpr GiraffeParts kGiraffeMobility{.steps = true};
constexpr GiraffeParts kGiraffeWithoutMaps{.maps = false};
// The lists, and who is to move, without which no position has a value.
constexpr GiraffeParts kGiraffeLists{.all_but_lists = false, .maps = false};

// How many numbers each modality has.
constexpr int giraffe_position_size(GiraffeParts parts) {
    return 1 + 4 + (parts.all_but_lists ? 4 + 10 : 0) + (parts.steps ? 2 * 8 : 0);
}
constexpr int giraffe_pieces_size(GiraffeParts parts) {
    constexpr int slots = 1 + 2 + 2 + 2 + 8;
    constexpr int directions = 8 + 2 * 4 + 2 * 4;
    constexpr int safe = 1 + 2 + 2 + 2;
    return 2 * (5 * slots + (parts.all_but_lists ? directions + safe + 2 : 0) +
                (parts.steps ? 2 * 8 + 8 * 3 : 0));
}
constexpr int giraffe_squares_size(GiraffeParts parts) {
    return parts.maps ? 2 * 64 : 0;
}
static_assert(giraffe_position_size(kGiraffe363) + giraffe_pieces_size(kGiraffe363) +
                  giraffe_squares_size(kGiraffe363) ==
              363);

}  // namespace scholar::nets
