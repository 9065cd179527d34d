#include "protocols/uci_go.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <optional>

#include "base/text.hpp"
#include "chess/uci_move.hpp"
#include "protocols/words.hpp"

namespace scholar::protocols {

namespace {

using search::Milliseconds;

constexpr std::array<std::string_view, 12> kGoWords{"depth",    "nodes", "movetime",    "wtime",
                                                    "btime",    "winc",  "binc",        "movestogo",
                                                    "infinite", "mate",  "searchmoves", "ponder"};

bool is_go_word(std::string_view word) {
    for (const std::string_view known : kGoWords)
        if (known == word) return true;
    return false;
}

// For a search that was to have a limit, of which nothing can be made: no game is lost by it.
constexpr Milliseconds kShort{100};

// A whole number; one that is too large is as large as it can be.
std::optional<std::int64_t> parse_number(std::string_view text) {
    if (const auto value = base::parse_number<std::int64_t>(text)) return value;
    const bool negative = text.starts_with('-');
    const std::string_view digits = text.substr(negative ? 1 : 0);
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos)
        return std::nullopt;
    return negative ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

// No game is longer than some months, and sums of clocks must not overflow.
Milliseconds to_time(std::int64_t value) {
    constexpr std::int64_t most = 10'000'000'000;
    return Milliseconds(std::clamp(value, -most, most));
}

}  // namespace

GoCommand parse_go(const chess::Position& position, const std::vector<std::string_view>& words) {
    GoCommand command;
    std::vector<search::Limit>& limits = command.limits.limits;
    const bool white = position.side_to_move() == chess::White;
    std::array<std::optional<Milliseconds>, 2> remaining;  // ours, theirs
    std::array<Milliseconds, 2> increment{};
    std::optional<int> moves_to_go;
    bool lacks_a_limit = false;

    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (word == "infinite") {
            limits.emplace_back(search::InfiniteLimit{});
            continue;
        }
        if (word == "ponder") {
            limits.emplace_back(search::PonderLimit{});
            continue;
        }
        if (word == "searchmoves") {
            while (i + 1 < words.size() && !is_go_word(words[i + 1])) {
                const auto move = chess::parse_uci_move(position, words[++i]);
                if (move)
                    command.limits.root_moves.push_back(*move);
                else
                    command.ignored.push_back(fmt::format("go searchmoves: {}", move.error().message));
            }
            continue;
        }
        if (!is_go_word(word)) {
            command.ignored.push_back(fmt::format("go: unknown word '{}'", base::excerpt(word)));
            continue;
        }
        // Where the number is missing the next word has its own meaning.
        const bool is_missing = i + 1 == words.size() || is_go_word(words[i + 1]);
        const std::string_view text = is_missing ? std::string_view() : words[++i];
        const auto number = parse_number(text);
        if (!number) {
            command.ignored.push_back(
                fmt::format("go {} '{}', expected a whole number", word, base::excerpt(text)));
            lacks_a_limit = true;
            continue;
        }
        const std::int64_t value = *number;
        const auto small = static_cast<int>(std::clamp<std::int64_t>(value, 1, 1'000'000));
        if (word == "depth") limits.emplace_back(search::DepthLimit{small});
        if (word == "nodes")
            limits.emplace_back(
                search::NodeLimit{static_cast<std::uint64_t>(std::max<std::int64_t>(value, 1))});
        if (word == "movetime") limits.emplace_back(search::MoveTimeLimit{to_time(value)});
        if (word == "mate") limits.emplace_back(search::MateLimit{small});
        if (word == "movestogo" && value > 0) moves_to_go = small;
        if (word == "wtime" || word == "btime")
            remaining[(word == "wtime") == white ? 0 : 1] = to_time(value);
        if (word == "winc" || word == "binc")
            increment[(word == "winc") == white ? 0 : 1] = std::max(to_time(value), Milliseconds(0));
    }
    if (remaining[0])
        limits.emplace_back(search::ClockLimit{*remaining[0], increment[0], moves_to_go});
    else if (remaining[1])
        limits.emplace_back(search::ClockLimit{*remaining[1], increment[1], moves_to_go});
    const bool has_a_limit = std::ranges::any_of(limits, [](const search::Limit& limit) {
        return !std::holds_alternative<search::PonderLimit>(limit);
    });
    if (lacks_a_limit && !has_a_limit) limits.emplace_back(search::MoveTimeLimit{kShort});
    return command;
}

}  // namespace scholar::protocols
