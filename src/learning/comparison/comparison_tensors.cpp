#include "learning/comparison/comparison_tensors.hpp"

#include <ATen/ATen.h>

#include "nets/comparison/comparison_bits.hpp"

namespace scholar::learning {

namespace {

// Of nothing that varies, nothing is left to say: what is divided by is never 0.
constexpr double kLeastVariation = 1e-9;

at::Tensor empty_bits(std::size_t count) {
    return at::zeros({static_cast<std::int64_t>(count), nets::kComparisonBits}, at::kFloat);
}

void put_ones(const chess::Position& position, at::Tensor& bits, std::size_t row) {
    float* const out = bits.data_ptr<float>() + row * nets::kComparisonBits;
    const nets::ComparisonOnes ones(position);
    for (const int one : ones.all()) out[one] = 1;
}

}  // namespace

at::Tensor position_bits(std::span<const games::Sample> samples) {
    at::Tensor bits = empty_bits(samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) put_ones(samples[i].position, bits, i);
    return bits;
}

PairTensors pair_bits(std::span<const SamplePair> pairs) {
    PairTensors tensors{empty_bits(pairs.size()), empty_bits(pairs.size()),
                        at::empty({static_cast<std::int64_t>(pairs.size())}, at::kFloat)};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const SamplePair& pair = pairs[i];
        put_ones(pair.won.position, pair.lost_first ? tensors.second : tensors.first, i);
        put_ones(pair.lost.position, pair.lost_first ? tensors.first : tensors.second, i);
        tensors.first_is_better.data_ptr<float>()[i] = pair.lost_first ? 0 : 1;
    }
    return tensors;
}

at::Tensor unexplained(const at::Tensor& said, const at::Tensor& wanted) {
    const at::Tensor variation = (wanted - wanted.mean(0, true)).square().sum(1).mean();
    return (said - wanted).square().sum(1) / variation.clamp_min(kLeastVariation);
}

at::Tensor unexplained_bits(const at::Tensor& logits, const at::Tensor& bits) {
    const at::Tensor mean = bits.mean(0);
    const at::Tensor variation = at::binary_cross_entropy(mean, mean, {}, at::Reduction::Sum);
    return at::binary_cross_entropy_with_logits(logits, bits, {}, {}, at::Reduction::None).sum(1) /
           variation.clamp_min(kLeastVariation);
}

Reconstruction reconstruction(const at::Tensor& logits, const at::Tensor& bits) {
    const at::Tensor right = (logits > 0).eq(bits > 0.5);
    const auto by_square = [](const at::Tensor& all) {
        return all.narrow(1, 0, 12 * 64).reshape({all.size(0), 12, 64});
    };
    const at::Tensor occupied = by_square(bits > 0.5).any(1);
    const at::Tensor men = by_square(right).all(1).logical_and(occupied).sum(1) / occupied.sum(1);
    return {right.to(at::kFloat).mean(1), men.to(at::kFloat), right.all(1).to(at::kFloat)};
}

}  // namespace scholar::learning
