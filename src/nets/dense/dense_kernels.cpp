#include "nets/dense/dense_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nets/dense/dense_kernels.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace scholar::nets::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using DenseLanes = hn::CappedTag<float, kDenseMultiple>;

// Which inputs are not 0, as indices; returns how many.
int NonZeroInputs(const float* HWY_RESTRICT in, int inputs, int* HWY_RESTRICT indices) {
    const DenseLanes d;
    const hn::RebindToSigned<DenseLanes> di;
    const int lanes = static_cast<int>(hn::Lanes(d));
    int count = 0;
    int i = 0;
    for (; i + lanes <= inputs; i += lanes) {
        const auto wanted = hn::Ne(hn::LoadU(d, in + i), hn::Zero(d));
        const auto numbers = hn::Compress(hn::Iota(di, i), hn::RebindMask(di, wanted));
        hn::StoreU(numbers, di, indices + count);
        count += static_cast<int>(hn::CountTrue(d, wanted));
    }
    for (; i < inputs; ++i) {
        indices[count] = i;
        count += in[i] != 0 ? 1 : 0;
    }
    return count;
}

// kVectors vectors of units at once, with sums of every second input apart, as each addition waits for the
// one before it.
template <int kVectors>
HWY_INLINE void UnitsAtOnce(const float* HWY_RESTRICT in, const int* HWY_RESTRICT indices, int count,
                            const float* HWY_RESTRICT weights, const float* HWY_RESTRICT bias, int units,
                            bool rectify, float* HWY_RESTRICT out) {
    const DenseLanes d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    hn::Vec<DenseLanes> even[kVectors];
    hn::Vec<DenseLanes> odd[kVectors];
    for (int v = 0; v < kVectors; ++v) {
        even[v] = hn::Load(d, bias + v * lanes);
        odd[v] = hn::Zero(d);
    }
    int at = 0;
    for (; at + 1 < count; at += 2) {
        const auto first = hn::Set(d, in[indices[at]]);
        const auto second = hn::Set(d, in[indices[at + 1]]);
        const float* const first_row = weights + static_cast<std::ptrdiff_t>(indices[at]) * units;
        const float* const second_row = weights + static_cast<std::ptrdiff_t>(indices[at + 1]) * units;
        for (int v = 0; v < kVectors; ++v) {
            even[v] = hn::MulAdd(first, hn::Load(d, first_row + v * lanes), even[v]);
            odd[v] = hn::MulAdd(second, hn::Load(d, second_row + v * lanes), odd[v]);
        }
    }
    if (at < count) {
        const auto last = hn::Set(d, in[indices[at]]);
        const float* const row = weights + static_cast<std::ptrdiff_t>(indices[at]) * units;
        for (int v = 0; v < kVectors; ++v) even[v] = hn::MulAdd(last, hn::Load(d, row + v * lanes), even[v]);
    }
    for (int v = 0; v < kVectors; ++v) {
        const auto sum = hn::Add(even[v], odd[v]);
        hn::StoreU(rectify ? hn::Max(sum, hn::Zero(d)) : sum, d, out + v * lanes);
    }
}

void DenseUnits(const float* in, int inputs, const float* weights, const float* bias, int units, bool rectify,
                float* out, int* scratch) {
    const int count = NonZeroInputs(in, inputs, scratch);
    const int lanes = static_cast<int>(hn::Lanes(DenseLanes()));
    int unit = 0;
    const auto go_on = [&](auto vectors) {
        constexpr int kVectors = decltype(vectors)::value;
        for (; unit + kVectors * lanes <= units; unit += kVectors * lanes)
            UnitsAtOnce<kVectors>(in, scratch, count, weights + unit, bias + unit, units, rectify,
                                  out + unit);
    };
    go_on(std::integral_constant<int, 4>());
    go_on(std::integral_constant<int, 2>());
    go_on(std::integral_constant<int, 1>());
}

}  // namespace scholar::nets::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scholar::nets {

HWY_EXPORT(DenseUnits);

void dense_units(const float* in, int inputs, const float* weights, const float* bias, int units,
                 bool rectify, float* out, int* scratch) {
    HWY_DYNAMIC_DISPATCH(DenseUnits)(in, inputs, weights, bias, units, rectify, out, scratch);
}

}  // namespace scholar::nets
#endif
