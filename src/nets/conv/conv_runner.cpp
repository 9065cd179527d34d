#include "nets/conv/conv_runner.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <map>
#include <new>

#include "nets/conv/activation_order.hpp"
#include "nets/conv/activations.hpp"
#include "nets/conv/dnnl_layers.hpp"
#include "nets/conv/squeeze_excitation.hpp"

namespace scholar::nets {

namespace {

using DataType = dnnl::memory::data_type;

// A head of three layers, for a number of positions; `hidden` as it is wanted.
struct HeadLayers {
    DnnlLayer planes;
    DnnlLayer hidden;
    DnnlLayer output;
};

// The layers for one number of positions.
struct Layers {
    DnnlLayer input;
    std::vector<std::array<DnnlLayer, 2>> blocks;
    std::optional<DnnlLayer> policy_first;
    std::optional<DnnlLayer> policy_second;
    std::optional<HeadLayers> value;
    std::optional<HeadLayers> moves_left;
};

}  // namespace

bool processor_has_bf16() {
    const auto has = static_cast<unsigned>(dnnl::get_effective_cpu_isa());
    const auto wanted = static_cast<unsigned>(dnnl::cpu_isa::avx512_core_bf16);
    return (has & wanted) == wanted;
}

class ConvRunner::Implementation {
  public:
    explicit Implementation(std::shared_ptr<const ConvNetwork> network)
        : network_(std::move(network)),
          precision_(network_->info.precision),
          layout_(precision_ == Precision::F32 && has_winograd(context_, network_->info.shape.filters)),
          value_hidden_(as_they_lie(network_->value.hidden, layout_)),
          moves_left_hidden_(as_they_lie(network_->moves_left.hidden, layout_)),
          planes_(planes_a_position() * kMostPositions) {
        const ConvShape& shape = network_->info.shape;
        if (shape.squeeze > 0)
            for (const ResidualBlock& block : network_->blocks)
                squeezes_.emplace_back(block, shape.activation, layout_);
        if (shape.policy == PolicyForm::Convolutional) {
            policy_size_ = layout_.size(kPolicyPlanes);
            // To whole blocks: planes that nobody reads are cheaper than a slower kernel.
            policy_second_ = network_->policy_second;
            const auto padded = static_cast<std::size_t>(layout_.padded(kPolicyPlanes));
            policy_second_.weight.resize(policy_second_.weight.size() / kPolicyPlanes * padded);
            policy_second_.bias.resize(padded);
        } else if (shape.policy == PolicyForm::Dense) {
            policy_size_ = kPolicyMoves;
            policy_second_ = as_they_lie(network_->policy_second, layout_);
        } else if (shape.policy == PolicyForm::Squares) {
            policy_size_ = layout_.size(square_planes(shape));
        }
        if (shape.value != ValueForm::None) value_size_ = shape.value == ValueForm::Wdl ? 3 : 1;
        policy_.resize(policy_size_ * kMostPositions);
        value_.resize(value_size_ * kMostPositions);
        moves_left_.resize(shape.moves_left_filters > 0 ? kMostPositions : 0);
        const int widest = std::max({plane_count(shape.input), shape.filters, shape.policy_filters,
                                     shape.value_filters, shape.moves_left_filters});
        for (auto& buffer : buffers_) buffer.resize(sizeof(float) * kMostTogether * layout_.size(widest));
        units_.resize(static_cast<std::size_t>(kMostTogether) *
                      static_cast<std::size_t>(std::max(shape.value_units, shape.moves_left_units)));
        const OneOpenMpThread alone;
        layers_for(1);
    }

    const ConvNetwork& network() const { return *network_; }
    std::span<Plane> planes(int position) {
        return std::span(planes_).subspan(planes_a_position() * static_cast<std::size_t>(position),
                                          planes_a_position());
    }

    void run(int positions) {
        assert(positions > 0 && positions <= kMostPositions);
        const OneOpenMpThread alone;
        for_each_part(positions, [this](int first, int count) {
            if (precision_ == Precision::F32)
                run_together<float>(first, count);
            else
                run_together<Bf16>(first, count);
        });
    }

    float policy(int position, int index) const {
        const auto start = policy_size_ * static_cast<std::size_t>(position);
        if (network_->info.shape.policy == PolicyForm::Dense)
            return policy_[start + static_cast<std::size_t>(index)];
        constexpr int squares = kPlaneSquares;
        const int at = policy_plane_indices()[static_cast<std::size_t>(index)];
        return policy_[start + layout_.index(kPolicyPlanes, at / squares, at % squares)];
    }
    float square_logit(int position, int place) const {
        const ConvShape& shape = network_->info.shape;
        const float* const planes = policy_.data() + policy_size_ * static_cast<std::size_t>(position);
        const auto at = [&](int plane, int square) {
            return planes[layout_.index(square_planes(shape), plane, square)];
        };
        const int width = shape.policy_filters;
        const ConvLayer& weights = network_->policy_second;
        if (place < kSquaresFrom) return at(2 * width, place) + weights.bias[static_cast<std::size_t>(place)];
        if (place >= kSquaresFrom + kSquaresTo) {
            const int kind = (place - kSquaresFrom - kSquaresTo) / 8;
            return at(2 * width + 1 + kind, 56 + place % 8);
        }
        const int pair = place - kSquaresFrom;
        float product = 0;
        for (int i = 0; i < width; ++i) product += at(i, pair / 64) * at(width + i, pair % 64);
        return product / std::sqrt(static_cast<float>(width)) +
               weights.weight[static_cast<std::size_t>(pair)];
    }
    std::span<const float> value(int position) const {
        return std::span(value_).subspan(value_size_ * static_cast<std::size_t>(position), value_size_);
    }
    float moves_left(int position) const { return moves_left_[static_cast<std::size_t>(position)]; }

  private:
    std::size_t planes_a_position() const {
        return static_cast<std::size_t>(plane_count(network_->info.shape.input));
    }

    Layers& layers_for(int positions);
    HeadLayers make_head(int positions, const ConvHead& head, const ConvLayer& hidden);
    DataType body_type() const { return precision_ == Precision::F32 ? DataType::f32 : DataType::bf16; }
    template <class Number>
    void run_together(int first, int count);

    std::shared_ptr<const ConvNetwork> network_;
    Precision precision_;
    DnnlContext context_;
    ActivationLayout layout_;
    // Layers whose weights have to be turned before oneDNN sees them.
    ConvLayer policy_second_;
    ConvLayer value_hidden_;
    ConvLayer moves_left_hidden_;
    std::map<int, Layers> layers_;  // by number of positions
    std::vector<SqueezeExcitation> squeezes_;
    std::vector<Plane> planes_;
    // Between layers.
    std::array<AlignedVector<std::byte>, 3> buffers_;
    AlignedVector<float> units_;
    std::size_t policy_size_ = 0;
    std::size_t value_size_ = 0;
    AlignedVector<float> policy_;
    AlignedVector<float> value_;
    AlignedVector<float> moves_left_;
};

HeadLayers ConvRunner::Implementation::make_head(int positions, const ConvHead& head,
                                                 const ConvLayer& hidden) {
    const ConvShape& shape = network_->info.shape;
    const auto f32 = DataType::f32;
    const int filters = static_cast<int>(head.planes.bias.size());
    const int units = static_cast<int>(hidden.bias.size());
    const int outputs = static_cast<int>(head.output.bias.size());
    const int numbers = static_cast<int>(layout_.size(filters));
    const DnnlEpilogue active{false, shape.activation};
    return {DnnlLayer(context_, {positions, shape.filters, filters, 1, body_type(), f32, layout_},
                      head.planes, active),
            DnnlLayer(context_, {positions, numbers, units, 0, f32, f32, layout_}, hidden, active),
            DnnlLayer(context_, {positions, units, outputs, 0, f32, f32, layout_}, head.output, {})};
}

Layers& ConvRunner::Implementation::layers_for(int positions) {
    if (const auto known = layers_.find(positions); known != layers_.end()) return known->second;
    const ConvShape& shape = network_->info.shape;
    const auto f32 = DataType::f32;
    const auto body = body_type();
    const auto convolution = [&](const ConvLayer& layer, int inputs, int size, DataType writes,
                                 const DnnlEpilogue& epilogue) {
        const int outputs = static_cast<int>(layer.bias.size());
        return DnnlLayer(context_, {positions, inputs, outputs, size, body, writes, layout_}, layer,
                         epilogue);
    };
    const DnnlEpilogue active{false, shape.activation};
    Layers layers{
        convolution(network_->input, plane_count(shape.input), 3, body, active), {}, {}, {}, {}, {}};
    for (const ResidualBlock& block : network_->blocks) {
        // With squeeze-excitation, what goes around the block is added later.
        const DnnlEpilogue second = shape.squeeze > 0 ? DnnlEpilogue{} : DnnlEpilogue{true, shape.activation};
        layers.blocks.push_back({convolution(block.first, shape.filters, 3, body, active),
                                 convolution(block.second, shape.filters, 3, body, second)});
    }
    if (shape.policy == PolicyForm::Convolutional) {
        layers.policy_first = convolution(network_->policy_first, shape.filters, 3, body, active);
        layers.policy_second = convolution(policy_second_, shape.policy_filters, 3, f32, {});
    } else if (shape.policy == PolicyForm::Dense) {
        const int numbers = static_cast<int>(layout_.size(shape.policy_filters));
        layers.policy_first = convolution(network_->policy_first, shape.filters, 1, f32, active);
        layers.policy_second =
            DnnlLayer(context_, {positions, numbers, kPolicyMoves, 0, f32, f32, layout_}, policy_second_, {});
    } else if (shape.policy == PolicyForm::Squares) {
        layers.policy_first = convolution(network_->policy_first, shape.filters, 1, f32, {});
    }
    if (value_size_ > 0) layers.value = make_head(positions, network_->value, value_hidden_);
    if (!moves_left_.empty())
        layers.moves_left = make_head(positions, network_->moves_left, moves_left_hidden_);
    return layers_.emplace(positions, std::move(layers)).first->second;
}

template <class Number>
void ConvRunner::Implementation::run_together(int first, int count) {
    Layers& layers = layers_for(count);
    const auto start = static_cast<std::size_t>(first);
    auto* const body = reinterpret_cast<Number*>(buffers_[0].data());
    auto* const other = reinterpret_cast<Number*>(buffers_[1].data());
    auto* const third = reinterpret_cast<Number*>(buffers_[2].data());
    for (int i = 0; i < count; ++i)
        spread(std::span<const Plane>(planes(first + i)), layout_,
               other + static_cast<std::size_t>(i) * layout_.size(plane_count(network_->info.shape.input)));
    layers.input.run(context_, other, body);
    const std::size_t stride = layout_.size(network_->info.shape.filters);
    for (std::size_t block = 0; block < layers.blocks.size(); ++block) {
        layers.blocks[block][0].run(context_, body, other);
        if (squeezes_.empty()) {
            layers.blocks[block][1].run(context_, other, body);
            continue;
        }
        layers.blocks[block][1].run(context_, other, third);
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
            squeezes_[block].run(third + i * stride, body + i * stride);
    }
    if (layers.policy_first) {
        float* const out = policy_.data() + start * policy_size_;
        layers.policy_first->run(context_, body, layers.policy_second ? static_cast<void*>(other) : out);
        if (layers.policy_second) layers.policy_second->run(context_, other, out);
    }
    const auto head = [&](std::optional<HeadLayers>& of, AlignedVector<float>& out, std::size_t size) {
        if (!of) return;
        of->planes.run(context_, body, other);
        of->hidden.run(context_, other, units_.data());
        of->output.run(context_, units_.data(), out.data() + start * size);
    };
    head(layers.value, value_, value_size_);
    head(layers.moves_left, moves_left_, 1);
}

ConvRunner::ConvRunner(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
ConvRunner::ConvRunner(ConvRunner&&) noexcept = default;
ConvRunner& ConvRunner::operator=(ConvRunner&&) noexcept = default;
ConvRunner::~ConvRunner() = default;

base::Result<ConvRunner> ConvRunner::make(std::shared_ptr<const ConvNetwork> network) {
    const Precision precision = network->info.precision;
    try {
        return ConvRunner(std::make_unique<Implementation>(std::move(network)));
    } catch (const dnnl::error& error) {
        return base::fail("oneDNN cannot make {} layers here: {}", to_string(precision), error.what());
    } catch (const std::bad_alloc&) {
        return base::fail("no memory left for the layers of a convolutional network");
    }
}

const ConvNetwork& ConvRunner::network() const {
    return implementation_->network();
}
std::span<Plane> ConvRunner::planes(int position) {
    return implementation_->planes(position);
}
base::Status ConvRunner::run(int positions) {
    return dnnl_status([&] { implementation_->run(positions); });
}
float ConvRunner::policy(int position, int index) const {
    return implementation_->policy(position, index);
}
float ConvRunner::square_logit(int position, int place) const {
    return implementation_->square_logit(position, place);
}
std::span<const float> ConvRunner::value(int position) const {
    return implementation_->value(position);
}
float ConvRunner::moves_left(int position) const {
    return implementation_->moves_left(position);
}

}  // namespace scholar::nets
