#include <array>
#include <fmt/format.h>

#include "nets/comparison/comparison_file.hpp"
#include "nets/onnx/onnx_file.hpp"
#include "nets/onnx/onnx_layers.hpp"

namespace scholar::nets {

namespace {

// Layers that several positions go through: their weights are in the model once.
class OnnxSharedLayers {
  public:
    OnnxSharedLayers(OnnxModel& model, std::string_view part, const std::vector<ComparisonLayer>& layers)
        : model_(model) {
        for (std::size_t i = 0; i < layers.size(); ++i) {
            const std::string name = fmt::format("{}.{}", part, i);
            const auto outputs = static_cast<std::int64_t>(layers[i].bias.size());
            names_.push_back(name);
            weights_.push_back(
                {model.weights(name + ".weight",
                               {outputs, static_cast<std::int64_t>(layers[i].weight.size()) / outputs},
                               layers[i].weight),
                 model.weights(name + ".bias", {outputs}, layers[i].bias)});
        }
    }
    // ReLU behind each layer, or behind each but the last, whose tensor then has the name `use`.
    std::string pass(const std::string& use, std::string in, bool rectify_last) {
        for (std::size_t i = 0; i < names_.size(); ++i) {
            const bool rectify = rectify_last || i + 1 < names_.size();
            in = model_.node("Gemm", rectify ? fmt::format("{}.{}", use, names_[i]) : use,
                             {in, weights_[i][0], weights_[i][1]}, {{"transB", 1}});
            if (rectify) in = onnx_activation(model_, in, ConvActivation::Relu);
        }
        return in;
    }

  private:
    OnnxModel& model_;
    std::vector<std::string> names_;
    std::vector<std::array<std::string, 2>> weights_;
};

// The first output less the second, of codes.
std::string onnx_difference(OnnxModel& model, OnnxSharedLayers& head, const std::string& name,
                            const std::string& first, const std::string& second) {
    const std::string both = model.node("Concat", name + ".codes", {first, second}, {{"axis", 1}});
    const std::string outputs = head.pass(name + ".outputs", both, false);
    return model.node("Sub", name,
                      {onnx_slice(model, name + ".better", outputs, 1, 0, 1),
                       onnx_slice(model, name + ".worse", outputs, 1, 1, 2)});
}

constexpr const char* kBitsMeaning =
    "a bit for each man on each square (White's and Black's pawns, knights, bishops, rooks, queens, kings, "
    "each "
    "on a1, b1, … h8), for White to move, for White's right to castle long and short, and Black's";

}  // namespace

base::Result<OnnxModel> to_onnx(const ComparisonNetwork& network) {
    const auto file = to_tensor_file(network);
    if (!file) return std::unexpected(file.error());
    OnnxModel model;
    say_of_network(model, content_name(network), describe(network), file->metadata);
    OnnxSharedLayers encoder(model, "encoder", network.encoder);
    OnnxSharedLayers head(model, "head", network.head);
    if (network.info.shape.form == ComparisonForm::Split) {
        const std::string code =
            encoder.pass("of", model.input({"position", {kComparisonBits}, kBitsMeaning}), true);
        head.pass("f", code, false);
        model.output(
            {"f", {1}, "White's score is 400 · f; of two positions that with the greater one is better"});
        return model;
    }
    const std::string pair =
        model.input({"pair",
                     {2 * kComparisonBits},
                     fmt::format("of the first position, then of the second: {}", kBitsMeaning)});
    const std::string first =
        encoder.pass("first", onnx_slice(model, "first.bits", pair, 1, 0, kComparisonBits), true);
    const std::string second = encoder.pass(
        "second", onnx_slice(model, "second.bits", pair, 1, kComparisonBits, 2 * kComparisonBits), true);
    if (network.info.shape.form == ComparisonForm::Antisymmetric) {
        const std::string twice = model.node("Sub", "twice",
                                             {onnx_difference(model, head, "given", first, second),
                                              onnx_difference(model, head, "exchanged", second, first)});
        model.node("Mul", "z", {twice, model.weights("half", {1}, std::array{0.5F})});
    } else {
        onnx_difference(model, head, "z", first, second);
    }
    model.output({"z", {1}, "the logit of chance"});
    model.node("Sigmoid", "chance", {"z"});
    model.output({"chance", {1}, "how likely the first position is the better one for White"});
    return model;
}

}  // namespace scholar::nets
