#include "arena/time_control.hpp"

#include <charconv>
#include <cmath>
#include <optional>

namespace scholar::arena {

namespace {

using std::chrono::milliseconds;

constexpr double kLongestSeconds = 1e6;

template <class T>
std::optional<T> parse_number(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// Seconds with a fraction, not negative, to the nearest millisecond.
std::optional<milliseconds> parse_seconds(std::string_view text) {
    const auto seconds = parse_number<double>(text);
    if (!seconds || !std::isfinite(*seconds) || *seconds < 0 || *seconds > kLongestSeconds)
        return std::nullopt;
    return milliseconds(std::llround(*seconds * 1000));
}

std::optional<TimeControl::Clock> parse_clock(std::string_view text) {
    TimeControl::Clock clock;
    if (const auto slash = text.find('/'); slash != std::string_view::npos) {
        const auto moves = parse_number<int>(text.substr(0, slash));
        if (!moves || *moves < 1) return std::nullopt;
        clock.moves = *moves;
        text.remove_prefix(slash + 1);
    }
    if (const auto plus = text.find('+'); plus != std::string_view::npos) {
        const auto increment = parse_seconds(text.substr(plus + 1));
        if (!increment) return std::nullopt;
        clock.increment = *increment;
        text = text.substr(0, plus);
    }
    const auto base = parse_seconds(text);
    if (!base || base->count() == 0) return std::nullopt;
    clock.base = *base;
    return clock;
}

std::string seconds_text(milliseconds time) {
    return fmt::format("{}", static_cast<double>(time.count()) / 1000);
}

}  // namespace

base::Result<TimeControl> parse_time_control(std::string_view text) {
    constexpr std::string_view kMoveTime = "movetime=", kPerMove = "/move",
                               kNodes = "nodes=", kDepth = "depth=";
    if (text.starts_with(kMoveTime) || text.ends_with(kPerMove)) {
        const auto time =
            parse_seconds(text.starts_with(kMoveTime) ? text.substr(kMoveTime.size())
                                                      : text.substr(0, text.size() - kPerMove.size()));
        if (time && time->count() > 0) return TimeControl{TimeControl::MoveTime{*time}};
    } else if (text.starts_with(kNodes)) {
        const auto nodes = parse_number<std::uint64_t>(text.substr(kNodes.size()));
        if (nodes && *nodes > 0) return TimeControl{TimeControl::Nodes{*nodes}};
    } else if (text.starts_with(kDepth)) {
        const auto depth = parse_number<int>(text.substr(kDepth.size()));
        if (depth && *depth > 0) return TimeControl{TimeControl::Depth{*depth}};
    } else if (const auto clock = parse_clock(text)) {
        return TimeControl{*clock};
    }
    return base::fail(
        "time control '{}': expected seconds as 10+0.1, 40/60+0.5, movetime=0.1 or 0.1/move, or "
        "nodes=5000, or depth=8",
        text);
}

std::string to_string(const TimeControl& control) {
    struct Text {
        std::string operator()(const TimeControl::Clock& clock) const {
            std::string text = clock.moves > 0 ? fmt::format("{}/", clock.moves) : "";
            text += seconds_text(clock.base);
            if (clock.increment.count() > 0) text += "+" + seconds_text(clock.increment);
            return text;
        }
        std::string operator()(const TimeControl::MoveTime& limit) const {
            return "movetime=" + seconds_text(limit.time);
        }
        std::string operator()(const TimeControl::Nodes& limit) const {
            return fmt::format("nodes={}", limit.nodes);
        }
        std::string operator()(const TimeControl::Depth& limit) const {
            return fmt::format("depth={}", limit.depth);
        }
    };
    return std::visit(Text{}, control.kind);
}

}  // namespace scholar::arena
