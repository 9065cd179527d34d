#pragma once

#include <ATen/core/Tensor.h>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "nets/container/tensor_file.hpp"

// libtorch's tensors outside it: in files, and as plain numbers. Includes libtorch.

namespace scholar::learning {

// Its numbers in the order of its dimensions, for files and kernels of the engine.
std::vector<float> floats_of(const at::Tensor& tensor);
// Floats as they are; other types, for which the format has no name here, as the bytes that they are.
void put_tensor(nets::TensorFile& file, const std::string& name, const at::Tensor& tensor);
// A new tensor of the type and shape of `like`, and where that lies. Refuses what is missing or of another
// shape.
base::Result<at::Tensor> take_tensor(const nets::TensorFile& file, const std::string& name,
                                     const at::Tensor& like);

}  // namespace scholar::learning
