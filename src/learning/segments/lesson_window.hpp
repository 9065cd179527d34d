#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "base/error.hpp"
#include "base/random.hpp"
#include "learning/segments/segment_lessons.hpp"
#include "learning/training/samples.hpp"
#include "nets/container/tensor_file.hpp"

namespace scholar::learning {

// The lessons of the last iterations, from which batches are drawn by lot.
class LessonWindow {
  public:
    // 48 bytes: what stands where, castling, en passant, whose move it is, and what should be said.
    struct Packed {
        std::uint64_t occupied;
        std::array<std::uint8_t, 16> pieces;  // half a byte each, by square
        std::array<std::uint8_t, 4> castling_rooks;
        std::uint8_t castling_rights;
        std::uint8_t en_passant;
        std::uint8_t side_to_move;
        std::uint8_t halfmove_clock;  // at most 255
        std::array<std::uint8_t, 8> zero;
        float low;
        float high;
    };
    static_assert(sizeof(Packed) == 48);

    // Those of one more iteration; what is older than the last `iterations` is forgotten.
    void add(const std::vector<SegmentLesson>& lessons, std::size_t iterations);
    std::size_t size() const { return size_; }

    // `count` of them with replacement; of fewer than `count`, or as many, each once, in an order by lot.
    std::vector<LabelledNode> draw(base::Random& random, std::size_t count) const;

    void put(nets::TensorFile& checkpoint) const;
    base::Status take(const nets::TensorFile& checkpoint);

  private:
    const Packed& at(std::size_t place) const;

    std::deque<std::vector<Packed>> iterations_;  // the oldest first
    std::vector<std::size_t> ends_;               // how many lessons there are to the end of each
    std::size_t size_ = 0;
    void count();
};

}  // namespace scholar::learning
