#pragma once

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "learning/optimise/optimiser_options.hpp"

// Includes libtorch.

namespace scholar::learning {

// One rule of optimiser_options.hpp, for a parameter at a time. It keeps nothing: what has to be remembered
// of a parameter is handed to it.
class UpdateRule {
  public:
    virtual ~UpdateRule() = default;
    // Names of the tensors to be remembered of each parameter; all are of its shape, and begin as zeros.
    virtual std::span<const std::string_view> memories() const = 0;
    // Step number `step` of this parameter, from 1, in place. Nothing may be tracked for gradients meanwhile.
    virtual void update(at::Tensor& weights, const at::Tensor& gradient, std::span<at::Tensor> memory,
                        std::uint64_t step, double learning_rate) const = 0;
};

std::unique_ptr<UpdateRule> make_update_rule(const OptimiserOptions& options);

}  // namespace scholar::learning
