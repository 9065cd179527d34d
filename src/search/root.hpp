#pragma once

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
// One iteration for each of the result's lines.
void report_lines(const SearchResult& result, Observer& observer);

}  // namespace scholar::search
