#include "search/tablebase_root.hpp"

#include <algorithm>
#include <cstdlib>

namespace scholar::search {

namespace {

// A win far from the fifty-move rule is left to the search, which prefers the quick ones, as long as it makes
// progress; near it, or where positions have come again, only the moves that the tables call best
// do.
constexpr int kSafeDistance = 60;

bool has_repeated(const chess::Line& line) {
    const int reach = std::min(line.ply(), line.current().halfmove_clock());
    for (int later = 0; later + 4 <= reach; ++later)
        for (int earlier = later + 4; earlier <= reach; earlier += 2)
            if (line.ago(later).key() == line.ago(earlier).key()) return true;
    return false;
}

tablebases::Outcome outcome_of(const tablebases::RootMove& move, const TablebaseRules& rules) {
    using tablebases::Outcome;
    if (rules.fifty_move_rule) return move.outcome;
    if (move.outcome == Outcome::CursedWin) return Outcome::Win;
    return move.outcome == Outcome::BlessedLoss ? Outcome::Loss : move.outcome;
}

chess::Score score_of(tablebases::Outcome outcome) {
    using tablebases::Outcome;
    if (outcome == Outcome::Win) return chess::Score::tablebase_win(1);
    return outcome == Outcome::Loss ? chess::Score::tablebase_loss(1) : chess::Score::draw();
}

int rank_of(const tablebases::RootMove& move, tablebases::Outcome outcome, int halfmove_clock,
            bool repeated) {
    using tablebases::Outcome;
    constexpr int kFarthest = 400;
    const int base = 1000 * static_cast<int>(outcome);
    if (move.mates) return base + 2 * kFarthest;
    if (!move.distance()) return base;
    const int distance = std::min(std::abs(*move.distance()), kFarthest);
    if (outcome == Outcome::Win) {
        const bool free = !repeated && distance + halfmove_clock <= kSafeDistance;
        return base + kFarthest - (free ? 0 : distance);
    }
    return outcome == Outcome::Loss ? base + distance : base;
}

}  // namespace

bool rank_by_tablebases(const TablebaseRules& rules, const chess::Line& line, std::vector<RootMove>& moves) {
    const chess::Position& position = line.current();
    if (!rules.tables || moves.empty() || position.castling_rights() != 0 ||
        chess::popcount(position.occupied()) > std::min(rules.max_pieces, rules.tables->max_pieces()))
        return false;
    const auto probe = rules.tables->probe_root(line);
    if (!probe) return false;
    const bool repeated = has_repeated(line);
    for (RootMove& root : moves) {
        const auto known = std::ranges::find(probe->moves, root.move(), &tablebases::RootMove::move);
        if (known == probe->moves.end()) continue;
        const auto outcome = outcome_of(*known, rules);
        root.tablebase_rank = rank_of(*known, outcome, position.halfmove_clock(), repeated);
        root.tablebase_score = score_of(outcome);
    }
    std::stable_sort(moves.begin(), moves.end(), [](const RootMove& a, const RootMove& b) {
        return a.tablebase_rank > b.tablebase_rank;
    });
    return true;
}

}  // namespace scholar::search
