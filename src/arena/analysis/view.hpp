#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "chess/types.hpp"
#include "games/game.hpp"

// What one system sees in a position. Expected results and evaluations are White's throughout.

namespace scholar::arena {

// One of the best moves with what follows it.
struct ViewedLine {
    std::vector<chess::Move> moves;          // from the position on
    std::optional<double> expected;          // result, 0 to 1; nothing: who chose the move has no value
    std::optional<games::Evaluation> shown;  // the same as the engine's protocols show it
};

struct View {
    // The best first, as many as were asked for and there are moves. Empty: the game is over.
    std::vector<ViewedLine> lines;
    std::optional<double> expected;          // of the position; of a game that is over, its result
    std::optional<games::Evaluation> shown;  // nothing where it is over
    // How likely each legal move is, the likeliest first; empty where the system has no opinion on that.
    std::vector<std::pair<chess::Move, double>> likely;
    bool likely_are_visits = false;  // of a tree search, not probabilities
    // Its move is the likeliest, or drawn from them: what it expects of the position does not judge moves.
    bool chooses_by_probability = false;
    std::uint64_t nodes = 0;
    int depth = 0;
    std::string trouble;  // why its move is no more than legal, in one line; "": it is meant

    chess::Move best() const { return lines.empty() ? chess::Move::none() : lines.front().moves.front(); }
    // 0 of a move that is not among the likely ones; nothing where there are none.
    std::optional<double> likelihood(chess::Move move) const {
        if (likely.empty()) return std::nullopt;
        for (const auto& [candidate, share] : likely)
            if (candidate == move) return share;
        return 0;
    }
};

}  // namespace scholar::arena
