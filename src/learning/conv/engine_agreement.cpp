#include "learning/conv/engine_agreement.hpp"

#include <ATen/ATen.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <vector>

#include "base/text.hpp"
#include "chess/line.hpp"
#include "chess/movegen.hpp"
#include "evaluators/make.hpp"
#include "learning/conv/conv_heads.hpp"
#include "learning/conv/move_targets.hpp"
#include "learning/conv/plane_tensors.hpp"
#include "nets/container/open_network.hpp"

namespace scholar::learning {

namespace {

// What is no number differs from everything, without bound: a largest one would pass over it.
double difference(float engine, float libtorch) {
    const double by = std::abs(static_cast<double>(engine) - static_cast<double>(libtorch));
    return std::isnan(by) ? std::numeric_limits<double>::infinity() : by;
}

// What libtorch says of some positions, as probabilities: of legal moves [position][kMaxMoves], and of
// results [position][3].
struct Said {
    at::Tensor moves;
    at::Tensor results;
};

Said ask_libtorch(TorchNetwork& network, const nets::ConvShape& shape,
                  std::span<const games::Sample> samples) {
    const MoveTargets targets = played_moves(samples, [&shape](chess::Move move, chess::Color side) {
        return policy_place(shape.policy, nets::policy_index(move, side));
    });
    const Tensors said = network.forward({plane_tensor(shape.input, samples)});
    Said probabilities;
    probabilities.moves = at::softmax(legal_logits(said[0], targets.places), 1).contiguous();
    if (said.size() > 1) probabilities.results = at::softmax(said[1], 1).contiguous();
    return probabilities;
}

void compare(const evaluators::Opinion& engine, const float* moves, EngineAgreement& agreement) {
    ++agreement.positions;
    const auto& probabilities = engine.probabilities;
    for (std::size_t i = 0; i < probabilities.size(); ++i) {
        const double by = difference(probabilities[i], moves[i]);
        ++agreement.moves;
        agreement.mean_difference += by;
        agreement.largest_difference = std::max(agreement.largest_difference, by);
    }
    const auto best = std::ranges::max_element(probabilities) - probabilities.begin();
    const auto libtorch_best = std::max_element(moves, moves + probabilities.size()) - moves;
    if (best == libtorch_best) ++agreement.same_best_move;
}

void compare_results(const chess::Wdl& engine, const float* results, EngineAgreement& agreement) {
    for (const double by : {difference(engine.win, results[0]), difference(engine.draw, results[1]),
                            difference(engine.loss, results[2])})
        agreement.largest_of_results = std::max(agreement.largest_of_results, by);
}

}  // namespace

base::Result<EngineAgreement> compare_with_engine(const std::filesystem::path& file, TorchNetwork& network,
                                                  const nets::ConvShape& shape,
                                                  std::span<const games::Sample> samples) {
    const auto opened = nets::open_network(file.string());
    if (!opened) return std::unexpected(opened.error());
    const auto engine = evaluators::make_batch(*opened);
    if (!engine) return std::unexpected(engine.error());
    const c10::NoGradGuard no_gradients;
    network.eval();
    EngineAgreement agreement;
    while (!samples.empty()) {
        const auto batch = samples.first(std::min(samples.size(), (*engine)->capacity()));
        samples = samples.subspan(batch.size());
        const Said said = ask_libtorch(network, shape, batch);
        std::vector<std::size_t> asked;
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const chess::MoveList moves = chess::legal_moves(batch[i].position);
            if (moves.empty()) continue;
            (*engine)->submit(chess::Line(batch[i].position), moves);
            asked.push_back(i);
        }
        std::vector<evaluators::Opinion> opinions;
        if (auto status = (*engine)->collect(opinions); !status) return std::unexpected(status.error());
        for (std::size_t i = 0; i < asked.size(); ++i) {
            compare(opinions[i], said.moves.data_ptr<float>() + asked[i] * chess::kMaxMoves, agreement);
            if (opinions[i].wdl.has_value() != said.results.defined())
                return base::fail("only {} gives chances to win, draw and lose",
                                  opinions[i].wdl ? "the engine" : "libtorch");
            if (opinions[i].wdl)
                compare_results(*opinions[i].wdl, said.results.data_ptr<float>() + asked[i] * 3, agreement);
        }
    }
    if (agreement.moves > 0) agreement.mean_difference /= static_cast<double>(agreement.moves);
    return agreement;
}

std::string describe(const EngineAgreement& agreement) {
    return fmt::format(
        "engine and libtorch on {}: a move's probability differs by {:.2g} on average and by {:.2g} at "
        "most, a result's by {:.2g} at most; the same best move in {:.2f} %",
        base::counted(agreement.positions, "position"), agreement.mean_difference,
        agreement.largest_difference, agreement.largest_of_results,
        100 * static_cast<double>(agreement.same_best_move) /
            static_cast<double>(std::max<std::size_t>(agreement.positions, 1)));
}

}  // namespace scholar::learning
