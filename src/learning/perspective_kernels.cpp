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
    const float* output;  // weights of the position's bucket
};

HWY_INLINE Side SideOf(const PerspectiveInput& input, const PerspectiveWeights& weights,
                       std::int64_t position, int side) {
    return {(side == 0 ? input.own : input.enemy) + position * input.stride,
            input.counts[2 * position + side],
            weights.output + static_cast<std::size_t>(2 * input.buckets[position] + side) *
                                 static_cast<std::size_t>(weights.width)};
}

// `Vectors` vectors of columns of one position, kept in registers; whole groups.
template <Activation kActivation, std::size_t Vectors>
HWY_INLINE void ForwardChunk(const PerspectiveInput& input, const PerspectiveWeights& weights,
                             std::int64_t position, std::size_t column, float* clipped, float* partial,
                             std::size_t partial_stride) {
    const Lanes d;
    const std::size_t lanes = hn::Lanes(d);
    const auto width = static_cast<std::size_t>(weights.width);
    const auto zero = hn::Zero(d);
    const auto one = hn::Set(d, 1.0F);
    Vector dots[Vectors];
    for (std::size_t v = 0; v < Vectors; ++v) dots[v] = zero;
    for (int viewpoint = 0; viewpoint < 2; ++viewpoint) {
        const Side side = SideOf(input, weights, position, viewpoint);
        Vector sums[Vectors];
        for (std::size_t v = 0; v < Vectors; ++v)
            sums[v] = hn::LoadU(d, weights.transformer_bias + column + v * lanes);
        for (int i = 0; i < side.count; ++i) {
            const float* row = weights.transformer + side.features[i] * width + column;
            for (std::size_t v = 0; v < Vectors; ++v)
                sums[v] = hn::Add(sums[v], hn::LoadU(d, row + v * lanes));
        }
        float* to = clipped + static_cast<std::size_t>(viewpoint) * width + column;
        for (std::size_t v = 0; v < Vectors; ++v) {
            const auto value = hn::Min(hn::Max(sums[v], zero), one);
            hn::StoreU(value, d, to + v * lanes);
            dots[v] = hn::MulAdd(Activate<kActivation>(value), hn::LoadU(d, side.output + column + v * lanes),
                                 dots[v]);
        }
    }
    const std::size_t in_group = kGroup / lanes;
    for (std::size_t v = 0; v < Vectors; v += in_group) {
        auto sum = dots[v];
        for (std::size_t next = 1; next < in_group; ++next) sum = hn::Add(sum, dots[v + next]);
        partial[(column + v * lanes) / kGroup * partial_stride] = hn::GetLane(hn::SumOfLanes(d, sum));
    }
}

template <Activation kActivation, std::size_t Vectors>
HWY_INLINE void BackwardChunk(const PerspectiveInput& input, const PerspectiveWeights& weights,
                              std::int64_t position, std::size_t column, const float* clipped, float grad,
                              const PerspectiveGradients& gradients) {
    const Lanes d;
    const std::size_t lanes = hn::Lanes(d);
    const auto width = static_cast<std::size_t>(weights.width);
    const auto zero = hn::Zero(d);
    const auto one = hn::Set(d, 1.0F);
    const auto outer = hn::Set(d, grad);
    for (int viewpoint = 0; viewpoint < 2; ++viewpoint) {
        const Side side = SideOf(input, weights, position, viewpoint);
        const float* from = clipped + static_cast<std::size_t>(viewpoint) * width + column;
        float* to_output = gradients.output + (side.output - weights.output) + column;
        float* to_bias = gradients.transformer_bias + column;
        Vector passed[Vectors];
        for (std::size_t v = 0; v < Vectors; ++v) {
            const auto value = hn::LoadU(d, from + v * lanes);
            const auto weighted = hn::Mul(outer, hn::LoadU(d, side.output + column + v * lanes));
            hn::StoreU(hn::MulAdd(outer, Activate<kActivation>(value), hn::LoadU(d, to_output + v * lanes)),
                       d, to_output + v * lanes);
            // A unit that was clipped passes nothing back.
            const auto open = hn::And(hn::Gt(value, zero), hn::Lt(value, one));
            passed[v] = hn::IfThenElseZero(open, TimesSlope<kActivation>(weighted, value));
            hn::StoreU(hn::Add(hn::LoadU(d, to_bias + v * lanes), passed[v]), d, to_bias + v * lanes);
        }
        for (int i = 0; i < side.count; ++i) {
            float* row = gradients.transformer + side.features[i] * width + column;
            for (std::size_t v = 0; v < Vectors; ++v)
                hn::StoreU(hn::Add(hn::LoadU(d, row + v * lanes), passed[v]), d, row + v * lanes);
        }
    }
}

// Calls chunk(column, vectors) for all columns: wide chunks as long as they fit, then single groups. Chunks
// in the outer loop, so that their part of all rows stays in the cache.
constexpr std::size_t kWide = 8;

template <class Wide, class Narrow>
HWY_INLINE void Chunks(const PerspectivePart& part, Wide wide, Narrow narrow) {
    const Lanes d;
    auto column = static_cast<std::size_t>(part.begin);
    const auto end = static_cast<std::size_t>(part.end);
    const std::size_t lanes = hn::Lanes(d);
    if (kWide * lanes % kGroup == 0)
        for (; column + kWide * lanes <= end; column += kWide * lanes) wide(column);
    for (; column < end; column += kGroup) narrow(column);
}

constexpr std::size_t kNarrow = kGroup / hn::MaxLanes(Lanes());

template <Activation kActivation>
void Forward(const PerspectiveInput& input, const PerspectiveWeights& weights, const PerspectivePart& part,
             float* clipped, float* partial) {
    const auto row = 2 * static_cast<std::size_t>(weights.width);
    const auto block = static_cast<std::size_t>(part.to - part.from);
    const auto each = [&](auto chunk) {
        for (std::size_t i = 0; i < block; ++i)
            chunk(part.from + static_cast<std::int64_t>(i), clipped + i * row, partial + i);
    };
    Chunks(
        part,
        [&](std::size_t column) {
            each([&](std::int64_t position, float* to, float* dot) {
                ForwardChunk<kActivation, kWide>(input, weights, position, column, to, dot, block);
            });
        },
        [&](std::size_t column) {
            each([&](std::int64_t position, float* to, float* dot) {
                ForwardChunk<kActivation, kNarrow>(input, weights, position, column, to, dot, block);
            });
        });
}

template <Activation kActivation>
void Backward(const PerspectiveInput& input, const PerspectiveWeights& weights, const PerspectivePart& part,
              const float* clipped, const float* grads, const PerspectiveGradients& gradients) {
    const auto row = 2 * static_cast<std::size_t>(weights.width);
    const auto block = static_cast<std::size_t>(part.to - part.from);
    const auto each = [&](auto chunk) {
        for (std::size_t i = 0; i < block; ++i)
            chunk(part.from + static_cast<std::int64_t>(i), clipped + i * row, grads[i]);
    };
    Chunks(
        part,
        [&](std::size_t column) {
            each([&](std::int64_t position, const float* from, float grad) {
                BackwardChunk<kActivation, kWide>(input, weights, position, column, from, grad, gradients);
            });
        },
        [&](std::size_t column) {
            each([&](std::int64_t position, const float* from, float grad) {
                BackwardChunk<kActivation, kNarrow>(input, weights, position, column, from, grad, gradients);
            });
        });
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
