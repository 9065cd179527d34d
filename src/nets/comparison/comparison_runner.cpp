#include "nets/comparison/comparison_runner.hpp"

#include <algorithm>

#include "nets/dense/dense_kernels.hpp"

namespace scholar::nets {

namespace {

using PackedLayer = PackedComparison::Layer;

int padded(int units) {
    return (units + kDenseMultiple - 1) / kDenseMultiple * kDenseMultiple;
}

PackedLayer empty_packed(int inputs, int units) {
    PackedLayer layer;
    layer.inputs = inputs;
    layer.units = units;
    layer.numbers.assign((static_cast<std::size_t>(inputs) + 1) * static_cast<std::size_t>(units), 0);
    return layer;
}

// Inputs from `first_input` on, as many as the packed layer has, become units from `first_unit` on.
void pack(const ComparisonLayer& from, std::size_t first_input, bool with_bias, PackedLayer& to,
          std::size_t first_unit) {
    const std::size_t outputs = from.bias.size();
    const std::size_t all_inputs = from.weight.size() / outputs;
    const auto inputs = static_cast<std::size_t>(to.inputs);
    const auto row = static_cast<std::size_t>(to.units);
    for (std::size_t unit = 0; unit < outputs; ++unit) {
        for (std::size_t in = 0; in < inputs; ++in)
            to.numbers[in * row + first_unit + unit] = from.weight[unit * all_inputs + first_input + in];
        if (with_bias) to.numbers[inputs * row + first_unit + unit] = from.bias[unit];
    }
}

PackedLayer packed_whole(const ComparisonLayer& from) {
    const auto outputs = static_cast<int>(from.bias.size());
    PackedLayer layer = empty_packed(static_cast<int>(from.weight.size()) / outputs, padded(outputs));
    pack(from, 0, true, layer, 0);
    return layer;
}

// One unit: the only one, or the first of two less the second.
ComparisonLayer as_one_unit(const ComparisonLayer& layer) {
    if (layer.bias.size() == 1) return layer;
    const std::size_t inputs = layer.weight.size() / 2;
    ComparisonLayer one{std::vector<float>(inputs), {layer.bias[0] - layer.bias[1]}};
    for (std::size_t in = 0; in < inputs; ++in) one.weight[in] = layer.weight[in] - layer.weight[inputs + in];
    return one;
}

PackedLayer packed_unit(const ComparisonLayer& layer) {
    PackedLayer unit = empty_packed(static_cast<int>(layer.weight.size()), 1);
    pack(layer, 0, true, unit, 0);
    return unit;
}

}  // namespace

PackedComparison::PackedComparison(const ComparisonNetwork& network) {
    for (const ComparisonLayer& layer : network.encoder) encoder.push_back(packed_whole(layer));
    std::vector<ComparisonLayer> head = network.head;
    head.back() = as_one_unit(head.back());
    auto next = head.begin();
    if (network.info.shape.form != ComparisonForm::Split) {
        const auto outputs = static_cast<int>(next->bias.size());
        const int code = network.info.shape.encoder.back();
        halves = empty_packed(code, 2 * padded(outputs));
        pack(*next, 0, true, halves, 0);
        pack(*next, static_cast<std::size_t>(code), false, halves, static_cast<std::size_t>(padded(outputs)));
        ++next;
    }
    if (next != head.end()) {
        for (; next + 1 != head.end(); ++next) rest.push_back(packed_whole(*next));
        last = packed_unit(*next);
    }
    width = halves.units;
    for (const Layer& layer : encoder) width = std::max(width, layer.units);
    for (const Layer& layer : rest) width = std::max(width, layer.units);
}

ComparisonRunner::ComparisonRunner(std::shared_ptr<const ComparisonNetwork> network)
    : network_(std::move(network)),
      packed_(std::make_shared<const PackedComparison>(*network_)),
      scratch_(static_cast<std::size_t>(packed_->width + kDenseMultiple)) {
    for (auto& numbers : between_) numbers.resize(scratch_.size());
}

std::size_t ComparisonRunner::embedding_size() const {
    if (network_->info.shape.form == ComparisonForm::Split) return 1;
    return static_cast<std::size_t>(packed_->halves.units);
}

const float* ComparisonRunner::code(const chess::Position& position) {
    const ComparisonOnes ones(position);
    const PackedLayer& first = packed_->encoder.front();
    const float* in =
        dense_units_of_ones(ones.all(), first.numbers.data(), first.bias(), first.units, between_[0].data());
    for (std::size_t i = 1; i < packed_->encoder.size(); ++i) {
        const PackedLayer& layer = packed_->encoder[i];
        float* const out = other_than(in);
        dense_units(in, layer.inputs, layer.numbers.data(), layer.bias(), layer.units, out, scratch_.data());
        in = out;
    }
    return in;
}

// What the head's layers make of what goes into `rest`'s layer of this number.
float ComparisonRunner::output_of(std::size_t layer, const float* in) {
    for (; layer < packed_->rest.size(); ++layer) {
        const PackedLayer& of = packed_->rest[layer];
        float* const out = other_than(in);
        dense_units(in, of.inputs, of.numbers.data(), of.bias(), of.units, out, scratch_.data());
        in = out;
    }
    return *packed_->last.bias() + dense_dot(in, packed_->last.numbers.data(), packed_->last.inputs);
}

float ComparisonRunner::output(const float* first, const float* second) {
    const int units = packed_->halves.units / 2;
    second += units;
    if (packed_->last.inputs == 0) return *first + *second;
    dense_rectified_sum(first, second, units, between_[0].data());
    return output_of(0, between_[0].data());
}

std::span<const float> ComparisonRunner::code_of(const chess::Position& position) {
    return {code(position), static_cast<std::size_t>(network_->info.shape.encoder.back())};
}

void ComparisonRunner::embed(const chess::Position& position, std::span<float> out) {
    if (network_->info.shape.form == ComparisonForm::Split) {
        out.front() = value(position);
        return;
    }
    const PackedLayer& halves = packed_->halves;
    dense_sums(code(position), halves.inputs, halves.numbers.data(), halves.bias(), halves.units, out.data(),
               scratch_.data());
}

float ComparisonRunner::logit(std::span<const float> a, std::span<const float> b) {
    switch (network_->info.shape.form) {
        case ComparisonForm::Antisymmetric: {
            const float as_given = output(a.data(), b.data());
            return (as_given - output(b.data(), a.data())) / 2;
        }
        case ComparisonForm::Split:
            return a.front() - b.front();
        case ComparisonForm::Pair:
            break;
    }
    return output(a.data(), b.data());
}

float ComparisonRunner::value(const chess::Position& position) {
    return output_of(0, code(position));
}

}  // namespace scholar::nets
