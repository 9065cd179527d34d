#include "nets/perspective/kernels.hpp"

#include "nets/kernel_target.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nets/perspective/kernels.cpp"
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

// What the head gets of some units, given their sums and, where units are paired, those of the others:
// clipped, multiplied where the activation says so, and then >> shift, rounded.
template <Activation kActivation>
class Activated {
  public:
    Activated(std::int16_t limit, int shift)
        : top_(hn::Set(Lanes16(), limit)),
          half_(hn::Set(Lanes16(), static_cast<std::int16_t>(1 << (shift - 1)))),
          shift_(shift) {}

    HWY_INLINE hn::Vec<Lanes16> operator()(const std::int16_t* sums, int partner) const {
        const auto a = Clipped(sums);
        if constexpr (kActivation == Activation::Clipped) {
            return a;
        } else {
            // 255², and what rounds it, fit in 16 bits without a sign.
            const hn::RebindToUnsigned<Lanes16> unsigned_lanes;
            const auto product = hn::Mul(a, kActivation == Activation::Paired ? Clipped(sums + partner) : a);
            const auto rounded = hn::BitCast(unsigned_lanes, hn::Add(product, half_));
            return hn::BitCast(Lanes16(), hn::ShiftRightSame(rounded, shift_));
        }
    }

  private:
    HWY_INLINE hn::Vec<Lanes16> Clipped(const std::int16_t* sums) const {
        const Lanes16 d;
        return hn::Min(hn::Max(hn::Load(d, sums), hn::Zero(d)), top_);
    }

    hn::Vec<Lanes16> top_;
    hn::Vec<Lanes16> half_;
    int shift_;
};

template <Activation kActivation>
HWY_INLINE std::int32_t OutputSum(const std::int16_t* HWY_RESTRICT own,
                                  const std::int16_t* HWY_RESTRICT enemy,
                                  const std::int16_t* HWY_RESTRICT weights, int width, std::int16_t limit,
                                  int shift) {
    const Lanes16 d;
    const hn::RepartitionToWide<Lanes16> wide;
    const int lanes = static_cast<int>(hn::Lanes(d));
    const Activated<kActivation> activated(limit, shift);
    auto sum_own = hn::Zero(wide);
    auto sum_own_odd = hn::Zero(wide);
    auto sum_enemy = hn::Zero(wide);
    auto sum_enemy_odd = hn::Zero(wide);
    const int outputs = width / group_size(kActivation);
    for (int i = 0; i < outputs; i += lanes) {
        sum_own = hn::ReorderWidenMulAccumulate(wide, activated(own + i, outputs), hn::Load(d, weights + i),
                                                sum_own, sum_own_odd);
        sum_enemy =
            hn::ReorderWidenMulAccumulate(wide, activated(enemy + i, outputs),
                                          hn::Load(d, weights + outputs + i), sum_enemy, sum_enemy_odd);
    }
    const auto sum = hn::Add(hn::Add(sum_own, sum_own_odd), hn::Add(sum_enemy, sum_enemy_odd));
    return hn::GetLane(hn::SumOfLanes(wide, sum));
}

std::int32_t OutputSumOf(Activation activation, const std::int16_t* own, const std::int16_t* enemy,
                         const std::int16_t* weights, int width, std::int16_t limit, int shift) {
    switch (activation) {
        case Activation::Clipped:
            return OutputSum<Activation::Clipped>(own, enemy, weights, width, limit, shift);
        case Activation::Squared:
            return OutputSum<Activation::Squared>(own, enemy, weights, width, limit, shift);
        case Activation::Paired:
            return OutputSum<Activation::Paired>(own, enemy, weights, width, limit, shift);
    }
    return 0;
}

template <Activation kActivation>
HWY_INLINE void ActivateSums(const std::int16_t* HWY_RESTRICT sums, int width, std::int16_t limit, int shift,
                             std::int16_t* HWY_RESTRICT out) {
    const Lanes16 d;
    const Activated<kActivation> activated(limit, shift);
    const int outputs = width / group_size(kActivation);
    for (int i = 0; i < outputs; i += static_cast<int>(hn::Lanes(d)))
        hn::Store(activated(sums + i, outputs), d, out + i);
}

void ActivateSumsOf(Activation activation, const std::int16_t* sums, int width, std::int16_t limit, int shift,
                    std::int16_t* out) {
    switch (activation) {
        case Activation::Clipped:
            return ActivateSums<Activation::Clipped>(sums, width, limit, shift, out);
        case Activation::Squared:
            return ActivateSums<Activation::Squared>(sums, width, limit, shift, out);
        case Activation::Paired:
            return ActivateSums<Activation::Paired>(sums, width, limit, shift, out);
    }
}

// So many sums of units, 16 or fewer, in each vector.
using Sums32 = hn::CappedTag<std::int32_t, Architecture::kHiddenMultiple>;

#if HWY_TARGET == HWY_SCALAR

// A vector of one number has no room for a pair.
HWY_INLINE void HiddenUnits(const std::int16_t* in, int inputs, const std::int16_t* weights, int units,
                            const std::int32_t* bias, int shift, std::int16_t limit, std::int16_t* out) {
    std::int32_t sum = *bias;
    for (int i = 0; i < inputs; i += 2, weights += 2 * units)
        sum += in[i] * weights[0] + in[i + 1] * weights[1];
    sum >>= shift;
    *out = static_cast<std::int16_t>(sum < 0 ? 0 : sum > limit ? limit : sum);
}

#else

using Pairs16 = hn::RepartitionToNarrow<Sums32>;

// Units that fill a vector. Chains of sums for every fourth pair of inputs, as each addition waits for the
// one before it.
HWY_INLINE void HiddenUnits(const std::int16_t* HWY_RESTRICT in, int inputs,
                            const std::int16_t* HWY_RESTRICT weights, int units,
                            const std::int32_t* HWY_RESTRICT bias, int shift, std::int16_t limit,
                            std::int16_t* HWY_RESTRICT out) {
    const Sums32 d;
    const Pairs16 pairs;
    const hn::Rebind<std::int16_t, Sums32> narrow;
    constexpr int kChains = 4;
    hn::Vec<Sums32> even[kChains];
    hn::Vec<Sums32> odd[kChains];
    for (int chain = 0; chain < kChains; ++chain) even[chain] = odd[chain] = hn::Zero(d);
    for (int i = 0; i < inputs; i += 2 * kChains)
        for (int chain = 0; chain < kChains; ++chain) {
            std::int32_t two = 0;
            hwy::CopyBytes<sizeof two>(in + i + 2 * chain, &two);
            const auto both = hn::BitCast(pairs, hn::Set(d, two));
            const auto* const row = weights + static_cast<std::ptrdiff_t>(i + 2 * chain) * units;
            even[chain] =
                hn::ReorderWidenMulAccumulate(d, both, hn::Load(pairs, row), even[chain], odd[chain]);
        }
    auto sum = hn::Load(d, bias);
    for (int chain = 0; chain < kChains; ++chain)
        sum = hn::Add(sum, hn::RearrangeToOddPlusEven(even[chain], odd[chain]));
    const auto shifted = hn::ShiftRightSame(sum, shift);
    const auto clipped = hn::Min(hn::Max(shifted, hn::Zero(d)), hn::Set(d, limit));
    hn::Store(hn::DemoteTo(narrow, clipped), narrow, out);
}

#endif

void HiddenLayer(const std::int16_t* in, int inputs, const std::int16_t* weights, const std::int32_t* bias,
                 int units, int shift, std::int16_t limit, std::int16_t* out) {
    const int lanes = static_cast<int>(hn::Lanes(Sums32()));
    for (int unit = 0; unit < units; unit += lanes)
        HiddenUnits(in, inputs, weights + 2 * unit, units, bias + unit, shift, limit, out + unit);
}

std::int32_t DotProduct(const std::int16_t* a, const std::int16_t* b, int count) {
    const hn::CappedTag<std::int16_t, Architecture::kHiddenMultiple> d;
    const hn::RepartitionToWide<decltype(d)> wide;
    auto sum = hn::Zero(wide);
    auto odd = hn::Zero(wide);
    for (int i = 0; i < count; i += static_cast<int>(hn::Lanes(d)))
        sum = hn::ReorderWidenMulAccumulate(wide, hn::Load(d, a + i), hn::Load(d, b + i), sum, odd);
    return hn::GetLane(hn::SumOfLanes(wide, hn::Add(sum, odd)));
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
HWY_EXPORT(ActivateSumsOf);
HWY_EXPORT(HiddenLayer);
HWY_EXPORT(DotProduct);
HWY_EXPORT(TargetName);

void update_accumulator(std::int16_t* out, const std::int16_t* base, int width,
                        const std::int16_t* const* added, int added_count, const std::int16_t* const* removed,
                        int removed_count) {
    HWY_DYNAMIC_DISPATCH(UpdateAccumulator)(out, base, width, added, added_count, removed, removed_count);
}

std::int32_t output_sum(Activation activation, const std::int16_t* own, const std::int16_t* enemy,
                        const std::int16_t* weights, int width, std::int16_t limit, int shift) {
    return HWY_DYNAMIC_DISPATCH(OutputSumOf)(activation, own, enemy, weights, width, limit, shift);
}

void activate_sums(Activation activation, const std::int16_t* sums, int width, std::int16_t limit, int shift,
                   std::int16_t* out) {
    HWY_DYNAMIC_DISPATCH(ActivateSumsOf)(activation, sums, width, limit, shift, out);
}

void hidden_layer(const std::int16_t* in, int inputs, const std::int16_t* weights, const std::int32_t* bias,
                  int units, int shift, std::int16_t limit, std::int16_t* out) {
    HWY_DYNAMIC_DISPATCH(HiddenLayer)(in, inputs, weights, bias, units, shift, limit, out);
}

std::int32_t dot_product(const std::int16_t* a, const std::int16_t* b, int count) {
    return HWY_DYNAMIC_DISPATCH(DotProduct)(a, b, count);
}

const char* kernel_target() {
    return HWY_DYNAMIC_DISPATCH(TargetName)();
}

}  // namespace scholar::nets
#endif
