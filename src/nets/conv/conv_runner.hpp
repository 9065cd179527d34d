#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/error.hpp"
#include "nets/conv/conv_network.hpp"

namespace scholar::nets {

// Whether the processor multiplies bfloat16 by itself (AVX-512 BF16 or AMX).
bool processor_has_bf16();

// Works out a network for batches of positions, through oneDNN, on the thread that calls it and on no other.
// It belongs to one thread: it has memory of its own for what lies between layers, and for the weights in the
// order that the kernels want.
class ConvRunner {
  public:
    static constexpr int kMostPositions = 256;

    // In the precision that the network says. Refuses what oneDNN cannot do on this processor.
    static base::Result<ConvRunner> make(std::shared_ptr<const ConvNetwork> network);
    ConvRunner(ConvRunner&&) noexcept;
    ConvRunner& operator=(ConvRunner&&) noexcept;
    ~ConvRunner();

    const ConvNetwork& network() const;
    // Where the planes of a position of the next batch go, plane_count() of them.
    std::span<Plane> planes(int position);
    // Works out the first `positions` of them, 1 to kMostPositions.
    base::Status run(int positions);

    // Of a position of the last batch, before softmax or hyperbolic tangent.
    float policy(int position, int index) const;        // policy_index()
    float square_logit(int position, int place) const;  // of a policy of squares (square_policy.hpp)
    std::span<const float> source(int position) const;  // of source and target, 64 each
    std::span<const float> target(int position) const;
    std::span<const float> value(int position) const;  // one number, or three: win, draw, loss
    float moves_left(int position) const;

  private:
    class Implementation;
    explicit ConvRunner(std::unique_ptr<Implementation> implementation);
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace scholar::nets
