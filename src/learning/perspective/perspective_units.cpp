#include "learning/perspective/perspective_units.hpp"

#include <ATen/ATen.h>
#include <algorithm>
#include <atomic>
#include <torch/csrc/autograd/custom_function.h>

#include "learning/perspective/perspective_kernels.hpp"

namespace scholar::learning {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// One pass over a batch, there and back.
struct UnitPass : torch::CustomClassHolder {
    Team& team;
    const nets::Architecture& architecture;
    const Batch& batch;
    at::Tensor clipped;  // [block], each as the kernels lay it out

    UnitPass(Team& with, const nets::Architecture& of, const Batch& over)
        : team(with), architecture(of), batch(over), clipped(at::empty({blocks(), block_size()})) {}

    std::int64_t positions() const { return static_cast<std::int64_t>(batch.size()); }
    std::int64_t blocks() const { return (positions() + kBlock - 1) / kBlock; }
    std::int64_t block_size() const { return 2 * kBlock * architecture.width; }
    PerspectiveInput input() const {
        return {batch.own.data(), batch.enemy.data(), batch.counts.data(),
                nullptr,          batch.stride,       positions()};
    }
    PerspectiveWeights weights(const float* transformer, const float* transformer_bias) const {
        return {transformer,
                transformer_bias,
                nullptr,
                nullptr,
                static_cast<std::size_t>(architecture.features->size()),
                static_cast<std::size_t>(architecture.width),
                static_cast<std::size_t>(architecture.outputs()),
                architecture.activation};
    }

    // Calls work(part, where its block's clipped sums are) for all parts: each member of the team takes
    // panels that nobody has taken yet, and all blocks of these in turn.
    template <class Work>
    void for_parts(Work work) {
        const std::size_t panels = static_cast<std::size_t>(architecture.outputs()) / kPanel;
        const bool both = may_take_both(architecture.activation) && panels % 2 == 0 &&
                          panels / 2 >= static_cast<std::size_t>(team.size());
        std::atomic<std::size_t> taken = 0;
        team.run([&](int) {
            PerspectivePart part{0, 0, 0, both};
            while ((part.panel = taken.fetch_add(both ? 2 : 1)) < panels)
                for (std::int64_t block = 0; block < blocks(); ++block) {
                    part.from = block * kBlock;
                    part.to = std::min(part.from + kBlock, positions());
                    work(part, clipped.data_ptr<float>() + block * block_size());
                }
        });
    }
};

constexpr const char* kPass = "pass";

struct PerspectiveUnits : torch::autograd::Function<PerspectiveUnits> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& transformer,
                              const at::Tensor& transformer_bias, Team* team,
                              const nets::Architecture* architecture, const Batch* batch) {
        auto pass = c10::make_intrusive<UnitPass>(*team, *architecture, *batch);
        const at::Tensor units = at::empty({pass->positions(), 2 * architecture->outputs()});
        const PerspectiveWeights weights =
            pass->weights(transformer.data_ptr<float>(), transformer_bias.data_ptr<float>());
        auto* const to = units.data_ptr<float>();
        pass->for_parts([&](const PerspectivePart& part, float* clipped) {
            units_forward(pass->input(), weights, part, clipped, to);
        });
        context->save_for_backward({transformer, transformer_bias});
        context->saved_data[kPass] = c10::IValue::make_capsule(std::move(pass));
        return units;
    }

    static variable_list backward(AutogradContext* context, variable_list grads) {
        const variable_list saved = context->get_saved_variables();
        const auto pass =
            c10::static_intrusive_pointer_cast<UnitPass>(context->saved_data[kPass].toCapsule());
        const at::Tensor outer = grads[0].contiguous();
        const at::Tensor transformer = at::zeros(saved[0].sizes());
        const at::Tensor transformer_bias = at::zeros(saved[1].sizes());
        const PerspectiveGradients gradients{transformer.data_ptr<float>(),
                                             transformer_bias.data_ptr<float>(), nullptr, nullptr};
        const PerspectiveWeights weights = pass->weights(nullptr, nullptr);
        const auto* const from = outer.data_ptr<float>();
        pass->for_parts([&](const PerspectivePart& part, const float* clipped) {
            units_backward(pass->input(), weights, part, clipped, from, gradients);
        });
        return {transformer, transformer_bias, {}, {}, {}};
    }
};

}  // namespace

at::Tensor perspective_units(Team& team, const at::Tensor& transformer, const at::Tensor& transformer_bias,
                             const nets::Architecture& architecture, const Batch& batch) {
    return PerspectiveUnits::apply(transformer, transformer_bias, &team, &architecture, &batch);
}

}  // namespace scholar::learning
