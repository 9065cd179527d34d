#include "learning/perspective_layer.hpp"

#include <ATen/ATen.h>
#include <algorithm>
#include <cmath>
#include <torch/csrc/autograd/custom_function.h>

#include "learning/losses.hpp"
#include "learning/perspective_kernels.hpp"

namespace scholar::learning {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// One pass over a batch.
struct Pass {
    PerspectiveInput input{};
    PerspectiveWeights weights{};
    float* logits = nullptr;         // [position], if asked for
    const float* targets = nullptr;  // [position]: then there are a loss and gradients
    PerspectiveGradients gradients{};
};

// What the members of the team share.
struct Scratch {
    std::vector<float> clipped;                  // of a block, as the kernels lay it out
    std::array<std::vector<float>, 2> partials;  // of a block, by turns
    double loss = 0;
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
                    architecture.activation};
    return pass;
}

// A member's share of a pass: its panels of all positions. Only the partial sums of a block must be waited
// for; who is ahead writes those of the next block elsewhere.
void do_share(const Pass& pass, int member, Team& team, Scratch& scratch) {
    const std::size_t panels = pass.weights.width / kPanel;
    const auto border = [&](int at) {
        return panels * static_cast<std::size_t>(at) / static_cast<std::size_t>(team.size());
    };
    const auto positions = static_cast<float>(pass.input.positions);
    std::array<float, kBlock> grads{};
    std::size_t turn = 0;
    for (std::int64_t from = 0; from < pass.input.positions; from += kBlock, turn ^= 1U) {
        const PerspectivePart part{from, std::min(pass.input.positions, from + kBlock), border(member),
                                   border(member + 1)};
        std::vector<float>& partial = scratch.partials[turn];
        perspective_forward(pass.input, pass.weights, part, scratch.clipped.data(), partial.data());
        team.meet();
        const std::int64_t block = part.to - from;
        for (std::int64_t i = 0; i < block; ++i) {
            const std::uint8_t bucket = pass.input.buckets[from + i];
            float logit = pass.weights.output_bias[bucket];
            for (std::size_t panel = 0; panel < panels; ++panel)
                logit += partial[panel * kBlock + static_cast<std::size_t>(i)];
            if (member == 0 && pass.logits) pass.logits[from + i] = logit;
            if (!pass.targets) continue;
            const float target = pass.targets[from + i];
            const float grad = (1 / (1 + std::exp(-logit)) - target) / positions;
            grads[static_cast<std::size_t>(i)] = grad;
            if (member != 0) continue;
            scratch.loss += cross_entropy(static_cast<double>(logit), static_cast<double>(target));
            pass.gradients.output_bias[bucket] += grad;
        }
        if (pass.targets)
            perspective_backward(pass.input, pass.weights, part, scratch.clipped.data(), grads.data(),
                                 pass.gradients);
    }
}

// The sum of all positions' losses.
double run(const Pass& pass, Team& team) {
    Scratch scratch;
    scratch.clipped.resize(2 * pass.weights.width * kBlock);
    for (std::vector<float>& partial : scratch.partials) partial.resize(pass.weights.width / kPanel * kBlock);
    team.run([&](int member) { do_share(pass, member, team, scratch); });
    return scratch.loss;
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
        pass.targets = batch->targets.data();
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
