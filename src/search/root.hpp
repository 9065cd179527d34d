#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "search/search.hpp"

// What searches need at their root.

namespace scholar::search {

// The legal moves that the limits allow, in the order of their bits: the same on every machine.
std::vector<chess::Move> allowed_moves(const chess::Position& position, const Limits& limits);
// Half-moves since the game began, as far as its position says.
int game_ply(const chess::Line& line);
// Of a root where there is nothing to choose from: mated, or a draw.
SearchResult result_without_moves(const chess::Position& position);
// A line of one half-move.
RootLine one_move_line(chess::Move move, std::optional<chess::Score> score,
                       std::optional<chess::Wdl> wdl = {});
// How many lines the limits ask for where there are so many moves.
inline std::size_t line_count(const Limits& limits, std::size_t moves) {
    return std::min(static_cast<std::size_t>(std::max(1, limits.multi_pv)), moves);
}
// So many lines of one half-move, of the first of so many moves: line_of(i) is that of one.
template <class LineOf>
void add_one_move_lines(SearchResult& result, const Limits& limits, std::size_t moves,
                        const LineOf& line_of) {
    for (std::size_t i = 0; i < line_count(limits, moves); ++i) result.lines.push_back(line_of(i));
}
// One iteration for each of the result's lines.
void report_lines(const SearchResult& result, Observer& observer);

}  // namespace scholar::search
