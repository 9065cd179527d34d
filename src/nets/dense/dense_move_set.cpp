#include "nets/dense/dense_move_set.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "chess/bitboard.hpp"
#include "chess/checks.hpp"
#include "chess/fen.hpp"
#include "chess/mirror.hpp"

namespace scholar::nets {

using namespace chess;

namespace {

constexpr std::array kPlaceNames{"best",           "second",     "third",        "fourth",
                                 "fifth or sixth", "7th to 9th", "10th to 15th", "16th or later"};
static_assert(kPlaceNames.size() == kPlaceInputs);

// Where what moves arrives: of castling the king.
Square arrival_of(Move move) {
    if (!move.is_castling()) return move.to();
    return static_cast<Square>(move.from() / 8 * 8 + (move.to() > move.from() ? 6 : 2));
}

// [white, black][pawn … king], [from a1, b1, … h8], [to a1 … h8], [becomes knight … queen].
constexpr int kMovedInputs = 2 * 6;
constexpr int kPlainMove = kMovedInputs + 64 + 64 + 4;

void encode_plain_move(const Position& position, Move move, float* out) {
    std::fill_n(out, kPlainMove, 0.0F);
    const Piece piece = position.piece_on(move.from());
    out[color_of(piece) * 6 + kind_of(piece)] = 1;
    out[kMovedInputs + move.from()] = 1;
    out[kMovedInputs + 64 + arrival_of(move)] = 1;
    if (move.is_promotion()) out[kMovedInputs + 128 + move.promotion_kind() - Knight] = 1;
}

// Beside that [takes pawn … queen]; the lowest-valued enemy and own piece that attack where it comes from,
// and likewise where it goes to once it has left; and whether it gives check.
constexpr int kAttackedMove = kPlainMove + 5 + 4 + 1;

// As Giraffe's features of positions have it: pawn 1, knight 5/6 … king 1/6, nobody 0.
float lowest_of(const Position& position, Bitboard attackers) {
    for (const PieceKind kind : kPieceKinds)
        if (attackers & position.pieces(kind)) return static_cast<float>(King - kind + 1) / 6;
    return 0;
}

void encode_attacked_move(const Position& position, Move move, float* out) {
    encode_plain_move(position, move, out);
    out += kPlainMove;
    std::fill_n(out, kAttackedMove - kPlainMove, 0.0F);
    if (const PieceKind taken = position.captured_kind(move); taken != NoKind) out[taken] = 1;
    out += 5;
    const Color us = position.side_to_move();
    for (const Square square : {move.from(), arrival_of(move)}) {
        const Bitboard attackers =
            position.attackers(square, position.occupied() & ~bit(move.from())) & ~bit(move.from());
        *out++ = lowest_of(position, attackers & position.pieces(~us));
        *out++ = lowest_of(position, attackers & position.pieces(us));
    }
    *out = gives_check(position, move) ? 1 : 0;
}

std::vector<std::string> move_names(bool attacked) {
    std::vector<std::string> names;
    for (const std::string side : {"white ", "black "})
        for (const char* kind : {"pawn", "knight", "bishop", "rook", "queen", "king"})
            names.push_back(side + kind);
    for (const std::string way : {"from ", "to "})
        for (int square = 0; square < 64; ++square)
            names.push_back(way + chess::to_string(static_cast<chess::Square>(square)));
    for (const char* kind : {"knight", "bishop", "rook", "queen"})
        names.push_back(std::string("becomes ") + kind);
    if (attacked) {
        for (const char* kind : {"pawn", "knight", "bishop", "rook", "queen"})
            names.push_back(std::string("takes ") + kind);
        for (const char* what :
             {"enemy attacks from", "own attacks from", "enemy attacks to", "own attacks to", "gives check"})
            names.emplace_back(what);
    }
    for (const char* place : kPlaceNames) names.emplace_back(place);
    return names;
}

constexpr std::array kDenseMoveSets{
    DenseMoveSet{"giraffe-moves", "Giraffe's: piece, from, to, promotion", false, kPlainMove,
                 encode_plain_move, [] { return move_names(false); }},
    DenseMoveSet{"giraffe-moves-attacks",
                 "and what it takes, who attacks where it comes from and goes to, check", false,
                 kAttackedMove, encode_attacked_move, [] { return move_names(true); }},
    DenseMoveSet{"giraffe-moves-turned", "these, and all is seen from the mover's side", true, kAttackedMove,
                 encode_attacked_move, [] { return move_names(true); }},
};

}  // namespace

MoveView::MoveView(const DenseMoveSet& set, const Position& position)
    : turned_(set.turned && position.side_to_move() == Black),
      position_(turned_ ? mirrored(position) : position) {}

Move MoveView::of(Move move) const {
    return turned_ ? mirrored(move) : move;
}

int place_input(int place) {
    constexpr std::array kFirstOf{0, 1, 2, 3, 4, 6, 9, 15};
    return static_cast<int>(std::ranges::upper_bound(kFirstOf, place) - kFirstOf.begin()) - 1;
}

void rank_moves(std::span<const float> said, std::span<int> out) {
    std::array<int, kMaxMoves> order;
    const auto moves = std::span(order).first(said.size());
    std::iota(moves.begin(), moves.end(), 0);
    std::ranges::stable_sort(moves, [&said](int one, int other) {
        return said[static_cast<std::size_t>(one)] > said[static_cast<std::size_t>(other)];
    });
    for (std::size_t place = 0; place < moves.size(); ++place)
        out[static_cast<std::size_t>(moves[place])] = static_cast<int>(place);
}

std::span<const DenseMoveSet> dense_move_sets() {
    return kDenseMoveSets;
}

base::Result<const DenseMoveSet*> find_dense_move_set(std::string_view name) {
    std::string names;
    for (const DenseMoveSet& set : kDenseMoveSets) {
        if (set.name == name) return &set;
        names.append(names.empty() ? "" : ", ").append(set.name);
    }
    return base::fail("set of numbers of moves '{}' is not known, expected one of: {}", name, names);
}

}  // namespace scholar::nets
