#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "search/mcts/tree.hpp"

namespace scholar::search::mcts {

// What networks said positions are worth, by a hash of all that they read (BatchEvaluator::key()): whoever
// comes to one by another way need not ask again. The newest stays. Any number of threads.
class ValueTable {
  public:
    // Without memory it knows nothing. Throws std::bad_alloc if there is not so much.
    explicit ValueTable(std::size_t bytes);

    void clear();
    // The key will be asked for soon.
    void prefetch(std::uint64_t key) const {
        if (size_ > 0) __builtin_prefetch(&slot(key));
    }
    // For the side to move.
    std::optional<Outcome> find(std::uint64_t key) const;
    void store(std::uint64_t key, Outcome outcome);

  private:
    // Two words that are written one after the other: the key is only right with the outcome that belongs to
    // it, of whichever threads they are.
    struct Slot {
        std::atomic<std::uint64_t> key_and_outcome = 0;  // one exclusive-or the other
        std::atomic<std::uint64_t> outcome = 0;          // 0: empty
    };
    Slot& slot(std::uint64_t key) const;

    std::size_t size_;
    std::unique_ptr<Slot[]> slots_;
};

}  // namespace scholar::search::mcts
