#include "search/root.hpp"

#include <algorithm>

#include "chess/movegen.hpp"

namespace scholar::search {

std::vector<chess::Move> allowed_moves(const chess::Position& position, const Limits& limits) {
    std::vector<chess::Move> moves;
    for (const chess::Move move : chess::legal_moves(position))
        if (limits.root_moves.empty() ||
            std::ranges::find(limits.root_moves, move) != limits.root_moves.end())
            moves.push_back(move);
    std::ranges::sort(moves, [](chess::Move a, chess::Move b) { return a.bits() < b.bits(); });
    return moves;
}

int game_ply(const chess::Line& line) {
    const chess::Position& position = line.current();
    return 2 * (position.fullmove_number() - 1) + (position.side_to_move() == chess::Black);
}

SearchResult result_without_moves(const chess::Position& position) {
    SearchResult result;
    result.score = position.in_check() ? chess::Score::mated_in(0) : chess::Score::draw();
    result.leaf = position;
    result.leaf_kind = position.in_check() ? LeafKind::Mate : LeafKind::Draw;
    return result;
}

RootLine one_move_line(chess::Move move, std::optional<chess::Score> score, std::optional<chess::Wdl> wdl) {
    RootLine line;
    line.score = score;
    line.wdl = wdl;
    line.depth = 1;
    line.selective_depth = 1;
    line.variation = {move};
    return line;
}

void report_lines(const SearchResult& result, Observer& observer) {
    int number = 0;
    for (const RootLine& line : result.lines)
        observer.on_iteration({.depth = line.depth,
                               .number = ++number,
                               .counters = result.counters,
                               .score = line.score,
                               .bound = line.bound,
                               .wdl = line.wdl,
                               .principal_variation = line.variation});
}

}  // namespace scholar::search
