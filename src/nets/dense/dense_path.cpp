#include "nets/dense/dense_path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "nets/dense/dense_kernels.hpp"

namespace scholar::nets {

namespace {

// By what power of two the weights of a block are multiplied before they are rounded: no sum leaves 32 bits,
// whatever the inputs are, and however much rounding adds. Nor does one on the way from some inputs to
// others: it is that of a mixture of the two.
int exponent_of(const DenseBlock& block, std::size_t inputs) {
    constexpr double kMost = DenseFeatureSet::kDenominator * double{DenseFeatureSet::kLargest};
    double largest = 0;
    for (std::size_t unit = 0; unit < block.bias.size(); ++unit) {
        const double bias = block.bias[unit] * double{DenseFeatureSet::kDenominator};
        double above = std::max(bias, 0.0);
        double below = std::max(-bias, 0.0);
        for (std::size_t in = 0; in < inputs; ++in) {
            const double weight = block.weight[unit * inputs + in];
            (weight > 0 ? above : below) += std::abs(weight) * kMost;
        }
        largest = std::max({largest, above, below});
    }
    const double room = std::numeric_limits<std::int32_t>::max() - (kMost * static_cast<double>(inputs) + 1);
    if (largest == 0) return 0;
    // Weights too small for that go on being small: what the sums are multiplied by has to stay a float.
    constexpr double kLargestExponent = 100;
    return static_cast<int>(std::min(std::floor(std::log2(room / largest)), kLargestExponent));
}

std::int32_t rounded(double number) {
    return static_cast<std::int32_t>(std::lround(number));
}

}  // namespace

WholeFirstLayer::WholeFirstLayer(const DenseNetwork& network) {
    int output = 0;
    int sum = 0;
    for (std::size_t i = 0; i < network.layers.front().size(); ++i) {
        const DenseBlockShape& shape = network.info.shape.layers.front()[i];
        const DenseBlock& from = network.layers.front()[i];
        const int units = (shape.outputs + kDenseMultiple - 1) / kDenseMultiple * kDenseMultiple;
        const auto inputs = static_cast<std::size_t>(shape.inputs);
        const auto row = static_cast<std::size_t>(units);
        const int exponent = exponent_of(from, inputs);
        const Block block{shape.first_input,
                          shape.inputs,
                          sum,
                          units,
                          output,
                          numbers_.size(),
                          static_cast<float>(std::ldexp(1.0 / DenseFeatureSet::kDenominator, -exponent))};
        numbers_.resize(numbers_.size() + row * inputs);
        biases_.resize(biases_.size() + row);
        std::int32_t* const to = numbers_.data() + block.weights;
        for (std::size_t unit = 0; unit < from.bias.size(); ++unit) {
            for (std::size_t in = 0; in < inputs; ++in)
                to[in * row + unit] = rounded(std::ldexp(from.weight[unit * inputs + in], exponent));
            biases_[static_cast<std::size_t>(sum) + unit] =
                rounded(std::ldexp(double{from.bias[unit]} * DenseFeatureSet::kDenominator, exponent));
        }
        blocks_.push_back(block);
        output += shape.outputs;
        sum += units;
    }
}

DensePath::DensePath(std::shared_ptr<const DenseNetwork> network)
    : runner_(std::move(network)),
      first_layer_(std::make_shared<const WholeFirstLayer>(runner_.network())),
      nothing_(new_place()),
      changed_(nothing_.inputs.size() + kDenseMultiple) {
    nothing_.sums = first_layer_->biases();
    places_.push_back(new_place());
}

auto DensePath::new_place() const -> Place {
    Place place;
    place.inputs.resize(static_cast<std::size_t>(network().info.shape.inputs()));
    place.sums.resize(first_layer_->biases().size());
    return place;
}

void DensePath::reset() {
    ply_ = 0;
    places_.front().is_known = false;
}

void DensePath::push() {
    if (++ply_ == places_.size()) places_.push_back(new_place());
    places_[ply_].is_known = false;
}

auto DensePath::nearest_before() const -> const Place& {
    for (std::size_t ply = ply_; ply-- > 0;)
        if (places_[ply].is_known) return places_[ply];
    return nothing_;
}

chess::Score DensePath::value(const chess::Position& position) {
    const DenseShape& shape = network().info.shape;
    shape.features->encode(position, runner_.inputs());
    const Place& before = nearest_before();
    Place& here = places_[ply_];
    // The output has no ReLU, should there be no other layer.
    const float floor = shape.layers.size() > 1 ? 0 : std::numeric_limits<float>::lowest();
    for (const WholeFirstLayer::Block& block : first_layer_->blocks()) {
        const int count =
            whole_changes(runner_.inputs().data() + block.first_input, block.inputs,
                          DenseFeatureSet::kDenominator, before.inputs.data() + block.first_input,
                          here.inputs.data() + block.first_input, changed_.data());
        std::int32_t* const sums = here.sums.data() + block.first_sum;
        whole_sums(changed_.data(), count, before.inputs.data() + block.first_input,
                   here.inputs.data() + block.first_input, first_layer_->weights(block), block.units,
                   before.sums.data() + block.first_sum, sums);
        whole_units(sums, block.units, block.scale, floor, runner_.first_layer() + block.first_output);
    }
    here.is_known = true;
    return dense_score(runner_.run_from_first_layer(), position.side_to_move());
}

std::optional<chess::Score> evaluate_plainly(const DenseNetwork& network, const chess::Position& position) {
    if (network.info.shape.moves) return std::nullopt;
    // The path lives no longer than this call.
    DensePath path(std::shared_ptr<const DenseNetwork>(std::shared_ptr<const DenseNetwork>(), &network));
    return path.value(position);
}

}  // namespace scholar::nets
