#pragma once

#include <span>

#include "games/sample.hpp"
#include "learning/training/samples.hpp"
#include "learning/training/torch_network.hpp"

// Includes libtorch and its modules.

namespace scholar::learning {

// The bits that positions are (nets/comparison/comparison_bits.hpp): [position][773].
at::Tensor position_bits(std::span<const games::Sample> samples);

struct PairTensors {
    // In the order in which they are shown.
    at::Tensor first;
    at::Tensor second;
    at::Tensor first_is_better;  // [pair], 1 or 0
};
PairTensors pair_bits(std::span<const SamplePair> pairs);

// By sample [sample]: how much of the numbers `wanted` [sample][number] `said` leaves unsaid, as a share of
// what their mean over these samples leaves; by squared errors.
at::Tensor unexplained(const at::Tensor& said, const at::Tensor& wanted);
// The same of bits by their logits; by cross-entropies.
at::Tensor unexplained_bits(const at::Tensor& logits, const at::Tensor& bits);

// By sample: the share of bits that logits have right, more likely than not; of the men on the board those
// whose square is right in all its 12 bits; and 1 where all bits are right, else 0.
struct Reconstruction {
    at::Tensor bits;
    at::Tensor men;
    at::Tensor boards;
};
Reconstruction reconstruction(const at::Tensor& logits, const at::Tensor& bits);

}  // namespace scholar::learning
