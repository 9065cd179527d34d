#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace scholar::games {

// How many different keys there are among many, in bounded memory: adaptive sampling (Wegman; Flajolet 1990).
// A key is kept if its hash begins with enough zero bits, and the bits asked for grow by one whenever there
// are more than `limit` keys. What is kept is thus every 2^bits-th different key with the number of times it
// came, whatever the order and however often: the estimate is exact until the limit is reached, and has a
// standard error of 1.2 / sqrt(limit) after that.
class DistinctSample {
  public:
    struct Entry {
        std::uint64_t count = 0;
        std::uint8_t marks = 0;  // of all its occurrences together
    };

    explicit DistinctSample(std::size_t limit) : limit_(limit) {}

    // `key` need not be random. `marks`: whatever bits the caller wants to know of it.
    void add(std::uint64_t key, std::uint8_t marks = 0) {
        ++total_;
        if (!is_kept(key)) return;
        Entry& entry = entries_[key];
        ++entry.count;
        entry.marks |= marks;
        if (entries_.size() > limit_) shrink();
    }

    void merge(const DistinctSample& other) {
        total_ += other.total_;
        if (other.bits_ > bits_) {
            bits_ = other.bits_;
            drop();
        }
        for (const auto& [key, entry] : other.entries_) {
            if (!is_kept(key)) continue;
            Entry& mine = entries_[key];
            mine.count += entry.count;
            mine.marks |= entry.marks;
        }
        while (entries_.size() > limit_) shrink();
    }

    // Keys added, each as often as it came.
    std::uint64_t total() const { return total_; }
    bool is_exact() const { return bits_ == 0; }
    double distinct() const {
        // More than were added cannot be.
        return std::min(std::ldexp(static_cast<double>(entries_.size()), bits_), static_cast<double>(total_));
    }
    // As a share of the estimate.
    double standard_error() const { return is_exact() ? 0 : 1.2 / std::sqrt(static_cast<double>(limit_)); }
    // Different keys for which `is_counted(entry)` holds.
    template <class Predicate>
    double distinct_if(Predicate is_counted) const {
        std::size_t count = 0;
        for (const auto& [key, entry] : entries_) count += is_counted(entry);
        return std::ldexp(static_cast<double>(count), bits_);
    }

  private:
    bool is_kept(std::uint64_t key) const {
        // Multiplication by an odd number near the golden ratio of 2^64 mixes into the upper bits.
        return bits_ == 0 || (key * 0x9E37'79B9'7F4A'7C15ULL) >> (64 - bits_) == 0;
    }
    void drop() {
        std::erase_if(entries_, [this](const auto& item) { return !is_kept(item.first); });
    }
    void shrink() {
        ++bits_;
        drop();
    }

    std::size_t limit_;
    int bits_ = 0;
    std::uint64_t total_ = 0;
    std::unordered_map<std::uint64_t, Entry> entries_;
};

}  // namespace scholar::games
