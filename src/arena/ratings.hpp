#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/cholesky.hpp"
#include "arena/statistics.hpp"
#include "base/error.hpp"
#include "games/game.hpp"

// Ratings of everybody in a pool from the games that they played among each other, by maximum likelihood.
//
// The model: the expected score of White is Elo's logistic function of r(White) - r(Black) + h, where h is
// the advantage of the first move, and the share of draws is ν·√(wins · losses), as in Davidson's model ("On
// extending the Bradley-Terry model to accommodate ties in paired comparison experiments", JASA 65, 1970).
// These two determine the shares of the three results.
//
// Why this one: draws among equals are a free figure, and become rarer as the players differ. And a point of
// rating is a point of Elo whatever that figure is: of two players the estimate is elo_of_score() of what
// they scored. In Davidson's own model and in that of Rao and Kupper (BayesElo's) the scale shrinks as draws
// become rare, so that several anchors, whose ratings come from elsewhere, would contradict each other.

namespace scholar::arena {

// Who played whom with which result.
class ResultPool {
  public:
    // Games of one player with White against another, from White's view.
    using Pairings = std::map<std::pair<std::size_t, std::size_t>, WinDrawLoss>;

    // The player's number, from 0 in the order of appearance; a new one if there is none of this name.
    std::size_t player(std::string_view name);
    // Nothing if there is none of this name.
    std::optional<std::size_t> find(std::string_view name) const;
    // A game without a result does not count.
    void add(std::size_t white, std::size_t black, games::GameResult result);
    void add(std::size_t white, std::size_t black, const WinDrawLoss& games);
    // All games of another pool, whose players are the same by name.
    void add(const ResultPool& other);

    const std::vector<std::string>& names() const { return names_; }
    const Pairings& pairings() const { return pairings_; }
    // All games of a player, from that player's view.
    WinDrawLoss record(std::size_t player) const;
    std::uint64_t games() const;

    // Without the players who have fewer games than this, and without the games against them. Counted once:
    // afterwards somebody may have fewer.
    ResultPool with_games(std::uint64_t at_least) const;

  private:
    std::vector<std::string> names_;
    std::map<std::string, std::size_t, std::less<>> numbers_;
    Pairings pairings_;
};

struct RatingOptions {
    // Players whose rating is given, in Elo. Without any, the mean of the rated players is 0.
    std::map<std::string, double, std::less<>> anchors;
    // Standard deviation in Elo of a normal prior of each rating around `prior_mean` (nothing: the mean of
    // the anchors, or 0): makes the ratings of those finite who won or lost everything. 0: none.
    double prior = 0;
    std::optional<double> prior_mean{};
    // Whose rating has the prior; nobody: everybody's.
    std::set<std::string, std::less<>> prior_of{};
    // Whether the advantage of White is estimated; else there is none.
    bool white_advantage = true;
    // What is taken as known of White's advantage and of draws beforehand: a standard deviation around 0 in
    // Elo, and so many games between equals of which half were drawn. Both weak: they keep these two finite
    // where the games leave them open. 0: none.
    double white_prior = 100;
    double draw_prior = 1;
};

enum class Standing {
    Anchor,
    Rated,
    // Nobody rated took as much as a draw from this player or the group this player draws and loses to: as
    // high as you like.
    Above,
    Below,
    // No games lead from here to the rated players, or only such as leave the order open.
    Unconnected,
};

struct PlayerRating {
    std::string name;
    Standing standing = Standing::Rated;
    double elo = 0;    // of anchors and rated players
    double error = 0;  // half of the 95 % interval; of an anchor 0
    WinDrawLoss games;
    double opponents = 0;  // mean rating over the games against anchors and rated players
    // Of a player above or below all those rated whom he met: at a rating beyond this one, towards theirs,
    // such results come by chance in fewer than one case of twenty. Nothing where he met nobody rated.
    std::optional<double> bound;
    bool has_rating() const { return standing == Standing::Anchor || standing == Standing::Rated; }
    double score() const;  // points a game
};

struct PoolRatings {
    std::vector<PlayerRating> players;  // in the pool's order
    double white_advantage = 0;         // Elo
    double white_advantage_error = 0;   // 95 %
    double draw_rate = 0;               // among equals, without the advantage of White
    double draw_rate_error = 0;         // 95 %
    double log_likelihood = 0;
    // Elo², in the order of the players; 0 for whoever has no error bar. Without anchors it is that of the
    // ratings less their mean.
    SymmetricMatrix covariance{0};

    // Standard error of the difference of two ratings, in Elo.
    double difference_error(std::size_t a, std::size_t b) const;
    // The likelihood that a is stronger than b; nothing where one of them has no rating.
    std::optional<double> superiority(std::size_t a, std::size_t b) const;
};

// More would take too long: the work grows with the third power.
inline constexpr std::size_t kMostRatedPlayers = 4'000;

// The error bars are those of the observed information: the second derivatives of the likelihood at its
// maximum, with White's advantage and the share of draws among the unknowns. Refused: no games, an anchor who
// is no player, too many players.
base::Result<PoolRatings> rate_pool(const ResultPool& pool, const RatingOptions& options);

// Probabilities by the model, for a difference of ratings of so many Elo, White's advantage included.
struct ResultChances {
    double win = 0;
    double draw = 0;
    double loss = 0;
    double score() const { return win + draw / 2; }
};
ResultChances result_chances(double elo, double draw_rate);

// Information (1/Elo²) that a game has about the difference of the two ratings.
double game_information(double elo, double draw_rate);

}  // namespace scholar::arena
