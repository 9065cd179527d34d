#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "base/random.hpp"
#include "chess/position.hpp"
#include "search/node_tap.hpp"

namespace scholar::selfplay {

// Keeps some of the positions above the horizon of one search after another: of those that there are, each
// position once however often the search comes to it, all are as likely to be kept (J. Vitter, "Random
// sampling with a reservoir", 1985, algorithm R). Those with one legal move or none do not count, as there is
// nothing to choose. For a search of one thread.
class NodeReservoir final : public search::NodeTap {
  public:
    explicit NodeReservoir(std::size_t capacity) : capacity_(capacity) {}

    // From here on: nothing is kept of what was before.
    void begin(base::Random random);
    // Hears nothing from now on, until the next begin().
    void end() { listens_ = false; }
    void on_node(const search::TappedNode& node) override;

    // In no order that means anything: fewer than there is room for if no more were met.
    const std::vector<chess::Position>& kept() const { return kept_; }
    // How many positions were kept or might have been.
    std::uint64_t met() const { return seen_.size() - passed_over_; }

  private:
    std::size_t capacity_;
    bool listens_ = false;
    base::Random random_{0};
    std::unordered_set<std::uint64_t> seen_;  // keys of all positions
    std::uint64_t passed_over_ = 0;           // of those, without a choice
    std::vector<chess::Position> kept_;
};

}  // namespace scholar::selfplay
