#include "protocols/xboard_clock.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace scholar::protocols {

namespace {

using search::Milliseconds;

// No game is longer than some months, and sums of clocks must not overflow.
constexpr double kLongestSeconds = 10'000'000;
constexpr std::uint64_t kMostNodes = 1'000'000'000'000;  // a second

std::optional<Milliseconds> to_seconds(std::string_view text) {
    const auto seconds = base::parse_number<double>(text);
    if (!seconds || !(std::abs(*seconds) <= kLongestSeconds)) return std::nullopt;
    return Milliseconds(std::llround(1000 * *seconds));
}

// "5", "0:30" or "5:30": minutes, and seconds.
std::optional<Milliseconds> to_minutes(std::string_view text) {
    const auto colon = text.find(':');
    const auto minutes = to_seconds(text.substr(0, colon));
    if (!minutes || *minutes < Milliseconds(0)) return std::nullopt;
    if (colon == std::string_view::npos) return 60 * *minutes;
    const auto seconds = to_seconds(text.substr(colon + 1));
    if (!seconds || *seconds < Milliseconds(0)) return std::nullopt;
    return 60 * *minutes + *seconds;
}

std::string_view word(const Words& words, std::size_t index) {
    return index < words.size() ? words[index] : std::string_view();
}

}  // namespace

base::Status XboardClock::set_level(const Words& words) {
    const auto moves = base::parse_number<int>(word(words, 1));
    const auto base = to_minutes(word(words, 2));
    const auto increment = to_seconds(word(words, 3));
    if (!moves || *moves < 0 || !base || !increment || *increment < Milliseconds(0))
        return base::fail("expected level MOVES MINUTES[:SECONDS] INCREMENT");
    moves_per_control_ = *moves;
    base_ = *base;
    increment_ = *increment;
    remaining_ = *base;
    per_move_.reset();
    return {};
}

base::Status XboardClock::set_time_per_move(const Words& words) {
    const auto time = to_seconds(word(words, 1));
    if (!time || *time <= Milliseconds(0)) return base::fail("expected st SECONDS");
    per_move_ = *time;
    return {};
}

base::Status XboardClock::set_depth(const Words& words) {
    const auto depth = base::parse_number<int>(word(words, 1));
    if (!depth || *depth < 1) return base::fail("expected sd DEPTH, a whole number from 1");
    depth_ = depth;
    return {};
}

base::Status XboardClock::set_nodes_per_second(const Words& words) {
    const auto nodes = base::parse_number<std::uint64_t>(word(words, 1));
    if (!nodes || *nodes > kMostNodes)
        return base::fail("expected nps NODES, a whole number to {}", kMostNodes);
    nodes_per_second_ = *nodes;
    return {};
}

base::Status XboardClock::set_remaining(const Words& words) {
    const auto centiseconds = base::parse_number<double>(word(words, 1));
    if (!centiseconds || !(std::abs(*centiseconds) <= 100 * kLongestSeconds))
        return base::fail("expected {} CENTISECONDS", word(words, 0));
    remaining_ = Milliseconds(std::llround(10 * *centiseconds));
    return {};
}

void XboardClock::new_game() {
    depth_.reset();
    nodes_per_second_ = 0;
    remaining_ = base_;
}

void XboardClock::spend(Milliseconds used, int moves_made) {
    remaining_ += increment_ - used;
    if (moves_per_control_ > 0 && moves_made % moves_per_control_ == 0) remaining_ += base_;
}

Milliseconds XboardClock::used(Milliseconds elapsed, std::uint64_t nodes) const {
    if (nodes_per_second_ == 0) return elapsed;
    return Milliseconds(
        std::llround(1000.0 * static_cast<double>(nodes) / static_cast<double>(nodes_per_second_)));
}

search::Limits XboardClock::limits(int moves_made, Milliseconds used) const {
    search::Limits limits;
    if (depth_) limits.limits.emplace_back(search::DepthLimit{*depth_});
    limits.nodes_per_second = nodes_per_second_;
    if (per_move_) {
        limits.limits.emplace_back(search::MoveTimeLimit{*per_move_ - used});
        return limits;
    }
    search::ClockLimit clock{remaining_ - used, increment_, std::nullopt};
    if (moves_per_control_ > 0) clock.moves_to_go = moves_per_control_ - moves_made % moves_per_control_;
    limits.limits.emplace_back(clock);
    return limits;
}

}  // namespace scholar::protocols
