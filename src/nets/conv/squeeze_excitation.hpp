#pragma once

#include <cstddef>
#include <vector>

#include "nets/conv/activation_layout.hpp"
#include "nets/conv/activations.hpp"
#include "nets/conv/conv_network.hpp"

namespace scholar::nets {

// Squeeze-excitation of one block (conv_network.hpp), for one caller: it has memory of its own.
class SqueezeExcitation {
  public:
    SqueezeExcitation(const ResidualBlock& block, ConvActivation activation, const ActivationLayout& layout);

    // Of one position, as the layout has it: `sums` are those of the block's second convolution, `input`,
    // which is replaced by the block's output, what goes around it.
    void run(const float* sums, float* input);
    void run(const Bf16* sums, Bf16* input);

  private:
    template <class Number>
    void run_in(const Number* sums, Number* input);
    // visit(first filter, how many from there on, where they lie).
    template <class Visit>
    void for_each_square(Visit visit) const;

    // Weights [inputs][outputs].
    std::vector<float> squeeze_;
    std::vector<float> excite_;
    std::vector<float> squeeze_bias_;
    std::vector<float> excite_bias_;
    std::vector<float> means_;
    std::vector<float> units_;
    std::vector<float> factors_;
    ConvActivation activation_;
    std::size_t width_;  // of a block of filters
};

}  // namespace scholar::nets
