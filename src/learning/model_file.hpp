#pragma once

#include <cstdint>
#include <string>

#include "base/error.hpp"
#include "learning/model.hpp"
#include "nets/tensor_file.hpp"

// A model with all that training needs to go on, as tensors and metadata of a checkpoint.

namespace scholar::learning {

// Refuses weights and moments that are not finite numbers.
base::Status check_finite(const ModelState& model);
void put_model(nets::TensorFile& file, const ModelState& model);
// Refuses what is missing or does not agree.
base::Result<ModelState> take_model(const nets::TensorFile& file);

// A metadata entry that is a whole number.
base::Result<std::uint64_t> take_number(const nets::TensorFile& file, const std::string& key);

}  // namespace scholar::learning
