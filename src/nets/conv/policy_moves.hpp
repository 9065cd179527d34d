#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "chess/types.hpp"

// The numbering of moves that convolutional policies have: lc0's, from the side to move's viewpoint (for
// Black the board is turned over as for planes.hpp).
//
// All moves of a queen or a knight on an empty board, by the square they come from and then by the one they
// go to, a1 = 0 to h8 = 63: 1,792 moves. A promotion to a knight is the pawn's move in that list. Behind them
// the promotions to queen, rook and bishop, in this order, by the file they come from and then by the one
// they go to: 66 moves. Castling is the king's move to its rook.

namespace scholar::nets {

constexpr int kPolicyMoves = 1'858;

// 0 to kPolicyMoves − 1. Of a legal move of `side`.
int policy_index(chess::Move move, chess::Color side);
// All moves in that order, as the side to move sees them: "a1b1", …, "h7h8b"; "a7a8" may be a promotion to a
// knight.
std::vector<std::string> policy_move_names();

// A convolutional policy has for each square a move comes from 73 planes, by how it goes:
//   0…55   like a queen: north by 1 to 7 squares, then north-east, east and so on, clockwise
//   56…63  like a knight: (1,2) (2,1) (2,−1) (1,−2) (−1,−2) (−2,−1) (−2,1) (−1,2) in files and ranks
//   64…72  promotions to rook, bishop, queen (sic): towards file a, straight on, towards file h
constexpr int kPolicyPlanes = 73;
// Where the move of an index stands among its outputs: plane · 64 + the square it comes from.
std::span<const std::uint16_t, kPolicyMoves> policy_plane_indices();

}  // namespace scholar::nets
