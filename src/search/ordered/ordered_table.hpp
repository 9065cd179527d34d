#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "chess/types.hpp"
#include "search/ordered/standing.hpp"

namespace scholar::search {

// How White stands at a node, beside a standing that is known. A test says no more.
enum class Beside : std::uint8_t { Above, AtLeast, Same, AtMost, Below };

// From the other side. "At least" for White is "at most" for Black.
constexpr Beside turned(Beside beside) {
    return static_cast<Beside>(static_cast<int>(Beside::Below) - static_cast<int>(beside));
}

struct OrderedEntry {
    std::uint64_t key = 0;
    Standing than;
    chess::Move move;  // may be none
    std::int16_t depth = 0;
    Beside beside = Beside::Same;
    std::uint8_t age = 0;
};

// What a search that compares remembers of nodes. Most bounds are the same few standings, which entries
// share.
class OrderedTable {
  public:
    // Of so much memory. Throws std::bad_alloc if there is not so much.
    explicit OrderedTable(std::size_t bytes)
        : entries_(std::max<std::size_t>(1, bytes / sizeof(OrderedEntry))) {}

    // Null: there is none.
    const OrderedEntry* find(std::uint64_t key) const {
        const OrderedEntry& entry = entries_[key % entries_.size()];
        return entry.key == key && entry.depth > 0 ? &entry : nullptr;
    }
    // In place of what is older or no deeper.
    void store(OrderedEntry entry) {
        OrderedEntry& place = entries_[entry.key % entries_.size()];
        if (place.key == entry.key && !entry.move) entry.move = place.move;
        if (place.key != entry.key && place.age == age_ && place.depth > entry.depth) return;
        entry.age = age_;
        place = std::move(entry);
    }
    void next_search() { ++age_; }
    void clear() { std::ranges::fill(entries_, OrderedEntry{}); }

  private:
    std::vector<OrderedEntry> entries_;
    std::uint8_t age_ = 0;
};

}  // namespace scholar::search
