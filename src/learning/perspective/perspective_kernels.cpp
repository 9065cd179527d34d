#include "learning/perspective/perspective_kernels.hpp"

#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "learning/perspective/perspective_kernels.cpp"
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
};

HWY_INLINE Side SideOf(const PerspectiveInput& input, std::int64_t position, int side) {
    return {(side == 0 ? input.own : input.enemy) + position * input.stride,
            input.counts[input.viewpoints * position + side]};
}

// Where the output weights for that begin, of the position's bucket.
HWY_INLINE std::size_t OutputOf(const PerspectiveInput& input, const PerspectiveWeights& weights,
                                std::int64_t position, int side) {
    return static_cast<std::size_t>(2 * input.buckets[position] + side) * weights.outputs;
}

// A panel of one position is kept in so many registers.
constexpr std::size_t kVectors = kPanel / hn::MaxLanes(Lanes());
static_assert(kVectors * hn::MaxLanes(Lanes()) == kPanel);

// The panels of units that are worked on at once, and the vectors of these: `Outputs` panels of what the head
// gets, each made of one panel of units or, where units are paired, of two.
template <Activation Of, std::size_t Outputs>
struct Shape {
    static constexpr Activation kActivation = Of;
    static constexpr std::size_t kPanels = Outputs;
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

// The clipped sums of one viewpoint, kept in `clipped` too. `rows` and `bias`: where those of the part begin.
template <class S>
HWY_INLINE void ClippedSums(const PerspectiveWeights& weights, const Side& side, const float* rows,
                            const float* bias, float* clipped, Vector (&sums)[S::kUnits]) {
    const Lanes d;
    const std::size_t distance = S::Distance(weights);
    const std::size_t stride = weights.features * kPanel;
    const auto zero = hn::Zero(d);
    const auto one = hn::Set(d, 1.0F);
    for (std::size_t v = 0; v < S::kUnits; ++v) sums[v] = hn::LoadU(d, bias + Offset(v, distance * kPanel));
    for (int i = 0; i < side.count; ++i) {
        const float* row = rows + side.features[i] * kPanel;
        for (std::size_t v = 0; v < S::kUnits; ++v)
            sums[v] = hn::Add(sums[v], hn::LoadU(d, row + Offset(v, distance * stride)));
    }
    for (std::size_t v = 0; v < S::kUnits; ++v) {
        sums[v] = hn::Min(hn::Max(sums[v], zero), one);
        hn::StoreU(sums[v], d, clipped + Offset(v, distance * kClippedStride));
    }
}

// Adds the gradient of what one viewpoint gives to the head, `outer`, to those of its rows and of the bias.
template <class S>
HWY_INLINE void PassBack(const PerspectiveWeights& weights, const Side& side,
                         const Vector (&values)[S::kUnits], const Vector (&outer)[S::kOutputs], float* rows,
                         float* bias) {
    const Lanes d;
    const std::size_t distance = S::Distance(weights);
    const std::size_t stride = weights.features * kPanel;
    const auto zero = hn::Zero(d);
    const auto one = hn::Set(d, 1.0F);
    Vector passed[S::kUnits];
    for (std::size_t v = 0; v < S::kUnits; ++v) {
        // A unit that was clipped passes nothing back.
        const auto open = hn::And(hn::Gt(values[v], zero), hn::Lt(values[v], one));
        passed[v] = hn::IfThenElseZero(
            open, TimesSlope<S::kActivation>(outer[v % S::kOutputs], values[S::Partner(v)]));
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

template <class S>
HWY_INLINE void LoadClipped(const PerspectiveWeights& weights, const float* clipped,
                            Vector (&values)[S::kUnits]) {
    const std::size_t distance = S::Distance(weights);
    for (std::size_t v = 0; v < S::kUnits; ++v)
        values[v] = hn::LoadU(Lanes(), clipped + Offset(v, distance * kClippedStride));
}

template <class S>
void ForwardPanels(const PerspectiveInput& input, const PerspectiveWeights& weights,
                   const PerspectivePart& part, float* clipped, float* partial) {
    const Lanes d;
    const std::size_t column = part.panel * kPanel;
    const float* const rows = weights.transformer + column * weights.features;
    const float* const bias = weights.transformer_bias + column;
    clipped += part.panel * kClippedStride;
    partial += part.panel * kBlock;
    for (std::int64_t position = part.from; position < part.to; ++position, ++partial) {
        Vector dots[S::kPanels];
        for (std::size_t p = 0; p < S::kPanels; ++p) dots[p] = hn::Zero(d);
        for (int viewpoint = 0; viewpoint < 2; ++viewpoint, clipped += kPanel) {
            Vector sums[S::kUnits];
            ClippedSums<S>(weights, SideOf(input, position, viewpoint), rows, bias, clipped, sums);
            const float* output = weights.output + OutputOf(input, weights, position, viewpoint) + column;
            for (std::size_t v = 0; v < S::kOutputs; ++v)
                dots[v / kVectors] = hn::MulAdd(Activate<S::kActivation>(sums[v], sums[S::Partner(v)]),
                                                hn::LoadU(d, output + Offset(v, kPanel)), dots[v / kVectors]);
        }
        for (std::size_t p = 0; p < S::kPanels; ++p)
            partial[p * kBlock] = hn::GetLane(hn::SumOfLanes(d, dots[p]));
    }
}

template <class S>
void BackwardPanels(const PerspectiveInput& input, const PerspectiveWeights& weights,
                    const PerspectivePart& part, const float* clipped, const float* grads,
                    const PerspectiveGradients& gradients) {
    const Lanes d;
    const std::size_t column = part.panel * kPanel;
    float* const rows = gradients.transformer + column * weights.features;
    float* const bias = gradients.transformer_bias + column;
    clipped += part.panel * kClippedStride;
    for (std::int64_t position = part.from; position < part.to; ++position) {
        const auto outer = hn::Set(d, *grads++);
        for (int viewpoint = 0; viewpoint < 2; ++viewpoint, clipped += kPanel) {
            Vector values[S::kUnits];
            LoadClipped<S>(weights, clipped, values);
            const std::size_t first = OutputOf(input, weights, position, viewpoint) + column;
            const float* output = weights.output + first;
            float* to_output = gradients.output + first;
            Vector weighted[S::kOutputs];
            for (std::size_t v = 0; v < S::kOutputs; ++v) {
                const std::size_t at = Offset(v, kPanel);
                weighted[v] = hn::Mul(outer, hn::LoadU(d, output + at));
                const auto given = Activate<S::kActivation>(values[v], values[S::Partner(v)]);
                hn::StoreU(hn::MulAdd(outer, given, hn::LoadU(d, to_output + at)), d, to_output + at);
            }
            PassBack<S>(weights, SideOf(input, position, viewpoint), values, weighted, rows, bias);
        }
    }
}

template <class S>
void UnitsForwardPanels(const PerspectiveInput& input, const PerspectiveWeights& weights,
                        const PerspectivePart& part, float* clipped, float* units) {
    const Lanes d;
    const std::size_t column = part.panel * kPanel;
    const float* const rows = weights.transformer + column * weights.features;
    const float* const bias = weights.transformer_bias + column;
    clipped += part.panel * kClippedStride;
    units += static_cast<std::size_t>(input.viewpoints * part.from) * weights.outputs + column;
    for (std::int64_t position = part.from; position < part.to; ++position)
        for (int viewpoint = 0; viewpoint < input.viewpoints;
             ++viewpoint, clipped += kPanel, units += weights.outputs) {
            Vector sums[S::kUnits];
            ClippedSums<S>(weights, SideOf(input, position, viewpoint), rows, bias, clipped, sums);
            for (std::size_t v = 0; v < S::kOutputs; ++v)
                hn::StoreU(Activate<S::kActivation>(sums[v], sums[S::Partner(v)]), d,
                           units + Offset(v, kPanel));
        }
}

template <class S>
void UnitsBackwardPanels(const PerspectiveInput& input, const PerspectiveWeights& weights,
                         const PerspectivePart& part, const float* clipped, const float* grads,
                         const PerspectiveGradients& gradients) {
    const Lanes d;
    const std::size_t column = part.panel * kPanel;
    float* const rows = gradients.transformer + column * weights.features;
    float* const bias = gradients.transformer_bias + column;
    clipped += part.panel * kClippedStride;
    grads += static_cast<std::size_t>(input.viewpoints * part.from) * weights.outputs + column;
    for (std::int64_t position = part.from; position < part.to; ++position)
        for (int viewpoint = 0; viewpoint < input.viewpoints;
             ++viewpoint, clipped += kPanel, grads += weights.outputs) {
            Vector values[S::kUnits];
            LoadClipped<S>(weights, clipped, values);
            Vector outer[S::kOutputs];
            for (std::size_t v = 0; v < S::kOutputs; ++v) outer[v] = hn::LoadU(d, grads + Offset(v, kPanel));
            PassBack<S>(weights, SideOf(input, position, viewpoint), values, outer, rows, bias);
        }
}

// Calls work(Shape) with the one for a part.
template <class Work>
void WithShape(Activation activation, bool both, Work work) {
    static_assert(may_take_both(Activation::Clipped) && may_take_both(Activation::Squared));
    switch (activation) {
        case Activation::Clipped:
            return both ? work(Shape<Activation::Clipped, 2>()) : work(Shape<Activation::Clipped, 1>());
        case Activation::Squared:
            return both ? work(Shape<Activation::Squared, 2>()) : work(Shape<Activation::Squared, 1>());
        case Activation::Paired:
            return work(Shape<Activation::Paired, 1>());
    }
}

void PerspectiveForward(const PerspectiveInput& input, const PerspectiveWeights& weights,
                        const PerspectivePart& part, float* clipped, float* partial) {
    WithShape(weights.activation, part.both,
              [&](auto shape) { ForwardPanels<decltype(shape)>(input, weights, part, clipped, partial); });
}

void PerspectiveBackward(const PerspectiveInput& input, const PerspectiveWeights& weights,
                         const PerspectivePart& part, const float* clipped, const float* grads,
                         const PerspectiveGradients& gradients) {
    WithShape(weights.activation, part.both, [&](auto shape) {
        BackwardPanels<decltype(shape)>(input, weights, part, clipped, grads, gradients);
    });
}

void UnitsForward(const PerspectiveInput& input, const PerspectiveWeights& weights,
                  const PerspectivePart& part, float* clipped, float* units) {
    WithShape(weights.activation, part.both,
              [&](auto shape) { UnitsForwardPanels<decltype(shape)>(input, weights, part, clipped, units); });
}

void UnitsBackward(const PerspectiveInput& input, const PerspectiveWeights& weights,
                   const PerspectivePart& part, const float* clipped, const float* grads,
                   const PerspectiveGradients& gradients) {
    WithShape(weights.activation, part.both, [&](auto shape) {
        UnitsBackwardPanels<decltype(shape)>(input, weights, part, clipped, grads, gradients);
    });
}

}  // namespace scholar::learning::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scholar::learning {

HWY_EXPORT(PerspectiveForward);
HWY_EXPORT(PerspectiveBackward);
HWY_EXPORT(UnitsForward);
HWY_EXPORT(UnitsBackward);

void perspective_forward(const PerspectiveInput& input, const PerspectiveWeights& weights,
                         const PerspectivePart& part, float* clipped, float* partial) {
    HWY_DYNAMIC_DISPATCH(PerspectiveForward)(input, weights, part, clipped, partial);
}

void perspective_backward(const PerspectiveInput& input, const PerspectiveWeights& weights,
                          const PerspectivePart& part, const float* clipped, const float* grads,
                          const PerspectiveGradients& gradients) {
    HWY_DYNAMIC_DISPATCH(PerspectiveBackward)(input, weights, part, clipped, grads, gradients);
}

void units_forward(const PerspectiveInput& input, const PerspectiveWeights& weights,
                   const PerspectivePart& part, float* clipped, float* units) {
    HWY_DYNAMIC_DISPATCH(UnitsForward)(input, weights, part, clipped, units);
}

void units_backward(const PerspectiveInput& input, const PerspectiveWeights& weights,
                    const PerspectivePart& part, const float* clipped, const float* grads,
                    const PerspectiveGradients& gradients) {
    HWY_DYNAMIC_DISPATCH(UnitsBackward)(input, weights, part, clipped, grads, gradients);
}

}  // namespace scholar::learning
#endif
