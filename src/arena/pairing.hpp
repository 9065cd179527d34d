#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arena/ratings.hpp"

// Which game of a pool tells most about the ratings, for the time it takes.

namespace scholar::arena {

struct PairingCandidate {
    std::string name;
    std::optional<double> anchor;  // Elo, if it is given
    double seconds = 1;            // that a game takes on this player's part, in any unit
};

struct PairingTask {
    std::vector<PairingCandidate> candidates;  // those that may play
    // Whose rating is wanted: the number of a candidate. Nothing: everybody's, and one of those who have the
    // fewest games plays next.
    std::optional<std::size_t> focus;
    ResultPool played;
    // Pairs of games that are being played, by the numbers of the candidates.
    std::vector<std::pair<std::size_t, std::size_t>> under_way;
    // Elo: what is known of a player whose games give no rating yet, around the mean of those who have one.
    double prior = 800;
    // So many pairs of the focus are against players spread over the ladder, whatever they would tell: the
    // first results may mislead, and one opponent's style more so.
    int spread_pairs = 4;
};

// The two who play next; nothing if there are no two who could.
//
// Let C be the covariance of the ratings as estimated so far and w the information of a pair of games about
// the difference of a and b. The pair reduces the variance of player k by
// w·(C(k,a) - C(k,b))² / (1 + w·(C(a,a) + C(b,b) - 2·C(a,b))). Of the pairings that reduce what is wanted
// nearly as fast as the fastest, by the second, it is the one that was played least.
std::optional<std::pair<std::size_t, std::size_t>> choose_pairing(const PairingTask& task);

}  // namespace scholar::arena
