#pragma once

#include <memory>
#include <vector>

#include "chess/position.hpp"

namespace scholar::evaluators {

// What a comparator keeps of a position.
using Embedding = std::vector<float>;

// Which of two positions is better (O. David, N. Netanyahu and L. Wolf, "DeepChess", 2016, section 3). It has
// no score: "this one rather than that one" is all it says, and what it says need not be transitive. It
// belongs to one thread.
class Comparator {
  public:
    virtual ~Comparator() = default;
    virtual std::unique_ptr<Comparator> copy() const = 0;

    // What the comparison needs of a position, worked out once. It may be kept, and compared by any
    // comparator of the same network.
    virtual void embed(const chess::Position& position, Embedding& out) = 0;
    // Whether White stands better in a than in b, whoever is to move there.
    virtual bool prefers(const Embedding& a, const Embedding& b) = 0;
};

}  // namespace scholar::evaluators
