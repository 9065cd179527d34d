#include "arena/time_control.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text.hpp"

namespace scholar::arena {

namespace {

using std::chrono::milliseconds;

constexpr double kLongestSeconds = 1e6;
constexpr std::uint64_t kMostDrawnNodes = 1'000'000'000'000;

// Seconds with a fraction, not negative, to the nearest millisecond.
std::optional<milliseconds> parse_seconds(std::string_view text) {
    const auto seconds = base::parse_number<double>(text);
    if (!seconds || !std::isfinite(*seconds) || *seconds < 0 || *seconds > kLongestSeconds)
        return std::nullopt;
    return milliseconds(std::llround(*seconds * 1000));
}

// Seconds, or minutes and whole seconds after ':' as a clock shows them.
std::optional<milliseconds> parse_clock_time(std::string_view text) {
    milliseconds higher{0};
    for (int parts = 1; text.find(':') != std::string_view::npos; ++parts) {
        const auto colon = text.find(':');
        const auto number = base::parse_number<int>(text.substr(0, colon));
        // Only the first number may be of any size.
        if (parts > 2 || !number || *number < 0 || *number > 100'000 || (parts > 1 && *number > 59))
            return std::nullopt;
        higher = (higher + std::chrono::seconds(*number)) * 60;
        text.remove_prefix(colon + 1);
        const auto after = parse_seconds(text.substr(0, text.find(':')));
        if (text.size() < 2 || !after || *after >= std::chrono::seconds(60)) return std::nullopt;
    }
    const auto rest = parse_seconds(text);
    if (!rest) return std::nullopt;
    return higher + *rest;
}

std::optional<TimeControl::Clock> parse_period(std::string_view text) {
    TimeControl::Clock clock;
    if (const auto slash = text.find('/'); slash != std::string_view::npos) {
        const auto moves = base::parse_number<int>(text.substr(0, slash));
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
    const auto base = parse_clock_time(text);
    if (!base || base->count() == 0) return std::nullopt;
    clock.base = *base;
    return clock;
}

std::optional<TimeControl::Clock> parse_clock(std::string_view text) {
    const auto comma = text.find(',');
    auto clock = parse_period(text.substr(0, comma));
    const TimeControl::Clock* last = clock ? &*clock : nullptr;
    while (clock && text.find(',') != std::string_view::npos) {
        text.remove_prefix(text.find(',') + 1);
        const auto period = parse_period(text.substr(0, text.find(',')));
        // Nothing follows a period for the rest of the game.
        if (!period || last->moves == 0) return std::nullopt;
        last = &clock->later.emplace_back(*period);
    }
    return clock;
}

std::string seconds_text(milliseconds time) {
    return fmt::format("{}", static_cast<double>(time.count()) / 1000);
}

}  // namespace

std::uint64_t DrawnNodesControl::nodes(double chance) const {
    const double low = std::log(static_cast<double>(least));
    const double high = std::log(static_cast<double>(most) + 1);
    return std::clamp(static_cast<std::uint64_t>(std::exp(low + chance * (high - low))), least, most);
}

base::Result<TimeControl> parse_time_control(std::string_view text) {
    constexpr std::string_view kMoveTime = "movetime=", kPerMove = "/move",
                               kNodes = "nodes=", kDepth = "depth=";
    if (text.starts_with(kMoveTime) || text.ends_with(kPerMove)) {
        const auto time =
            parse_seconds(text.starts_with(kMoveTime) ? text.substr(kMoveTime.size())
                                                      : text.substr(0, text.size() - kPerMove.size()));
        if (time && time->count() > 0) return TimeControl{TimeControl::MoveTime{*time}};
    } else if (text.starts_with(kNodes)) {
        const std::string_view number = text.substr(kNodes.size());
        const auto dash = number.find('-');
        const auto nodes = base::parse_number<std::uint64_t>(number.substr(0, dash));
        if (dash == std::string_view::npos) {
            if (nodes && *nodes > 0) return TimeControl{TimeControl::Nodes{*nodes}};
        } else if (const auto most = base::parse_number<std::uint64_t>(number.substr(dash + 1));
                   nodes && most && *nodes > 0 && *nodes < *most && *most <= kMostDrawnNodes) {
            return TimeControl{TimeControl::DrawnNodes{*nodes, *most}};
        }
    } else if (text.starts_with(kDepth)) {
        const auto depth = base::parse_number<int>(text.substr(kDepth.size()));
        if (depth && *depth > 0) return TimeControl{TimeControl::Depth{*depth}};
    } else if (const auto clock = parse_clock(text)) {
        return TimeControl{*clock};
    }
    return base::fail(
        "time control '{}': expected seconds as 10+0.1, 5:00+3, 40/60+0.5 or 40/60,30+1, movetime=0.1 or "
        "0.1/move, or nodes=5000, nodes=10-1000 (drawn for each move), or depth=8",
        text);
}

std::string to_string(const TimeControl& control) {
    struct Text {
        std::string operator()(const TimeControl::Clock& clock) const {
            std::string text = clock.moves > 0 ? fmt::format("{}/", clock.moves) : "";
            text += seconds_text(clock.base);
            if (clock.increment.count() > 0) text += "+" + seconds_text(clock.increment);
            for (const auto& period : clock.later) text += "," + (*this)(period);
            return text;
        }
        std::string operator()(const TimeControl::MoveTime& limit) const {
            return "movetime=" + seconds_text(limit.time);
        }
        std::string operator()(const TimeControl::Nodes& limit) const {
            return fmt::format("nodes={}", limit.nodes);
        }
        std::string operator()(const TimeControl::DrawnNodes& limit) const {
            return fmt::format("nodes={}-{}", limit.least, limit.most);
        }
        std::string operator()(const TimeControl::Depth& limit) const {
            return fmt::format("depth={}", limit.depth);
        }
    };
    return std::visit(Text{}, control.kind);
}

std::string to_pgn_tag(const TimeControl& control) {
    std::string text = to_string(control);
    std::ranges::replace(text, ',', ':');
    return text;
}

}  // namespace scholar::arena
