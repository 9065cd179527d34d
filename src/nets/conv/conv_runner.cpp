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

// The heads that are dense at their end.
enum DenseHead : std::size_t { kSourceHead, kTargetHead, kValueHead, kMovesLeftHead, kDenseHeads };

// One of them, and what it has said of a batch.
struct Head {
    const ConvHead* of = nullptr;  // null: the network has none
    std::size_t behind = 0;        // so many blocks
    ConvLayer hidden;              // its inputs as they lie
    std::size_t outputs = 0;       // a position
    AlignedVector<float> said;

    std::span<const float> said_of(int position) const {
        return std::span(said).subspan(outputs * static_cast<std::size_t>(position), outputs);
    }
};

// Of a convolutional policy, filled up to whole blocks: planes that nobody reads are cheaper than a slower
// kernel.
constexpr int kPaddedPolicyPlanes =
    (kPolicyPlanes + kWinogradMultiple - 1) / kWinogradMultiple * kWinogradMultiple;

// The layers of a head, for a number of positions.
struct HeadLayers {
    DnnlLayer planes;
    DnnlLayer hidden;
    std::optional<DnnlLayer> second;
    DnnlLayer output;
};

// The layers for one number of positions.
struct Layers {
    BodyLayer input;
    std::vector<std::array<BodyLayer, 2>> blocks;
    std::optional<BodyLayer> policy_first;
    std::optional<BodyLayer> policy_second;  // of a convolutional policy
    std::optional<DnnlLayer> policy_dense;   // of a dense one
    std::array<std::optional<HeadLayers>, kDenseHeads> heads;
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
          planes_(planes_a_position() * kMostPositions) {
        const ConvShape& shape = network_->info.shape;
        if (shape.squeeze > 0)
            for (const ResidualBlock& block : network_->blocks)
                squeezes_.emplace_back(block, shape.activation, layout_);
        if (shape.policy == PolicyForm::Convolutional) {
            policy_size_ = layout_.size(kPaddedPolicyPlanes);
            policy_second_ = network_->policy_second;
            policy_second_.weight.resize(policy_second_.weight.size() / kPolicyPlanes * kPaddedPolicyPlanes);
            policy_second_.bias.resize(kPaddedPolicyPlanes);
        } else if (shape.policy == PolicyForm::Dense) {
            policy_size_ = kPolicyMoves;
            policy_second_ = as_they_lie(network_->policy_second, layout_);
        } else if (shape.policy == PolicyForm::Squares) {
            policy_size_ = layout_.size(square_planes(shape));
        }
        policy_.resize(policy_size_ * kMostPositions);
        const auto all_blocks = static_cast<std::size_t>(shape.blocks);
        add_head(kSourceHead, network_->source, static_cast<std::size_t>(shape.source_blocks));
        add_head(kTargetHead, network_->target, all_blocks);
        add_head(kValueHead, network_->value, all_blocks);
        add_head(kMovesLeftHead, network_->moves_left, all_blocks);
        const int widest = std::max({plane_count(shape.input), shape.filters, shape.policy_filters,
                                     shape.value_filters, shape.moves_left_filters});
        for (auto& buffer : buffers_) buffer.resize(sizeof(float) * kMostTogether * layout_.size(widest));
        const int most_units = std::max(
            {shape.policy_units, shape.value_units, shape.value_second_units, shape.moves_left_units});
        for (auto& units : units_)
            units.resize(static_cast<std::size_t>(kMostTogether) * static_cast<std::size_t>(most_units));
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
        return policy_[start + layout_.index(kPaddedPolicyPlanes, at / squares, at % squares)];
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
    std::span<const float> said(DenseHead head, int position) const {
        return heads_.at(head).said_of(position);
    }

  private:
    std::size_t planes_a_position() const {
        return static_cast<std::size_t>(plane_count(network_->info.shape.input));
    }

    // Nothing happens where the network has no such head.
    void add_head(DenseHead which, const ConvHead& of, std::size_t behind) {
        if (of.output.bias.empty()) return;
        Head& head = heads_.at(which);
        head = {&of, behind, as_they_lie(of.hidden, layout_), of.output.bias.size(), {}};
        head.said.resize(head.outputs * kMostPositions);
    }
    Layers& layers_for(int positions);
    HeadLayers make_head(int positions, const Head& head);
    DataType body_type() const { return precision_ == Precision::F32 ? DataType::f32 : DataType::bf16; }
    template <class Number>
    void run_together(int first, int count);

    std::shared_ptr<const ConvNetwork> network_;
    Precision precision_;
    DnnlContext context_;
    ActivationLayout layout_;
    // Layers whose weights have to be turned before oneDNN sees them.
    ConvLayer policy_second_;
    std::array<Head, kDenseHeads> heads_;
    std::map<int, Layers> layers_;  // by number of positions
    std::vector<SqueezeExcitation> squeezes_;
    std::vector<Plane> planes_;
    // Between layers.
    std::array<AlignedVector<std::byte>, 3> buffers_;
    std::array<AlignedVector<float>, 2> units_;
    std::size_t policy_size_ = 0;
    AlignedVector<float> policy_;
};

HeadLayers ConvRunner::Implementation::make_head(int positions, const Head& head) {
    const ConvShape& shape = network_->info.shape;
    const ConvHead& of = *head.of;
    const auto f32 = DataType::f32;
    const DnnlEpilogue active{false, shape.activation};
    const int filters = static_cast<int>(of.planes.bias.size());
    int inputs = static_cast<int>(layout_.size(filters));
    const auto dense = [&](const ConvLayer& layer, const DnnlEpilogue& epilogue) {
        const int outputs = static_cast<int>(layer.bias.size());
        const DnnlLayer::Shape extents{positions, inputs, outputs, 0, f32, f32, layout_};
        inputs = outputs;
        return DnnlLayer(context_, extents, layer, epilogue);
    };
    DnnlLayer planes(context_, {positions, shape.filters, filters, 1, body_type(), f32, layout_}, of.planes,
                     active);
    DnnlLayer hidden = dense(head.hidden, active);
    std::optional<DnnlLayer> second;
    if (!of.second.bias.empty()) second = dense(of.second, active);
    return {std::move(planes), std::move(hidden), std::move(second), dense(of.output, {})};
}

Layers& ConvRunner::Implementation::layers_for(int positions) {
    if (const auto known = layers_.find(positions); known != layers_.end()) return known->second;
    const ConvShape& shape = network_->info.shape;
    const auto f32 = DataType::f32;
    const auto body = body_type();
    const auto convolution = [&](const ConvLayer& layer, int inputs, int size, DataType writes,
                                 const DnnlEpilogue& epilogue) {
        const int outputs = static_cast<int>(layer.bias.size());
        return BodyLayer(context_, {positions, inputs, outputs, size, body, writes, layout_}, layer,
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
        layers.policy_dense =
            DnnlLayer(context_, {positions, numbers, kPolicyMoves, 0, f32, f32, layout_}, policy_second_, {});
    } else if (shape.policy == PolicyForm::Squares) {
        layers.policy_first = convolution(network_->policy_first, shape.filters, 1, f32, {});
    }
    for (std::size_t i = 0; i < kDenseHeads; ++i)
        if (heads_[i].of) layers.heads[i] = make_head(positions, heads_[i]);
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
    const auto run_heads = [&](std::size_t behind) {
        for (std::size_t i = 0; i < kDenseHeads; ++i) {
            Head& head = heads_[i];
            if (!head.of || head.behind != behind) continue;
            HeadLayers& of = *layers.heads[i];
            of.planes.run(context_, body, other);
            float* units = units_[0].data();
            of.hidden.run(context_, other, units);
            if (of.second) of.second->run(context_, units, units_[1].data());
            if (of.second) units = units_[1].data();
            of.output.run(context_, units, head.said.data() + start * head.outputs);
        }
    };
    run_heads(0);
    const std::size_t stride = layout_.size(network_->info.shape.filters);
    for (std::size_t block = 0; block < layers.blocks.size(); ++block) {
        layers.blocks[block][0].run(context_, body, other);
        layers.blocks[block][1].run(context_, other, squeezes_.empty() ? body : third);
        for (std::size_t i = 0; !squeezes_.empty() && i < static_cast<std::size_t>(count); ++i)
            squeezes_[block].run(third + i * stride, body + i * stride);
        run_heads(block + 1);
    }
    if (layers.policy_first) {
        float* const out = policy_.data() + start * policy_size_;
        const bool has_second = layers.policy_second || layers.policy_dense;
        layers.policy_first->run(context_, body, has_second ? static_cast<void*>(other) : out);
        if (layers.policy_second) layers.policy_second->run(context_, other, out);
        if (layers.policy_dense) layers.policy_dense->run(context_, other, out);
    }
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
std::span<const float> ConvRunner::source(int position) const {
    return implementation_->said(kSourceHead, position);
}
std::span<const float> ConvRunner::target(int position) const {
    return implementation_->said(kTargetHead, position);
}
std::span<const float> ConvRunner::value(int position) const {
    return implementation_->said(kValueHead, position);
}
float ConvRunner::moves_left(int position) const {
    return implementation_->said(kMovesLeftHead, position).front();
}

}  // namespace scholar::nets
