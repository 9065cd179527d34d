#pragma once

#include <cstdint>
#include <span>

#include "base/random.hpp"
#include "search/mcts/tree.hpp"

namespace scholar::search::mcts {

// What is left to chance, so that games played in order to learn differ: nothing, by default. (AlphaZero's
// ways: D. Silver et al., Science 362 (2018).)
struct Chance {
    // The priors of the root's moves are this share noise of Dirichlet's distribution, whose parameter is
    // alpha for each move: the smaller, the fewer moves get all of it.
    double noise = 0;
    double noise_alpha = 0.3;
    // A move is played as often as its visits to the power of 1 / this say; 0: the most visited. Until that
    // move of the game; 0: in all.
    double temperature = 0;
    int temperature_moves = 0;
    std::uint64_t seed = 0;  // of a game: the same at the same move
};

// Mixes noise into the edges' priors, whose order is then none any more.
void add_noise(std::span<Edge> edges, const Chance& chance, base::Random& random);
// Which of some that have been visited so often is taken at a temperature above 0; at least one has been.
std::size_t draw_by_visits(std::span<const std::uint32_t> visits, double temperature, base::Random& random);

}  // namespace scholar::search::mcts
