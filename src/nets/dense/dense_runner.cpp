#include "nets/dense/dense_runner.hpp"

#include <algorithm>

#include "nets/dense/dense_kernels.hpp"

namespace scholar::nets {

PackedDense::PackedDense(const DenseNetwork& network) : width_(network.info.shape.inputs()) {
    for (std::size_t layer = 0; layer < network.layers.size(); ++layer) {
        std::vector<Block> blocks;
        int output = 0;
        for (std::size_t i = 0; i < network.layers[layer].size(); ++i) {
            const DenseBlockShape& shape = network.info.shape.layers[layer][i];
            const DenseBlock& from = network.layers[layer][i];
            // The last layer is one unit, whose weights are a row.
            const bool is_last = layer + 1 == network.layers.size();
            const int units =
                is_last ? 1 : (shape.outputs + kDenseMultiple - 1) / kDenseMultiple * kDenseMultiple;
            const Block block{shape.first_input, shape.inputs, output, units, numbers_.size()};
            const auto row = static_cast<std::size_t>(units);
            const auto inputs = static_cast<std::size_t>(shape.inputs);
            numbers_.resize(numbers_.size() + row * (inputs + 1));
            float* const to = numbers_.data() + block.weights;
            for (std::size_t unit = 0; unit < from.bias.size(); ++unit) {
                for (std::size_t in = 0; in < inputs; ++in)
                    to[in * row + unit] = from.weight[unit * inputs + in];
                to[inputs * row + unit] = from.bias[unit];
            }
            output += shape.outputs;
            blocks.push_back(block);
        }
        width_ = std::max(width_, output);
        layers_.push_back(std::move(blocks));
    }
}

DenseRunner::DenseRunner(std::shared_ptr<const DenseNetwork> network)
    : network_(std::move(network)),
      packed_(std::make_shared<const PackedDense>(*network_)),
      input_count_(network_->info.shape.inputs()),
      inputs_(static_cast<std::size_t>(input_count_ + kDenseMultiple)),
      scratch_(static_cast<std::size_t>(packed_->width() + kDenseMultiple)) {
    // What fills up a block's last vector lies where the next block writes, or beyond the end.
    for (auto& numbers : between_) numbers.resize(scratch_.size());
}

float DenseRunner::run() {
    return run_from(0, inputs_.data());
}

float DenseRunner::run_from_first_layer() {
    return run_from(1, between_[0].data());
}

float DenseRunner::run_from(std::size_t layer, const float* in) {
    if (layer == packed_->layers().size()) return *in;
    for (; layer + 1 < packed_->layers().size(); ++layer) {
        float* const out = between_[layer % 2].data();
        for (const PackedDense::Block& block : packed_->layers()[layer])
            dense_units(in + block.first_input, block.inputs, packed_->weights(block), packed_->bias(block),
                        block.units, out + block.first_output, scratch_.data());
        in = out;
    }
    const PackedDense::Block& last = packed_->layers().back().front();
    return *packed_->bias(last) + dense_dot(in + last.first_input, packed_->weights(last), last.inputs);
}

}  // namespace scholar::nets
