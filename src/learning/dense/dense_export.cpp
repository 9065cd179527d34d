#include "learning/dense/dense_export.hpp"

#include <ATen/ATen.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include "base/text.hpp"
#include "evaluators/make.hpp"
#include "learning/dense/dense_tensors.hpp"
#include "learning/measuring/removals.hpp"
#include "learning/targets/difference.hpp"
#include "nets/container/open_network.hpp"
#include "nets/dense/dense_runner.hpp"

namespace scholar::learning {

namespace {

constexpr std::size_t kComparedAtOnce = 4'096;

// The logit of the expected result of the side to move.
float dense_logit(nets::DenseRunner& runner, const chess::Position& position) {
    runner.network().info.shape.features->encode(position, runner.inputs());
    const float white = 2 * runner.run();
    return position.side_to_move() == chess::White ? white : -white;
}

}  // namespace

nets::PieceValues measure_piece_values(std::shared_ptr<const nets::DenseNetwork> network,
                                       std::span<const games::Sample> samples, std::uint64_t seed) {
    nets::DenseRunner runner(std::move(network));
    return piece_values_by_removals(
        samples, seed, [&runner](const chess::Position& position) { return dense_logit(runner, position); });
}

base::Result<DenseAgreement> compare_with_engine(const std::filesystem::path& file, TorchNetwork& network,
                                                 const nets::DenseShape& shape,
                                                 std::span<const games::Sample> samples) {
    const auto opened = nets::open_network(file.string());
    if (!opened) return std::unexpected(opened.error());
    auto engine = evaluators::make_leaf(*opened);
    if (!engine) return std::unexpected(engine.error());
    const c10::NoGradGuard no_gradients;
    network.eval();
    constexpr double bound = chess::Score::kEvaluationBound;
    DenseAgreement agreement;
    while (!samples.empty()) {
        const auto batch = samples.first(std::min(samples.size(), kComparedAtOnce));
        samples = samples.subspan(batch.size());
        const at::Tensor z = network.forward({dense_inputs(*shape.features, batch)}).at(0).contiguous();
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const chess::Position& position = batch[i].position;
            engine->reset(position);
            const double said =
                chess::PovScore(engine->value(position), position.side_to_move()).white().value();
            const double by = difference_of(
                said, std::clamp(2.0 * chess::Score::kScale * double{z.data_ptr<float>()[i]}, -bound, bound));
            ++agreement.positions;
            agreement.mean_difference += by;
            agreement.largest_difference = std::max(agreement.largest_difference, by);
        }
    }
    if (agreement.positions > 0) agreement.mean_difference /= static_cast<double>(agreement.positions);
    return agreement;
}

std::string describe(const DenseAgreement& agreement) {
    return fmt::format(
        "engine and libtorch on {}: the score, which the engine rounds, differs by {:.2f} on average and by "
        "{:.2f} at most",
        base::counted(agreement.positions, "position"), agreement.mean_difference,
        agreement.largest_difference);
}

}  // namespace scholar::learning
