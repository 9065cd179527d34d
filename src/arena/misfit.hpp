#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "arena/ratings.hpp"

// Whether the games of a pool agree with its ratings: one number for each player cannot say everything about
// who beats whom, and an engine may play otherwise on one machine than on another.

namespace scholar::arena {

// What two players scored against each other, and what their ratings make of it.
struct PairMisfit {
    std::size_t first = 0;  // players, by the pool's numbers
    std::size_t second = 0;
    double games = 0;
    double points = 0;     // of the first
    double expected = 0;   // of the first, by the ratings
    double deviation = 0;  // points less expected, in standard deviations of games that are independent
};

struct Misfit {
    std::vector<PairMisfit> pairs;  // those that deviate most first
    double chi_square = 0;          // sum of the squared deviations
    double freedom = 0;             // degrees of it: pairs less ratings that the games determined
    // How likely so much or more is where the ratings say everything; nothing without a degree of freedom.
    std::optional<double> chance;
};

// Of the pairs of players that have ratings and whose games are enough, and open enough, for a deviation to
// mean something.
Misfit misfit_of(const ResultPool& pool, const PoolRatings& ratings);

// Where a deviation is no chance any more among so many pairs: it comes less often than once in twenty such
// pools.
double remarkable_deviation(std::size_t pairs);

}  // namespace scholar::arena
