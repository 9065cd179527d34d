#include "learning/targets/move_targets.hpp"

#include <ATen/ATen.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <variant>

#include "chess/movegen.hpp"
#include "games/sample_stages.hpp"

namespace scholar::learning {

namespace {

constexpr float kNoLogit = -std::numeric_limits<float>::infinity();
// Instead of a result that never came.
constexpr double kLeastShare = 1e-6;
// Of a hyperbolic tangent that can be turned back.
constexpr double kAlmostOne = 0.999;
// Until the loss has stopped falling in its fourth digit.
constexpr int kPreferenceSteps = 50;

}  // namespace

base::Status expect_played_moves(const games::Sampling& sampling) {
    for (const games::SampleStage& stage : sampling.stages)
        if (std::holds_alternative<games::stages::RandomMove>(stage))
            return base::fail(
                "'stages' in [sampler]: nobody played a move behind random_move, expected samples with "
                "the move that a policy is to learn");
    return {};
}

MoveTargets played_moves(std::span<const games::Sample> samples, const PlaceOfMove& place) {
    const auto count = static_cast<std::int64_t>(samples.size());
    MoveTargets targets{at::full({count, chess::kMaxMoves}, -1, at::kShort),
                        at::zeros({count, chess::kMaxMoves}, at::kFloat)};
    auto* places = targets.places.data_ptr<std::int16_t>();
    auto* wanted = targets.wanted.data_ptr<float>();
    for (const games::Sample& sample : samples) {
        const chess::MoveList moves = chess::legal_moves(sample.position);
        for (int i = 0; i < moves.size(); ++i) {
            places[i] = static_cast<std::int16_t>(place(sample.position, moves[i]));
            if (moves[i] == sample.move) wanted[i] = 1;
        }
        places += chess::kMaxMoves;
        wanted += chess::kMaxMoves;
    }
    return targets;
}

at::Tensor legal_logits(const at::Tensor& logits, const at::Tensor& places) {
    return logits.gather(1, places.clamp_min(0).to(at::kLong)).masked_fill(places < 0, kNoLogit);
}

at::Tensor move_loss(const at::Tensor& of_legal, const at::Tensor& wanted) {
    // Where there is no move, 0 · −∞ would be no number.
    const at::Tensor logs = at::log_softmax(of_legal, 1).masked_fill(of_legal == kNoLogit, 0);
    return -(wanted * logs).sum(1).mean();
}

double share_in_first(const at::Tensor& of_legal, const at::Tensor& wanted, int count) {
    const at::Tensor right = of_legal.gather(1, wanted.argmax(1, true));
    const at::Tensor before = (of_legal > right).sum(1);
    const at::Tensor equal = (of_legal == right).sum(1);
    const at::Tensor known = wanted.amax(1) > 0;
    return (((count - before).to(at::kDouble) / equal).clamp(0, 1) * known).mean().item<double>();
}

std::vector<std::pair<std::string, double>> move_figures(const at::Tensor& of_legal,
                                                         const at::Tensor& wanted) {
    std::vector<std::pair<std::string, double>> all;
    for (const auto& [name, count] :
         {std::pair{"first move", 1}, {"in 3 moves", 3}, {"in 5 moves", 5}, {"in 10 moves", 10}})
        all.emplace_back(name, share_in_first(of_legal, wanted, count));
    all.emplace_back("loss of moves", move_loss(of_legal, wanted).item<double>());
    return all;
}

at::Tensor frequent_moves(const MoveTargets& targets, int outputs) {
    at::Tensor counts = at::ones({outputs}, targets.wanted.options());
    counts.scatter_add_(0, targets.places.clamp_min(0).to(at::kLong).flatten(), targets.wanted.flatten());
    return counts.log().unsqueeze(0);
}

at::Tensor preferred_moves(const MoveTargets& targets, int outputs) {
    // One number for each legal move of each position: rows are mostly empty.
    const at::Tensor legal = targets.places >= 0;
    const at::Tensor places = targets.places.masked_select(legal).to(at::kLong);
    const at::Tensor positions = legal.nonzero().select(1, 0).contiguous();
    const auto by_move = [&](const at::Tensor& amounts) {
        return at::zeros({outputs}, amounts.options()).scatter_add_(0, places, amounts);
    };
    const auto by_position = [&](const at::Tensor& amounts) {
        return at::zeros({legal.size(0)}, amounts.options()).scatter_add_(0, positions, amounts);
    };
    const at::Tensor wins = by_move(targets.wanted.masked_select(legal)) + 1;
    // A position that teaches nothing is no choice.
    const at::Tensor choices = targets.wanted.sum(1);
    at::Tensor strengths = at::ones({outputs}, wins.options());
    for (int step = 0; step < kPreferenceSteps; ++step) {
        const at::Tensor shares =
            choices / by_position(strengths.index_select(0, places)).clamp_min(kLeastShare);
        strengths = wins / (by_move(shares.index_select(0, positions)) + 2 / (1 + strengths));
    }
    return strengths.log().unsqueeze(0);
}

at::Tensor result_targets(std::span<const games::Sample> samples) {
    at::Tensor targets = at::empty({static_cast<std::int64_t>(samples.size()), 3}, at::kFloat);
    auto* out = targets.data_ptr<float>();
    for (const games::Sample& sample : samples) {
        const float advantage = 2 * sample.result - 1;
        *out++ = std::max(advantage, 0.0F);
        *out++ = 1 - std::abs(advantage);
        *out++ = std::max(-advantage, 0.0F);
    }
    return targets;
}

namespace {

constexpr double kLogitUnits = 400;

// Of the side whose advantage it is, 0 to 1.
double expected_by(const games::Evaluation& evaluation) {
    if (evaluation.mate != 0) return evaluation.mate > 0 ? 1 : 0;
    return 1 / (1 + std::exp(-evaluation.centipawns / kLogitUnits));
}

}  // namespace

at::Tensor value_targets(std::span<const games::Sample> samples, double result_weight) {
    at::Tensor targets = at::empty({static_cast<std::int64_t>(samples.size()), 1}, at::kFloat);
    auto* out = targets.data_ptr<float>();
    for (const games::Sample& sample : samples) {
        double expected = static_cast<double>(sample.result);
        if (sample.evaluation)
            expected = result_weight * expected + (1 - result_weight) * expected_by(*sample.evaluation);
        *out++ = static_cast<float>(2 * expected - 1);
    }
    return targets;
}

at::Tensor result_loss(const at::Tensor& logits, const at::Tensor& wanted) {
    return -(wanted * at::log_softmax(logits, 1)).sum(1).mean();
}

at::Tensor average_result(const at::Tensor& wanted) {
    return wanted.mean(0, true).clamp_min(kLeastShare).log();
}

at::Tensor value_loss(const at::Tensor& said, const at::Tensor& wanted) {
    return (at::tanh(said) - wanted).square().mean();
}

at::Tensor average_value(const at::Tensor& wanted) {
    return at::atanh(wanted.mean(0, true).clamp(-kAlmostOne, kAlmostOne));
}

}  // namespace scholar::learning
