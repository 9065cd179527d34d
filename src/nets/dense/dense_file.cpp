#include "nets/dense/dense_file.hpp"

#include <utility>

#include "nets/container/network_metadata.hpp"
#include "nets/container/weights_in_file.hpp"

namespace scholar::nets {

namespace {

constexpr std::string_view kDenseVersion = "1";
constexpr std::string_view kDenseActivation = "relu";

std::string layer_key(std::size_t layer) {
    return "layer." + std::to_string(layer);
}

base::Result<DenseOutput> take_output(const TensorFile& file) {
    const auto text = file.meta("output");
    if (!text) return std::unexpected(text.error());
    for (const DenseOutput output : {DenseOutput::Tanh, DenseOutput::Logistic, DenseOutput::Softmax})
        if (*text == to_string(output)) return output;
    return base::fail("output '{}', expected one of: tanh, logistic, softmax", *text);
}

base::Result<DenseLayerShape> take_layer(const TensorFile& file, std::size_t number) {
    const auto numbers = take_integers(file, layer_key(number));
    if (!numbers) return std::unexpected(numbers.error());
    if (numbers->size() % 3 != 0)
        return base::fail("{}: {} numbers, expected three for each block", layer_key(number),
                          numbers->size());
    DenseLayerShape layer;
    for (std::size_t i = 0; i < numbers->size(); i += 3)
        layer.push_back({(*numbers)[i], (*numbers)[i + 1], (*numbers)[i + 2]});
    return layer;
}

// Null where there are no inputs of a move.
base::Result<const DenseMoveSet*> take_move_set(const TensorFile& file) {
    const auto inputs = take_integer(file, "move_inputs");
    if (!inputs) return std::unexpected(inputs.error());
    if (*inputs == 0) return nullptr;
    const auto name = file.meta("moves");
    if (!name) return std::unexpected(name.error());
    const auto moves = find_dense_move_set(*name);
    if (!moves) return moves;
    const std::string expected = fmt::format("{}", (*moves)->size());
    if (auto status = expect_entry(file, "move_inputs", expected); !status)
        return std::unexpected(status.error());
    return *moves;
}

base::Result<DenseShape> take_dense_shape(const TensorFile& file) {
    DenseShape shape;
    const auto name = file.meta("features");
    if (!name) return std::unexpected(name.error());
    const auto features = find_dense_feature_set(*name);
    if (!features) return std::unexpected(features.error());
    shape.features = *features;
    const std::string inputs = fmt::format("{}", shape.features->size());
    if (auto status = expect_entry(file, "inputs", inputs); !status) return std::unexpected(status.error());
    if (auto status = expect_entry(file, "activation", kDenseActivation); !status)
        return std::unexpected(status.error());
    const auto output = take_output(file);
    if (!output) return std::unexpected(output.error());
    shape.output = *output;
    const auto moves = take_move_set(file);
    if (!moves) return std::unexpected(moves.error());
    shape.moves = *moves;
    const auto layers = take_integer(file, "layers");
    if (!layers) return std::unexpected(layers.error());
    if (*layers < 1 || *layers > DenseBounds::kLayers)
        return base::fail("layers {}, expected a number from 1 to {}", *layers, DenseBounds::kLayers);
    for (std::size_t i = 0; i < static_cast<std::size_t>(*layers); ++i) {
        auto layer = take_layer(file, i);
        if (!layer) return std::unexpected(layer.error());
        shape.layers.push_back(std::move(*layer));
    }
    if (auto status = check_shape(shape); !status) return std::unexpected(status.error());
    return shape;
}

}  // namespace

base::Result<DenseNetwork> to_dense_network(const TensorFile& file) {
    if (auto status = expect_architecture(file, kDense, kDenseVersion); !status)
        return std::unexpected(status.error());
    const auto shape = take_dense_shape(file);
    if (!shape) return std::unexpected(shape.error());
    DenseNetwork network = empty_dense_network(*shape);
    if (auto status = take_piece_values_and_history(file, network.info); !status)
        return std::unexpected(status.error());
    return with_weights(file, std::move(network));
}

base::Result<TensorFile> to_tensor_file(const DenseNetwork& network) {
    if (auto status = check_network(network); !status) return std::unexpected(status.error());
    const DenseShape& shape = network.info.shape;
    TensorFile file;
    put_common_metadata(file, kDense, kDenseVersion, network.info.piece_values, network.info.history);
    file.metadata["features"] = shape.features->name;
    file.metadata["inputs"] = fmt::format("{}", shape.features->size());
    file.metadata["move_inputs"] = fmt::format("{}", shape.move_inputs());
    if (shape.moves) file.metadata["moves"] = shape.moves->name;
    file.metadata["activation"] = kDenseActivation;
    file.metadata["output"] = to_string(shape.output);
    file.metadata["layers"] = fmt::format("{}", shape.layers.size());
    for (std::size_t i = 0; i < shape.layers.size(); ++i) {
        std::vector<int> numbers;
        for (const DenseBlockShape& block : shape.layers[i])
            numbers.insert(numbers.end(), {block.first_input, block.inputs, block.outputs});
        file.metadata[layer_key(i)] = fmt::format("{}", fmt::join(numbers, " "));
    }
    put_weights(file, network);
    return file;
}

base::Status save_network(const std::filesystem::path& path, const DenseNetwork& network) {
    return write_tensors(path, to_tensor_file(network));
}

}  // namespace scholar::nets
