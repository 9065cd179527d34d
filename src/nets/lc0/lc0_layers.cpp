#include "nets/lc0/lc0_layers.hpp"

#include <cstdint>
#include <cstring>

#include "nets/lc0/lc0_names.hpp"

namespace scholar::nets::lc0 {

namespace {

constexpr float kBatchNormEpsilon = 1e-5F;

float number_at(const Layer& layer, std::size_t index) {
    if (layer.encoding == static_cast<std::uint32_t>(Encoding::Float32)) {
        float number = 0;
        std::memcpy(&number, layer.bytes.data() + index * sizeof number, sizeof number);
        return number;
    }
    std::uint16_t bits = 0;
    std::memcpy(&bits, layer.bytes.data() + index * sizeof bits, sizeof bits);
    constexpr float whole = 65'535;
    const float share = static_cast<float>(bits) / whole;
    return layer.least * (1 - share) + layer.most * share;
}

}  // namespace

std::size_t LayerReader::count(const MaybeLayer& layer) {
    if (!layer) return 0;
    const bool is_wide = layer->encoding == static_cast<std::uint32_t>(Encoding::Float32);
    return layer->bytes.size() / (is_wide ? sizeof(float) : sizeof(std::uint16_t));
}

std::vector<float> LayerReader::numbers(const std::string& name, const MaybeLayer& layer,
                                        std::size_t wanted) {
    if (failed()) return {};
    if (!layer || layer->bytes.empty()) {
        refuse("layer '{}' is missing", name);
        return {};
    }
    if (auto known = expect_one_of(
            fmt::format("layer '{}': encoding", name), kEncodings, layer->encoding,
            {static_cast<std::uint32_t>(Encoding::Linear16), static_cast<std::uint32_t>(Encoding::Float32)});
        !known) {
        status_ = known;
        return {};
    }
    const std::size_t size = count(layer);
    const bool is_wide = layer->encoding == static_cast<std::uint32_t>(Encoding::Float32);
    if (size != wanted || layer->bytes.size() != size * (is_wide ? 4 : 2)) {
        refuse("layer '{}' has {} bytes of weights, expected {} numbers of {}", name, layer->bytes.size(),
               wanted, is_wide ? 4 : 2);
        return {};
    }
    std::vector<float> numbers(size);
    for (std::size_t i = 0; i < size; ++i) numbers[i] = number_at(*layer, i);
    return numbers;
}

ConvLayer LayerReader::convolution(const std::string& name, const Convolution& from, std::size_t outputs,
                                   std::size_t inputs, std::size_t size) {
    ConvLayer layer;
    layer.weight = numbers(name + " weights", from.weights, outputs * inputs * size * size);
    if (from.biases && !from.biases->bytes.empty())
        layer.bias = numbers(name + " biases", from.biases, outputs);
    else
        layer.bias.assign(outputs, 0);
    if (count(from.means) == 0 && count(from.variances) == 0) {
        if (!from.biases) refuse("layer '{} biases' is missing, and there is no batch norm", name);
        return layer;
    }
    const auto means = numbers(name + " bn_means", from.means, outputs);
    const auto variances = numbers(name + " bn_stddivs", from.variances, outputs);
    std::vector<float> gammas(outputs, 1);
    std::vector<float> betas(outputs, 0);
    if (count(from.gammas) > 0) gammas = numbers(name + " bn_gammas", from.gammas, outputs);
    if (count(from.betas) > 0) betas = numbers(name + " bn_betas", from.betas, outputs);
    if (!failed()) fold_batch_norm(layer, means, variances, gammas, betas, kBatchNormEpsilon);
    return layer;
}

ConvLayer LayerReader::dense(const std::string& name, const MaybeLayer& weights, const MaybeLayer& biases,
                             std::size_t outputs, std::size_t inputs) {
    ConvLayer layer;
    layer.weight = numbers(name + " weights", weights, outputs * inputs);
    layer.bias = numbers(name + " biases", biases, outputs);
    return layer;
}

std::size_t LayerReader::outputs(const std::string& name, const Convolution& from, std::size_t inputs,
                                 std::size_t size) {
    const std::size_t each = inputs * size * size;
    const std::size_t all = count(from.weights);
    if (all == 0) refuse("layer '{} weights' is missing", name);
    if (each == 0 || all % each != 0)
        refuse("layer '{} weights' has {} numbers, expected a multiple of {}", name, all, each);
    return failed() ? 0 : all / each;
}

}  // namespace scholar::nets::lc0
