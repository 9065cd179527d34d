#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "learning/perspective/batch.hpp"
#include "learning/targets/lessons.hpp"

namespace scholar::learning {

// The lessons of the most recent games, from which batches are drawn by lot. A new lesson takes the place of
// the oldest.
class ReplayWindow {
  public:
    // 40 bytes: what stands where, and what should be said of it. Castling and en passant are not in it: no
    // network reads them.
    struct Packed {
        std::uint64_t occupied;
        std::array<std::uint8_t, 16> pieces;  // half a byte each, by square
        float target;
        float result;
        std::uint8_t side_to_move;
        std::array<std::uint8_t, 3> zero;
        float slack;  // Lesson
    };
    static_assert(sizeof(Packed) == 40);

    explicit ReplayWindow(std::size_t capacity) : capacity_(capacity) {}

    void add(const Lesson& lesson);
    std::size_t size() const { return lessons_.size(); }
    std::size_t capacity() const { return capacity_; }
    // How many were ever added.
    std::uint64_t added() const { return added_; }
    // Keeps the newest if there are more than fit.
    void set_capacity(std::size_t capacity);

    // Fills `batch` with `count` of the newest `among`, drawn with replacement; of the newest `among` of
    // those that are older than the newest `newer`.
    void draw(base::Random& random, std::size_t count, std::size_t among, const nets::FeatureSet& features,
              Batch& batch, std::size_t newer = 0) const;

    // For checkpoints: the newest so many, at most all, from the oldest on.
    std::vector<Packed> newest(std::size_t count) const;
    void restore(std::vector<Packed> lessons, std::uint64_t added);

  private:
    std::size_t capacity_;
    std::vector<Packed> lessons_;
    std::size_t oldest_ = 0;  // once it is full
    std::uint64_t added_ = 0;
};

ReplayWindow::Packed pack(const Lesson& lesson);

}  // namespace scholar::learning
