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

// Where a vector of `Panels` panels lies among what is `stride` from panel to panel.
HWY_INLINE std::size_t Offset(std::size_t vector, std::size_t stride) {
    return vector / kVectors * stride + vector % kVectors * hn::Lanes(Lanes());
}

constexpr std::size_t kClippedStride = 2 * kPanel * kBlock;

template <Activation kActivation, std::size_t Panels>
void ForwardPanels(const PerspectiveInput& input, const PerspectiveWeights& weights,
                   const PerspectivePart& part, float* clipped, float* partial) {
    const Lanes d;
    const std::size_t column = part.panel * kPanel;
    const std::size_t stride = weights.features * kPanel;
    const float* const rows = weights.transformer + part.panel * stride;
    clipped += part.panel * kClippedStride;
    partial += part.panel * kBlock;
    const auto zero = hn::Zero(d);
    const auto one = hn::Set(d, 1.0F);
    for (std::int64_t position = part.from; position < part.to; ++position, ++partial) {
        Vector dots[Panels];
        for (std::size_t p = 0; p < Panels; ++p) dots[p] = zero;
        for (int viewpoint = 0; viewpoint < 2; ++viewpoint, clipped += kPanel) {
            const Side side = SideOf(input, weights, position, viewpoint);
            Vector sums[Panels * kVectors];
            for (std::size_t v = 0; v < Panels * kVectors; ++v)
                sums[v] = hn::LoadU(d, weights.transformer_bias + column + Offset(v, kPanel));
            for (int i = 0; i < side.count; ++i) {
                const float* row = rows + side.features[i] * kPanel;
                for (std::size_t v = 0; v < Panels * kVectors; ++v)
                    sums[v] = hn::Add(sums[v], hn::LoadU(d, row + Offset(v, stride)));
            }
            const float* output = weights.output + side.output + column;
            for (std::size_t v = 0; v < Panels * kVectors; ++v) {
                const auto value = hn::Min(hn::Max(sums[v], zero), one);
                hn::StoreU(value, d, clipped + Offset(v, kClippedStride));
                dots[v / kVectors] = hn::MulAdd(Activate<kActivation>(value),
                                                hn::LoadU(d, output + Offset(v, kPanel)), dots[v / kVectors]);
            }
        }
        for (std::size_t p = 0; p < Panels; ++p)
            partial[p * kBlock] = hn::GetLane(hn::SumOfLanes(d, dots[p]));
    }
}

template <Activation kActivation, std::size_t Panels>
void BackwardPanels(const PerspectiveInput& input, const PerspectiveWeights& weights,
                    const PerspectivePart& part, const float* clipped, const float* grads,
                    const PerspectiveGradients& gradients) {
    const Lanes d;
    const std::size_t column = part.panel * kPanel;
    const std::size_t stride = weights.features * kPanel;
    float* const rows = gradients.transformer + part.panel * stride;
    float* const bias = gradients.transformer_bias + column;
    clipped += part.panel * kClippedStride;
    const auto zero = hn::Zero(d);
    const auto one = hn::Set(d, 1.0F);
    for (std::int64_t position = part.from; position < part.to; ++position) {
        const auto outer = hn::Set(d, *grads++);
        for (int viewpoint = 0; viewpoint < 2; ++viewpoint, clipped += kPanel) {
            const Side side = SideOf(input, weights, position, viewpoint);
            const float* output = weights.output + side.output + column;
            float* to_output = gradients.output + side.output + column;
            Vector passed[Panels * kVectors];
            for (std::size_t v = 0; v < Panels * kVectors; ++v) {
                const std::size_t at = Offset(v, kPanel);
                const auto value = hn::LoadU(d, clipped + Offset(v, kClippedStride));
                const auto weighted = hn::Mul(outer, hn::LoadU(d, output + at));
                hn::StoreU(hn::MulAdd(outer, Activate<kActivation>(value), hn::LoadU(d, to_output + at)), d,
                           to_output + at);
                // A unit that was clipped passes nothing back.
                const auto open = hn::And(hn::Gt(value, zero), hn::Lt(value, one));
                passed[v] = hn::IfThenElseZero(open, TimesSlope<kActivation>(weighted, value));
                hn::StoreU(hn::Add(hn::LoadU(d, bias + at), passed[v]), d, bias + at);
            }
            for (int i = 0; i < side.count; ++i) {
                float* row = rows + side.features[i] * kPanel;
                for (std::size_t v = 0; v < Panels * kVectors; ++v) {
                    float* to = row + Offset(v, stride);
                    hn::StoreU(hn::Add(hn::LoadU(d, to), passed[v]), d, to);
                }
            }
        }
    }
}

template <Activation kActivation>
void Forward(const PerspectiveInput& input, const PerspectiveWeights& weights, const PerspectivePart& part,
             float* clipped, float* partial) {
    if (part.both) return ForwardPanels<kActivation, 2>(input, weights, part, clipped, partial);
    ForwardPanels<kActivation, 1>(input, weights, part, clipped, partial);
}

template <Activation kActivation>
void Backward(const PerspectiveInput& input, const PerspectiveWeights& weights, const PerspectivePart& part,
              const float* clipped, const float* grads, const PerspectiveGradients& gradients) {
    if (part.both) return BackwardPanels<kActivation, 2>(input, weights, part, clipped, grads, gradients);
    BackwardPanels<kActivation, 1>(input, weights, part, clipped, grads, gradients);
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
