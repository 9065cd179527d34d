#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "games/openings.hpp"
#include "games/store.hpp"
#include "learning/papers/rl_in_chess_experiment.hpp"

// Games that somebody gave up, and what comes of them when they are played out (RL in Chess, the section on
// performance).

namespace scholar::learning {

// Visits a move where they are played out; as in the paper.
inline constexpr std::uint64_t kMatingVisits = 40;

// Where games are played out from.
struct UnfinishedGames {
    std::vector<games::Opening> openings;
    std::vector<games::Game> games;  // all that were looked at
    bool are_given_up = true;        // by a player; if not, the last moves before a mate were taken back
};

// At most so many of the experiment's stores. An error where no game was decided.
base::Result<UnfinishedGames> unfinished_games(const RlInChessExperiment& experiment, std::uint64_t most);

// Played out by the tree search with the networks that it has where none is named: a value and a policy that
// are asked position by position, many times as fast as the paper's.
PaperStore played_out_by_sparse(std::string name, std::vector<games::Opening> openings);

// Those games of a store that ended in mate.
base::Result<std::vector<games::Game>> mated_games(const std::filesystem::path& store);
// Positions that somebody moved in.
std::uint64_t states_of(const std::vector<games::Game>& games);

// Replaces what is there, whole or cut off.
base::Status write_store(const std::filesystem::path& path, const std::vector<games::Game>& games);

}  // namespace scholar::learning
