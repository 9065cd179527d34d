#include "learning/comparison/comparison_losses.hpp"

#include <ATen/ATen.h>

namespace scholar::learning {

at::Tensor comparison_loss(const at::Tensor& z, const at::Tensor& first_is_better) {
    return at::binary_cross_entropy_with_logits(z, first_is_better);
}

at::Tensor softened_loss(const at::Tensor& z, const at::Tensor& teacher, double temperature) {
    return at::binary_cross_entropy_with_logits(z / temperature, at::sigmoid(teacher / temperature));
}

}  // namespace scholar::learning
