#include "learning/measuring/removals.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/random.hpp"
#include "chess/score.hpp"

namespace scholar::learning {

namespace {

chess::Square random_square(chess::Bitboard set, base::Random& random) {
    for (auto skip = random.below(static_cast<std::uint64_t>(chess::popcount(set))); skip > 0; --skip)
        set &= set - 1;
    return chess::lowest(set);
}

}  // namespace

std::vector<Removal> draw_removals(std::span<const games::Sample> samples, std::uint64_t seed) {
    base::Random random(seed);
    std::vector<Removal> removals;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const chess::Position& position = samples[i].position;
        for (const chess::Color color : chess::kColors)
            for (const chess::PieceKind kind : chess::kPieceKinds) {
                const chess::Bitboard pieces = position.pieces(color, kind);
                if (kind == chess::King || pieces == 0) continue;
                removals.push_back(
                    {i, random_square(pieces, random), kind, color == position.side_to_move()});
            }
    }
    return removals;
}

std::optional<chess::Position> position_without(const chess::Position& position, chess::Square gone) {
    chess::Setup setup = position.setup();
    setup.board[gone] = chess::NoPiece;
    for (const chess::Color color : chess::kColors)
        for (const chess::CastlingSide side : {chess::KingSide, chess::QueenSide})
            if (position.may_castle(color, side) && position.castling_rook(color, side) == gone)
                setup.castling_rights &= static_cast<std::uint8_t>(~chess::castling_bit(color, side));
    setup.en_passant = chess::NoSquare;
    auto without = chess::Position::from_setup(setup);
    if (!without) return std::nullopt;
    return *without;
}

nets::PieceValues values_of_removals(std::span<const Removal> removals, std::span<const float> whole,
                                     std::span<const float> without) {
    std::array<double, 6> falls{};
    std::array<double, 6> counts{};
    for (std::size_t i = 0; i < removals.size(); ++i) {
        const Removal& removal = removals[i];
        const double change = static_cast<double>(whole[removal.sample]) - static_cast<double>(without[i]);
        falls[removal.kind] += removal.own ? change : -change;
        counts[removal.kind] += 1;
    }
    nets::PieceValues values{};
    for (const chess::PieceKind kind : chess::kPieceKinds) {
        if (kind == chess::King) continue;
        const double mean = counts[kind] > 0 ? chess::Score::kScale * falls[kind] / counts[kind] : 1;
        values[kind] =
            static_cast<int>(std::lround(std::clamp(mean, 1.0, double{chess::Score::kEvaluationBound})));
    }
    return values;
}

nets::PieceValues piece_values_by_removals(std::span<const games::Sample> samples, std::uint64_t seed,
                                           const std::function<float(const chess::Position&)>& logit_of) {
    std::vector<float> whole;
    for (const games::Sample& sample : samples) whole.push_back(logit_of(sample.position));
    std::vector<Removal> removals;
    std::vector<float> without;
    for (const Removal& removal : draw_removals(samples, seed)) {
        const auto position = position_without(samples[removal.sample].position, removal.square);
        if (!position) continue;
        removals.push_back(removal);
        without.push_back(logit_of(*position));
    }
    return values_of_removals(removals, whole, without);
}

}  // namespace scholar::learning
