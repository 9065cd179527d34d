#include "selfplay/openings.hpp"

#include <bit>
#include <numeric>

#include "chess/movegen.hpp"

namespace scholar::selfplay {

namespace {

constexpr int kTries = 100;

// The largest of the option Seed.
constexpr std::uint64_t kSeeds = 2'147'483'647;

}  // namespace

std::vector<std::uint32_t> order_by_lot(std::size_t count, std::uint64_t seed) {
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    base::Random(seed, ~std::uint64_t{0}).shuffle(order);
    return order;
}

std::uint64_t draw_engine_seed(base::Random& random) {
    return 1 + random.below(kSeeds);
}

chess::Move draw_move(const chess::Position& position, base::Random& random) {
    const chess::MoveList moves = chess::legal_moves(position);
    return moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))];
}

Opening random_opening(const chess::Position& start, int moves, base::Random& random) {
    for (int attempt = 0; attempt < kTries; ++attempt) {
        Opening opening{chess::Line(start), {}};
        for (int i = 0; i < moves && opening.line.terminal() == chess::Terminal::None; ++i) {
            opening.moves.push_back(draw_move(opening.line.current(), random));
            opening.line.push(opening.moves.back());
        }
        if (opening.line.terminal() == chess::Terminal::None) return opening;
    }
    return {chess::Line(start), {}};
}

std::optional<chess::Position> unbalanced(const chess::Position& position, base::Random& random) {
    const chess::Bitboard kings =
        position.pieces(chess::White, chess::King) | position.pieces(chess::Black, chess::King);
    const chess::Bitboard others = position.occupied() & ~kings;
    if (others == 0) return std::nullopt;
    auto skip = random.below(static_cast<std::uint64_t>(std::popcount(others)));
    for (const chess::Square square : chess::squares(others)) {
        if (skip-- > 0) continue;
        chess::Setup setup = position.setup();
        // Castling only where no rook that it may need is gone.
        if (chess::kind_of(setup.board[square]) == chess::Rook) setup.castling_rights = 0;
        setup.board[square] = chess::NoPiece;
        setup.en_passant = chess::NoSquare;
        setup.halfmove_clock = 0;
        setup.fullmove_number = 1;
        const auto left = chess::Position::from_setup(setup);
        if (!left || chess::Line(*left).terminal() != chess::Terminal::None) return std::nullopt;
        return *left;
    }
    return std::nullopt;
}

}  // namespace scholar::selfplay
