#include "arena/analysis/explanation.hpp"

#include <bit>
#include <fmt/format.h>
#include <utility>

#include "chess/movegen.hpp"

namespace scholar::arena {

namespace {

constexpr std::array<const char*, 5> kManNames{"pawn", "knight", "bishop", "rook", "queen"};

bool can_be_taken_on(const chess::Position& position, chess::Square square) {
    for (const chess::Move move : chess::legal_moves(position, chess::MoveSet::Captures))
        if (move.to() == square) return true;
    return false;
}

// "a queen", "two rooks and a pawn": those with a count of this sign, the most valuable kinds first. Empty:
// none.
std::string men_of_sign(const MenBalance& men, int sign) {
    constexpr std::array<const char*, 9> kCounts{"",     "a",   "two",   "three", "four",
                                                 "five", "six", "seven", "eight"};
    std::vector<std::string> parts;
    for (std::size_t kind = men.size(); kind-- > 0;) {
        const int count = sign * men.at(kind);
        if (count <= 0) continue;
        const std::string number = count < static_cast<int>(kCounts.size())
                                       ? kCounts.at(static_cast<std::size_t>(count))
                                       : fmt::format("{}", count);
        parts.push_back(fmt::format("{} {}{}", number, kManNames.at(kind), count == 1 ? "" : "s"));
    }
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return text;
}

}  // namespace

MenBalance balance_of(const chess::Position& position, chess::Color side) {
    MenBalance balance{};
    for (std::size_t kind = 0; kind < balance.size(); ++kind) {
        const auto of = [&](chess::Color color) {
            return std::popcount(position.pieces(color, static_cast<chess::PieceKind>(kind)));
        };
        balance.at(kind) = of(side) - of(~side);
    }
    return balance;
}

chess::Position settled_end(const chess::Position& start, std::span<const chess::Move> moves) {
    chess::Position settled = start;
    chess::Position position = start;
    for (const chess::Move move : moves) {
        const bool takes = position.is_noisy(move);
        position.make(move);
        if (!takes || !can_be_taken_on(position, move.to())) settled = position;
    }
    return settled;
}

Explanation explain(const chess::Position& before, std::vector<chess::Move> played,
                    std::vector<chess::Move> better, std::optional<int> mate_played,
                    std::optional<int> mate_better) {
    Explanation explanation;
    const chess::Color mover = before.side_to_move();
    const MenBalance after_played = balance_of(settled_end(before, played), mover);
    const MenBalance after_better = balance_of(settled_end(before, better), mover);
    for (std::size_t kind = 0; kind < after_played.size(); ++kind)
        explanation.cost.at(kind) = after_better.at(kind) - after_played.at(kind);
    const int played_mate = mate_played.value_or(0), better_mate = mate_better.value_or(0);
    if (better_mate > 0 && played_mate <= 0) explanation.misses_mate = better_mate;
    if (played_mate < 0 && better_mate >= 0) explanation.allows_mate = -played_mate;
    explanation.played = std::move(played);
    explanation.better = std::move(better);
    return explanation;
}

std::string Explanation::words() const {
    std::string text;
    const auto add = [&text](const std::string& clause) { text += (text.empty() ? "" : "; ") + clause; };
    if (misses_mate) add(fmt::format("misses mate in {}", *misses_mate));
    if (allows_mate) add(fmt::format("allows mate in {}", *allows_mate));
    // Who mates has no need of men.
    if (!text.empty()) return text;
    const std::string lost = men_of_sign(cost, 1), more = men_of_sign(cost, -1);
    if (lost.empty() && more.empty()) return "costs no men in these lines";
    if (lost.empty()) return fmt::format("wins {} that the better line does not", more);
    return more.empty() ? fmt::format("costs {}", lost) : fmt::format("costs {} for {}", lost, more);
}

}  // namespace scholar::arena
