#include "learning/conv/engine_agreement.hpp"

#include <ATen/ATen.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "chess/line.hpp"
#include "chess/movegen.hpp"
#include "evaluators/make.hpp"
#include "learning/conv/plane_tensors.hpp"
#include "learning/conv/policy_logits.hpp"
#include "learning/targets/difference.hpp"
#include "learning/targets/length_targets.hpp"
#include "learning/targets/move_targets.hpp"
#include "nets/container/open_network.hpp"

namespace scholar::learning {

namespace {

// What libtorch says of some positions, as probabilities: of legal moves [position][kMaxMoves], and of
// results [position][3], or the expected result [position][1].
struct Said {
    at::Tensor moves;
    at::Tensor results;
    at::Tensor lengths;  // half-moves that are left [position][1]
};

Said ask_libtorch(TorchNetwork& network, const nets::ConvShape& shape,
                  std::span<const games::Sample> samples) {
    const MoveTargets targets =
        played_moves(samples, [&shape](const chess::Position& position, chess::Move move) {
            return policy_place(shape.policy, position, move);
        });
    const Tensors said = network.forward({plane_tensor(shape.input, samples)});
    Said probabilities;
    probabilities.moves = at::softmax(policy_logits(shape.policy, said[0], targets.places), 1).contiguous();
    if (said.size() > 1)
        probabilities.results =
            (shape.value == nets::ValueForm::Wdl ? at::softmax(said[1], 1) : (1 + at::tanh(said[1])) / 2)
                .contiguous();
    if (said.size() > 2) probabilities.lengths = (kLengthUnit * said[2]).clamp_min(0).contiguous();
    return probabilities;
}

// What both can know of them: the engine is given positions without games, and asks for the moves of those of
// the highest rating who won.
std::vector<games::Sample> as_the_engine_sees(const nets::PlanesInput& input,
                                              std::span<const games::Sample> samples) {
    std::vector<games::Sample> alike(samples.begin(), samples.end());
    for (games::Sample& sample : alike) {
        sample.before = {};
        sample.ratings.fill(static_cast<std::uint16_t>(input.rating_most));
        sample.result = 1;
    }
    return alike;
}

void compare_results(const chess::Wdl& engine, const float* results, EngineAgreement& agreement) {
    for (const auto& [ours, theirs] :
         {std::pair{engine.win, results[0]}, {engine.draw, results[1]}, {engine.loss, results[2]}})
        agreement.largest_of_results = std::max(agreement.largest_of_results, difference_of(ours, theirs));
}

// A score is rounded: what lies within half a unit of it is the same.
double difference_of_expected(chess::Score engine, float expected) {
    if (std::isnan(expected)) return std::numeric_limits<double>::infinity();
    const auto expected_of = [](double value) { return 1 / (1 + std::exp(-value / chess::Score::kScale)); };
    const double theirs = expected;
    return std::max(
        {0.0, expected_of(engine.value() - 0.5) - theirs, theirs - expected_of(engine.value() + 0.5)});
}

// Of one position; nothing is compared where neither has anything.
base::Status compare_values(const evaluators::Opinion& engine, const at::Tensor& results,
                            std::size_t position, EngineAgreement& agreement) {
    const std::int64_t numbers = results.defined() ? results.size(1) : 0;
    if (engine.wdl.has_value() != (numbers == 3) || engine.value.has_value() != (numbers > 0))
        return base::fail("engine and libtorch do not say the same of the result");
    if (numbers == 0) return {};
    const float* const theirs = results.data_ptr<float>() + static_cast<std::int64_t>(position) * numbers;
    if (engine.wdl)
        compare_results(*engine.wdl, theirs, agreement);
    else
        agreement.largest_of_results =
            std::max(agreement.largest_of_results, difference_of_expected(*engine.value, *theirs));
    return {};
}

// Likewise, as shares of what is said.
base::Status compare_lengths(const evaluators::Opinion& engine, const at::Tensor& lengths,
                             std::size_t position, EngineAgreement& agreement) {
    if (engine.moves_left.has_value() != lengths.defined())
        return base::fail("engine and libtorch do not say the same of the half-moves left");
    if (!lengths.defined()) return {};
    const float theirs = lengths.data_ptr<float>()[position];
    agreement.largest_of_lengths = std::max(
        agreement.largest_of_lengths, difference_of(*engine.moves_left, theirs) / std::max(1.0F, theirs));
    return {};
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
    const std::vector<games::Sample> alike = as_the_engine_sees(shape.input, samples);
    std::span<const games::Sample> rest = alike;
    while (!rest.empty()) {
        const auto batch = rest.first(std::min(rest.size(), (*engine)->capacity()));
        rest = rest.subspan(batch.size());
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
            agreement.add(opinions[i].probabilities,
                          said.moves.data_ptr<float>() + asked[i] * chess::kMaxMoves);
            if (auto status = compare_values(opinions[i], said.results, asked[i], agreement); !status)
                return std::unexpected(status.error());
            if (auto status = compare_lengths(opinions[i], said.lengths, asked[i], agreement); !status)
                return std::unexpected(status.error());
        }
    }
    return agreement;
}

}  // namespace scholar::learning
