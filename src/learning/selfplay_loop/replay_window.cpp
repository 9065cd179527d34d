#include "learning/selfplay_loop/replay_window.hpp"

#include <algorithm>
#include <array>

#include "chess/bitboard.hpp"

namespace scholar::learning {

ReplayWindow::Packed pack(const Lesson& lesson) {
    ReplayWindow::Packed packed{};
    packed.occupied = lesson.position.occupied();
    packed.target = lesson.target;
    packed.slack = lesson.slack;
    packed.result = lesson.result;
    packed.side_to_move = lesson.position.side_to_move();
    unsigned i = 0;
    for (const chess::Square square : chess::squares(packed.occupied)) {
        packed.pieces[i / 2] |=
            static_cast<std::uint8_t>(lesson.position.piece_on(square) << (i % 2 != 0 ? 4 : 0));
        ++i;
    }
    return packed;
}

namespace {

nets::Placement unpack(const ReplayWindow::Packed& packed) {
    nets::Placement placement;
    placement.occupied = packed.occupied;
    unsigned i = 0;
    for (const chess::Square square : chess::squares(packed.occupied)) {
        const auto piece = static_cast<chess::Piece>(packed.pieces[i / 2] >> (i % 2 != 0 ? 4 : 0) & 15);
        placement.board[square] = piece;
        if (chess::kind_of(piece) == chess::King) placement.kings[chess::color_of(piece)] = square;
        ++i;
    }
    return placement;
}

}  // namespace

void ReplayWindow::add(const Lesson& lesson) {
    ++added_;
    if (lessons_.size() < capacity_) {
        lessons_.push_back(pack(lesson));
        return;
    }
    lessons_[oldest_] = pack(lesson);
    oldest_ = (oldest_ + 1) % capacity_;
}

std::vector<ReplayWindow::Packed> ReplayWindow::newest(std::size_t count) const {
    std::vector<Packed> lessons;
    lessons.reserve(count);
    for (std::size_t i = lessons_.size() - count; i < lessons_.size(); ++i)
        lessons.push_back(lessons_[(oldest_ + i) % lessons_.size()]);
    return lessons;
}

void ReplayWindow::restore(std::vector<Packed> lessons, std::uint64_t added) {
    lessons_ = std::move(lessons);
    oldest_ = 0;
    added_ = added;
    set_capacity(capacity_);
}

void ReplayWindow::set_capacity(std::size_t capacity) {
    if (capacity == capacity_ && lessons_.size() <= capacity) return;
    lessons_ = newest(std::min(capacity, lessons_.size()));
    oldest_ = 0;
    capacity_ = capacity;
}

void ReplayWindow::draw(base::Random& random, std::size_t count, std::size_t among,
                        const nets::FeatureSet& features, Batch& batch, std::size_t newer) const {
    batch.resize(count, nets::FeatureSet::kMaxActive);
    batch.highs.resize(count);
    bool bounded = false;
    const std::size_t from = oldest_ + lessons_.size() - newer - among;
    const auto draw_one = [&]() -> const Packed* {
        // By age, not by place: a restored window stands otherwise in memory.
        const Packed* packed = &lessons_[(from + random.below(among)) % lessons_.size()];
        __builtin_prefetch(packed);
        __builtin_prefetch(reinterpret_cast<const char*>(packed + 1) - 1);
        return packed;
    };
    // They lie anywhere: each is fetched while others before it are unpacked.
    std::array<const Packed*, 16> ahead{};
    for (std::size_t at = 0; at < std::min(count, ahead.size()); ++at) ahead[at] = draw_one();
    for (std::size_t at = 0; at < count; ++at) {
        const Packed& packed = *ahead[at % ahead.size()];
        if (at + ahead.size() < count) ahead[at % ahead.size()] = draw_one();
        batch.put(at, features, unpack(packed), static_cast<chess::Color>(packed.side_to_move), packed.target,
                  packed.result);
        batch.highs[at] = packed.target + packed.slack;
        bounded |= packed.slack > 0;
    }
    if (!bounded) batch.highs.clear();
}

}  // namespace scholar::learning
