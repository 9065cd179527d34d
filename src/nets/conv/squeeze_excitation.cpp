#include "nets/conv/squeeze_excitation.hpp"

#include <algorithm>
#include <cmath>

namespace scholar::nets {

namespace {

// [outputs][inputs] as [inputs][outputs], so that sums over inputs are added up side by side.
std::vector<float> inputs_first(const ConvLayer& layer) {
    const std::size_t outputs = layer.bias.size();
    const std::size_t inputs = layer.weight.size() / outputs;
    std::vector<float> turned(layer.weight.size());
    for (std::size_t out = 0; out < outputs; ++out)
        for (std::size_t in = 0; in < inputs; ++in)
            turned[in * outputs + out] = layer.weight[out * inputs + in];
    return turned;
}

void dense_layer(const std::vector<float>& in, const std::vector<float>& weight,
                 const std::vector<float>& bias, std::vector<float>& out) {
    out = bias;
    for (std::size_t i = 0; i < in.size(); ++i)
        for (std::size_t j = 0; j < out.size(); ++j) out[j] += in[i] * weight[i * out.size() + j];
}

}  // namespace

SqueezeExcitation::SqueezeExcitation(const ResidualBlock& block, ConvActivation activation,
                                     const ActivationLayout& layout)
    : squeeze_(inputs_first(block.squeeze)),
      excite_(inputs_first(block.excite)),
      squeeze_bias_(block.squeeze.bias),
      excite_bias_(block.excite.bias),
      means_(excite_bias_.size() / 2),
      units_(squeeze_bias_.size()),
      factors_(excite_bias_.size()),
      activation_(activation),
      width_(static_cast<std::size_t>(layout.block(static_cast<int>(means_.size())))) {}

template <class Visit>
void SqueezeExcitation::for_each_square(Visit visit) const {
    std::size_t at = 0;
    for (std::size_t first = 0; first < means_.size(); first += width_)
        for (std::size_t square = 0; square < kPlaneSquares; ++square, at += width_)
            visit(first, std::min(width_, means_.size() - first), at);
}

template <class Number>
void SqueezeExcitation::run_in(const Number* sums, Number* input) {
    const std::size_t filters = means_.size();
    std::ranges::fill(means_, 0.0F);
    for_each_square([&](std::size_t first, std::size_t count, std::size_t at) {
        for (std::size_t i = 0; i < count; ++i) means_[first + i] += to_float(sums[at + i]);
    });
    for (float& mean : means_) mean /= kPlaneSquares;
    dense_layer(means_, squeeze_, squeeze_bias_, units_);
    for (float& unit : units_) unit = activate(activation_, unit);
    dense_layer(units_, excite_, excite_bias_, factors_);
    for (std::size_t filter = 0; filter < filters; ++filter)
        factors_[filter] = 1 / (1 + std::exp(-factors_[filter]));
    for_each_square([&](std::size_t first, std::size_t count, std::size_t at) {
        const float* const scale = factors_.data() + first;
        const float* const offset = scale + filters;
        for (std::size_t i = 0; i < count; ++i) {
            const float sum = to_float(sums[at + i]) * scale[i] + offset[i] + to_float(input[at + i]);
            put(activation_ == ConvActivation::Relu ? std::max(sum, 0.0F) : activate(activation_, sum),
                input[at + i]);
        }
    });
}

void SqueezeExcitation::run(const float* sums, float* input) {
    run_in(sums, input);
}
void SqueezeExcitation::run(const Bf16* sums, Bf16* input) {
    run_in(sums, input);
}

}  // namespace scholar::nets
