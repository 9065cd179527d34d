#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "arena/pair_study.hpp"
#include "arena/player.hpp"

// What a search thinks of pairs of positions (arena/pair_study.hpp): how much of them could be known at all.
// Where it finds the position better that was lost, the game was decided by what came later.

namespace scholar::arena {

// Of each position of the set White's advantage, in the engine's centipawns, mates beyond all of them
// (SearchInfo::score()); 0 of those that are in none of the pairs. Nothing: told to stop. An error names the
// engine.
base::Result<std::optional<std::vector<int>>> judge_positions(const games::HeldOutSet& set,
                                                              std::span<const PositionPair> pairs,
                                                              Player& engine, std::uint64_t nodes,
                                                              const std::stop_token& stop);

// Prefers the position whose score is higher.
PairAnswers answers_by_scores(std::span<const PositionPair> pairs, std::string name,
                              std::span<const int> scores);

// By how much higher the score of the position is that was won; of kind "judged", in pawns. Empty ones are
// left out.
std::vector<PairGroup> groups_by_scores(std::span<const PositionPair> pairs, std::span<const int> scores);

}  // namespace scholar::arena
