#pragma once

#include <string>
#include <vector>

#include "arena/match.hpp"
#include "arena/statistics.hpp"
#include "base/error.hpp"

namespace scholar::arena {

struct SprtSettings {
    double elo0 = 0;
    double elo1 = 0;
    double alpha = 0.05;
    double beta = 0.05;
    EloModel model = EloModel::Logistic;
};

// The largest difference that a bound may be, to either side, in Elo of the model: beyond it the ratio is no
// number that means anything.
double most_sprt_elo(EloModel model);

// Refused, with the setting's name: a bound that is no number or beyond most_sprt_elo(), elo0 not below elo1,
// error rates that are no numbers above 0 and together below 1.
base::Status check_sprt(const SprtSettings& settings);

// A sequential probability ratio test on the pairs of a match. The first crossing of a bound is its verdict:
// games that were under way and end after it change nothing any more, nor does a match that is gone on with.
class Sprt {
  public:
    enum class Verdict { None, Elo0, Elo1 };

    // Settings that check_sprt() accepts.
    explicit Sprt(const SprtSettings& settings)
        : settings_(settings), bounds_(sprt_bounds(settings.alpha, settings.beta)) {}

    // The complete pairs of the match after each game.
    void update(const Pentanomial& pairs);
    // Games of an earlier run in the order in which they ended, as far as they belong to a match of `games`.
    void replay(const std::vector<GameSummary>& earlier, int games);

    Verdict verdict() const { return verdict_; }
    // The logarithm of the likelihood ratio, when the test decided or now; 0 without a pair.
    double ratio() const { return ratio_; }
    // "LLR +1.23 (-2.94, 2.94)".
    std::string describe_briefly() const;
    // "LLR +2.95 (-2.94, 2.94) of [0, 5]: elo1 accepted after 120 pairs".
    std::string describe() const;

  private:
    SprtSettings settings_;
    SprtBounds bounds_;
    Verdict verdict_ = Verdict::None;
    double ratio_ = 0;
    std::uint64_t pairs_ = 0;
};

}  // namespace scholar::arena
