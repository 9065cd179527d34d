#include "learning/dense/dense_tensors.hpp"

#include <ATen/ATen.h>

namespace scholar::learning {

namespace {

template <class Judged>
at::Tensor inputs_of(const nets::DenseFeatureSet& features, std::span<const Judged> judged) {
    const auto size = static_cast<std::size_t>(features.size());
    at::Tensor tensor =
        at::empty({static_cast<std::int64_t>(judged.size()), static_cast<std::int64_t>(size)}, at::kFloat);
    auto* out = tensor.data_ptr<float>();
    for (const Judged& each : judged) {
        features.encode(each.position, std::span(out, size));
        out += size;
    }
    return tensor;
}

}  // namespace

at::Tensor dense_inputs(const nets::DenseFeatureSet& features, std::span<const games::Sample> samples) {
    return inputs_of(features, samples);
}

at::Tensor dense_inputs(const nets::DenseFeatureSet& features, std::span<const LabelledNode> nodes) {
    return inputs_of(features, nodes);
}

at::Tensor nearest_wanted(const at::Tensor& z, const at::Tensor& low, const at::Tensor& high) {
    return at::minimum(at::maximum(at::sigmoid(2 * z.detach()), low), high);
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
