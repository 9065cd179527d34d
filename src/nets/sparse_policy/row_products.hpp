#pragma once

#include <cstdint>

// The hot loop of a sparse policy's inference, through Highway (nets/perspective/kernels.hpp says how). Every
// instruction set gives the same integers.

namespace scholar::nets {

// out[i] = Σ in × weights[rows[i]], for `count` rows of `width` weights each. `in` is aligned to 64 bytes;
// `width` is a multiple of 32 (Architecture::kWidthMultiple).
void row_products(const std::int16_t* in, int width, const std::int8_t* weights, const std::uint16_t* rows,
                  int count, std::int32_t* out);

}  // namespace scholar::nets
