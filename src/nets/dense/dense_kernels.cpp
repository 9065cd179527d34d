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

// kVectors vectors of units at once, and two chains of sums, as each addition waits for the one before it
// (more make no difference that can be measured).
template <int kVectors, bool kRectified>
HWY_INLINE void UnitsAtOnce(const float* HWY_RESTRICT in, const int* HWY_RESTRICT indices, int count,
                            const float* HWY_RESTRICT weights, const float* HWY_RESTRICT bias, int units,
                            float* HWY_RESTRICT out) {
    const DenseLanes d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    constexpr int kChains = 2;
    hn::Vec<DenseLanes> sums[kChains][kVectors];
    for (int v = 0; v < kVectors; ++v) {
        sums[0][v] = hn::Load(d, bias + v * lanes);
        for (int chain = 1; chain < kChains; ++chain) sums[chain][v] = hn::Zero(d);
    }
    const auto add = [&](int at, int chain) {
        const auto number = hn::Set(d, in[indices[at]]);
        const float* const row = weights + static_cast<std::ptrdiff_t>(indices[at]) * units;
        for (int v = 0; v < kVectors; ++v)
            sums[chain][v] = hn::MulAdd(number, hn::Load(d, row + v * lanes), sums[chain][v]);
    };
    int at = 0;
    for (; at + kChains <= count; at += kChains)
        for (int chain = 0; chain < kChains; ++chain) add(at + chain, chain);
    for (; at < count; ++at) add(at, 0);
    for (int v = 0; v < kVectors; ++v) {
        auto sum = sums[0][v];
        for (int chain = 1; chain < kChains; ++chain) sum = hn::Add(sum, sums[chain][v]);
        hn::StoreU(kRectified ? hn::Max(sum, hn::Zero(d)) : sum, d, out + v * lanes);
    }
}

template <bool kRectified>
HWY_INLINE void AllUnits(const float* in, int inputs, const float* weights, const float* bias, int units,
                         float* out, int* scratch) {
    const int count = NonZeroInputs(in, inputs, scratch);
    const int lanes = static_cast<int>(hn::Lanes(DenseLanes()));
    int unit = 0;
    const auto go_on = [&](auto vectors) {
        constexpr int kVectors = decltype(vectors)::value;
        for (; unit + kVectors * lanes <= units; unit += kVectors * lanes)
            UnitsAtOnce<kVectors, kRectified>(in, scratch, count, weights + unit, bias + unit, units,
                                              out + unit);
    };
    go_on(std::integral_constant<int, 4>());
    go_on(std::integral_constant<int, 2>());
    go_on(std::integral_constant<int, 1>());
}

void DenseUnits(const float* in, int inputs, const float* weights, const float* bias, int units, float* out,
                int* scratch) {
    AllUnits<true>(in, inputs, weights, bias, units, out, scratch);
}

void DenseSums(const float* in, int inputs, const float* weights, const float* bias, int units, float* out,
               int* scratch) {
    AllUnits<false>(in, inputs, weights, bias, units, out, scratch);
}

// Two chains of sums, as above.
template <int kVectors>
HWY_INLINE void OnesAtOnce(const int* HWY_RESTRICT ones, int count, const float* HWY_RESTRICT weights,
                           const float* HWY_RESTRICT bias, int units, float* HWY_RESTRICT out) {
    const DenseLanes d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    hn::Vec<DenseLanes> even[kVectors];
    hn::Vec<DenseLanes> odd[kVectors];
    for (int v = 0; v < kVectors; ++v) {
        even[v] = hn::Load(d, bias + v * lanes);
        odd[v] = hn::Zero(d);
    }
    const auto add = [&](int at, hn::Vec<DenseLanes>* sums) {
        const float* const row = weights + static_cast<std::ptrdiff_t>(ones[at]) * units;
        for (int v = 0; v < kVectors; ++v) sums[v] = hn::Add(sums[v], hn::Load(d, row + v * lanes));
    };
    int at = 0;
    for (; at + 2 <= count; at += 2) {
        add(at, even);
        add(at + 1, odd);
    }
    if (at < count) add(at, even);
    for (int v = 0; v < kVectors; ++v)
        hn::StoreU(hn::Max(hn::Add(even[v], odd[v]), hn::Zero(d)), d, out + v * lanes);
}

void UnitsOfOnes(const int* ones, int count, const float* weights, const float* bias, int units, float* out) {
    const int lanes = static_cast<int>(hn::Lanes(DenseLanes()));
    int unit = 0;
    const auto go_on = [&](auto vectors) {
        constexpr int kVectors = decltype(vectors)::value;
        for (; unit + kVectors * lanes <= units; unit += kVectors * lanes)
            OnesAtOnce<kVectors>(ones, count, weights + unit, bias + unit, units, out + unit);
    };
    go_on(std::integral_constant<int, 4>());
    go_on(std::integral_constant<int, 2>());
    go_on(std::integral_constant<int, 1>());
}

void RectifiedSum(const float* a, const float* b, int units, float* HWY_RESTRICT out) {
    const DenseLanes d;
    for (int unit = 0; unit < units; unit += static_cast<int>(hn::Lanes(d)))
        hn::StoreU(hn::Max(hn::Add(hn::LoadU(d, a + unit), hn::LoadU(d, b + unit)), hn::Zero(d)), d,
                   out + unit);
}

using WholeLanes = hn::RebindToSigned<DenseLanes>;

int WholeChanges(const float* HWY_RESTRICT in, int inputs, float denominator,
                 const std::int32_t* HWY_RESTRICT before, std::int32_t* HWY_RESTRICT now,
                 int* HWY_RESTRICT changed) {
    const DenseLanes d;
    const WholeLanes di;
    const int lanes = static_cast<int>(hn::Lanes(d));
    const auto factor = hn::Set(d, denominator);
    int count = 0;
    int i = 0;
    for (; i + lanes <= inputs; i += lanes) {
        const auto whole = hn::NearestInt(hn::Mul(hn::LoadU(d, in + i), factor));
        const auto differs = hn::Ne(whole, hn::LoadU(di, before + i));
        hn::StoreU(whole, di, now + i);
        hn::StoreU(hn::Compress(hn::Iota(di, i), differs), di, changed + count);
        count += static_cast<int>(hn::CountTrue(di, differs));
    }
    for (; i < inputs; ++i) {
        now[i] = hn::GetLane(hn::NearestInt(hn::Set(d, in[i] * denominator)));
        changed[count] = i;
        count += now[i] != before[i] ? 1 : 0;
    }
    return count;
}

template <int kVectors>
HWY_INLINE void WholeSumsAtOnce(const int* HWY_RESTRICT changed, int count,
                                const std::int32_t* HWY_RESTRICT before, const std::int32_t* HWY_RESTRICT now,
                                const std::int32_t* HWY_RESTRICT weights, int units,
                                const std::int32_t* HWY_RESTRICT from, std::int32_t* HWY_RESTRICT to) {
    const WholeLanes d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    hn::Vec<WholeLanes> sums[kVectors];
    for (int v = 0; v < kVectors; ++v) sums[v] = hn::Load(d, from + v * lanes);
    for (int at = 0; at < count; ++at) {
        const int input = changed[at];
        const auto change = hn::Set(d, now[input] - before[input]);
        const std::int32_t* const row = weights + static_cast<std::ptrdiff_t>(input) * units;
        for (int v = 0; v < kVectors; ++v)
            sums[v] = hn::Add(sums[v], hn::Mul(change, hn::Load(d, row + v * lanes)));
    }
    for (int v = 0; v < kVectors; ++v) hn::Store(sums[v], d, to + v * lanes);
}

void WholeSums(const int* changed, int count, const std::int32_t* before, const std::int32_t* now,
               const std::int32_t* weights, int units, const std::int32_t* from, std::int32_t* to) {
    const int lanes = static_cast<int>(hn::Lanes(WholeLanes()));
    int unit = 0;
    const auto go_on = [&](auto vectors) {
        constexpr int kVectors = decltype(vectors)::value;
        for (; unit + kVectors * lanes <= units; unit += kVectors * lanes)
            WholeSumsAtOnce<kVectors>(changed, count, before, now, weights + unit, units, from + unit,
                                      to + unit);
    };
    go_on(std::integral_constant<int, 4>());
    go_on(std::integral_constant<int, 2>());
    go_on(std::integral_constant<int, 1>());
}

void WholeUnits(const std::int32_t* HWY_RESTRICT sums, int units, float scale, float floor,
                float* HWY_RESTRICT out) {
    const DenseLanes d;
    const WholeLanes di;
    const int lanes = static_cast<int>(hn::Lanes(d));
    for (int unit = 0; unit < units; unit += lanes) {
        const auto numbers = hn::Mul(hn::ConvertTo(d, hn::Load(di, sums + unit)), hn::Set(d, scale));
        hn::StoreU(hn::Max(numbers, hn::Set(d, floor)), d, out + unit);
    }
}

float DenseDot(const float* HWY_RESTRICT in, const float* HWY_RESTRICT weights, int inputs) {
    const DenseLanes d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    auto sum = hn::Zero(d);
    int i = 0;
    for (; i + lanes <= inputs; i += lanes)
        sum = hn::MulAdd(hn::LoadU(d, in + i), hn::Load(d, weights + i), sum);
    float total = hn::GetLane(hn::SumOfLanes(d, sum));
    for (; i < inputs; ++i) total += in[i] * weights[i];
    return total;
}

}  // namespace scholar::nets::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scholar::nets {

HWY_EXPORT(DenseUnits);
HWY_EXPORT(DenseSums);
HWY_EXPORT(UnitsOfOnes);
HWY_EXPORT(RectifiedSum);
HWY_EXPORT(DenseDot);
HWY_EXPORT(WholeChanges);
HWY_EXPORT(WholeSums);
HWY_EXPORT(WholeUnits);

void dense_units(const float* in, int inputs, const float* weights, const float* bias, int units, float* out,
                 int* scratch) {
    HWY_DYNAMIC_DISPATCH(DenseUnits)(in, inputs, weights, bias, units, out, scratch);
}

void dense_sums(const float* in, int inputs, const float* weights, const float* bias, int units, float* out,
                int* scratch) {
    HWY_DYNAMIC_DISPATCH(DenseSums)(in, inputs, weights, bias, units, out, scratch);
}

float* dense_units_of_ones(std::span<const int> ones, const float* weights, const float* bias, int units,
                           float* out) {
    HWY_DYNAMIC_DISPATCH(UnitsOfOnes)(ones.data(), static_cast<int>(ones.size()), weights, bias, units, out);
    return out;
}

void dense_rectified_sum(const float* a, const float* b, int units, float* out) {
    HWY_DYNAMIC_DISPATCH(RectifiedSum)(a, b, units, out);
}

int whole_changes(const float* in, int inputs, float denominator, const std::int32_t* before,
                  std::int32_t* now, int* changed) {
    return HWY_DYNAMIC_DISPATCH(WholeChanges)(in, inputs, denominator, before, now, changed);
}

void whole_sums(const int* changed, int count, const std::int32_t* before, const std::int32_t* now,
                const std::int32_t* weights, int units, const std::int32_t* from, std::int32_t* to) {
    HWY_DYNAMIC_DISPATCH(WholeSums)(changed, count, before, now, weights, units, from, to);
}

void whole_units(const std::int32_t* sums, int units, float scale, float floor, float* out) {
    HWY_DYNAMIC_DISPATCH(WholeUnits)(sums, units, scale, floor, out);
}

float dense_dot(const float* in, const float* weights, int inputs) {
    return HWY_DYNAMIC_DISPATCH(DenseDot)(in, weights, inputs);
}

}  // namespace scholar::nets
#endif
