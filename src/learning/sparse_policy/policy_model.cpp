#include "learning/sparse_policy/policy_model.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <span>
#include <utility>

#include "learning/perspective/panels.hpp"
#include "learning/perspective/perspective_kernels.hpp"
#include "learning/run/checkpoint_values.hpp"
#include "learning/run/run_time.hpp"
#include "learning/sparse_policy/policy_kernels.hpp"

namespace scholar::learning {

namespace {

using PolicyClock = std::chrono::steady_clock;

static_assert(PolicyBlock::kPositions <= static_cast<std::size_t>(kBlock));

// The softmax over a position's legal moves, in place of their logits, and what it lacks: the gradient of the
// loss, × scale. Gives the loss.
double softmax_loss(std::span<float> logits, const float* wanted, float scale) {
    const float best = std::ranges::max(logits);
    float sum = 0;
    float choices = 0;
    double loss = 0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        if (wanted[i] > 0) loss += static_cast<double>(wanted[i]) * static_cast<double>(best - logits[i]);
        choices += wanted[i];
        logits[i] = std::exp(logits[i] - best);
        sum += logits[i];
    }
    for (std::size_t i = 0; i < logits.size(); ++i)
        logits[i] = (choices * logits[i] / sum - wanted[i]) * scale;
    return loss + static_cast<double>(choices) * std::log(static_cast<double>(sum));
}

// The part of `count` things that is a member's.
std::pair<std::size_t, std::size_t> share_of(std::size_t count, int member, int members) {
    const auto size = static_cast<std::size_t>(members);
    const auto me = static_cast<std::size_t>(member);
    return {count * me / size, count * (me + 1) / size};
}

// The runs of a block that are a member's: those that begin in its part of the places.
std::span<const RowRun> runs_of(const PolicyBlock& block, int member, int members) {
    const auto [from, to] = share_of(block.places.size(), member, members);
    const auto begin = std::ranges::lower_bound(block.runs, from, {}, &RowRun::begin);
    const auto end = std::ranges::lower_bound(block.runs, to, {}, &RowRun::begin);
    return {begin, end};
}

}  // namespace

double policy_output_bound() {
    return static_cast<double>(nets::SparsePolicyNetwork::kLargestWeight) /
           nets::SparsePolicyNetwork::kCoarsestScale;
}

SparsePolicyModel::SparsePolicyModel(const nets::FloatSparsePolicy& start, int threads)
    : info_(start.info),
      transformer_(to_panels(start.transformer, width())),
      transformer_bias_(start.transformer_bias),
      output_(start.output),
      output_bias_(start.output_bias),
      team_(std::make_unique<Team>(threads)) {}

double SparsePolicyModel::pass(const PolicyBatch& batch, bool back, std::vector<float>* logits) {
    const PerspectiveWeights weights{transformer_.weights.data(),
                                     transformer_bias_.weights.data(),
                                     nullptr,
                                     nullptr,
                                     static_cast<std::size_t>(info_.architecture.features->size()),
                                     width(),
                                     units(),
                                     info_.architecture.activation};
    const PerspectiveGradients gradients{transformer_.gradient.data(), transformer_bias_.gradient.data(),
                                         nullptr, nullptr};
    const auto each = static_cast<std::size_t>(batch.rows_of_a_move);
    const std::size_t panels = units() / kPanel;
    const int members = team_->size();
    const bool both = may_take_both(weights.activation) && panels % 2 == 0 &&
                      panels / 2 >= static_cast<std::size_t>(members);
    const float scale = 1 / static_cast<float>(batch.size());
    // Of one block: what the kernels keep between there and back, the units and their gradients, and of each
    // slot first the logit, then its gradient.
    const auto clipped = std::make_unique_for_overwrite<float[]>(2 * width() * kBlock);
    std::vector<float> of_units(PolicyBlock::kPositions * units());
    std::vector<float> unit_grads(of_units.size());
    std::vector<float> slots;
    std::array<std::atomic<std::size_t>, 2> taken{};
    std::vector<double> losses(batch.size());

    for (const PolicyBlock& block : batch.blocks) {
        const std::size_t positions = block.to - block.from;
        const std::size_t first_move = batch.first[block.from];
        const PerspectiveInput input{
            batch.features.data() + block.from * static_cast<std::size_t>(batch.stride),
            nullptr,
            batch.counts.data() + block.from,
            nullptr,
            batch.stride,
            static_cast<std::int64_t>(positions),
            1};
        slots.resize(block.places.size());
        taken[0] = taken[1] = 0;
        team_->run([&](int member) {
            const std::span<const RowRun> runs = runs_of(block, member, members);
            PerspectivePart part{0, input.positions, 0, both};
            while ((part.panel = taken[0].fetch_add(both ? 2 : 1)) < panels)
                units_forward(input, weights, part, clipped.get(), of_units.data());
            team_->meet();
            row_logits(runs, block.places.data(), of_units.data(), units(), output_.weights.data(),
                       output_bias_.weights.data(), slots.data());
            team_->meet();
            const auto [from, to] = share_of(positions, member, members);
            std::array<float, chess::kMaxMoves> of_moves;
            for (std::size_t position = from; position < to; ++position) {
                const std::size_t first = batch.first[block.from + position];
                const std::size_t moves = batch.first[block.from + position + 1] - first;
                float* const own = slots.data() + (first - first_move) * each;
                for (std::size_t move = 0; move < moves; ++move)
                    of_moves[move] = std::accumulate(own + move * each, own + (move + 1) * each, 0.0F);
                if (logits) std::copy_n(of_moves.data(), moves, logits->data() + first);
                if (!back || moves == 0) continue;
                losses[block.from + position] =
                    softmax_loss(std::span(of_moves).first(moves), batch.wanted.data() + first, scale);
                for (std::size_t slot = 0; slot < moves * each; ++slot) own[slot] = of_moves[slot / each];
            }
            if (!back) return;
            team_->meet();
            row_gradients(runs, block.places.data(), of_units.data(), units(), slots.data(),
                          output_.gradient.data(), output_bias_.gradient.data());
            const auto [begin, end] = share_of(panels, member, members);
            for (std::size_t position = 0; position < positions; ++position)
                std::fill_n(unit_grads.data() + position * units() + begin * kPanel, (end - begin) * kPanel,
                            0.0F);
            unit_gradients(block.runs, block.places.data(), units(), begin * kPanel, end * kPanel,
                           output_.weights.data(), slots.data(), unit_grads.data());
            team_->meet();
            while ((part.panel = taken[1].fetch_add(both ? 2 : 1)) < panels)
                units_backward(input, weights, part, clipped.get(), unit_grads.data(), gradients);
        });
    }
    return std::accumulate(losses.begin(), losses.end(), 0.0);
}

void SparsePolicyModel::clear_gradients() {
    for (Parameter* each : {&transformer_, &transformer_bias_, &output_, &output_bias_})
        std::ranges::fill(each->gradient, 0.0F);
}

PolicyStep SparsePolicyModel::train(const PolicyBatch& batch, const AdamOptions& options,
                                    double learning_rate, const PolicyClip& clip) {
    PolicyStep result;
    auto start = PolicyClock::now();
    clear_gradients();
    result.loss = pass(batch, true, nullptr) / static_cast<double>(batch.size());
    result.times.backward = seconds_since(start);
    start = PolicyClock::now();
    ++steps_;
    std::vector<std::size_t> clipped(static_cast<std::size_t>(team_->size()));
    team_->run([&](int member) {
        for (const auto& [parameter, bound] : {std::pair{&transformer_, clip.transformer},
                                               {&transformer_bias_, clip.transformer},
                                               {&output_, clip.output},
                                               {&output_bias_, std::numeric_limits<float>::max()}}) {
            const auto [from, to] = share_of(parameter->weights.size(), member, team_->size());
            clipped[static_cast<std::size_t>(member)] += adam_update(
                options, learning_rate, steps_, bound, std::span(parameter->weights).subspan(from, to - from),
                std::span(parameter->gradient).subspan(from, to - from),
                MomentSpans(parameter->moments, from, to - from));
        }
    });
    result.clipped = std::accumulate(clipped.begin(), clipped.end(), std::size_t{0});
    result.times.update = seconds_since(start);
    return result;
}

double SparsePolicyModel::gradient(const PolicyBatch& batch, nets::FloatSparsePolicy& out) {
    clear_gradients();
    const double loss = pass(batch, true, nullptr) / static_cast<double>(batch.size());
    out = as_network(&Parameter::gradient);
    return loss;
}

std::vector<float> SparsePolicyModel::logits(const PolicyBatch& batch) {
    std::vector<float> logits(batch.moves());
    pass(batch, false, &logits);
    return logits;
}

nets::FloatSparsePolicy SparsePolicyModel::as_network(std::vector<float> Parameter::* of) const {
    nets::FloatSparsePolicy network;
    network.info = info_;
    network.transformer = from_panels(transformer_.*of, width());
    network.transformer_bias = transformer_bias_.*of;
    network.output = output_.*of;
    network.output_bias = output_bias_.*of;
    return network;
}

nets::FloatSparsePolicy SparsePolicyModel::network() const {
    return as_network(&Parameter::weights);
}

base::Status SparsePolicyModel::put(nets::TensorFile& checkpoint) const {
    base::Status status;
    const auto put_one = [&](const std::string& name, const std::vector<float>& values) {
        if (status && !std::ranges::all_of(values, [](float value) { return std::isfinite(value); }))
            status = base::fail(
                "step {}: {} holds values that are not finite numbers, expected none: no checkpoint was "
                "written",
                steps_, name);
        put_floats(checkpoint, name, values);
    };
    for (const auto& [name, parameter] : {std::pair{"transformer.weight", &transformer_},
                                          {"transformer.bias", &transformer_bias_},
                                          {"output.weight", &output_},
                                          {"output.bias", &output_bias_}}) {
        put_one(name, parameter->weights);
        put_one(fmt::format("{}.first_moment", name), parameter->moments.first);
        put_one(fmt::format("{}.second_moment", name), parameter->moments.second);
    }
    checkpoint.metadata["optimiser_steps"] = fmt::format("{}", steps_);
    return status;
}

base::Status SparsePolicyModel::take(const nets::TensorFile& checkpoint) {
    for (const auto& [name, parameter] : {std::pair{"transformer.weight", &transformer_},
                                          {"transformer.bias", &transformer_bias_},
                                          {"output.weight", &output_},
                                          {"output.bias", &output_bias_}})
        for (const auto& [suffix, values] : {std::pair{"", &parameter->weights},
                                             {".first_moment", &parameter->moments.first},
                                             {".second_moment", &parameter->moments.second}})
            if (auto status =
                    take_floats(checkpoint, fmt::format("{}{}", name, suffix), values->size(), *values);
                !status)
                return status;
    return take_numbers(checkpoint, {{"optimiser_steps", &steps_}});
}

}  // namespace scholar::learning
