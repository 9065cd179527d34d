#include "search/mate_solver.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "chess/checks.hpp"
#include "chess/movegen.hpp"

namespace scholar::search {

using namespace chess;

namespace {

bool is_mate(const Position& position) {
    return position.in_check() && !has_legal_move(position);
}

}  // namespace

MateSolver::MateSolver(std::uint64_t node_limit, std::stop_token stop,
                       std::optional<Clock::time_point> deadline)
    : node_limit_(node_limit),
      stop_(std::move(stop)),
      deadline_(deadline),
      table_(node_limit < 100'000 ? 4096 : 1 << 18) {}

bool MateSolver::enter() {
    ++nodes_;
    if (nodes_ >= node_limit_) aborted_ = true;
    if (nodes_ % 1024 == 0 && (stop_.stop_requested() || (deadline_ && Clock::now() >= *deadline_)))
        aborted_ = true;
    return !aborted_;
}

Move MateSolver::attack(const Position& position, int moves, const std::vector<Move>& only) {
    // Mate on the hundredth half-move stands; after it nothing does.
    if (!enter() || position.halfmove_clock() >= 100) return Move::none();
    Known& known = table_[position.key() % table_.size()];
    const bool restricted = !only.empty();
    if (!restricted && known.key == position.key()) {
        if (known.proved != 0 && known.proved <= moves) return known.move;
        if (known.disproved >= moves) return Move::none();
    }
    // Checks first: they leave the defence the fewest replies.
    MoveList checks;
    MoveList others;
    const CheckSquares squares = find_check_squares(position);
    for (const Move move : legal_moves(position)) {
        if (restricted && std::ranges::find(only, move) == only.end()) continue;
        if (gives_check(position, squares, move))
            checks.push(move);
        else if (moves > 1)
            others.push(move);
    }
    Move found;
    for (const MoveList* list : {&checks, &others}) {
        for (const Move move : *list) {
            const Position after = position.after(move);
            if (moves == 1 ? is_mate(after) : is_lost(after, moves - 1)) {
                found = move;
                break;
            }
            if (aborted_) return Move::none();
        }
        if (found) break;
    }
    if (restricted) return found;
    Known& slot = table_[position.key() % table_.size()];
    if (slot.key != position.key()) slot = {position.key(), Move::none(), 0, 0};
    if (found && (slot.proved == 0 || moves < slot.proved)) {
        slot.proved = static_cast<std::uint8_t>(moves);
        slot.move = found;
    } else if (!found) {
        slot.disproved = std::max(slot.disproved, static_cast<std::uint8_t>(moves));
    }
    return found;
}

bool MateSolver::is_lost(const Position& position, int moves) {
    if (!enter()) return false;
    const MoveList replies = legal_moves(position);
    if (replies.empty()) return position.in_check();
    if (moves == 0 || position.has_insufficient_material()) return false;
    // What takes or checks is the likeliest to spoil a mate.
    MoveList quiet;
    for (const Move move : replies) {
        if (!position.is_noisy(move)) {
            quiet.push(move);
            continue;
        }
        if (!attack(position.after(move), moves, {})) return false;
    }
    return std::ranges::all_of(quiet,
                               [&](Move move) { return attack(position.after(move), moves, {}) != Move(); });
}

std::vector<Move> MateSolver::mating_line(Position position, int moves) {
    for (int shorter = 1; shorter <= moves; ++shorter) {
        const Move move = attack(position, shorter, {});
        if (!move) continue;
        std::vector<Move> line{move};
        position.make(move);
        const auto rest = losing_line(position, shorter - 1);
        line.insert(line.end(), rest.begin(), rest.end());
        return line;
    }
    return {};
}

std::vector<Move> MateSolver::losing_line(Position position, int moves) {
    std::vector<Move> longest;
    for (const Move move : legal_moves(position)) {
        std::vector<Move> line{move};
        const auto rest = mating_line(position.after(move), moves);
        line.insert(line.end(), rest.begin(), rest.end());
        if (line.size() > longest.size()) longest = line;
        // Nothing can put it off for longer.
        if (std::cmp_equal(longest.size(), 2 * moves)) break;
    }
    return longest;
}

std::optional<std::vector<Move>> MateSolver::solve(const Position& position, int moves,
                                                   const std::vector<Move>& root_moves) {
    for (int distance = 1; distance <= moves; ++distance) {
        const Move first = attack(position, distance, root_moves);
        if (aborted_) return std::nullopt;
        if (!first) continue;
        std::vector<Move> line{first};
        const auto rest = losing_line(position.after(first), distance - 1);
        line.insert(line.end(), rest.begin(), rest.end());
        if (line.size() != static_cast<std::size_t>(2 * distance - 1)) return std::nullopt;  // cut off
        return line;
    }
    return std::nullopt;
}

std::optional<std::vector<Move>> MateSolver::defend(const Position& position, int moves) {
    if (!is_lost(position, moves) || aborted_) return std::nullopt;
    auto line = losing_line(position, moves);
    if (aborted_) return std::nullopt;
    return line;
}

bool is_whole_mate(const Position& root, const std::vector<Move>& variation, Score score) {
    if (!score.is_mate() || static_cast<int>(variation.size()) != std::abs(score.plies_to_mate()))
        return false;
    Position end = root;
    for (const Move move : variation) end.make(move);
    return is_mate(end);
}

std::vector<Move> with_whole_mate(const Position& root, std::vector<Move> variation, Score score,
                                  std::uint64_t node_limit) {
    if (!score.is_mate() || static_cast<int>(variation.size()) >= std::abs(score.plies_to_mate()))
        return variation;
    Position end = root;
    for (const Move move : variation) end.make(move);
    const int missing = std::abs(score.plies_to_mate()) - static_cast<int>(variation.size());
    MateSolver solver(node_limit);
    const auto rest =
        missing % 2 == 1 ? solver.solve(end, (missing + 1) / 2) : solver.defend(end, missing / 2);
    if (rest && static_cast<int>(rest->size()) == missing)
        variation.insert(variation.end(), rest->begin(), rest->end());
    return variation;
}

}  // namespace scholar::search
