#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "chess/score.hpp"
#include "search/search.hpp"

namespace scholar::search {

// A move at the root with what is known of it.
struct RootMove {
    explicit RootMove(chess::Move root_move) : variation{root_move} {}

    chess::Score score =
        -chess::Score::infinite();  // of this iteration, if it was found to be among the best
    chess::Score previous = -chess::Score::infinite();  // of the iteration before
    Bound bound = Bound::Exact;                         // of `score`
    std::uint64_t nodes = 0;                            // spent below it in all iterations
    int depth = 0;                                      // of the iteration that `score` comes from
    int selective_depth = 0;
    int tablebase_rank = 0;                       // moves of a higher one are never worse in truth
    std::optional<chess::Score> tablebase_score;  // what the tables say of it: won, drawn or lost
    std::vector<chess::Move> variation;
    // Bound, depth and variation that belong to `previous`.
    Bound previous_bound = Bound::Exact;
    int previous_depth = 0;
    std::vector<chess::Move> previous_variation;

    // A new iteration begins.
    void begin_iteration() {
        previous = score;
        score = -chess::Score::infinite();
        if (!has_score()) return;
        previous_bound = bound;
        previous_depth = depth;
        previous_variation = variation;
    }
    // As if this iteration had not come to it. What it found before stands again after end_unfinished().
    void forget_iteration() { score = -chess::Score::infinite(); }
    // The iteration was stopped. Where it had not come to this move, or its window was still to be opened
    // below, all is as before.
    void end_unfinished() {
        if (previous == -chess::Score::infinite()) return;
        // A mate that the iteration before had found stands as it was there, if this one came upon it again.
        if (score == previous && score.is_mate()) bound = previous_bound;
        const bool unresolved = score == -chess::Score::infinite() || bound == Bound::Upper;
        if (!unresolved) return;
        score = -chess::Score::infinite();
        bound = previous_bound;
        depth = previous_depth;
        variation = previous_variation;
    }
    chess::Move move() const { return variation.front(); }
    // Whether any iteration has found one.
    bool has_score() const { return latest() != -chess::Score::infinite(); }
    // Of latest().
    Bound latest_bound() const { return score != -chess::Score::infinite() ? bound : previous_bound; }
    // The score of this iteration, or of the one before if this one has not come to the move yet.
    chess::Score latest() const { return score != -chess::Score::infinite() ? score : previous; }
    // A score found by searching, made to agree with the tables; a mate stays a mate.
    chess::Score known_score(chess::Score searched) const {
        if (!tablebase_score) return searched;
        const bool agrees = (tablebase_score->is_win() && searched.is_win()) ||
                            (tablebase_score->is_loss() && searched.is_loss());
        return agrees ? searched : *tablebase_score;
    }
};

// The best first, as far as the tables know, then as far as this iteration has come, then by the one before;
// else as they were. Each is put in its place among those before it: of most searches all but a move or two
// stand there already.
inline void sort_root_moves(std::vector<RootMove>& moves, std::size_t from, std::size_t to) {
    const auto is_better = [](const RootMove& a, const RootMove& b) {
        return std::tuple(a.tablebase_rank, a.score, a.previous) >
               std::tuple(b.tablebase_rank, b.score, b.previous);
    };
    const auto first = moves.begin() + static_cast<std::ptrdiff_t>(from);
    const auto last = moves.begin() + static_cast<std::ptrdiff_t>(to);
    for (auto move = first; move != last; ++move)
        if (move != first && is_better(*move, *std::prev(move))) {
            const auto place = std::upper_bound(first, move, *move, is_better);
            RootMove taken = std::move(*move);
            std::move_backward(place, move, std::next(move));
            *place = std::move(taken);
        }
}

}  // namespace scholar::search
