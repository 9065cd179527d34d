#include "chess/perft.hpp"

#include "chess/movegen.hpp"

namespace scholar::chess {

std::uint64_t perft(const Position& position, int depth) {
    if (depth <= 0) return 1;
    if (depth == 1) return static_cast<std::uint64_t>(count_legal_moves(position));
    std::uint64_t nodes = 0;
    for (const Move move : legal_moves(position)) nodes += perft(position.after(move), depth - 1);
    return nodes;
}

std::vector<std::pair<Move, std::uint64_t>> perft_divide(const Position& position, int depth) {
    std::vector<std::pair<Move, std::uint64_t>> counts;
    for (const Move move : legal_moves(position))
        counts.emplace_back(move, perft(position.after(move), depth - 1));
    return counts;
}

}  // namespace scholar::chess
