#pragma once

#include <cstdint>

#include "nets/perspective/architecture.hpp"

// The hot loops of inference, through Highway. Every instruction set gives the same integers. In a build for
// one machine these are direct calls; in a portable one, and with SCHOLAR_DISPATCH, each entry chooses the
// best instruction set at run time. Pointers are aligned to 64 bytes; `width` is a multiple of
// Architecture::width_multiple().

namespace scholar::nets {

// out = base + Σ added rows − Σ removed rows, element by element.
void update_accumulator(std::int16_t* out, const std::int16_t* base, int width,
                        const std::int16_t* const* added, int added_count, const std::int16_t* const* removed,
                        int removed_count);

// Σ activation(clip(own, 0, limit)) × weights[0…outputs) + Σ activation(clip(enemy, 0, limit)) ×
// weights[outputs…2 outputs), with outputs = width / group_size(activation). Products that the activation
// makes are >> `shift`, rounded, which makes them fit in 16 bits.
std::int32_t output_sum(Activation activation, const std::int16_t* own, const std::int16_t* enemy,
                        const std::int16_t* weights, int width, std::int16_t limit, int shift);

// out[i] = activation(clip(sums, 0, limit)) for the `outputs` numbers of a viewpoint; products >> `shift`,
// rounded, likewise.
void activate_sums(Activation activation, const std::int16_t* sums, int width, std::int16_t limit, int shift,
                   std::int16_t* out);

// A hidden layer: out[unit] = clip((bias[unit] + Σ in × weight) >> shift, 0, limit). Weights
// [pair of inputs][unit][2]; `inputs` and `units` are multiples of Architecture::kHiddenMultiple.
void hidden_layer(const std::int16_t* in, int inputs, const std::int16_t* weights, const std::int32_t* bias,
                  int units, int shift, std::int16_t limit, std::int16_t* out);

// Σ a × b, of so many as a hidden layer may have units.
std::int32_t dot_product(const std::int16_t* a, const std::int16_t* b, int count);

}  // namespace scholar::nets
