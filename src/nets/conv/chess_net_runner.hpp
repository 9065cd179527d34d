#pragma once

#include <memory>
#include <span>

#include "base/error.hpp"
#include "nets/conv/chess_nets.hpp"

namespace scholar::nets {

// Works out one of the networks of a file for batches of positions, through oneDNN, on the thread that calls
// it and on no other. It belongs to one thread.
class ChessNetRunner {
  public:
    static constexpr int kMostPositions = 256;

    // The file must have a network of this role. Refuses what oneDNN cannot do on this processor.
    static base::Result<ChessNetRunner> make(std::shared_ptr<const ChessNets> networks, ChessNetRole role);
    ChessNetRunner(ChessNetRunner&&) noexcept;
    ChessNetRunner& operator=(ChessNetRunner&&) noexcept;
    ~ChessNetRunner();

    // Where the planes of a position of the next batch go, as many as input_of() has.
    std::span<Plane> planes(int position);
    // Works out the first `positions` of them, 1 to kMostPositions.
    base::Status run(int positions);
    // Of a position of the last batch, before softmax or hyperbolic tangent: outputs_of() numbers.
    std::span<const float> outputs(int position) const;
    // Of the same, the units of the hidden layer after their activation.
    std::span<const float> hidden(int position) const;

  private:
    class Implementation;
    explicit ChessNetRunner(std::unique_ptr<Implementation> implementation);
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace scholar::nets
