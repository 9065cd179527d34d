#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "chess/score.hpp"
#include "search/search.hpp"

namespace scholar::search {

// What a search remembers of a position it has seen.
struct TableEntry {
    chess::Move move;                        // best or refuting; may be none
    chess::Score score;                      // mates count from this position
    std::optional<chess::Score> evaluation;  // static; nothing when in check
    std::int16_t draft = 0;                  // how deep; the meaning is the search's
    Bound bound = Bound::None;
};

// The transposition table: a fixed number of clusters of four entries of 16 bytes; a cluster is one cache
// line. When one is full, the entry gives way that is shallowest, entries of earlier searches first.
class Table {
  public:
    static constexpr std::size_t kMinMegabytes = 1;
    static constexpr std::size_t kMaxMegabytes = 65'536;

    explicit Table(std::size_t megabytes);

    // Empties it. Throws std::bad_alloc, with the old table in place, if there is not so much memory.
    void resize(std::size_t megabytes);
    void clear();
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

    struct Slot {
        std::uint32_t key = 0;
        std::uint16_t move = 0;
        std::int16_t score = 0;
        std::int16_t evaluation = kNoEvaluation;
        std::int16_t draft = 0;
        Bound bound = Bound::None;
        std::uint8_t generation = 0;
        std::uint16_t unused = 0;
    };
    static_assert(sizeof(Slot) == 16);
    struct alignas(64) Cluster {
        Slot slots[4];
    };

    // The key's high part picks the cluster, its low part is kept to tell positions apart.
    std::size_t index_of(std::uint64_t key) const {
        return static_cast<std::size_t>((static_cast<__uint128_t>(key) * clusters_.size()) >> 64);
    }

    std::vector<Cluster> clusters_;
    std::uint8_t generation_ = 0;
};

}  // namespace scholar::search
