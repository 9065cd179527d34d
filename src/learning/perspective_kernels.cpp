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

// Of what was clipped, of a unit and its partner: what the weights are multiplied by…
template <Activation kActivation>
HWY_INLINE Vector Activate(Vector clipped, Vector partner) {
    if constexpr (kActivation == Activation::Clipped) return clipped;
    return hn::Mul(clipped, partner);
}

// …and, times `outer`, the slope of that for the unit.
template <Activation kActivation>
HWY_INLINE Vector TimesSlope(Vector outer, Vector partner) {
    if constexpr (kActivation == Activation::Squared) return hn::Mul(outer, hn::Add(partner, partner));
    if constexpr (kActivation == Activation::Paired) return hn::Mul(outer, partner);
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
            static_cast<std::size_t>(2 * input.buckets[position] + side) * weights.outputs};
}

// A panel of one position is kept in so many registers.
constexpr std::size_t kVectors = kPanel / hn::MaxLanes(Lanes());
static_assert(kVectors * hn::MaxLanes(Lanes()) == kPanel);

// The panels of units that are worked on at once, and the vectors of these: `Outputs` panels of what the
// output gets, each made of one panel of units or, where units are paired, of two.
template <Activation kActivation, std::size_t Outputs>
struct Shape {
    static constexpr std::size_t kOutputs = Outputs * kVectors;
    static constexpr std::size_t kUnits = kOutputs * nets::group_size(kActivation);
    // The vector of the units by which those of vector v are multiplied.
    static constexpr std::size_t Partner(std::size_t v) { return (v + kOutputs) % kUnits; }

    // From one panel of units to the next, in panels: those of pairs stand in either half of the width.
    static std::size_t Distance(const PerspectiveWeights& weights) {
        return kActivation == Activation::Paired ? weights.outputs / kPanel : 1;
    }
};

// Where a vector lies among what is `stride` from panel to panel.
HWY_INLINE std::size_t Offset(std::size_t vector, std::size_t stride) {
    return vector / kVectors * stride + vector % kVectors * hn::Lanes(Lanes());
}

constexpr std::size_t kClippedStride = 2 * kPanel * kBlock;

template <Activation kActivation, std::size_t Outputs>
void ForwardPanels(const PerspectiveInput& input, const PerspectiveWeights& weights,
                   const PerspectivePart& part, float* clipped, float* partial) {
    using S = Shape<kActivation, Outputs>;
    const Lanes d;
    const std::size_t column = part.panel * kPanel;
    const std::size_t distance = S::Distance(weights);
    const std::size_t stride = weights.features * kPanel;
    const float* const rows = weights.transformer + part.panel * stride;
    const float* const bias = weights.transformer_bias + column;
    clipped += part.panel * kClippedStride;
    partial += part.panel * kBlock;
    const auto zero = hn::Zero(d);
    const auto one = hn::Set(d, 1.0F);
    for (std::int64_t position = part.from; position < part.to; ++position, ++partial) {
        Vector dots[Outputs];
        for (std::size_t p = 0; p < Outputs; ++p) dots[p] = zero;
        for (int viewpoint = 0; viewpoint < 2; ++viewpoint, clipped += kPanel) {
            const Side side = SideOf(input, weights, position, viewpoint);
            Vector sums[S::kUnits];
            for (std::size_t v = 0; v < S::kUnits; ++v)
                sums[v] = hn::LoadU(d, bias + Offset(v, distance * kPanel));
            for (int i = 0; i < side.count; ++i) {
                const float* row = rows + side.features[i] * kPanel;
                for (std::size_t v = 0; v < S::kUnits; ++v)
                    sums[v] = hn::Add(sums[v], hn::LoadU(d, row + Offset(v, distance * stride)));
            }
            for (std::size_t v = 0; v < S::kUnits; ++v) {
                sums[v] = hn::Min(hn::Max(sums[v], zero), one);
                hn::StoreU(sums[v], d, clipped + Offset(v, distance * kClippedStride));
            }
            const float* output = weights.output + side.output + column;
            for (std::size_t v = 0; v < S::kOutputs; ++v)
                dots[v / kVectors] = hn::MulAdd(Activate<kActivation>(sums[v], sums[S::Partner(v)]),
                                                hn::LoadU(d, output + Offset(v, kPanel)), dots[v / kVectors]);
        }
        for (std::size_t p = 0; p < Outputs; ++p)
            partial[p * kBlock] = hn::GetLane(hn::SumOfLanes(d, dots[p]));
    }
}

template <Activation kActivation, std::size_t Outputs>
void BackwardPanels(const PerspectiveInput& input, const PerspectiveWeights& weights,
                    const PerspectivePart& part, const float* clipped, const float* grads,
                    const PerspectiveGradients& gradients) {
    using S = Shape<kActivation, Outputs>;
    const Lanes d;
    const std::size_t column = part.panel * kPanel;
    const std::size_t distance = S::Distance(weights);
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
            Vector values[S::kUnits];
            for (std::size_t v = 0; v < S::kUnits; ++v)
                values[v] = hn::LoadU(d, clipped + Offset(v, distance * kClippedStride));
            const float* output = weights.output + side.output + column;
            float* to_output = gradients.output + side.output + column;
            Vector weighted[S::kOutputs];
            for (std::size_t v = 0; v < S::kOutputs; ++v) {
                const std::size_t at = Offset(v, kPanel);
                weighted[v] = hn::Mul(outer, hn::LoadU(d, output + at));
                const auto given = Activate<kActivation>(values[v], values[S::Partner(v)]);
                hn::StoreU(hn::MulAdd(outer, given, hn::LoadU(d, to_output + at)), d, to_output + at);
            }
            Vector passed[S::kUnits];
            for (std::size_t v = 0; v < S::kUnits; ++v) {
                // A unit that was clipped passes nothing back.
                const auto open = hn::And(hn::Gt(values[v], zero), hn::Lt(values[v], one));
                passed[v] = hn::IfThenElseZero(
                    open, TimesSlope<kActivation>(weighted[v % S::kOutputs], values[S::Partner(v)]));
                float* to = bias + Offset(v, distance * kPanel);
                hn::StoreU(hn::Add(hn::LoadU(d, to), passed[v]), d, to);
            }
            for (int i = 0; i < side.count; ++i) {
                float* row = rows + side.features[i] * kPanel;
                for (std::size_t v = 0; v < S::kUnits; ++v) {
                    float* to = row + Offset(v, distance * stride);
                    hn::StoreU(hn::Add(hn::LoadU(d, to), passed[v]), d, to);
                }
            }
        }
    }
}

template <Activation kActivation>
void Forward(const PerspectiveInput& input, const PerspectiveWeights& weights, const PerspectivePart& part,
             float* clipped, float* partial) {
    if constexpr (may_take_both(kActivation))
        if (part.both) return ForwardPanels<kActivation, 2>(input, weights, part, clipped, partial);
    ForwardPanels<kActivation, 1>(input, weights, part, clipped, partial);
}

template <Activation kActivation>
void Backward(const PerspectiveInput& input, const PerspectiveWeights& weights, const PerspectivePart& part,
              const float* clipped, const float* grads, const PerspectiveGradients& gradients) {
    if constexpr (may_take_both(kActivation))
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
        case Activation::Paired:
            return Forward<Activation::Paired>(input, weights, part, clipped, partial);
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
        case Activation::Paired:
            return Backward<Activation::Paired>(input, weights, part, clipped, grads, gradients);
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
