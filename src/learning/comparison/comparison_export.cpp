#include "learning/comparison/comparison_export.hpp"

#include <ATen/ATen.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <cmath>
#include <fmt/format.h>
#include <vector>

#include "base/text.hpp"
#include "evaluators/make.hpp"
#include "learning/comparison/comparison_tensors.hpp"
#include "learning/measuring/removals.hpp"
#include "learning/targets/difference.hpp"
#include "nets/comparison/comparison_runner.hpp"
#include "nets/container/open_network.hpp"

namespace scholar::learning {

namespace {

constexpr std::size_t kPairsComparedAtOnce = 4'096;

// The logit of the expected result of the side to move.
float value_of_mover(nets::ComparisonRunner& runner, const chess::Position& position) {
    const float white = runner.value(position);
    return position.side_to_move() == chess::White ? white : -white;
}

}  // namespace

void centre_values(nets::ComparisonNetwork& network, std::span<const SamplePair> pairs) {
    nets::ComparisonRunner runner(std::make_shared<const nets::ComparisonNetwork>(network));
    std::vector<double> values;
    for (const SamplePair& pair : pairs)
        for (const games::Sample* sample : {&pair.won, &pair.lost})
            values.push_back(double{runner.value(sample->position)});
    if (values.empty()) return;
    // By halves: the mean rises with what is added.
    double low = -std::ranges::max(values);
    double high = -std::ranges::min(values);
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        double sum = 0;
        for (const double value : values) sum += 1 / (1 + std::exp(-value - middle));
        (sum < static_cast<double>(values.size()) / 2 ? low : high) = middle;
    }
    network.head.back().bias.front() += static_cast<float>((low + high) / 2);
}

nets::PieceValues measure_piece_values(std::shared_ptr<const nets::ComparisonNetwork> network,
                                       std::span<const games::Sample> samples, std::uint64_t seed) {
    nets::ComparisonRunner runner(std::move(network));
    return piece_values_by_removals(samples, seed, [&runner](const chess::Position& position) {
        return value_of_mover(runner, position);
    });
}

base::Result<ComparisonAgreement> compare_with_engine(const std::filesystem::path& file,
                                                      TorchNetwork& network,
                                                      std::span<const SamplePair> pairs) {
    const auto opened = nets::open_network(file.string());
    if (!opened) return std::unexpected(opened.error());
    const auto comparison = opened->as<nets::ComparisonNetwork>();
    if (!comparison) return base::fail("{}, expected a comparison network", opened->description());
    nets::ComparisonRunner runner(comparison);
    const auto comparator = evaluators::make_comparator(*opened);
    if (!comparator) return std::unexpected(comparator.error());
    const c10::NoGradGuard no_gradients;
    network.eval();
    ComparisonAgreement agreement;
    evaluators::Embedding first;
    evaluators::Embedding second;
    while (!pairs.empty()) {
        const auto batch = pairs.first(std::min(pairs.size(), kPairsComparedAtOnce));
        pairs = pairs.subspan(batch.size());
        const PairTensors bits = pair_bits(batch);
        const at::Tensor z = network.forward({bits.first, bits.second}).at(0).contiguous();
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const bool lost_first = batch[i].lost_first;
            (*comparator)->embed((lost_first ? batch[i].lost : batch[i].won).position, first);
            (*comparator)->embed((lost_first ? batch[i].won : batch[i].lost).position, second);
            const double by = difference_of(runner.logit(first, second), z.data_ptr<float>()[i]);
            ++agreement.pairs;
            agreement.same_answer +=
                (*comparator)->prefers(first, second) == (z.data_ptr<float>()[i] > 0) ? 1 : 0;
            agreement.mean_difference += by;
            agreement.largest_difference = std::max(agreement.largest_difference, by);
        }
    }
    if (agreement.pairs > 0) agreement.mean_difference /= static_cast<double>(agreement.pairs);
    return agreement;
}

std::string describe(const ComparisonAgreement& agreement) {
    return fmt::format(
        "engine and libtorch on {}: the logit differs by {:.2g} on average and by {:.2g} at most, {} "
        "answers are the same",
        base::counted(agreement.pairs, "pair"), agreement.mean_difference, agreement.largest_difference,
        agreement.same_answer);
}

}  // namespace scholar::learning
