#include <fmt/ranges.h>

#include "nets/dense/dense_file.hpp"
#include "nets/onnx/onnx_file.hpp"
#include "nets/onnx/onnx_layers.hpp"

namespace scholar::nets {

namespace {

// z of what is in `in`.
void add_dense_layers(OnnxModel& model, const DenseNetwork& network, std::string in) {
    const DenseShape& shape = network.info.shape;
    int below = shape.inputs();
    for (std::size_t layer = 0; layer < network.layers.size(); ++layer) {
        const bool is_last = layer + 1 == network.layers.size();
        const std::string name = fmt::format("layer.{}", layer);
        std::vector<std::string> blocks;
        for (std::size_t i = 0; i < network.layers[layer].size(); ++i) {
            const DenseBlockShape& of = shape.layers[layer][i];
            const DenseBlock& block = network.layers[layer][i];
            const std::string block_name = fmt::format("{}.block.{}", name, i);
            const std::string seen = of.inputs == below
                                         ? in
                                         : onnx_slice(model, block_name + ".inputs", in, 1, of.first_input,
                                                      of.first_input + of.inputs);
            blocks.push_back(onnx_dense(model, is_last ? "z" : block_name, seen, block.weight, block.bias));
            if (!is_last) blocks.back() = onnx_activation(model, blocks.back(), ConvActivation::Relu);
        }
        in = blocks.size() == 1 ? blocks.front() : model.node("Concat", name, blocks, {{"axis", 1}});
        below = outputs_of(shape.layers[layer]);
    }
}

// The names of all numbers that go in, a line each.
std::string input_names(const DenseShape& shape) {
    std::vector<std::string> names = shape.features->names();
    if (shape.moves) {
        const std::vector<std::string> of_move = shape.moves->names();
        names.insert(names.end(), of_move.begin(), of_move.end());
    }
    return fmt::format("{}", fmt::join(names, "\n"));
}

}  // namespace

base::Result<OnnxModel> to_onnx(const DenseNetwork& network) {
    const auto file = to_tensor_file(network);
    if (!file) return std::unexpected(file.error());
    const DenseShape& shape = network.info.shape;
    OnnxModel model;
    say_of_network(model, content_name(network), describe(network), file->metadata);
    const std::string moves = shape.moves ? fmt::format(", then {} of a move", shape.moves->name) : "";
    add_dense_layers(model, network,
                     model.input({"features",
                                  {shape.inputs()},
                                  fmt::format("the numbers {} of a position{}, which input_names names, a "
                                              "line each",
                                              shape.features->name, moves)}));
    model.say("input_names", input_names(shape));
    switch (shape.output) {
        case DenseOutput::Tanh:
            model.output({"z", {1}, "White's score is 800 · z"});
            model.node("Tanh", "value", {"z"});
            model.output({"value", {1}, "twice the expected result of White, less 1"});
            break;
        case DenseOutput::Logistic:
            model.output({"z", {1}, "the logit of chance"});
            model.node("Sigmoid", "chance", {"z"});
            model.output({"chance", {1}, "how likely the move is to be best; divide it by the sum over all"});
            break;
        case DenseOutput::Softmax:
            model.output({"z", {1}, "the move's logit, before a softmax over the legal ones"});
            break;
    }
    return model;
}

}  // namespace scholar::nets
