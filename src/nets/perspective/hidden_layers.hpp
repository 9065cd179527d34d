#pragma once

#include <cstdint>

#include "nets/aligned.hpp"
#include "nets/perspective/network.hpp"

namespace scholar::nets {

// Evaluates the head of a network that has hidden layers. Keeps what passes from layer to layer: each thread
// has its own.
class HiddenLayers {
  public:
    explicit HiddenLayers(const Network& network);

    // The output sum without its bias, by the head of an output bucket, of the transformer's sums of either
    // viewpoint. The network is the one that this was made for.
    std::int32_t output_sum(const Network& network, const std::int16_t* own, const std::int16_t* enemy,
                            int bucket);

  private:
    AlignedVector<std::int16_t> inputs_;
    AlignedVector<std::int16_t> outputs_;
};

}  // namespace scholar::nets
