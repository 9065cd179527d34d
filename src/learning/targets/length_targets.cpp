#include "learning/targets/length_targets.hpp"

#include <ATen/ATen.h>

namespace scholar::learning {

namespace {

// Ten half-moves.
constexpr double kSquaredUpTo = 0.5;

}  // namespace

at::Tensor length_targets(std::span<const games::Sample> samples) {
    at::Tensor targets = at::empty({static_cast<std::int64_t>(samples.size()), 1}, at::kFloat);
    auto* out = targets.data_ptr<float>();
    for (const games::Sample& sample : samples) *out++ = static_cast<float>(sample.to_end / kLengthUnit);
    return targets;
}

at::Tensor length_loss(const at::Tensor& said, const at::Tensor& wanted) {
    return at::huber_loss(said.expand_as(wanted), wanted, at::Reduction::Mean, kSquaredUpTo);
}

double length_error(const at::Tensor& said, const at::Tensor& wanted) {
    return kLengthUnit * (said - wanted).abs().mean().item<double>();
}

at::Tensor average_length(const at::Tensor& wanted) {
    return std::get<0>(wanted.median(0, true));
}

}  // namespace scholar::learning
