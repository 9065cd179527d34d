#include <array>
#include <cmath>
#include <fmt/ranges.h>

#include "nets/conv/conv_file.hpp"
#include "nets/onnx/onnx_file.hpp"
#include "nets/onnx/onnx_layers.hpp"

namespace scholar::nets {

namespace {

constexpr std::int64_t kBoard = kPlaneSquares;

// The network's nodes, one part after another.
class ConvGraph {
  public:
    ConvGraph(const ConvNetwork& network, OnnxModel& model)
        : network_(network), shape_(network.info.shape), model_(model) {}

    void add() {
        const std::string planes =
            model_.input({"planes", {plane_count(shape_.input), 8, 8}, planes_meaning(shape_.input)});
        if (shape_.squeeze > 0) {
            model_.weights("squares.part", {0}, {});
            model_.weights("squares.times", {4}, std::array{1.0F, 1.0F, 8.0F, 8.0F});
        }
        std::string body = convolution("input", planes, network_.input, 3);
        const auto source_behind = static_cast<std::size_t>(shape_.source_blocks);
        for (std::size_t i = 0; i <= network_.blocks.size(); ++i) {
            if (shape_.policy == PolicyForm::SourceTarget && i == source_behind)
                squares_head("policy_source", network_.source, body, "leaves,");
            if (i < network_.blocks.size())
                body = block(fmt::format("block.{}", i), network_.blocks[i], body);
        }
        if (shape_.policy == PolicyForm::Convolutional) convolutional_policy(body);
        if (shape_.policy == PolicyForm::Dense) dense_policy(body);
        if (shape_.policy == PolicyForm::Squares) squares_policy(body);
        if (shape_.policy == PolicyForm::SourceTarget)
            squares_head("policy_target", network_.target, body, "reaches, castling the king's,");
        value(body);
        moves_left(body);
    }

  private:
    // Of sums that the layer made, or that were added to its own: a number for each filter and square.
    std::string active(const std::string& from, const ConvLayer& layer) {
        return onnx_activation(model_, from, shape_.activation, layer.slope, 2);
    }
    std::string convolution(const std::string& name, const std::string& from, const ConvLayer& layer,
                            int size) {
        return active(onnx_convolution(model_, name, from, layer, size), layer);
    }
    std::string block(const std::string& name, const ResidualBlock& of, const std::string& input) {
        const std::string first = convolution(name + ".conv1", input, of.first, 3);
        std::string sums = onnx_convolution(model_, name + ".conv2", first, of.second, 3);
        if (shape_.squeeze > 0) sums = squeeze_excitation(name, of, sums);
        return active(model_.node("Add", name + ".sum", {sums, input}), of.second);
    }
    std::string squeeze_excitation(const std::string& name, const ResidualBlock& of,
                                   const std::string& sums) {
        const auto filters = static_cast<std::size_t>(shape_.filters);
        const std::string means = model_.node("GlobalAveragePool", name + ".means", {sums});
        const std::string units = convolution(name + ".squeeze", means, of.squeeze, 1);
        const std::string factors =
            model_.node("Sigmoid", name + ".factors",
                        {onnx_convolution(model_, name + ".scale", units, of.excite, 1, {0, filters})});
        const std::string offsets =
            onnx_convolution(model_, name + ".offsets", units, of.excite, 1, {filters, filters});
        const std::string scaled = model_.node("Mul", name + ".scaled", {sums, on_all_squares(factors)});
        return model_.node("Add", name + ".excited", {scaled, on_all_squares(offsets)});
    }
    // A number of each filter, repeated on each square: Mul and Add would do that by themselves, but those of
    // OpenCV 4.6 for a single position only.
    std::string on_all_squares(const std::string& of) {
        return model_.node("Resize", of + ".repeated", {of, "squares.part", "squares.times"},
                           {{"mode", std::string_view("nearest")},
                            {"coordinate_transformation_mode", std::string_view("asymmetric")},
                            {"nearest_mode", std::string_view("floor")}});
    }

    void convolutional_policy(const std::string& body) {
        const std::string first = convolution("policy.conv1", body, network_.policy_first, 3);
        const std::string planes = onnx_convolution(model_, "policy.conv2", first, network_.policy_second, 3);
        onnx_flatten(model_, "policy", planes);
        std::vector<std::string> moves(kPolicyPlanes * kPlaneSquares, "-");
        const std::vector<std::string> names = policy_move_names();
        for (std::size_t i = 0; i < names.size(); ++i) moves[policy_plane_indices()[i]] = names[i];
        put_policy(moves);
    }
    void dense_policy(const std::string& body) {
        const std::string planes = convolution("policy.conv1", body, network_.policy_first, 1);
        onnx_dense(model_, "policy", onnx_flatten(model_, "policy.planes", planes),
                   network_.policy_second.weight, network_.policy_second.bias);
        put_policy(policy_move_names());
    }
    void put_policy(const std::vector<std::string>& moves) {
        model_.output({"policy",
                       {static_cast<std::int64_t>(moves.size())},
                       "logits of the moves that policy_moves names, before a softmax over the legal ones: "
                       "squares as the side to move sees them, castling to the rook, a promotion to a knight "
                       "without a letter"});
        model_.say("policy_moves", fmt::format("{}", fmt::join(moves, " ")));
    }

    // The planes of vectors are [vector's number][square] for the squares that are left, then for those that
    // are reached: their product is a matrix [from][to].
    void squares_policy(const std::string& body) {
        const auto width = static_cast<std::size_t>(shape_.policy_filters);
        const auto planes = [&](const char* name, OnnxRows rows) {
            return onnx_convolution(model_, name, body, network_.policy_first, 1, rows);
        };
        const auto vectors = [&](const std::string& of) {
            const std::int64_t numbers = shape_.policy_filters;
            const std::string shape =
                model_.integers(of + ".shape", std::array{std::int64_t{0}, numbers, kBoard});
            return model_.node("Reshape", of + ".vectors", {of, shape});
        };
        const std::string left = vectors(planes("policy.left", {0, width}));
        const std::string reached = vectors(planes("policy.reached", {width, width}));
        const std::string turned = model_.node("Transpose", "policy.left.turned", {left},
                                               {{"perm", std::vector<std::int64_t>{0, 2, 1}}});
        // Before the product: behind it, OpenCV 4.6 joins both to one layer, and a wrong one.
        const std::string scale =
            model_.weights("policy.scale", {1}, std::array{1 / std::sqrt(static_cast<float>(width))});
        const std::string scaled = model_.node("Mul", "policy.scaled", {turned, scale});
        const std::string products = model_.node("MatMul", "policy.products", {scaled, reached});
        const std::string pairs =
            model_.weights("policy.pairs", {kBoard, kBoard}, network_.policy_second.weight);
        const std::string alone = onnx_flatten(model_, "policy.alone", planes("policy.from", {2 * width, 1}));
        const std::string squares = model_.weights("policy.squares", {kBoard}, network_.policy_second.bias);
        const std::string last_rank =
            onnx_slice(model_, "policy.last_rank",
                       planes("policy.promotion", {2 * width + 1, kUnderpromotions}), 2, 7, 8);

        model_.node("Add", "policy_from", {alone, squares});
        model_.output({"policy_from",
                       {kBoard},
                       "logits of the square that the move leaves, a1 to h8 as the side to move sees them, "
                       "before a softmax over men that can move"});
        model_.node("Add", "policy_to", {products, pairs});
        model_.output({"policy_to",
                       {kBoard, kBoard},
                       "logits [from][to] of the square that the man goes to, castling as the king does, "
                       "before a softmax over squares that he can go to"});
        onnx_flatten(model_, "policy_promotion", last_rank);
        model_.output(
            {"policy_promotion",
             {std::int64_t{kUnderpromotions} * 8},
             "by the file that is reached, how much likelier than a queen a knight is (8 numbers), a "
             "bishop (8), a rook (8): logits where the queen's is 0"});
    }

    // A policy's logits of squares, by a head of their own.
    void squares_head(const std::string& name, const ConvHead& of, const std::string& body,
                      std::string_view what) {
        head(name, of, body, name);
        model_.output({name,
                       {kBoard},
                       fmt::format("logits of the square that the move {} a1 to h8 as the side to move sees "
                                   "them: that of a move is the sum of policy_source and policy_target, "
                                   "before a softmax over the legal ones",
                                   what)});
    }
    std::string head(const std::string& name, const ConvHead& of, const std::string& body,
                     const std::string& output) {
        const auto units = [&](const std::string& layer_name, const std::string& from,
                               const ConvLayer& layer) {
            return onnx_activation(model_, onnx_dense(model_, layer_name, from, layer.weight, layer.bias),
                                   shape_.activation, layer.slope);
        };
        const std::string planes = convolution(name + ".conv", body, of.planes, 1);
        std::string hidden =
            units(name + ".hidden", onnx_flatten(model_, name + ".planes", planes), of.hidden);
        if (!of.second.bias.empty()) hidden = units(name + ".second", hidden, of.second);
        return onnx_dense(model_, output, hidden, of.output.weight, of.output.bias);
    }
    void value(const std::string& body) {
        if (shape_.value == ValueForm::None) return;
        const std::string out = head("value", network_.value, body, "value.output");
        if (shape_.value == ValueForm::Wdl) {
            model_.node("Softmax", "wdl", {out}, {{"axis", 1}});
            model_.output({"wdl", {3}, "the chances of the side to move to win, to draw and to lose"});
        } else {
            model_.node("Tanh", "value", {out});
            model_.output({"value", {1}, "twice the expected result of the side to move, less 1"});
        }
    }
    void moves_left(const std::string& body) {
        if (shape_.moves_left_filters == 0) return;
        model_.node("Relu", "moves_left",
                    {head("moves_left", network_.moves_left, body, "moves_left.output")});
        model_.output({"moves_left", {1}, "half-moves to the end of the game"});
    }

    const ConvNetwork& network_;
    const ConvShape& shape_;
    OnnxModel& model_;
};

}  // namespace

base::Result<OnnxModel> to_onnx(const ConvNetwork& network) {
    const auto file = to_tensor_file(network);
    if (!file) return std::unexpected(file.error());
    OnnxModel model;
    say_of_network(model, content_name(network), describe(network), file->metadata);
    ConvGraph(network, model).add();
    return model;
}

}  // namespace scholar::nets
