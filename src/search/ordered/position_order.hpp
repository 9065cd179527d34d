#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "chess/position.hpp"
#include "evaluators/comparator.hpp"
#include "search/ordered/standing.hpp"

namespace scholar::search {

// What a comparator has been asked, since it was made.
struct OrderCounts {
    std::uint64_t embeddings = 0;   // worked out, not remembered
    std::uint64_t comparisons = 0;  // of two positions
    // Triples of positions that a search compared, in a sample, and those of which the first is better than
    // the second, the second than the third and the third than the first.
    std::uint64_t triples = 0;
    std::uint64_t cycles = 0;
};

// Compares standings by a comparator of positions, and remembers what positions are to it.
//
// A position beside a draw: White is better than that where the position is preferred to its own mirror
// image, in which Black has what White has here. So the order needs no number for a draw.
class PositionOrder {
  public:
    // Remembers positions in so much memory. Throws std::bad_alloc if there is not so much.
    PositionOrder(std::unique_ptr<evaluators::Comparator> comparator, std::size_t bytes);

    std::shared_ptr<const EmbeddedPosition> embedded(const chess::Position& position);
    // Strictly, and for White.
    bool is_better(const Standing& a, const Standing& b);
    bool is_better_for(chess::Color side, const Standing& a, const Standing& b) {
        return side == chess::White ? is_better(a, b) : is_better(b, a);
    }
    // Whether b is not better.
    bool is_as_good_for(chess::Color side, const Standing& a, const Standing& b) {
        return !is_better_for(side, b, a);
    }

    const OrderCounts& counts() const { return counts_; }
    // Forgets all positions.
    void clear();

  private:
    using Kept = std::shared_ptr<const EmbeddedPosition>;

    bool prefers(const EmbeddedPosition& a, const EmbeddedPosition& b);
    void sample(const Kept& a, const Kept& b);

    std::unique_ptr<evaluators::Comparator> comparator_;
    std::vector<Kept> kept_;  // by hash, each in the place of the one before
    OrderCounts counts_;
    Kept third_;  // of the next triple
};

}  // namespace scholar::search
