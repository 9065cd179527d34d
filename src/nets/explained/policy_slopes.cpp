#include "nets/explained/policy_slopes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace scholar::nets {

namespace {

// Multiplies the probability by that of one place among some, and notes the slopes of the logarithm.
void take_step(const std::function<double(int)>& logits, const std::set<int>& places, int taken,
               TwoStepSlopes& step) {
    const std::vector<int> all(places.begin(), places.end());
    std::vector<double> values;
    values.reserve(all.size());
    for (const int place : all) values.push_back(logits(place));
    const auto index = static_cast<std::size_t>(std::ranges::find(all, taken) - all.begin());
    const ProbabilitySlopes chosen = softmax_slopes(values, index);
    step.probability *= chosen.probability;
    for (std::size_t i = 0; i < all.size(); ++i)
        step.slopes[all[i]] += chosen.slopes[i] / std::max(chosen.probability, 1e-300);
}

}  // namespace

ProbabilitySlopes softmax_slopes(std::span<const double> logits, std::size_t index) {
    const double most = std::ranges::max(logits);
    double sum = 0;
    std::vector<double> shares;
    for (const double logit : logits) sum += shares.emplace_back(std::exp(logit - most));
    for (double& share : shares) share /= sum;
    ProbabilitySlopes result{shares[index], std::vector<double>(logits.size())};
    for (std::size_t i = 0; i < shares.size(); ++i)
        result.slopes[i] = shares[index] * ((i == index ? 1 : 0) - shares[i]);
    return result;
}

TwoStepSlopes two_step_slopes(const std::function<double(int)>& logits, std::span<const SquareMove> moves,
                              std::size_t index) {
    const SquareMove& move = moves[index];
    std::set<int> from;
    std::set<int> to;
    for (const SquareMove& each : moves) {
        from.insert(from_place(each.from));
        if (each.from == move.from) to.insert(to_place(each.from, each.to));
    }
    TwoStepSlopes result{1, {}};
    take_step(logits, from, from_place(move.from), result);
    take_step(logits, to, to_place(move.from, move.to), result);
    if (move.promotion > 0) {
        // A queen has no place of its own: its logit is 0.
        constexpr int kQueen = -1;
        std::set<int> kinds{kQueen};
        for (int kind = 0; kind < kUnderpromotions; ++kind)
            kinds.insert(underpromotion_place(kind, move.to % 8));
        const int taken = move.promotion <= kUnderpromotions
                              ? underpromotion_place(move.promotion - 1, move.to % 8)
                              : kQueen;
        take_step([&logits](int place) { return place == kQueen ? 0 : logits(place); }, kinds, taken, result);
        result.slopes.erase(kQueen);
    }
    for (auto& [place, slope] : result.slopes) slope *= result.probability;
    return result;
}

}  // namespace scholar::nets
