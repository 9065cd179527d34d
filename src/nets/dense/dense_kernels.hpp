#pragma once

#include <cstdint>
#include <span>

// The hot loop of dense inference, through Highway: float32, in a fixed order, so that a build gives the same
// on the same processor; instruction sets differ in the last bits, as some multiply and add with one
// rounding.

namespace scholar::nets {

// Widths that kernels see are multiples of this, and so many numbers may be read and written beyond the end.
constexpr int kDenseMultiple = 16;

// out[unit] = max(0, bias[unit] + Σ in[i] · weights[i][unit]), for `units`, a multiple
// of kDenseMultiple. Inputs that are 0 cost next to nothing. `weights` and `bias` are aligned to 64 bytes;
// `scratch` has room for `inputs` + kDenseMultiple.
void dense_units(const float* in, int inputs, const float* weights, const float* bias, int units, float* out,
                 int* scratch);

// The same of inputs that are 0 but for `ones`, which are 1. Returns `out`.
float* dense_units_of_ones(std::span<const int> ones, const float* weights, const float* bias, int units,
                           float* out);
// out[unit] = max(0, a[unit] + b[unit]), for `units`, a multiple of kDenseMultiple.
void dense_rectified_sum(const float* a, const float* b, int units, float* out);

// The same as dense_units() without max(0, …); `out` may be the `bias` of more inputs, and has to be aligned
// then.
void dense_sums(const float* in, int inputs, const float* weights, const float* bias, int units, float* out,
                int* scratch);

// A layer in whole numbers, of which only what changed is worked out: sums are then the same in whatever
// order. now[i] = in[i] · `denominator`, rounded. Returns how many of them are not what `before` has, and
// writes which; `changed` has room for `inputs` + kDenseMultiple.
int whole_changes(const float* in, int inputs, float denominator, const std::int32_t* before,
                  std::int32_t* now, int* changed);
// to[unit] = from[unit] + Σ (now[i] − before[i]) · weights[i][unit] over the `count` changed inputs.
// `weights`, `from` and `to` are aligned to 64 bytes; no sum may overflow.
void whole_sums(const int* changed, int count, const std::int32_t* before, const std::int32_t* now,
                const std::int32_t* weights, int units, const std::int32_t* from, std::int32_t* to);
// out[unit] = max(`floor`, sums[unit] · scale), for `units`, a multiple of kDenseMultiple.
void whole_units(const std::int32_t* sums, int units, float scale, float floor, float* out);

// Σ in[i] · weights[i], for a layer of one unit. `weights` is aligned to 64 bytes.
float dense_dot(const float* in, const float* weights, int inputs);

}  // namespace scholar::nets
