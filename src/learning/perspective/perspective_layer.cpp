#include "learning/perspective/perspective_layer.hpp"

#include <ATen/ATen.h>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <numeric>
#include <torch/csrc/autograd/custom_function.h>

#include "learning/perspective/perspective_kernels.hpp"

namespace scholar::learning {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// One pass over a batch.
struct Pass {
    PerspectiveInput input{};
    PerspectiveWeights weights{};
    float* logits = nullptr;        // [position], if asked for
    const Batch* taught = nullptr;  // then there are a loss and gradients
    PerspectiveGradients gradients{};
};

// What the members of the team share. Of blocks, by turns: who is ahead writes what belongs to the next one
// elsewhere.
struct Scratch {
    std::array<std::unique_ptr<float[]>, 2> clipped;   // as the kernels lay it out
    std::array<std::unique_ptr<float[]>, 2> partials;  // likewise
    std::vector<std::atomic<std::size_t>> taken;       // panels: of each block forward, of each back
    std::vector<float> losses;                         // [position]

    Scratch(const Pass& pass, std::size_t blocks) : taken(2 * blocks) {
        const PerspectiveWeights& weights = pass.weights;
        if (pass.taught) losses.resize(static_cast<std::size_t>(pass.input.positions));
        for (std::size_t turn = 0; turn < 2; ++turn) {
            clipped[turn] = std::make_unique_for_overwrite<float[]>(2 * weights.width * kBlock);
            partials[turn] = std::make_unique_for_overwrite<float[]>(weights.outputs / kPanel * kBlock);
        }
    }
};

std::vector<std::uint8_t> buckets_of(const Batch& batch, const nets::Architecture& architecture) {
    std::vector<std::uint8_t> buckets(batch.size());
    for (std::size_t i = 0; i < buckets.size(); ++i)
        buckets[i] = static_cast<std::uint8_t>(architecture.output_bucket(batch.counts[2 * i]));
    return buckets;
}

Pass pass_of(const PerspectiveTensors& weights, const nets::Architecture& architecture, const Batch& batch,
             const std::vector<std::uint8_t>& buckets) {
    Pass pass;
    pass.input = {batch.own.data(), batch.enemy.data(), batch.counts.data(),
                  buckets.data(),   batch.stride,       static_cast<std::int64_t>(batch.size())};
    pass.weights = {weights.transformer.data_ptr<float>(),
                    weights.transformer_bias.data_ptr<float>(),
                    weights.output.data_ptr<float>(),
                    weights.output_bias.data_ptr<float>(),
                    static_cast<std::size_t>(architecture.features->size()),
                    static_cast<std::size_t>(architecture.width),
                    static_cast<std::size_t>(architecture.outputs()),
                    architecture.activation};
    return pass;
}

// A member's share of a pass: of each block the panels that nobody has taken yet, since who reads and encodes
// the next batches takes time now from one member, now from another. Only the partial sums of a block must be
// waited for.
void do_share(const Pass& pass, int member, Team& team, Scratch& scratch) {
    const std::size_t panels = pass.weights.outputs / kPanel;
    const bool both = may_take_both(pass.weights.activation) && panels % 2 == 0 &&
                      panels / 2 >= static_cast<std::size_t>(team.size());
    const std::size_t step = both ? 2 : 1;
    const auto positions = static_cast<float>(pass.input.positions);
    const auto blocks = static_cast<std::int64_t>(scratch.taken.size() / 2);
    std::vector<float> logits(kBlock), odds(kBlock), wanted(kBlock), grads(kBlock);
    for (std::int64_t block = 0; block < blocks; ++block) {
        PerspectivePart part{pass.input.positions * block / blocks,
                             pass.input.positions * (block + 1) / blocks, 0, both};
        const auto turn = static_cast<std::size_t>(block % 2);
        float* const clipped = scratch.clipped[turn].get();
        float* const partial = scratch.partials[turn].get();
        std::atomic<std::size_t>* const taken = &scratch.taken[2 * static_cast<std::size_t>(block)];
        while ((part.panel = taken[0].fetch_add(step)) < panels)
            perspective_forward(pass.input, pass.weights, part, clipped, partial);
        team.meet();
        const auto count = static_cast<std::size_t>(part.to - part.from);
        const std::uint8_t* const buckets = pass.input.buckets + part.from;
        for (std::size_t i = 0; i < count; ++i) logits[i] = pass.weights.output_bias[buckets[i]];
        for (std::size_t panel = 0; panel < panels; ++panel)
            for (std::size_t i = 0; i < count; ++i) logits[i] += partial[panel * kBlock + i];
        if (member == 0 && pass.logits) std::copy_n(logits.data(), count, pass.logits + part.from);
        if (!pass.taught) continue;
        for (std::size_t i = 0; i < count; ++i) {
            odds[i] = std::exp(-std::abs(logits[i]));
            const float expected = (logits[i] < 0 ? odds[i] : 1) / (1 + odds[i]);
            wanted[i] = pass.taught->wanted(static_cast<std::size_t>(part.from) + i, expected);
            grads[i] = (expected - wanted[i]) / positions;
        }
        if (member == 0)
            for (std::size_t i = 0; i < count; ++i) pass.gradients.output_bias[buckets[i]] += grads[i];
        // The cross-entropy, each member of its share.
        const auto size = static_cast<std::size_t>(team.size());
        const auto me = static_cast<std::size_t>(member);
        for (std::size_t i = count * me / size; i < count * (me + 1) / size; ++i)
            scratch.losses[static_cast<std::size_t>(part.from) + i] =
                std::max(logits[i], 0.0F) - logits[i] * wanted[i] + std::log1p(odds[i]);
        while ((part.panel = taken[1].fetch_add(step)) < panels)
            perspective_backward(pass.input, pass.weights, part, clipped, grads.data(), pass.gradients);
    }
}

// The sum of all positions' losses.
double run(const Pass& pass, Team& team) {
    Scratch scratch(pass, static_cast<std::size_t>((pass.input.positions + kBlock - 1) / kBlock));
    team.run([&](int member) { do_share(pass, member, team, scratch); });
    return std::accumulate(scratch.losses.begin(), scratch.losses.end(), 0.0);
}

struct PerspectiveLoss : torch::autograd::Function<PerspectiveLoss> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& transformer,
                              const at::Tensor& transformer_bias, const at::Tensor& output,
                              const at::Tensor& output_bias, Team* team,
                              const nets::Architecture* architecture, const Batch* batch) {
        const std::vector<std::uint8_t> buckets = buckets_of(*batch, *architecture);
        Pass pass =
            pass_of({transformer, transformer_bias, output, output_bias}, *architecture, *batch, buckets);
        const auto zeros = [](const at::Tensor& like) {
            return at::zeros(like.sizes(), like.options().requires_grad(false));
        };
        const variable_list gradients{zeros(transformer), zeros(transformer_bias), zeros(output),
                                      zeros(output_bias)};
        pass.taught = batch;
        pass.gradients = {gradients[0].data_ptr<float>(), gradients[1].data_ptr<float>(),
                          gradients[2].data_ptr<float>(), gradients[3].data_ptr<float>()};
        const double loss = run(pass, *team) / static_cast<double>(batch->size());
        context->save_for_backward(gradients);
        return at::full({}, loss, transformer.options().requires_grad(false));
    }

    static variable_list backward(AutogradContext* context, variable_list grads) {
        variable_list gradients = context->get_saved_variables();
        // Of the loss itself, as a rule: then they are what they were.
        if (const float outer = grads[0].item<float>(); outer != 1)
            for (at::Tensor& gradient : gradients) gradient = gradient * outer;
        gradients.resize(7);
        return gradients;
    }
};

}  // namespace

at::Tensor perspective_loss(Team& team, const PerspectiveTensors& weights,
                            const nets::Architecture& architecture, const Batch& batch) {
    return PerspectiveLoss::apply(weights.transformer, weights.transformer_bias, weights.output,
                                  weights.output_bias, &team, &architecture, &batch);
}

std::vector<float> perspective_logits(Team& team, const PerspectiveTensors& weights,
                                      const nets::Architecture& architecture, const Batch& batch) {
    const std::vector<std::uint8_t> buckets = buckets_of(batch, architecture);
    Pass pass = pass_of(weights, architecture, batch, buckets);
    std::vector<float> logits(batch.size());
    pass.logits = logits.data();
    run(pass, team);
    return logits;
}

}  // namespace scholar::learning
