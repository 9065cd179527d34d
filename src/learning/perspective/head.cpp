#include "learning/perspective/head.hpp"

#include <ATen/ATen.h>

namespace scholar::learning {

at::Tensor head_logits(const std::vector<LayerTensors>& layers, const at::Tensor& inputs,
                       at::IntArrayRef counts) {
    // By bucket.
    std::vector<at::Tensor> values = inputs.split_with_sizes(counts);
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        const std::vector<at::Tensor> weights = layers[layer].weight.unbind(0);
        const std::vector<at::Tensor> biases = layers[layer].bias.unbind(0);
        for (std::size_t bucket = 0; bucket < values.size(); ++bucket) {
            values[bucket] = at::linear(values[bucket], weights[bucket], biases[bucket]);
            if (layer + 1 < layers.size()) values[bucket] = at::clamp(values[bucket], 0, 1);
        }
    }
    return at::cat(values).squeeze(1);
}

at::Tensor wanted_targets(const Batch& batch, const at::Tensor& logits) {
    at::Tensor targets = at::tensor(batch.targets).to(logits.device());
    if (batch.highs.empty()) return targets;
    return at::min(at::max(at::sigmoid(logits.detach()), targets),
                   at::tensor(batch.highs).to(logits.device()));
}

}  // namespace scholar::learning
