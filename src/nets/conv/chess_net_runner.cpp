#include "nets/conv/chess_net_runner.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <new>
#include <vector>

#include "nets/conv/activation_order.hpp"
#include "nets/conv/dnnl_layers.hpp"

namespace scholar::nets {

class ChessNetRunner::Implementation {
  public:
    Implementation(std::shared_ptr<const ChessNets> networks, ChessNetRole role)
        : networks_(std::move(networks)),
          network_(*networks_->of(role)),
          shape_(networks_->info.shape),
          planes_each_(plane_count(input_of(shape_, role))),
          outputs_each_(outputs_of(role)),
          precision_(networks_->info.precision),
          layout_(precision_ == Precision::F32 && has_winograd(context_, shape_.filters.back())),
          hidden_(as_they_lie(network_.hidden, layout_)),
          planes_(static_cast<std::size_t>(planes_each_) * kMostPositions),
          outputs_(static_cast<std::size_t>(outputs_each_) * kMostPositions),
          units_(static_cast<std::size_t>(shape_.units) * kMostPositions) {
        const int widest = std::max(planes_each_, std::ranges::max(shape_.filters));
        for (auto& buffer : buffers_) buffer.resize(sizeof(float) * layout_.size(widest) * kMostTogether);
        const OneOpenMpThread alone;
        layers_for(1);
    }

    std::span<Plane> planes(int position) {
        const auto each = static_cast<std::size_t>(planes_each_);
        return std::span(planes_).subspan(each * static_cast<std::size_t>(position), each);
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
    std::span<const float> hidden(int position) const {
        const auto each = static_cast<std::size_t>(shape_.units);
        return std::span(units_).subspan(each * static_cast<std::size_t>(position), each);
    }
    std::span<const float> outputs(int position) const {
        const auto each = static_cast<std::size_t>(outputs_each_);
        return std::span(outputs_).subspan(each * static_cast<std::size_t>(position), each);
    }

  private:
    std::vector<BodyLayer>& layers_for(int positions) {
        if (const auto known = layers_.find(positions); known != layers_.end()) return known->second;
        using DataType = dnnl::memory::data_type;
        const auto f32 = DataType::f32;
        const auto body = precision_ == Precision::F32 ? f32 : DataType::bf16;
        std::vector<BodyLayer> layers;
        const auto add = [&](const ConvLayer& layer, int inputs, int size, DataType reads, DataType writes,
                             const DnnlEpilogue& epilogue) {
            const int outputs = static_cast<int>(layer.bias.size());
            layers.emplace_back(context_,
                                DnnlLayer::Shape{positions, inputs, outputs, size, reads, writes, layout_},
                                layer, epilogue);
        };
        const DnnlEpilogue active{false, shape_.activation};
        int inputs = planes_each_;
        for (std::size_t i = 0; i < shape_.filters.size(); ++i) {
            add(network_.convolutions[i], inputs, 3, body, body, active);
            inputs = shape_.filters[i];
        }
        add(hidden_, static_cast<int>(layout_.size(inputs)), 0, body, f32, active);
        add(network_.output, shape_.units, 0, f32, f32, {});
        return layers_.emplace(positions, std::move(layers)).first->second;
    }

    template <class Number>
    void run_together(int first, int count) {
        std::vector<BodyLayer>& layers = layers_for(count);
        auto* from = reinterpret_cast<Number*>(buffers_[0].data());
        auto* to = reinterpret_cast<Number*>(buffers_[1].data());
        for (int i = 0; i < count; ++i)
            spread(std::span<const Plane>(planes(first + i)), layout_,
                   from + static_cast<std::size_t>(i) * layout_.size(planes_each_));
        for (std::size_t i = 0; i < shape_.filters.size(); ++i) {
            layers[i].run(context_, from, to);
            std::swap(from, to);
        }
        float* units =
            units_.data() + static_cast<std::size_t>(first) * static_cast<std::size_t>(shape_.units);
        layers[shape_.filters.size()].run(context_, from, units);
        layers.back().run(
            context_, units,
            outputs_.data() + static_cast<std::size_t>(first) * static_cast<std::size_t>(outputs_each_));
    }

    std::shared_ptr<const ChessNets> networks_;
    const ChessNet& network_;
    const ChessNetShape& shape_;
    int planes_each_;
    int outputs_each_;
    Precision precision_;
    DnnlContext context_;
    ActivationLayout layout_;
    ConvLayer hidden_;                              // its inputs as they lie
    std::map<int, std::vector<BodyLayer>> layers_;  // by number of positions
    std::vector<Plane> planes_;
    AlignedVector<float> outputs_;
    AlignedVector<float> units_;
    std::array<AlignedVector<std::byte>, 2> buffers_;  // between layers
};

ChessNetRunner::ChessNetRunner(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
ChessNetRunner::ChessNetRunner(ChessNetRunner&&) noexcept = default;
ChessNetRunner& ChessNetRunner::operator=(ChessNetRunner&&) noexcept = default;
ChessNetRunner::~ChessNetRunner() = default;

base::Result<ChessNetRunner> ChessNetRunner::make(std::shared_ptr<const ChessNets> networks,
                                                  ChessNetRole role) {
    try {
        return ChessNetRunner(std::make_unique<Implementation>(std::move(networks), role));
    } catch (const dnnl::error& error) {
        return base::fail("oneDNN cannot make these layers here: {}", error.what());
    } catch (const std::bad_alloc&) {
        return base::fail("no memory left for the layers of a convolutional network");
    }
}

std::span<Plane> ChessNetRunner::planes(int position) {
    return implementation_->planes(position);
}
base::Status ChessNetRunner::run(int positions) {
    return dnnl_status([&] { implementation_->run(positions); });
}
std::span<const float> ChessNetRunner::hidden(int position) const {
    return implementation_->hidden(position);
}
std::span<const float> ChessNetRunner::outputs(int position) const {
    return implementation_->outputs(position);
}

}  // namespace scholar::nets
