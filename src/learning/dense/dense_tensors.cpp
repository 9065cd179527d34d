#include "learning/dense/dense_tensors.hpp"

#include <ATen/ATen.h>

namespace scholar::learning {

at::Tensor dense_inputs(const nets::DenseFeatureSet& features, std::span<const games::Sample> samples) {
    const auto size = static_cast<std::size_t>(features.size());
    at::Tensor tensor =
        at::empty({static_cast<std::int64_t>(samples.size()), static_cast<std::int64_t>(size)}, at::kFloat);
    auto* out = tensor.data_ptr<float>();
    for (const games::Sample& sample : samples) {
        features.encode(sample.position, std::span(out, size));
        out += size;
    }
    return tensor;
}

at::Tensor dense_loss(DenseLoss loss, const at::Tensor& z, const at::Tensor& wanted) {
    if (loss == DenseLoss::CrossEntropy) return at::binary_cross_entropy_with_logits(2 * z, wanted);
    const at::Tensor error = at::tanh(z) - (2 * wanted - 1);
    return loss == DenseLoss::L1 ? error.abs().mean() : error.square().mean();
}

at::Tensor best_constant(DenseLoss loss, const at::Tensor& wanted) {
    const at::Tensor best = loss == DenseLoss::L1 ? wanted.median() : wanted.mean();
    // No z is certain.
    return (at::logit(best, 1e-6) / 2).reshape({1});
}

}  // namespace scholar::learning
