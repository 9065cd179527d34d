#include "learning/perspective_kernels.hpp"

#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "learning/perspective_kernels.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace scholar::learning::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Lanes>;
using nets::Activation;

// Of what was clipped: what the weights are multiplied by…
template <Activation kActivation>
HWY_INLINE Vector Activate(Vector clipped) {
    if constexpr (kActivation == Activation::Squared) return hn::Mul(clipped, clipped);
    return clipped;
}

// …and, times `outer`, the slope of that.
template <Activation kActivation>
HWY_INLINE Vector TimesSlope(Vector outer, Vector clipped) {
    if constexpr (kActivation == Activation::Squared) return hn::Mul(outer, hn::Add(clipped, clipped));
    return outer;
}

// One viewpoint of one position.
struct Side {
    const std::uint16_t* features;
    int count;
    std::size_t output;  // where the weights of the position's bucket begin
};

HWY_INLINE Side SideOf(const PerspectiveInput& input, const PerspectiveWeights& weights,
                       std::int64_t position, int side) {
    return {(side == 0 ? input.own : input.enemy) + position * input.stride,
            input.counts[2 * position + side],
            static_cast<std::size_t>(2 * input.buckets[position] + side) * weights.width};
}

// A panel of one position is kept in so many registers.
constexpr std::size_t kVectors = kPanel / hn::MaxLanes(Lanes());
static_assert(kVectors * hn::MaxLanes(Lanes()) == kPanel);

template <Activation kActivation>
void ForwardPanel(const PerspectiveInput& input, const PerspectiveWeights& weights,
                  const PerspectivePart& part, std::size_t panel, float* clipped, float* partial) {
    const Lanes d;
    const std::size_t lanes = hn::Lanes(d);
    const std::size_t column = panel * kPanel;
    const float* const rows = weights.transformer + column * weights.features;
    const auto zero = hn::Zero(d);
    const auto one = hn::Set(d, 1.0F);
    for (std::int64_t position = part.from; position < part.to; ++position) {
        auto dot = zero;
        for (int viewpoint = 0; viewpoint < 2; ++viewpoint, clipped += kPanel) {
            const Side side = SideOf(input, weights, position, viewpoint);
            Vector sums[kVectors];
            for (std::size_t v = 0; v < kVectors; ++v)
                sums[v] = hn::LoadU(d, weights.transformer_bias + column + v * lanes);
            for (int i = 0; i < side.count; ++i) {
                const float* row = rows + side.features[i] * kPanel;
                for (std::size_t v = 0; v < kVectors; ++v)
                    sums[v] = hn::Add(sums[v], hn::LoadU(d, row + v * lanes));
            }
            const float* output = weights.output + side.output + column;
            for (std::size_t v = 0; v < kVectors; ++v) {
                const auto value = hn::Min(hn::Max(sums[v], zero), one);
                hn::StoreU(value, d, clipped + v * lanes);
                dot = hn::MulAdd(Activate<kActivation>(value), hn::LoadU(d, output + v * lanes), dot);
            }
        }
        *partial++ = hn::GetLane(hn::SumOfLanes(d, dot));
    }
}

template <Activation kActivation>
void BackwardPanel(const PerspectiveInput& input, const PerspectiveWeights& weights,
                   const PerspectivePart& part, std::size_t panel, const float* clipped, const float* grads,
                   const PerspectiveGradients& gradients) {
    const Lanes d;
    const std::size_t lanes = hn::Lanes(d);
    const std::size_t column = panel * kPanel;
    float* const rows = gradients.transformer + column * weights.features;
    float* const bias = gradients.transformer_bias + column;
    const auto zero = hn::Zero(d);
    const auto one = hn::Set(d, 1.0F);
    for (std::int64_t position = part.from; position < part.to; ++position) {
        const auto outer = hn::Set(d, *grads++);
        for (int viewpoint = 0; viewpoint < 2; ++viewpoint, clipped += kPanel) {
            const Side side = SideOf(input, weights, position, viewpoint);
            const float* output = weights.output + side.output + column;
            float* to_output = gradients.output + side.output + column;
            Vector passed[kVectors];
            for (std::size_t v = 0; v < kVectors; ++v) {
                const auto value = hn::LoadU(d, clipped + v * lanes);
                const auto weighted = hn::Mul(outer, hn::LoadU(d, output + v * lanes));
                hn::StoreU(
                    hn::MulAdd(outer, Activate<kActivation>(value), hn::LoadU(d, to_output + v * lanes)), d,
                    to_output + v * lanes);
                // A unit that was clipped passes nothing back.
                const auto open = hn::And(hn::Gt(value, zero), hn::Lt(value, one));
                passed[v] = hn::IfThenElseZero(open, TimesSlope<kActivation>(weighted, value));
                hn::StoreU(hn::Add(hn::LoadU(d, bias + v * lanes), passed[v]), d, bias + v * lanes);
            }
            for (int i = 0; i < side.count; ++i) {
                float* row = rows + side.features[i] * kPanel;
                for (std::size_t v = 0; v < kVectors; ++v)
                    hn::StoreU(hn::Add(hn::LoadU(d, row + v * lanes), passed[v]), d, row + v * lanes);
            }
        }
    }
}

template <Activation kActivation>
void Forward(const PerspectiveInput& input, const PerspectiveWeights& weights, const PerspectivePart& part,
             float* clipped, float* partial) {
    for (std::size_t panel = part.begin; panel < part.end; ++panel)
        ForwardPanel<kActivation>(input, weights, part, panel, clipped + panel * 2 * kPanel * kBlock,
                                  partial + panel * kBlock);
}

template <Activation kActivation>
void Backward(const PerspectiveInput& input, const PerspectiveWeights& weights, const PerspectivePart& part,
              const float* clipped, const float* grads, const PerspectiveGradients& gradients) {
    for (std::size_t panel = part.begin; panel < part.end; ++panel)
        BackwardPanel<kActivation>(input, weights, part, panel, clipped + panel * 2 * kPanel * kBlock, grads,
                                   gradients);
}

void PerspectiveForward(const PerspectiveInput& input, const PerspectiveWeights& weights,
                        const PerspectivePart& part, float* clipped, float* partial) {
    switch (weights.activation) {
        case Activation::Clipped:
            return Forward<Activation::Clipped>(input, weights, part, clipped, partial);
        case Activation::Squared:
            return Forward<Activation::Squared>(input, weights, part, clipped, partial);
    }
}

void PerspectiveBackward(const PerspectiveInput& input, const PerspectiveWeights& weights,
                         const PerspectivePart& part, const float* clipped, const float* grads,
                         const PerspectiveGradients& gradients) {
    switch (weights.activation) {
        case Activation::Clipped:
            return Backward<Activation::Clipped>(input, weights, part, clipped, grads, gradients);
        case Activation::Squared:
            return Backward<Activation::Squared>(input, weights, part, clipped, grads, gradients);
    }
}

}  // namespace scholar::learning::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scholar::learning {

HWY_EXPORT(PerspectiveForward);
HWY_EXPORT(PerspectiveBackward);

void perspective_forward(const PerspectiveInput& input, const PerspectiveWeights& weights,
                         const PerspectivePart& part, float* clipped, float* partial) {
    HWY_DYNAMIC_DISPATCH(PerspectiveForward)(input, weights, part, clipped, partial);
}

void perspective_backward(const PerspectiveInput& input, const PerspectiveWeights& weights,
                          const PerspectivePart& part, const float* clipped, const float* grads,
                          const PerspectiveGradients& gradients) {
    HWY_DYNAMIC_DISPATCH(PerspectiveBackward)(input, weights, part, clipped, grads, gradients);
}

}  // namespace scholar::learning
#endif
