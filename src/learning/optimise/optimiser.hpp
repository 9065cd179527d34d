#pragma once

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "learning/optimise/optimiser_options.hpp"
#include "nets/container/tensor_file.hpp"

// Includes libtorch.

namespace scholar::learning {

class UpdateRule;

// Moves the parameters of a libtorch module, and remembers of each what its rule asks for. Each counts its
// own steps: one that was frozen at first begins later as if it were new.
class Optimiser {
  public:
    // The parameters are shared with whoever owns them; each by a name of its own.
    struct Parameter {
        std::string name;
        at::Tensor weights;
    };
    Optimiser(const OptimiserOptions& options, std::vector<Parameter> parameters);
    Optimiser(Optimiser&&) noexcept;
    Optimiser& operator=(Optimiser&&) noexcept;
    ~Optimiser();

    // One step of each parameter that has a gradient, which is then gone; the others stay as they are.
    void step(double learning_rate);

    // What it remembers, as tensors "PREFIX.PARAMETER.MEMORY" of 32-bit floats, and in the metadata its kind
    // and the number of steps by parameter.
    void put(nets::TensorFile& file, std::string_view prefix) const;
    // Refuses what is missing, of another shape or of another kind, and stays as it was.
    base::Status take(const nets::TensorFile& file, std::string_view prefix);

  private:
    struct Remembered {
        Parameter parameter;
        std::vector<at::Tensor> memory;
        std::uint64_t steps = 0;
    };

    std::string kind_;
    std::unique_ptr<UpdateRule> rule_;
    std::vector<Remembered> all_;
};

}  // namespace scholar::learning
