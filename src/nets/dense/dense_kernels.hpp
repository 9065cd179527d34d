#pragma once

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

// The same without max(0, …); `out` may be the `bias` of more inputs, and has to be aligned then.
void dense_sums(const float* in, int inputs, const float* weights, const float* bias, int units, float* out,
                int* scratch);

// Σ in[i] · weights[i], for a layer of one unit. `weights` is aligned to 64 bytes.
float dense_dot(const float* in, const float* weights, int inputs);

}  // namespace scholar::nets
