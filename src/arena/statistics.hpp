#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace scholar::arena {

// Games of one engine against another, from the first one's view.
struct WinDrawLoss {
    std::uint64_t wins = 0;
    std::uint64_t draws = 0;
    std::uint64_t losses = 0;

    std::uint64_t games() const { return wins + draws + losses; }
};

// Pairs of games from one opening with colours reversed, by the first engine's points in the pair: 0, ½, 1,
// 1½, 2. The two games of a pair are not independent (the opening may favour a side), the pairs are: error
// bars come from them.
using Pentanomial = std::array<std::uint64_t, 5>;

// 95 %: this many standard errors to either side.
inline constexpr double kConfidence95 = 1.959963984540054;

// Elo of an expected score by the logistic curve, −400 · log10(1/score − 1); ±infinity at 0 and 1.
double elo_of_score(double score);
double score_of_elo(double elo);

// What a match of so many games, all won, says of the winner's Elo: at a lower one, such a run comes by
// chance in fewer than one match of twenty. The estimate itself is infinite.
double elo_bound_of_sweep(std::uint64_t games);

// What a match says about strength, the first engine against the second. Every number is finite, after one
// game too.
struct Rating {
    double score = 0.5;    // points a game
    double draw_rate = 0;  // draws a game
    // Of the score. Where every game was won or lost the score has none: then half of what is believed lies
    // above it, and all that is known is a bound (elo_bound_of_sweep).
    double elo = 0;
    double elo_low = 0;  // the 95 % interval
    double elo_high = 0;
    double elo_error = 0;   // half its width
    double normalised = 0;  // normalised Elo: (score − ½) / σ of a game · 800/ln 10
    double normalised_error = 0;
    double superiority = 0.5;  // likelihood that the first engine is the stronger one (LOS)
};

// Elo and normalised Elo are as fastchess reports them (its EloPentanomial), after M. Van den Bergh,
// "Normalized Elo" and "Comments on normalized Elo" (cantate.be/Fishtest): the σ of a game is √2 times that
// of a pair's mean, where there are pairs.
//
// The interval is that of a beta distribution of the score, whose variance is that of the results together
// with a few more: half a win and half a loss (Jeffreys), two games that cannot be drawn, four pairs whose
// games are independent. After some hundred games it is fastchess's, to a part in a hundred. After few it is
// wider, as a spread that was seen in few games may be chance, and results that are all alike leave an
// interval too. Simulated matches of one to fifty pairs lie within it in at least 93 of 100 cases
// (tests/arena/statistics_test.cpp).
//
// Nothing without a game. `pairs` are the complete ones among the games; what others there are is taken to
// vary as these do.
std::optional<Rating> rate(const WinDrawLoss& games, const Pentanomial& pairs);
// Of pairs alone, of whose games nothing else is known.
std::optional<Rating> rate_pairs(const Pentanomial& pairs);
// Of games taken as independent.
std::optional<Rating> rate_games(const WinDrawLoss& games);

// "+12.3", and "+0.0" for what is rounded to it from either side.
std::string elo_text(double elo, int decimals = 1);

// Log-likelihood ratio of "the difference is elo1" over "it is elo0", with the distribution of the results,
// of which the Elo is one function, otherwise free (generalised sequential probability ratio test): M. Van
// den Bergh, "Comparing the approximations for the generalized log likelihood ratio of a multinomial
// distribution", proposition 1.1 for logistic Elo; "Comments on normalized Elo", section 4.1, for normalised
// Elo. A count of 0 is taken as 0.001.
enum class EloModel { Logistic, Normalised };
double log_likelihood_ratio(const Pentanomial& pairs, double elo0, double elo1, EloModel model);
double log_likelihood_ratio(const WinDrawLoss& games, double elo0, double elo1, EloModel model);

// The test ends when the ratio leaves this interval: below, elo0 is accepted; above, elo1. `alpha` and `beta`
// are the shares of wrong ends allowed of either kind (Wald 1945).
struct SprtBounds {
    double lower = 0;
    double upper = 0;
};
SprtBounds sprt_bounds(double alpha, double beta);

}  // namespace scholar::arena
