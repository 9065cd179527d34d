#include "nets/onnx/onnx_layers.hpp"

#include <array>
#include <fmt/format.h>

namespace scholar::nets {

std::string onnx_convolution(OnnxModel& model, const std::string& name, const std::string& from,
                             const ConvLayer& layer, int size) {
    return onnx_convolution(model, name, from, layer, size, {0, layer.bias.size()});
}

std::string onnx_convolution(OnnxModel& model, const std::string& name, const std::string& from,
                             const ConvLayer& layer, int size, OnnxRows rows) {
    const std::size_t row = layer.weight.size() / layer.bias.size();
    const std::int64_t side = size;
    const std::int64_t edge = size / 2;
    const std::string weight = model.weights(
        name + ".weight",
        {static_cast<std::int64_t>(rows.count), static_cast<std::int64_t>(row) / side / side, side, side},
        std::span(layer.weight).subspan(rows.first * row, rows.count * row));
    const std::string bias = model.weights(name + ".bias", {static_cast<std::int64_t>(rows.count)},
                                           std::span(layer.bias).subspan(rows.first, rows.count));
    return model.node("Conv", name, {from, weight, bias},
                      {{"kernel_shape", std::vector{side, side}},
                       {"pads", std::vector<std::int64_t>(4, edge)},
                       {"strides", std::vector<std::int64_t>(2, 1)}});
}

std::string onnx_dense(OnnxModel& model, const std::string& name, const std::string& from,
                       std::span<const float> weight, std::span<const float> bias) {
    const auto outputs = static_cast<std::int64_t>(bias.size());
    const std::string weights = model.weights(
        name + ".weight", {outputs, static_cast<std::int64_t>(weight.size()) / outputs}, weight);
    const std::string biases = model.weights(name + ".bias", {outputs}, bias);
    return model.node("Gemm", name, {from, weights, biases}, {{"transB", 1}});
}

std::string onnx_flatten(OnnxModel& model, const std::string& name, const std::string& from) {
    return model.node("Flatten", name, {from}, {{"axis", 1}});
}

std::string onnx_slice(OnnxModel& model, const std::string& name, const std::string& from,
                       std::int64_t extent, std::int64_t begin, std::int64_t end) {
    const auto number = [&](const char* what, std::int64_t value) {
        return model.integers(name + "." + what, std::array{value});
    };
    return model.node("Slice", name,
                      {from, number("begin", begin), number("end", end), number("extent", extent)});
}

std::string onnx_activation(OnnxModel& model, const std::string& from, ConvActivation activation,
                            std::span<const float> slope, int trailing) {
    if (activation == ConvActivation::Prelu) {
        Extents extents(static_cast<std::size_t>(trailing) + 1, 1);
        extents.front() = static_cast<std::int64_t>(slope.size());
        return model.node("PRelu", from + ".prelu", {from, model.weights(from + ".slope", extents, slope)});
    }
    if (activation == ConvActivation::Relu) return model.node("Relu", from + ".relu", {from});
    if (activation == ConvActivation::Tanh) return model.node("Tanh", from + ".tanh", {from});
    const std::string softplus = model.node("Softplus", from + ".softplus", {from});
    return model.node("Mul", from + ".mish", {from, model.node("Tanh", from + ".tanh", {softplus})});
}

void say_of_network(OnnxModel& model, const std::string& name, const std::string& description,
                    const std::map<std::string, std::string>& metadata) {
    model.say("name", name);
    model.say("description", description);
    for (const auto& [key, text] : metadata) model.say(key, text);
}

std::string planes_meaning(const PlanesInput& input) {
    return fmt::format(
        "planes {} as [plane][rank][file], seen by the side to move: its own first rank first, file a first",
        to_string(input));
}

}  // namespace scholar::nets
