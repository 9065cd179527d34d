#include "engine/lone_king.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "chess/movegen.hpp"

namespace scholar::engine {

namespace {

using namespace chess;

constexpr std::uint8_t kUnknown = 255;
constexpr std::size_t kPlacements = 16 * 64 * 64;

// Without pawns the board may be mirrored both ways: the stronger king stands on a1 to d4.
std::size_t index_of(Square king, Square piece, Square lone) {
    const int mirror = (file_of(king) > 3 ? 7 : 0) | (rank_of(king) > 3 ? 56 : 0);
    const int corner = king ^ mirror;
    const int index =
        (rank_of(static_cast<Square>(corner)) * 4 + file_of(static_cast<Square>(corner))) * 4096 +
        (piece ^ mirror) * 64 + (lone ^ mirror);
    return static_cast<std::size_t>(index);
}

// Which side has the piece. Colours do not matter otherwise.
Color stronger(const Position& position) {
    return std::popcount(position.pieces(White)) == 2 ? White : Black;
}

std::size_t index_of(const Position& position) {
    const Color strong = stronger(position);
    return index_of(position.king(strong), lowest(position.pieces(strong) & ~position.pieces(King)),
                    position.king(~strong));
}

// Of each index, the indices that its moves lead to.
struct Successors {
    std::vector<std::uint32_t> begin = std::vector<std::uint32_t>(kPlacements + 1);
    std::vector<std::uint32_t> to;
};

}  // namespace

LoneKingEnding::LoneKingEnding(PieceKind piece)
    : piece_(piece), strong_(kPlacements, kUnknown), weak_(kPlacements, kUnknown) {
    solve();
}

std::optional<PieceKind> LoneKingEnding::piece_of(const Position& position) {
    if (std::popcount(position.occupied()) != 3) return std::nullopt;
    for (const PieceKind kind : {Queen, Rook})
        if (position.pieces(kind)) return kind;
    return std::nullopt;
}

void LoneKingEnding::solve() {
    Successors strong;
    Successors weak;
    std::vector<bool> escapes(
        kPlacements);  // no legal position, or the lone king can take the piece, or stalemate
    for (std::size_t index = 0; index < kPlacements; ++index) {
        const auto corner = static_cast<int>(index / 4096);
        Setup setup;
        setup.board[static_cast<std::size_t>(make_square(corner % 4, corner / 4))] = make_piece(White, King);
        setup.board[index / 64 % 64] = make_piece(White, piece_);
        setup.board[index % 64] = make_piece(Black, King);
        for (const Color side : kColors) {
            setup.side_to_move = side;
            Successors& successors = side == White ? strong : weak;
            successors.begin[index] = static_cast<std::uint32_t>(successors.to.size());
            const auto position = Position::from_setup(setup);
            if (!position || std::popcount(position->occupied()) != 3) {
                if (side == Black) escapes[index] = true;
                continue;
            }
            const MoveList moves = legal_moves(*position);
            for (const Move move : moves) {
                if (position->is_capture(move))
                    escapes[index] = true;
                else
                    successors.to.push_back(static_cast<std::uint32_t>(index_of(position->after(move))));
            }
            if (side == Black && moves.empty()) {
                escapes[index] = true;
                if (position->in_check()) weak_[index] = 0;
            }
        }
    }
    strong.begin[kPlacements] = static_cast<std::uint32_t>(strong.to.size());
    weak.begin[kPlacements] = static_cast<std::uint32_t>(weak.to.size());

    const auto of = [](const Successors& successors, std::size_t index) {
        return std::ranges::subrange(successors.to.begin() + successors.begin[index],
                                     successors.to.begin() + successors.begin[index + 1]);
    };
    bool changed = true;
    for (std::uint8_t plies = 1; changed; plies = static_cast<std::uint8_t>(plies + 2)) {
        changed = false;
        for (std::size_t index = 0; index < kPlacements; ++index) {
            if (strong_[index] != kUnknown) continue;
            if (std::ranges::any_of(of(strong, index),
                                    [&](std::uint32_t to) { return weak_[to] == plies - 1; })) {
                strong_[index] = plies;
                changed = true;
            }
        }
        for (std::size_t index = 0; index < kPlacements; ++index) {
            if (weak_[index] != kUnknown || escapes[index]) continue;
            if (std::ranges::all_of(of(weak, index),
                                    [&](std::uint32_t to) { return strong_[to] != kUnknown; }))
                weak_[index] = static_cast<std::uint8_t>(plies + 1);
        }
    }
}

std::optional<int> LoneKingEnding::plies_to_mate(const Position& position) const {
    const auto& table = position.side_to_move() == stronger(position) ? strong_ : weak_;
    const std::uint8_t plies = table[index_of(position)];
    return plies == kUnknown ? std::nullopt : std::optional<int>(plies);
}

std::vector<Move> LoneKingEnding::mating_line(const Position& position) const {
    std::vector<Move> line;
    Position now = position;
    std::optional<int> left = plies_to_mate(now);
    if (!left) return line;
    while (*left > 0) {
        // The side with the piece takes the shortest way, so each move of it counts down by one; the king
        // alone takes the longest, which does so too. Of several the first in the order of their bits.
        Move best;
        for (const Move move : legal_moves(now))
            if (plies_to_mate(now.after(move)) == *left - 1 && (!best || move.bits() < best.bits()))
                best = move;
        line.push_back(best);
        now.make(best);
        --*left;
    }
    return line;
}

}  // namespace scholar::engine
