#include "learning/comparison/comparison_modules.hpp"

#include <ATen/ATen.h>
#include <algorithm>
#include <array>
#include <span>
#include <torch/nn/init.h>
#include <torch/nn/modules/linear.h>

#include "learning/comparison/comparison_tensors.hpp"
#include "learning/run/tensors_in_file.hpp"

namespace scholar::learning {

namespace {

using Layers = torch::nn::ModuleList;

Layers layers_of(std::span<const nets::ComparisonLayerSize> sizes) {
    Layers layers;
    for (const nets::ComparisonLayerSize& size : sizes) {
        torch::nn::Linear linear(size.inputs, size.outputs);
        torch::nn::init::kaiming_uniform_(linear->weight, 0, torch::kFanIn, torch::kReLU);
        torch::nn::init::zeros_(linear->bias);
        layers->push_back(linear);
    }
    return layers;
}

std::vector<nets::ComparisonLayerSize> decoder_layers(const std::vector<int>& units) {
    std::vector<nets::ComparisonLayerSize> sizes = nets::encoder_layers({units, {}});
    for (nets::ComparisonLayerSize& size : sizes) std::swap(size.inputs, size.outputs);
    return sizes;
}

torch::nn::LinearImpl& linear_at(const Layers& layers, std::size_t number) {
    return layers.ptr()->at<torch::nn::LinearImpl>(number);
}

// Layers from `first` to `last`, ReLU behind each.
at::Tensor encoded(const Layers& layers, at::Tensor numbers, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i <= last; ++i) numbers = at::relu(linear_at(layers, i).forward(numbers));
    return numbers;
}

at::Tensor all_encoded(const Layers& encoder, const at::Tensor& bits) {
    return encoded(encoder, bits, 0, encoder->size() - 1);
}

// ReLU behind each layer but the last.
at::Tensor judged(const Layers& head, at::Tensor numbers) {
    const std::size_t last = head->size() - 1;
    if (last > 0) numbers = encoded(head, numbers, 0, last - 1);
    return linear_at(head, last).forward(numbers);
}

std::vector<nets::ComparisonLayer> exported_layers(const Layers& layers) {
    std::vector<nets::ComparisonLayer> all;
    all.reserve(layers->size());
    for (std::size_t i = 0; i < layers->size(); ++i)
        all.push_back({floats_of(linear_at(layers, i).weight), floats_of(linear_at(layers, i).bias)});
    return all;
}

}  // namespace

EncoderModules::EncoderModules(const std::vector<int>& units)
    : encoder_(register_module("encoder", layers_of(nets::encoder_layers({units, {}})))) {}

Tensors EncoderModules::forward(const Tensors& inputs) {
    return {all_encoded(encoder_, inputs.at(0))};
}

AutoencoderModules::AutoencoderModules(const std::vector<int>& units)
    : encoder_(register_module("encoder", layers_of(nets::encoder_layers({units, {}})))),
      decoder_(register_module("decoder", layers_of(decoder_layers(units)))) {}

AutoencoderModules::Range AutoencoderModules::learning() const {
    const auto learns = [this](std::size_t layer) {
        return std::ranges::any_of(std::array{&encoder_, &decoder_}, [layer](const Layers* layers) {
            return std::ranges::any_of(linear_at(*layers, layer).parameters(),
                                       [](const at::Tensor& each) { return each.requires_grad(); });
        });
    };
    Range range{0, encoder_->size() - 1};
    while (range.first <= range.last && !learns(range.first)) ++range.first;
    if (range.first > range.last) return {0, range.last};
    while (!learns(range.last)) --range.last;
    return range;
}

// Codes are never negative, so that ReLU behind what should be one can only mend it.
at::Tensor AutoencoderModules::there_and_back(at::Tensor numbers, Range range) {
    numbers = encoded(encoder_, numbers, range.first, range.last);
    for (std::size_t i = range.last; i > range.first; --i)
        numbers = at::relu(linear_at(decoder_, i).forward(numbers));
    return linear_at(decoder_, range.first).forward(numbers);
}

Tensors AutoencoderModules::forward(const Tensors& inputs) {
    const at::Tensor& bits = inputs.at(0);
    const Range range = learning();
    const at::Tensor below = range.first == 0 ? bits : encoded(encoder_, bits, 0, range.first - 1).detach();
    const at::Tensor said = there_and_back(below, range);
    Tensors all{range.first == 0 ? unexplained_bits(said, bits) : unexplained(said, below)};
    if (is_training()) return all;
    for (std::size_t last = 0; last < encoder_->size(); ++last) {
        const Reconstruction found = reconstruction(there_and_back(bits, {0, last}), bits);
        all.insert(all.end(), {found.bits, found.men, found.boards});
    }
    return all;
}

ComparisonModules::ComparisonModules(const nets::ComparisonShape& shape)
    : shape_(shape),
      encoder_(register_module("encoder", layers_of(nets::encoder_layers(shape)))),
      head_(register_module("head", layers_of(nets::head_layers(shape)))) {}

at::Tensor ComparisonModules::difference(const at::Tensor& first, const at::Tensor& second) {
    const at::Tensor outputs = judged(head_, at::cat({first, second}, 1));
    return outputs.select(1, 0) - outputs.select(1, 1);
}

at::Tensor ComparisonModules::values(const at::Tensor& bits) {
    return judged(head_, all_encoded(encoder_, bits)).squeeze(1);
}

Tensors ComparisonModules::forward(const Tensors& inputs) {
    // Both go through the encoder at once.
    const at::Tensor both = at::cat({inputs.at(0), inputs.at(1)});
    if (shape_.form == nets::ComparisonForm::Split) {
        const auto f = values(both).chunk(2);
        const at::Tensor z = f[0] - f[1];
        return is_training() ? Tensors{z} : Tensors{z, -z};
    }
    const auto codes = all_encoded(encoder_, both).chunk(2);
    const bool is_antisymmetric = shape_.form == nets::ComparisonForm::Antisymmetric;
    const at::Tensor as_given = difference(codes[0], codes[1]);
    if (!is_antisymmetric && is_training()) return {as_given};
    const at::Tensor exchanged = difference(codes[1], codes[0]);
    if (!is_antisymmetric) return {as_given, exchanged};
    const at::Tensor z = (as_given - exchanged) / 2;
    return is_training() ? Tensors{z} : Tensors{z, -z};
}

nets::ComparisonNetwork ComparisonModules::exported() const {
    nets::ComparisonNetwork network;
    network.info.shape = shape_;
    network.encoder = exported_layers(encoder_);
    network.head = exported_layers(head_);
    return network;
}

std::vector<int> encoder_units_in(const nets::TensorFile& file) {
    std::vector<int> units;
    for (std::int64_t inputs = nets::kComparisonBits;;) {
        const auto found = file.tensors.find("encoder." + std::to_string(units.size()) + ".weight");
        if (found == file.tensors.end()) return units;
        const std::vector<std::int64_t>& shape = found->second.shape;
        // What does not fit is refused by whoever takes the weights.
        if (shape.size() != 2 || shape[1] != inputs || shape[0] < 1 ||
            shape[0] > nets::ComparisonBounds::kUnits)
            return units;
        inputs = shape[0];
        units.push_back(static_cast<int>(inputs));
    }
}

}  // namespace scholar::learning
