#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace scholar::games {

// Whole numbers counted in bins of equal width.
class Histogram {
  public:
    explicit Histogram(int width = 1) : width_(width) {}

    void add(int value) {
        ++bins_[value / width_ * width_];
        least_ = count_ == 0 ? value : std::min(least_, value);
        most_ = count_ == 0 ? value : std::max(most_, value);
        sum_ += value;
        ++count_;
    }
    void merge(const Histogram& other) {
        if (other.count_ == 0) return;
        for (const auto& [bin, count] : other.bins_) bins_[bin] += count;
        least_ = count_ == 0 ? other.least_ : std::min(least_, other.least_);
        most_ = count_ == 0 ? other.most_ : std::max(most_, other.most_);
        sum_ += other.sum_;
        count_ += other.count_;
    }

    int width() const { return width_; }
    // By the lowest value of the bin; empty ones are not there.
    const std::map<int, std::uint64_t>& bins() const { return bins_; }
    std::uint64_t count() const { return count_; }
    // Of all values; 0 if there are none.
    int least() const { return least_; }
    int most() const { return most_; }
    double mean() const { return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_); }

  private:
    int width_;
    std::map<int, std::uint64_t> bins_;
    std::uint64_t count_ = 0;
    std::int64_t sum_ = 0;
    int least_ = 0;
    int most_ = 0;
};

// Something about each of many names, in bounded memory: once there are `limit` names no new one is let in,
// and what would have been theirs is counted. Good for what is frequent, which comes early.
template <class Value>
class BoundedTable {
  public:
    explicit BoundedTable(std::size_t limit) : limit_(limit) {}

    // nullptr if the name is new and the table full.
    Value* find_or_add(std::string_view name) {
        auto found = values_.find(name);
        if (found == values_.end()) {
            if (values_.size() >= limit_) {
                ++left_out_;
                return nullptr;
            }
            found = values_.emplace(std::string(name), Value()).first;
        }
        return &found->second;
    }
    // Value needs merge(const Value&).
    void merge(const BoundedTable& other) {
        left_out_ += other.left_out_;
        for (const auto& [name, value] : other.values_)
            if (Value* mine = find_or_add(name)) mine->merge(value);
    }

    std::size_t size() const { return values_.size(); }
    // How often find_or_add() gave nothing.
    std::uint64_t left_out() const { return left_out_; }
    // The `most` greatest by `rank(value)`, equal ones by name.
    template <class Rank>
    std::vector<std::pair<std::string, Value>> top(std::size_t most, Rank rank) const {
        std::vector<std::pair<std::string, Value>> out(values_.begin(), values_.end());
        std::ranges::sort(out, [&](const auto& one, const auto& other) {
            const auto one_rank = rank(one.second);
            const auto other_rank = rank(other.second);
            return one_rank != other_rank ? one_rank > other_rank : one.first < other.first;
        });
        if (out.size() > most) out.erase(out.begin() + static_cast<std::ptrdiff_t>(most), out.end());
        return out;
    }

  private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    std::size_t limit_;
    std::uint64_t left_out_ = 0;
    std::unordered_map<std::string, Value, Hash, std::equal_to<>> values_;
};

}  // namespace scholar::games
