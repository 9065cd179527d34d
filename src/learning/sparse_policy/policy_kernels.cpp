#include "learning/sparse_policy/policy_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "learning/sparse_policy/policy_kernels.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace scholar::learning::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Lanes>;

// Columns that are kept in registers while the places of a run go by.
constexpr std::size_t kWide = 128;
constexpr std::size_t kNarrow = 32;

template <std::size_t kColumns>
constexpr std::size_t kVectorsOf = kColumns / hn::MaxLanes(Lanes());

// Calls work(columns of kWide or kNarrow, from) for all that lies in [from, to).
template <class Work>
HWY_INLINE void ForColumns(std::size_t from, std::size_t to, Work work) {
    for (; from + kWide <= to; from += kWide) work(std::integral_constant<std::size_t, kWide>(), from);
    for (; from < to; from += kNarrow) work(std::integral_constant<std::size_t, kNarrow>(), from);
}

void RowLogits(std::span<const RowRun> runs, const RowPlace* places, const float* HWY_RESTRICT units,
               std::size_t width, const float* HWY_RESTRICT weights, const float* biases,
               float* HWY_RESTRICT logits) {
    const Lanes d;
    const std::size_t lanes = hn::Lanes(d);
    for (const RowRun& run : runs) {
        const float* const row = weights + run.row * width;
        for (std::uint32_t i = run.begin; i < run.end; ++i) {
            const float* const in = units + places[i].position * width;
            // Chains, as each addition waits for the one before it.
            auto even = hn::Zero(d);
            auto odd = hn::Zero(d);
            for (std::size_t column = 0; column < width; column += 2 * lanes) {
                even = hn::MulAdd(hn::LoadU(d, in + column), hn::LoadU(d, row + column), even);
                odd = hn::MulAdd(hn::LoadU(d, in + column + lanes), hn::LoadU(d, row + column + lanes), odd);
            }
            logits[places[i].slot] = biases[run.row] + hn::GetLane(hn::SumOfLanes(d, hn::Add(even, odd)));
        }
    }
}

template <std::size_t kColumns>
HWY_INLINE void AddToRow(const RowRun& run, const RowPlace* places, const float* units, std::size_t width,
                         const float* grads, float* row) {
    const Lanes d;
    const std::size_t lanes = hn::Lanes(d);
    Vector sums[kVectorsOf<kColumns>];
    for (std::size_t v = 0; v < kVectorsOf<kColumns>; ++v) sums[v] = hn::LoadU(d, row + v * lanes);
    for (std::uint32_t i = run.begin; i < run.end; ++i) {
        const auto grad = hn::Set(d, grads[places[i].slot]);
        const float* const in = units + places[i].position * width;
        for (std::size_t v = 0; v < kVectorsOf<kColumns>; ++v)
            sums[v] = hn::MulAdd(grad, hn::LoadU(d, in + v * lanes), sums[v]);
    }
    for (std::size_t v = 0; v < kVectorsOf<kColumns>; ++v) hn::StoreU(sums[v], d, row + v * lanes);
}

void RowGradients(std::span<const RowRun> runs, const RowPlace* places, const float* units, std::size_t width,
                  const float* grads, float* weights, float* biases) {
    for (const RowRun& run : runs) {
        float* const row = weights + run.row * width;
        for (std::uint32_t i = run.begin; i < run.end; ++i) biases[run.row] += grads[places[i].slot];
        ForColumns(0, width, [&](auto columns, std::size_t from) {
            AddToRow<decltype(columns)::value>(run, places, units + from, width, grads, row + from);
        });
    }
}

template <std::size_t kColumns>
HWY_INLINE void AddToUnits(const RowRun& run, const RowPlace* places, std::size_t width, const float* row,
                           const float* grads, float* units) {
    const Lanes d;
    const std::size_t lanes = hn::Lanes(d);
    Vector weights[kVectorsOf<kColumns>];
    for (std::size_t v = 0; v < kVectorsOf<kColumns>; ++v) weights[v] = hn::LoadU(d, row + v * lanes);
    for (std::uint32_t i = run.begin; i < run.end; ++i) {
        const auto grad = hn::Set(d, grads[places[i].slot]);
        float* const to = units + places[i].position * width;
        for (std::size_t v = 0; v < kVectorsOf<kColumns>; ++v)
            hn::StoreU(hn::MulAdd(grad, weights[v], hn::LoadU(d, to + v * lanes)), d, to + v * lanes);
    }
}

void UnitGradients(std::span<const RowRun> runs, const RowPlace* places, std::size_t width, std::size_t first,
                   std::size_t last, const float* weights, const float* grads, float* units) {
    for (const RowRun& run : runs)
        ForColumns(first, last, [&](auto columns, std::size_t from) {
            AddToUnits<decltype(columns)::value>(run, places, width, weights + run.row * width + from, grads,
                                                 units + from);
        });
}

}  // namespace scholar::learning::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scholar::learning {

HWY_EXPORT(RowLogits);
HWY_EXPORT(RowGradients);
HWY_EXPORT(UnitGradients);

void row_logits(std::span<const RowRun> runs, const RowPlace* places, const float* units, std::size_t width,
                const float* weights, const float* biases, float* logits) {
    HWY_DYNAMIC_DISPATCH(RowLogits)(runs, places, units, width, weights, biases, logits);
}

void row_gradients(std::span<const RowRun> runs, const RowPlace* places, const float* units,
                   std::size_t width, const float* grads, float* weights, float* biases) {
    HWY_DYNAMIC_DISPATCH(RowGradients)(runs, places, units, width, grads, weights, biases);
}

void unit_gradients(std::span<const RowRun> runs, const RowPlace* places, std::size_t width, std::size_t from,
                    std::size_t to, const float* weights, const float* grads, float* units) {
    HWY_DYNAMIC_DISPATCH(UnitGradients)(runs, places, width, from, to, weights, grads, units);
}

}  // namespace scholar::learning
#endif
