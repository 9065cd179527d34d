#include "learning/sparse_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "learning/sparse_kernels.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace scholar::learning::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Lanes>;

// One viewpoint of one position, `Vectors` vectors of columns kept in registers.
template <int Vectors>
HWY_INLINE void ForwardBlock(const std::uint16_t* features, int count, const float* transformer,
                             const float* bias, std::size_t width, float* out) {
    const Lanes d;
    const std::size_t lanes = hn::Lanes(d);
    Vector sums[Vectors];
    for (std::size_t v = 0; v < Vectors; ++v) sums[v] = hn::LoadU(d, bias + v * lanes);
    for (int i = 0; i < count; ++i) {
        const float* row = transformer + features[i] * width;
        for (std::size_t v = 0; v < Vectors; ++v) sums[v] = hn::Add(sums[v], hn::LoadU(d, row + v * lanes));
    }
    const auto zero = hn::Zero(d);
    const auto one = hn::Set(d, 1.0F);
    for (std::size_t v = 0; v < Vectors; ++v)
        hn::StoreU(hn::Min(hn::Max(sums[v], zero), one), d, out + v * lanes);
}

template <int Vectors>
HWY_INLINE void BackwardBlock(const std::uint16_t* features, int count, const float* activations,
                              const float* grads, std::size_t width, float* grad_transformer,
                              float* grad_bias) {
    const Lanes d;
    const std::size_t lanes = hn::Lanes(d);
    const auto zero = hn::Zero(d);
    const auto one = hn::Set(d, 1.0F);
    Vector passed[Vectors];
    for (std::size_t v = 0; v < Vectors; ++v) {
        const auto activation = hn::LoadU(d, activations + v * lanes);
        // A unit that was clipped passes nothing back.
        const auto open = hn::And(hn::Gt(activation, zero), hn::Lt(activation, one));
        passed[v] = hn::IfThenElseZero(open, hn::LoadU(d, grads + v * lanes));
        float* sum = grad_bias + v * lanes;
        hn::StoreU(hn::Add(hn::LoadU(d, sum), passed[v]), d, sum);
    }
    for (int i = 0; i < count; ++i) {
        float* row = grad_transformer + features[i] * width;
        for (std::size_t v = 0; v < Vectors; ++v)
            hn::StoreU(hn::Add(hn::LoadU(d, row + v * lanes), passed[v]), d, row + v * lanes);
    }
}

constexpr int kWide = 8;
constexpr int kNarrow = 2;

void Forward(const SparseInput& input, const float* transformer, const float* bias, int width, float* out,
             std::int64_t begin, std::int64_t end) {
    const Lanes d;
    const auto w = static_cast<std::size_t>(width);
    const std::size_t wide = kWide * hn::Lanes(d);
    const std::size_t narrow = kNarrow * hn::Lanes(d);
    for (std::int64_t position = begin; position < end; ++position) {
        for (int side = 0; side < 2; ++side) {
            const std::uint16_t* features = (side == 0 ? input.own : input.enemy) + position * input.stride;
            const int count = input.counts[2 * position + side];
            float* to = out + static_cast<std::size_t>(2 * position + side) * w;
            std::size_t column = 0;
            for (; column + wide <= w; column += wide)
                ForwardBlock<kWide>(features, count, transformer + column, bias + column, w, to + column);
            for (; column < w; column += narrow)
                ForwardBlock<kNarrow>(features, count, transformer + column, bias + column, w, to + column);
        }
    }
}

template <int Vectors>
void BackwardColumns(const SparseInput& input, const float* activations, const float* grads,
                     std::size_t width, float* grad_transformer, float* grad_bias, std::size_t column) {
    for (std::int64_t position = 0; position < input.positions; ++position) {
        for (int side = 0; side < 2; ++side) {
            const std::size_t at = static_cast<std::size_t>(2 * position + side) * width + column;
            BackwardBlock<Vectors>((side == 0 ? input.own : input.enemy) + position * input.stride,
                                   input.counts[2 * position + side], activations + at, grads + at, width,
                                   grad_transformer + column, grad_bias + column);
        }
    }
}

void Backward(const SparseInput& input, const float* activations, const float* grads, int width,
              float* grad_transformer, float* grad_bias, int begin, int end) {
    const Lanes d;
    const auto w = static_cast<std::size_t>(width);
    const auto last = static_cast<std::size_t>(end);
    auto column = static_cast<std::size_t>(begin);
    for (const std::size_t wide = kWide * hn::Lanes(d); column + wide <= last; column += wide)
        BackwardColumns<kWide>(input, activations, grads, w, grad_transformer, grad_bias, column);
    for (const std::size_t narrow = kNarrow * hn::Lanes(d); column < last; column += narrow)
        BackwardColumns<kNarrow>(input, activations, grads, w, grad_transformer, grad_bias, column);
}

}  // namespace scholar::learning::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scholar::learning {

HWY_EXPORT(Forward);
HWY_EXPORT(Backward);

void sparse_forward(const SparseInput& input, const float* transformer, const float* bias, int width,
                    float* out, std::int64_t begin, std::int64_t end) {
    HWY_DYNAMIC_DISPATCH(Forward)(input, transformer, bias, width, out, begin, end);
}

void sparse_backward(const SparseInput& input, const float* activations, const float* grad_activations,
                     int width, float* grad_transformer, float* grad_bias, int begin, int end) {
    HWY_DYNAMIC_DISPATCH(Backward)(input, activations, grad_activations, width, grad_transformer, grad_bias,
                                   begin, end);
}

}  // namespace scholar::learning
#endif
