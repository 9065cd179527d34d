#include "learning/sparse_layer.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include "learning/sparse_kernels.hpp"

namespace scholar::learning {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

SparseInput input_of(const at::Tensor& own, const at::Tensor& enemy, const at::Tensor& counts) {
    return {static_cast<const std::uint16_t*>(own.data_ptr()),
            static_cast<const std::uint16_t*>(enemy.data_ptr()),
            static_cast<const std::uint8_t*>(counts.data_ptr()), static_cast<int>(own.size(1)), own.size(0)};
}

struct SparseLayer : torch::autograd::Function<SparseLayer> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& transformer, const at::Tensor& bias,
                              const at::Tensor& own, const at::Tensor& enemy, const at::Tensor& counts) {
        const SparseInput input = input_of(own, enemy, counts);
        const int width = static_cast<int>(transformer.size(1));
        at::Tensor out = at::empty({input.positions, 2 * width}, transformer.options().requires_grad(false));
        const auto* weights = transformer.data_ptr<float>();
        const auto* biases = bias.data_ptr<float>();
        auto* to = out.data_ptr<float>();
        constexpr std::int64_t grain = 256;
        at::parallel_for(0, input.positions, grain, [&](std::int64_t begin, std::int64_t end) {
            sparse_forward(input, weights, biases, width, to, begin, end);
        });
        context->save_for_backward({own, enemy, counts, out});
        context->saved_data["features"] = transformer.size(0);
        return out;
    }

    static variable_list backward(AutogradContext* context, variable_list grads) {
        const variable_list saved = context->get_saved_variables();
        const SparseInput input = input_of(saved[0], saved[1], saved[2]);
        const at::Tensor& out = saved[3];
        const at::Tensor grad = grads[0].contiguous();
        const std::int64_t width = out.size(1) / 2;
        at::Tensor grad_transformer =
            at::zeros({context->saved_data["features"].toInt(), width}, out.options());
        at::Tensor grad_bias = at::zeros({width}, out.options());
        const auto* activations = out.data_ptr<float>();
        const auto* grad_activations = grad.data_ptr<float>();
        auto* to_transformer = grad_transformer.data_ptr<float>();
        auto* to_bias = grad_bias.data_ptr<float>();
        constexpr std::int64_t unit = 32;
        at::parallel_for(0, width / unit, 1, [&](std::int64_t begin, std::int64_t end) {
            sparse_backward(input, activations, grad_activations, static_cast<int>(width), to_transformer,
                            to_bias, static_cast<int>(begin * unit), static_cast<int>(end * unit));
        });
        return {grad_transformer, grad_bias, at::Tensor(), at::Tensor(), at::Tensor()};
    }
};

}  // namespace

FeatureTensors feature_tensors(const Batch& batch) {
    const auto positions = static_cast<std::int64_t>(batch.size());
    // from_blob wants a pointer that it could write through; nothing here does.
    const auto view = [](const auto& data, at::IntArrayRef shape, at::ScalarType type) {
        return at::from_blob(const_cast<void*>(static_cast<const void*>(data.data())), shape, type);
    };
    return {view(batch.own, {positions, batch.stride}, at::kShort),
            view(batch.enemy, {positions, batch.stride}, at::kShort),
            view(batch.counts, {positions, 2}, at::kByte)};
}

at::Tensor sparse_layer(const at::Tensor& transformer, const at::Tensor& bias,
                        const FeatureTensors& features) {
    return SparseLayer::apply(transformer, bias, features.own, features.enemy, features.counts);
}

}  // namespace scholar::learning
