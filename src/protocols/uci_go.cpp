#include "protocols/uci_go.hpp"

#include <algorithm>
#include <array>
#include <optional>

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

base::Result<std::int64_t> parse_number(std::string_view name, std::string_view text) {
    const auto value = to_number<std::int64_t>(text);
    if (!value) return base::fail("go {} '{}', expected a whole number", name, text);
    return *value;
}

// No game is longer than some months, and sums of clocks must not overflow.
Milliseconds to_time(std::int64_t value) {
    constexpr std::int64_t most = 10'000'000'000;
    return Milliseconds(std::clamp(value, -most, most));
}

}  // namespace

base::Result<GoCommand> parse_go(const chess::Position& position,
                                 const std::vector<std::string_view>& words) {
    GoCommand command;
    std::vector<search::Limit>& limits = command.limits.limits;
    const bool white = position.side_to_move() == chess::White;
    std::optional<Milliseconds> remaining;
    Milliseconds increment{0};
    std::optional<int> moves_to_go;

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
                if (!move) return base::fail_in("go searchmoves", move.error());
                command.limits.root_moves.push_back(*move);
            }
            continue;
        }
        if (!is_go_word(word)) {
            command.ignored.emplace_back(word);
            continue;
        }
        const auto number = parse_number(word, i + 1 < words.size() ? words[i + 1] : std::string_view());
        if (!number) return std::unexpected(number.error());
        ++i;
        const std::int64_t value = *number;
        const auto small = static_cast<int>(std::clamp<std::int64_t>(value, 1, 1'000'000));
        if (word == "depth") limits.emplace_back(search::DepthLimit{small});
        if (word == "nodes")
            limits.emplace_back(
                search::NodeLimit{static_cast<std::uint64_t>(std::max<std::int64_t>(value, 1))});
        if (word == "movetime") limits.emplace_back(search::MoveTimeLimit{to_time(value)});
        if (word == "mate") limits.emplace_back(search::MateLimit{small});
        if (word == "movestogo" && value > 0) moves_to_go = small;
        if (word == (white ? "wtime" : "btime")) remaining = to_time(value);
        if (word == (white ? "winc" : "binc")) increment = std::max(to_time(value), Milliseconds(0));
    }
    if (remaining) limits.emplace_back(search::ClockLimit{*remaining, increment, moves_to_go});
    return command;
}

}  // namespace scholar::protocols
