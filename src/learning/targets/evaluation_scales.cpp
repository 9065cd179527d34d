#include "learning/targets/evaluation_scales.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numeric>

namespace scholar::learning {

void EvaluationCounts::add(const games::Evaluation& evaluation, double result) {
    if (evaluation.mate != 0 || std::abs(evaluation.centipawns) > kLimit) return;
    const auto bin =
        static_cast<std::size_t>(std::lround((evaluation.centipawns + kLimit) / double{kBinWidth}));
    positions_[bin] += 1;
    points_[bin] += result;
}

void EvaluationCounts::add(const EvaluationCounts& other) {
    for (std::size_t bin = 0; bin < kBins; ++bin) {
        positions_[bin] += other.positions_[bin];
        points_[bin] += other.points_[bin];
    }
}

double EvaluationCounts::positions() const {
    return std::accumulate(positions_.begin(), positions_.end(), 0.0);
}

double fit_scale(const EvaluationCounts& counts, const EvaluationCounts& prior, double weight) {
    // The log-likelihood is concave in the slope k = 1 / s, so its derivative changes sign once.
    const auto derivative = [&](double slope) {
        double sum = 0;
        for (int bin = 0; bin < EvaluationCounts::kBins; ++bin) {
            const double centipawns = EvaluationCounts::centipawns_of(bin);
            const double positions = counts.positions_in(bin) + weight * prior.positions_in(bin);
            const double points = counts.points_in(bin) + weight * prior.points_in(bin);
            sum += centipawns * (points - positions / (1 + std::exp(-slope * centipawns)));
        }
        return sum;
    };
    constexpr double smallest = 10;     // a hundredth of a pawn decides
    constexpr double largest = 10'000;  // a hundred pawns decide
    double low = 1 / largest;
    double high = 1 / smallest;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (derivative(middle) > 0 ? low : high) = middle;
    }
    return 2 / (low + high);
}

double EvaluationScales::expected(const games::Evaluation& evaluation, std::uint32_t producer) const {
    if (evaluation.mate != 0) return evaluation.mate > 0 ? 1 : 0;
    const double scale = producer < producers.size() ? producers[producer].scale : pooled.scale;
    return 1 / (1 + std::exp(-evaluation.centipawns / scale));
}

EvaluationScales fit_scales(const std::vector<std::string>& producers,
                            const std::vector<EvaluationCounts>& counts) {
    EvaluationCounts all;
    for (const EvaluationCounts& each : counts) all.add(each);
    EvaluationScales scales;
    scales.pooled.positions = all.positions();
    if (all.positions() > 0) scales.pooled.scale = fit_scale(all, EvaluationCounts(), 0);
    for (std::size_t i = 0; i < producers.size(); ++i) {
        const EvaluationCounts own = i < counts.size() ? counts[i] : EvaluationCounts();
        ProducerScale scale{producers[i], own.positions(), scales.pooled.scale};
        if (own.positions() > 0)
            scale.scale = fit_scale(own, all, EvaluationScales::kPriorPositions / all.positions());
        scales.producers.push_back(std::move(scale));
    }
    return scales;
}

std::vector<ProducerScale> main_producers(const EvaluationScales& scales) {
    std::vector<ProducerScale> main;
    for (const ProducerScale& each : scales.producers)
        if (each.positions >= EvaluationScales::kPriorPositions) main.push_back(each);
    std::ranges::stable_sort(main, std::greater{}, &ProducerScale::positions);
    return main;
}

std::string describe(const EvaluationScales& scales) {
    std::string text = fmt::format("all {:.1f} ({:.0f})", scales.pooled.scale, scales.pooled.positions);
    for (const ProducerScale& each : main_producers(scales))
        text += fmt::format(", {} {:.1f} ({:.0f})", each.producer, each.scale, each.positions);
    return text;
}

std::string to_table(const EvaluationScales& scales) {
    std::string text =
        "evaluations: expected result = 1 / (1 + exp(-centipawns / s)), fitted to the training games\n";
    text += fmt::format("  {:<24} {:>12} {:>8}", "producer", "positions", "s");
    const auto row = [&text](const ProducerScale& scale) {
        text += fmt::format("\n  {:<24} {:>12.0f} {:>8.1f}", scale.producer, scale.positions, scale.scale);
    };
    row(scales.pooled);
    const std::vector<ProducerScale> main = main_producers(scales);
    for (const ProducerScale& scale : main) row(scale);
    const auto others = std::ranges::count_if(scales.producers, [](const ProducerScale& scale) {
        return scale.positions > 0 && scale.positions < EvaluationScales::kPriorPositions;
    });
    if (others > 0)
        text += fmt::format("\n  and {} with fewer than {:.0f} positions, all of them in survey.json", others,
                            EvaluationScales::kPriorPositions);
    return text;
}

}  // namespace scholar::learning
