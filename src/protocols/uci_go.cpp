#include "protocols/uci_go.hpp"

#include <array>
#include <charconv>
#include <optional>

#include "chess/uci_move.hpp"

namespace scholar::protocols {

namespace {

using search::Milliseconds;

constexpr std::array<std::string_view, 12> kWords{"depth",    "nodes", "movetime",    "wtime",
                                                  "btime",    "winc",  "binc",        "movestogo",
                                                  "infinite", "mate",  "searchmoves", "ponder"};

bool is_go_word(std::string_view word) {
    for (const std::string_view known : kWords)
        if (known == word) return true;
    return false;
}

base::Result<std::int64_t> parse_number(std::string_view name, std::string_view text, std::int64_t least) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < least)
        return base::fail("go {} '{}', expected a whole number of at least {}", name, text, least);
    return value;
}

}  // namespace

base::Result<search::Limits> parse_go(const chess::Position& position,
                                      const std::vector<std::string_view>& words) {
    search::Limits limits;
    const bool white = position.side_to_move() == chess::White;
    std::optional<Milliseconds> remaining;
    Milliseconds increment{0};
    std::optional<int> moves_to_go;

    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (word == "infinite") {
            limits.limits.push_back(search::InfiniteLimit{});
            continue;
        }
        if (word == "ponder") return base::fail("go ponder: pondering is not offered");
        if (word == "searchmoves") {
            while (i + 1 < words.size() && !is_go_word(words[i + 1])) {
                const auto move = chess::parse_uci_move(position, words[++i]);
                if (!move) return base::fail_in("go searchmoves", move.error());
                limits.root_moves.push_back(*move);
            }
            continue;
        }
        if (!is_go_word(word)) return base::fail("go: unknown word '{}'", word);
        // A clock may have run below zero.
        const bool clock = word == "wtime" || word == "btime";
        const std::int64_t least = clock                                                    ? INT64_MIN / 2
                                   : word == "winc" || word == "binc" || word == "movetime" ? 0
                                                                                            : 1;
        const auto number =
            parse_number(word, i + 1 < words.size() ? words[i + 1] : std::string_view(), least);
        if (!number) return std::unexpected(number.error());
        ++i;
        const std::int64_t value = *number;
        const auto small = static_cast<int>(std::min<std::int64_t>(value, 1'000'000));
        if (word == "depth") limits.limits.push_back(search::DepthLimit{small});
        if (word == "nodes") limits.limits.push_back(search::NodeLimit{static_cast<std::uint64_t>(value)});
        if (word == "movetime") limits.limits.push_back(search::MoveTimeLimit{Milliseconds(value)});
        if (word == "mate") limits.limits.push_back(search::MateLimit{small});
        if (word == "movestogo") moves_to_go = small;
        if (word == (white ? "wtime" : "btime")) remaining = Milliseconds(value);
        if (word == (white ? "winc" : "binc")) increment = Milliseconds(value);
    }
    if (remaining) limits.limits.push_back(search::ClockLimit{*remaining, increment, moves_to_go});
    return limits;
}

}  // namespace scholar::protocols
