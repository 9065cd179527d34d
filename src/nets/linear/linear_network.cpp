#include "nets/linear/linear_network.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace scholar::nets {

using namespace chess;

namespace {

void set_all_stages(std::vector<float>& weights, int feature, double value) {
    for (const Stage stage : kStages) weights[weight_index(feature, stage)] = static_cast<float>(value);
}

}  // namespace

FloatLinearNetwork FloatLinearNetwork::material_start() {
    FloatLinearNetwork network;
    for (const PieceKind kind : {Pawn, Knight, Bishop, Rook, Queen}) {
        const double value = kPawnScore * kPoints[kind];
        set_all_stages(network.weights, feature(Block::Material, kind), value);
        network.info.piece_values[kind] = static_cast<int>(std::lround(value));
    }
    return network;
}

FloatLinearNetwork FloatLinearNetwork::all_pawns() {
    FloatLinearNetwork network;
    std::ranges::fill(network.weights, static_cast<float>(kPawnScore));
    for (const PieceKind kind : {Pawn, Knight, Bishop, Rook, Queen})
        network.info.piece_values[kind] = static_cast<int>(std::lround(kPawnScore));
    return network;
}

double FloatLinearNetwork::value(const Position& position) const {
    double sum = 0;
    for (const auto& [weight, slope] : gradient(position))
        sum += static_cast<double>(weights[weight]) * static_cast<double>(slope);
    return sum;
}

std::vector<Slope> gradient(const Position& position) {
    const auto counts = dense_counts(position);
    const StageShares shares = stage_shares(position);
    std::vector<Slope> slopes;
    for (int feature = 0; feature < kLinearFeatures; ++feature) {
        const int count = counts[static_cast<std::size_t>(feature)];
        if (count == 0) continue;
        for (const Stage stage : kStages)
            if (const int share = shares.of(stage))
                slopes.push_back({static_cast<std::uint32_t>(weight_index(feature, stage)),
                                  static_cast<float>(count * share) / StageShares::kWhole});
    }
    return slopes;
}

PieceValues measure_piece_values(const FloatLinearNetwork& network, const std::vector<Position>& positions) {
    std::array<double, 6> falls{};
    std::array<double, 6> counts{};
    for (const Position& position : positions) {
        const double whole = network.value(position);
        const Setup setup = position.setup();
        for (const Square square : squares(position.occupied() & ~position.pieces(King))) {
            const Piece piece = position.piece_on(square);
            Setup without = setup;
            without.board[square] = NoPiece;
            // Rights that the piece gave go with it.
            without.en_passant = NoSquare;
            for (std::size_t i = 0; i < without.castling_rooks.size(); ++i)
                if (without.castling_rooks[i] == square) {
                    without.castling_rooks[i] = NoSquare;
                    without.castling_rights &= static_cast<std::uint8_t>(~(1U << i));
                }
            const auto rest = Position::from_setup(without);
            if (!rest) continue;
            const double fall = whole - network.value(*rest);
            falls[kind_of(piece)] += color_of(piece) == position.side_to_move() ? fall : -fall;
            counts[kind_of(piece)] += 1;
        }
    }
    PieceValues values{};
    for (const PieceKind kind : {Pawn, Knight, Bishop, Rook, Queen}) {
        const auto* const material =
            network.weights.data() + weight_index(feature(Block::Material, kind), Stage::Opening);
        const double mean = counts[kind] > 0
                                ? falls[kind] / counts[kind]
                                : std::accumulate(material, material + kStageCount, 0.0) / kStageCount;
        values[kind] = static_cast<int>(std::lround(std::clamp(mean, 1.0, double{Score::kEvaluationBound})));
    }
    return values;
}

std::int64_t weigh(const StageSums& sums, const StageShares& shares) {
    std::int64_t weighed = 0;
    for (std::size_t stage = 0; stage < kStageCount; ++stage) weighed += sums[stage] * shares.parts[stage];
    return weighed;
}

Score to_score(std::int64_t weighed) {
    constexpr std::int64_t unit = LinearNetwork::kSumUnit;
    constexpr std::int64_t bound = Score::kEvaluationBound;
    const std::int64_t rounded = (weighed + (weighed >= 0 ? unit / 2 : -unit / 2)) / unit;
    return Score(static_cast<int>(std::clamp(rounded, -bound, bound)));
}

base::Result<LinearNetwork> quantise(const FloatLinearNetwork& network) {
    LinearNetwork rounded;
    rounded.info = network.info;
    rounded.weights.reserve(network.weights.size());
    for (std::size_t i = 0; i < network.weights.size(); ++i) {
        const double weight = static_cast<double>(network.weights[i]) * LinearNetwork::kUnit;
        if (!(std::abs(weight) <= LinearNetwork::kLargestWeight))
            return base::fail("weight {} ({}) is {}, expected a number from -{} to {}",
                              feature_name(static_cast<int>(i / kStageCount)),
                              to_string(kStages[i % kStageCount]), network.weights[i],
                              Score::kEvaluationBound, Score::kEvaluationBound);
        rounded.weights.push_back(static_cast<std::int32_t>(std::lround(weight)));
    }
    return rounded;
}

FloatLinearNetwork dequantise(const LinearNetwork& network) {
    FloatLinearNetwork floats;
    floats.info = network.info;
    for (std::size_t i = 0; i < network.weights.size(); ++i)
        floats.weights[i] = static_cast<float>(network.weights[i]) / LinearNetwork::kUnit;
    return floats;
}

Score evaluate_plainly(const LinearNetwork& network, const Position& position) {
    FeatureCounts counts;
    count_features(position, counts);
    StageSums sums{};
    accumulate(network, counts, sums);
    const Score white = to_score(weigh(sums, stage_shares(position)));
    return position.side_to_move() == White ? white : -white;
}

}  // namespace scholar::nets
