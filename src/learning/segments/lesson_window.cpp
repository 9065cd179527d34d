#include "learning/segments/lesson_window.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <span>

#include "chess/bitboard.hpp"
#include "learning/run/checkpoint_values.hpp"

namespace scholar::learning {

namespace {

using PackedLesson = LessonWindow::Packed;

constexpr const char* kLessons = "window.lessons";
constexpr const char* kIterations = "window.iterations";

PackedLesson pack(const SegmentLesson& lesson) {
    const chess::Setup setup = lesson.position.setup();
    PackedLesson packed{};
    packed.occupied = lesson.position.occupied();
    unsigned i = 0;
    for (const chess::Square square : chess::squares(packed.occupied)) {
        packed.pieces[i / 2] |= static_cast<std::uint8_t>(setup.board[square] << (i % 2 != 0 ? 4 : 0));
        ++i;
    }
    for (std::size_t k = 0; k < 4; ++k)
        packed.castling_rooks[k] = static_cast<std::uint8_t>(setup.castling_rooks[k]);
    packed.castling_rights = setup.castling_rights;
    packed.en_passant = static_cast<std::uint8_t>(setup.en_passant);
    packed.side_to_move = static_cast<std::uint8_t>(setup.side_to_move);
    packed.halfmove_clock = static_cast<std::uint8_t>(std::min(setup.halfmove_clock, 255));
    packed.low = static_cast<float>(lesson.expected.low);
    packed.high = static_cast<float>(lesson.expected.high);
    return packed;
}

// Nothing if it is no position.
std::optional<LabelledNode> unpack(const PackedLesson& packed) {
    chess::Setup setup;
    unsigned i = 0;
    for (const chess::Square square : chess::squares(packed.occupied)) {
        setup.board[square] = static_cast<chess::Piece>(packed.pieces[i / 2] >> (i % 2 != 0 ? 4 : 0) & 15);
        ++i;
    }
    for (std::size_t k = 0; k < 4; ++k)
        setup.castling_rooks[k] = static_cast<chess::Square>(packed.castling_rooks[k]);
    setup.castling_rights = packed.castling_rights;
    setup.en_passant = static_cast<chess::Square>(packed.en_passant);
    setup.side_to_move = static_cast<chess::Color>(packed.side_to_move);
    setup.halfmove_clock = packed.halfmove_clock;
    auto position = chess::Position::from_setup(setup);
    if (!position) return std::nullopt;
    return LabelledNode{*position, {packed.low, packed.high}};
}

}  // namespace

void LessonWindow::count() {
    ends_.clear();
    size_ = 0;
    for (const std::vector<Packed>& each : iterations_) ends_.push_back(size_ += each.size());
}

void LessonWindow::add(const std::vector<SegmentLesson>& lessons, std::size_t iterations) {
    std::vector<Packed>& newest = iterations_.emplace_back();
    newest.reserve(lessons.size());
    for (const SegmentLesson& lesson : lessons) newest.push_back(pack(lesson));
    while (iterations_.size() > std::max<std::size_t>(iterations, 1)) iterations_.pop_front();
    count();
}

const LessonWindow::Packed& LessonWindow::at(std::size_t place) const {
    const auto end = std::ranges::upper_bound(ends_, place);
    const auto iteration = static_cast<std::size_t>(end - ends_.begin());
    return iterations_[iteration][place - (*end - iterations_[iteration].size())];
}

std::vector<LabelledNode> LessonWindow::draw(base::Random& random, std::size_t count) const {
    std::vector<std::size_t> places(std::min(count, size_));
    if (size_ <= count) {
        std::iota(places.begin(), places.end(), std::size_t{0});
        random.shuffle(places);
    } else {
        for (std::size_t& place : places) place = random.below(size_);
    }
    std::vector<LabelledNode> drawn;
    drawn.reserve(places.size());
    for (const std::size_t place : places)
        if (auto node = unpack(at(place))) drawn.push_back(std::move(*node));
    return drawn;
}

void LessonWindow::put(nets::TensorFile& checkpoint) const {
    std::vector<std::byte> bytes;
    bytes.reserve(size_ * sizeof(Packed));
    std::vector<std::int32_t> sizes;
    for (const std::vector<Packed>& each : iterations_) {
        const auto raw = std::as_bytes(std::span(each));
        bytes.insert(bytes.end(), raw.begin(), raw.end());
        sizes.push_back(static_cast<std::int32_t>(each.size()));
    }
    checkpoint.tensors[kIterations] = nets::Tensor::from(
        nets::Dtype::I32, {static_cast<std::int64_t>(sizes.size())}, std::span<const std::int32_t>(sizes));
    const auto size = static_cast<std::int64_t>(bytes.size());
    checkpoint.tensors[kLessons] = {nets::Dtype::I8, {size}, std::move(bytes)};
}

base::Status LessonWindow::take(const nets::TensorFile& checkpoint) {
    const auto sizes = checkpoint.tensors.find(kIterations);
    const auto lessons = checkpoint.tensors.find(kLessons);
    if (sizes == checkpoint.tensors.end() || lessons == checkpoint.tensors.end())
        return base::fail("tensors {} and {} expected, not both are there", kIterations, kLessons);
    iterations_.clear();
    std::size_t at = 0;
    const std::vector<std::byte>& bytes = lessons->second.bytes;
    for (const std::int32_t size : sizes->second.as<std::int32_t>()) {
        const std::size_t length = static_cast<std::size_t>(std::max(size, 0)) * sizeof(Packed);
        if (length > bytes.size() - at)
            return base::fail("{} is shorter than {} says", kLessons, kIterations);
        std::vector<Packed>& into = iterations_.emplace_back(length / sizeof(Packed));
        if (length > 0) std::memcpy(into.data(), bytes.data() + at, length);
        at += length;
    }
    count();
    return {};
}

}  // namespace scholar::learning
