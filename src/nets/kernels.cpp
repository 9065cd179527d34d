#include "nets/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nets/kernels.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace scholar::nets::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// At most 32 lanes: widths are multiples of that.
using Lanes16 = hn::CappedTag<std::int16_t, 32>;

void UpdateAccumulator(std::int16_t* HWY_RESTRICT out, const std::int16_t* HWY_RESTRICT base, int width,
                       const std::int16_t* const* added, int added_count, const std::int16_t* const* removed,
                       int removed_count) {
    const Lanes16 d;
    const int lanes = static_cast<int>(hn::Lanes(d));
    // The one case that nearly every quiet move is, without inner loops.
    if (added_count == 1 && removed_count == 1) {
        const std::int16_t* HWY_RESTRICT plus = added[0];
        const std::int16_t* HWY_RESTRICT minus = removed[0];
        for (int i = 0; i < width; i += lanes)
            hn::Store(hn::Sub(hn::Add(hn::Load(d, base + i), hn::Load(d, plus + i)), hn::Load(d, minus + i)),
                      d, out + i);
        return;
    }
    for (int i = 0; i < width; i += lanes) {
        auto sum = hn::Load(d, base + i);
        for (int a = 0; a < added_count; ++a) sum = hn::Add(sum, hn::Load(d, added[a] + i));
        for (int r = 0; r < removed_count; ++r) sum = hn::Sub(sum, hn::Load(d, removed[r] + i));
        hn::Store(sum, d, out + i);
    }
}

template <Activation kActivation>
HWY_INLINE std::int32_t OutputSum(const std::int16_t* HWY_RESTRICT own,
                                  const std::int16_t* HWY_RESTRICT enemy,
                                  const std::int16_t* HWY_RESTRICT weights, int width, std::int16_t limit) {
    const Lanes16 d;
    const hn::RepartitionToWide<Lanes16> wide;
    const int lanes = static_cast<int>(hn::Lanes(d));
    const auto zero = hn::Zero(d);
    const auto top = hn::Set(d, limit);
    auto sum_own = hn::Zero(wide);
    auto sum_own_odd = hn::Zero(wide);
    auto sum_enemy = hn::Zero(wide);
    auto sum_enemy_odd = hn::Zero(wide);
    const auto clipped = [&](const std::int16_t* sums) {
        return hn::Min(hn::Max(hn::Load(d, sums), zero), top);
    };
    const int outputs = width / group_size(kActivation);
    // One factor is the clipped sum of a unit, the other what that is multiplied by in the end.
    const auto other = [&](auto sum, const std::int16_t* sums, const std::int16_t* weight) {
        if constexpr (kActivation == Activation::Clipped)
            return hn::Load(d, weight);
        else if constexpr (kActivation == Activation::Squared)
            return hn::Mul(sum, hn::Load(d, weight));
        else
            return hn::Mul(clipped(sums + outputs), hn::Load(d, weight));
    };
    for (int i = 0; i < outputs; i += lanes) {
        const auto a = clipped(own + i);
        const auto b = clipped(enemy + i);
        sum_own =
            hn::ReorderWidenMulAccumulate(wide, a, other(a, own + i, weights + i), sum_own, sum_own_odd);
        sum_enemy = hn::ReorderWidenMulAccumulate(wide, b, other(b, enemy + i, weights + outputs + i),
                                                  sum_enemy, sum_enemy_odd);
    }
    const auto sum = hn::Add(hn::Add(sum_own, sum_own_odd), hn::Add(sum_enemy, sum_enemy_odd));
    return hn::GetLane(hn::SumOfLanes(wide, sum));
}

std::int32_t OutputSumOf(Activation activation, const std::int16_t* own, const std::int16_t* enemy,
                         const std::int16_t* weights, int width, std::int16_t limit) {
    switch (activation) {
        case Activation::Clipped:
            return OutputSum<Activation::Clipped>(own, enemy, weights, width, limit);
        case Activation::Squared:
            return OutputSum<Activation::Squared>(own, enemy, weights, width, limit);
        case Activation::Paired:
            return OutputSum<Activation::Paired>(own, enemy, weights, width, limit);
    }
    return 0;
}

const char* TargetName() {
    return hwy::TargetName(HWY_TARGET);
}

}  // namespace scholar::nets::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scholar::nets {

HWY_EXPORT(UpdateAccumulator);
HWY_EXPORT(OutputSumOf);
HWY_EXPORT(TargetName);

void update_accumulator(std::int16_t* out, const std::int16_t* base, int width,
                        const std::int16_t* const* added, int added_count, const std::int16_t* const* removed,
                        int removed_count) {
    HWY_DYNAMIC_DISPATCH(UpdateAccumulator)(out, base, width, added, added_count, removed, removed_count);
}

std::int32_t output_sum(Activation activation, const std::int16_t* own, const std::int16_t* enemy,
                        const std::int16_t* weights, int width, std::int16_t limit) {
    return HWY_DYNAMIC_DISPATCH(OutputSumOf)(activation, own, enemy, weights, width, limit);
}

const char* kernel_target() {
    return HWY_DYNAMIC_DISPATCH(TargetName)();
}

}  // namespace scholar::nets
#endif
