#pragma once

#include <ATen/core/Tensor.h>
#include <memory>
#include <string>
#include <string_view>
#include <torch/nn/module.h>
#include <vector>

#include "base/error.hpp"
#include "nets/container/tensor_file.hpp"

// Includes libtorch and its modules, which take ten seconds to compile.

namespace scholar::learning {

using Tensors = std::vector<at::Tensor>;

// A network made of libtorch's modules. Its parameters and running statistics have the names that the modules
// give them: "trunk.0.weight".
class TorchNetwork : public torch::nn::Module {
  public:
    // What it says of a batch: each tensor [sample, …], as the inputs are.
    virtual Tensors forward(const Tensors& inputs) = 0;
};

// Whether a part of a network holds what has this name: "trunk" holds "trunk.0.weight" and "trunk" itself,
// not "trunks.0.weight". "" is all of it.
bool holds(std::string_view part, std::string_view name);
// A part that holds none of the network's parameters is refused, with those that there are.
base::Status check_part(const TorchNetwork& network, std::string_view part);

// Parameters and running statistics, as tensors "PREFIX" + name. Refuses values that are not finite numbers.
base::Status put_weights(nets::TensorFile& file, const TorchNetwork& network, std::string_view prefix);
// Those of `parts`, all of which must be there; none named: all. Those that are already in the network stay
// as they are after an error.
base::Status take_weights(const nets::TensorFile& file, TorchNetwork& network, std::string_view prefix,
                          const std::vector<std::string>& parts = {});

}  // namespace scholar::learning
