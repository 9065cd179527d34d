#include "nets/sparse_policy/row_products.hpp"

#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nets/sparse_policy/row_products.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace scholar::nets::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// At most 32 lanes: widths are multiples of that.
using RowLanes16 = hn::CappedTag<std::int16_t, 32>;

void RowProducts(const std::int16_t* HWY_RESTRICT in, int width, const std::int8_t* HWY_RESTRICT weights,
                 const std::uint16_t* HWY_RESTRICT rows, int count, std::int32_t* HWY_RESTRICT out) {
    const RowLanes16 d;
    const hn::Rebind<std::int8_t, RowLanes16> narrow;
    const hn::RepartitionToWide<RowLanes16> wide;
    const int lanes = static_cast<int>(hn::Lanes(d));
    for (int i = 0; i < count; ++i) {
        const std::int8_t* HWY_RESTRICT row = weights + static_cast<std::ptrdiff_t>(rows[i]) * width;
        auto sum = hn::Zero(wide);
        auto odd = hn::Zero(wide);
        for (int column = 0; column < width; column += lanes)
            sum = hn::ReorderWidenMulAccumulate(wide, hn::Load(d, in + column),
                                                hn::PromoteTo(d, hn::LoadU(narrow, row + column)), sum, odd);
        out[i] = hn::GetLane(hn::SumOfLanes(wide, hn::Add(sum, odd)));
    }
}

}  // namespace scholar::nets::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scholar::nets {

HWY_EXPORT(RowProducts);

void row_products(const std::int16_t* in, int width, const std::int8_t* weights, const std::uint16_t* rows,
                  int count, std::int32_t* out) {
    HWY_DYNAMIC_DISPATCH(RowProducts)(in, width, weights, rows, count, out);
}

}  // namespace scholar::nets
#endif
