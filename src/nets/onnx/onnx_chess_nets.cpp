#include <fmt/format.h>

#include "nets/onnx/onnx_file.hpp"
#include "nets/onnx/onnx_layers.hpp"

namespace scholar::nets {

namespace {

void add_chess_net(OnnxModel& model, const ChessNet& network, ChessNetRole role, ConvActivation activation,
                   const std::string& planes) {
    const std::string name(to_string(role));
    std::string body = planes;
    for (std::size_t i = 0; i < network.convolutions.size(); ++i)
        body = onnx_activation(
            model,
            onnx_convolution(model, fmt::format("{}.conv.{}", name, i), body, network.convolutions[i], 3),
            activation);
    const std::string numbers = onnx_flatten(model, name + ".planes", body);
    const std::string hidden = onnx_activation(
        model, onnx_dense(model, name + ".hidden", numbers, network.hidden.weight, network.hidden.bias),
        activation);
    const ConvLayer& last = network.output;
    if (role == ChessNetRole::Value) {
        model.node("Tanh", name, {onnx_dense(model, name + ".output", hidden, last.weight, last.bias)});
        model.output({name, {1}, "twice the expected result of the side to move, less 1"});
        return;
    }
    onnx_dense(model, name, hidden, last.weight, last.bias);
    model.output({name,
                  {outputs_of(role)},
                  role == ChessNetRole::Piece
                      ? std::string("logits of the square that the move leaves, a1 to h8 as the side to move "
                                    "sees them, before a softmax over men that can move")
                      : fmt::format("logits of the square that a {} goes to, castling as the king does, "
                                    "before a softmax over squares that the man can go to",
                                    name)});
}

}  // namespace

base::Result<OnnxModel> to_onnx(const ChessNets& networks) {
    const auto file = to_tensor_file(networks);
    if (!file) return std::unexpected(file.error());
    const ChessNetShape& shape = networks.info.shape;
    // The plane of the man that moves is the last, where any network sees it.
    PlanesInput input = shape.input;
    for (const ChessNetRole role : kChessNetRoles)
        if (networks.of(role) && input_of(shape, role).layers.piece) input = input_of(shape, role);

    OnnxModel model;
    say_of_network(model, content_name(networks), describe(networks), file->metadata);
    std::string meaning = planes_meaning(input);
    if (input.layers.piece)
        meaning += "; piece and value do not see the last, the square of the man that moves";
    const std::string planes = model.input({"planes", {plane_count(input), 8, 8}, meaning});
    std::string without_piece = planes;
    if (input != shape.input && (networks.of(ChessNetRole::Piece) || networks.of(ChessNetRole::Value)))
        without_piece = onnx_slice(model, "planes.board", planes, 1, 0, plane_count(shape.input));
    for (const ChessNetRole role : kChessNetRoles)
        if (networks.of(role))
            add_chess_net(model, *networks.of(role), role, shape.activation,
                          input_of(shape, role) == input ? planes : without_piece);
    return model;
}

}  // namespace scholar::nets
