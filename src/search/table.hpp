#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "chess/score.hpp"
#include "search/effort.hpp"
#include "search/search.hpp"

namespace scholar::search {

// What a search remembers of a position it has seen.
struct TableEntry {
    chess::Move move;                        // best or refuting; may be none
    chess::Score score;                      // mates and tablebase results count from this position
    std::optional<chess::Score> evaluation;  // static; nothing when in check
    Effort draft;                            // that was spent on it; below 0: less than a search
    Bound bound = Bound::None;               // None: the evaluation alone
    bool was_principal = false;              // was once searched with an open window
};

// The transposition table: a fixed number of clusters of four entries of 16 bytes; a cluster is one cache
// line. When one is full, the entry gives way that is shallowest, entries of earlier searches first.
//
// Any number of threads may probe and store at once without locks: an entry's key is kept combined with its
// data, so that one that two threads wrote at the same time is not recognised (R. Hyatt and T. Mann, "A
// lock-less transposition-table implementation for parallel search", ICGA Journal 25 (2002)). The other
// members are for one thread while nobody searches.
class Table {
  public:
    static constexpr std::size_t kMinMegabytes = 1;
    static constexpr std::size_t kMaxMegabytes = 65'536;

    explicit Table(std::size_t megabytes);
    // One of at least so many entries, in whole clusters: for measuring what a search does without memory.
    static Table of_entries(std::size_t entries);

    // Empties it. Throws std::bad_alloc, with the old table in place, if there is not so much memory.
    void resize(std::size_t megabytes);
    // Several threads clear a large table sooner.
    void clear(int threads = 1);
    // A new search begins: what is there counts as old.
    void next_generation() { generation_ = static_cast<std::uint8_t>((generation_ + 1) & kGenerationMask); }

    std::optional<TableEntry> probe(std::uint64_t key) const;
    void store(std::uint64_t key, const TableEntry& entry);
    void prefetch(std::uint64_t key) const { __builtin_prefetch(&clusters_[index_of(key)]); }
    // Of this search's entries, in a sample.
    int permille_full() const;

  private:
    static constexpr std::uint8_t kGenerationMask = 31;
    static constexpr std::int16_t kNoEvaluation = INT16_MIN;

    // data:  move | score << 16 | evaluation << 32 | draft << 48
    // check: (bound | was_principal << 2 | generation << 3 | low 48 bits of the key << 16) ^ data
    struct Slot {
        std::atomic<std::uint64_t> check;
        std::atomic<std::uint64_t> data;
    };
    static_assert(sizeof(Slot) == 16 && std::atomic<std::uint64_t>::is_always_lock_free);
    struct alignas(64) Cluster {
        Slot slots[4];
    };
    struct Unpacked;
    Table() = default;
    void allocate(std::size_t clusters);
    static Unpacked unpack(const Slot& slot);

    // The key's high part picks the cluster, its low part is kept to tell positions apart.
    std::size_t index_of(std::uint64_t key) const {
        return static_cast<std::size_t>((static_cast<__uint128_t>(key) * cluster_count_) >> 64);
    }

    struct Free {
        void operator()(Cluster* clusters) const;
    };
    std::unique_ptr<Cluster[], Free> clusters_;
    std::size_t cluster_count_ = 0;
    std::uint8_t generation_ = 0;
};

}  // namespace scholar::search
