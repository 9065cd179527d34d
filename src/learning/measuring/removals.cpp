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

}  // namespace scholar::learning
