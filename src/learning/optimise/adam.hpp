#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scholar::learning {

enum class AdamKind : std::uint8_t {
    Adam,   // weight decay, if any, is part of the gradient (Kingma, Ba 2014)
    AdamW,  // weight decay is apart from it (Loshchilov, Hutter 2017)
};

struct AdamOptions {
    AdamKind kind = AdamKind::Adam;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double epsilon = 1e-8;
    double weight_decay = 0;
};

// Running means of a parameter array's gradients and of their squares.
struct AdamMoments {
    std::vector<float> first;
    std::vector<float> second;
    explicit AdamMoments(std::size_t count = 0) : first(count), second(count) {}
};

// A part of them.
struct MomentSpans {
    std::span<float> first;
    std::span<float> second;
    MomentSpans(AdamMoments& all)
        : first(all.first), second(all.second) {}  // NOLINT(google-explicit-constructor)
    MomentSpans(AdamMoments& all, std::size_t from, std::size_t count)
        : first(std::span(all.first).subspan(from, count)),
          second(std::span(all.second).subspan(from, count)) {}
};

// One step on one parameter array, fused in one pass. `step` counts from 1. Weights are then clipped to
// ±`clip`; gives the number that had to be.
std::size_t adam_update(const AdamOptions& options, double learning_rate, std::uint64_t step, float clip,
                        std::span<float> weights, std::span<const float> gradient, MomentSpans moments);

}  // namespace scholar::learning
