#pragma once

#include "base/error.hpp"
#include "learning/perspective/model.hpp"
#include "nets/container/tensor_file.hpp"

// A model with all that training needs to go on, as tensors and metadata of a checkpoint.

namespace scholar::learning {

// Refuses weights and moments that are not finite numbers.
base::Status check_finite(const ModelState& model);
void put_model(nets::TensorFile& file, const ModelState& model);
// Refuses what is missing or does not agree.
base::Result<ModelState> take_model(const nets::TensorFile& file);

}  // namespace scholar::learning
