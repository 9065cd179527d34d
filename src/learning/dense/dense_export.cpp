#include "learning/dense/dense_export.hpp"

#include <ATen/ATen.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <vector>

#include "base/text.hpp"
#include "evaluators/make.hpp"
#include "learning/dense/dense_tensors.hpp"
#include "learning/measuring/removals.hpp"
#include "nets/container/open_network.hpp"
#include "nets/dense/dense_runner.hpp"

namespace scholar::learning {

namespace {

constexpr std::size_t kComparedAtOnce = 4'096;

// The position without a piece and what goes with it; nothing if that is none.
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
    std::vector<float> whole;
    for (const games::Sample& sample : samples) whole.push_back(dense_logit(runner, sample.position));
    std::vector<Removal> removals;
    std::vector<float> without;
    for (const Removal& removal : draw_removals(samples, seed)) {
        const auto position = position_without(samples[removal.sample].position, removal.square);
        if (!position) continue;
        removals.push_back(removal);
        without.push_back(dense_logit(runner, *position));
    }
    return values_of_removals(removals, whole, without);
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
            const double by =
                std::abs(said - std::clamp(2.0 * chess::Score::kScale * double{z.data_ptr<float>()[i]},
                                           -bound, bound));
            ++agreement.positions;
            agreement.mean_difference += by;
            // What is no number differs from everything, without bound: a largest one would pass over it.
            agreement.largest_difference = std::max(
                agreement.largest_difference, std::isnan(by) ? std::numeric_limits<double>::infinity() : by);
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
