#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "arena/move_suite.hpp"
#include "base/error.hpp"
#include "evaluators/comparator.hpp"
#include "games/held_out.hpp"

// Which of two positions is better, as O. David, N. Netanyahu and L. Wolf, "DeepChess" (2016), ask it: one is
// of a game that White went on to win, the other of a game that White went on to lose.

namespace scholar::arena {

// Places in a set of positions.
struct PositionPair {
    std::size_t won = 0;
    std::size_t lost = 0;
    bool won_first = false;  // in which order they are asked about
};

// As many pairs as wanted, drawn by lot: of positions of decided games in which the move played was no
// capture (R. Garita and others, "A soft implementation of DeepChess", section 2; that openings are left out
// and how many positions a game gives, says the set's rule). None: there is no position of one of the two.
std::vector<PositionPair> draw_pairs(const games::HeldOutSet& set, std::uint64_t wanted, std::uint64_t seed);

// Of each pair how much was right: 1 or 0, and ½ where nothing was said.
struct PairAnswers {
    std::string name;
    std::vector<double> right;
    // Of pairs that were asked about in both orders, the share whose answers contradict each other.
    double contradicted = 0;
    bool interrupted = false;
};
// Embeds each position once.
PairAnswers ask_about_pairs(const games::HeldOutSet& set, const std::vector<PositionPair>& pairs,
                            std::string name, evaluators::Comparator& comparator,
                            const std::stop_token& stop);
// By what stands on the board: where White has more of it (material_balance()).
PairAnswers judge_by_material(const games::HeldOutSet& set, const std::vector<PositionPair>& pairs);

// Some pairs.
struct PairGroup {
    std::string kind;  // "all", "to end", "men", "material", "judged"
    std::string name;
    std::vector<std::size_t> pairs;
};
// All; by half-moves that were still played, where the end is further away; by men on the board, where there
// are more; by how much more White has in the game that he won, in pawns. Empty ones are left out.
std::vector<PairGroup> pair_groups(const games::HeldOutSet& set, const std::vector<PositionPair>& pairs);
// Of a group that is not empty.
Estimate score_pairs(const PairAnswers& answers, const PairGroup& group);

}  // namespace scholar::arena
