#pragma once

#include <functional>
#include <span>
#include <vector>

#include "chess/types.hpp"
#include "nets/conv/planes.hpp"

// A policy in two steps: which man moves, and to which square (A. Singh, "Convolutional neural networks learn
// to play chess", 2015, section 2.3): P(move) = P(from) · P(to | from). Where a pawn reaches the last rank, a
// third step says what it becomes. Squares are those that the mover sees (planes.hpp). Castling is the king's
// move to where he comes to stand; where that is his own square or the next (in Chess960), the move to his
// rook, so that no two moves are the same.

namespace scholar::nets {

// A move as its steps see it.
struct SquareMove {
    int from;
    int to;
    // 0: no promotion; 1 to 4: to knight, bishop, rook, queen.
    int promotion;
};
SquareMove square_move(chess::Move move, chess::Color side);

// The same in one number, 0 to kSquareMoves − 1.
constexpr int kSquareMoves = 5 * 64 * 64;
constexpr int square_move_index(const SquareMove& move) {
    return (move.promotion * 64 + move.from) * 64 + move.to;
}

// What a network says of a position, before any softmax: 64 logits of where the man that moves stands; for
// each of these 64 of where it goes; and for each file of the last rank by how much a knight, a bishop and a
// rook are likelier than a queen.
constexpr int kSquaresFrom = 64;
constexpr int kSquaresTo = 64 * 64;
constexpr int kUnderpromotions = 3;
constexpr int kSquarePolicySize = kSquaresFrom + kSquaresTo + kUnderpromotions * 8;
constexpr int from_place(int from) {
    return from;
}
constexpr int to_place(int from, int to) {
    return kSquaresFrom + from * 64 + to;
}
// `kind` 0 to 2: knight, bishop, rook.
constexpr int underpromotion_place(int kind, int file) {
    return kSquaresFrom + kSquaresTo + kind * 8 + file;
}

// Where squares are all that a network knows, a pawn becomes a knight, a bishop or a rook in so few cases
// that it hardly matters in how many: this is the logit of each, where the queen's is 0.
constexpr float kUnderpromotionLogit = -6;

// A policy of two heads that do not know of each other: P(move) ~ P(source) · P(target), among legal moves
// (J. Chu, S. Li and W. M. Loh, "Reinforcement learning in chess", 2020, algorithm 4). The move's logit, of
// 64 of each, for a softmax over legal moves.
float source_target_logit(std::span<const float> source, std::span<const float> target,
                          const SquareMove& move);

// Logits of one position, by place.
using SquareLogits = std::function<float(int place)>;

// The probabilities of the legal moves given, each step divided among what is legal there: men that can move,
// squares that the man can go to (section 3.3).
std::vector<float> two_step_probabilities(const SquareLogits& logits, std::span<const SquareMove> moves);

}  // namespace scholar::nets
