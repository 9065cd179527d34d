#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "games/game.hpp"

// Engines do not mean the same by a pawn. How much each means is fitted to how its games ended:
//
//     expected result = σ(centipawns / s) = 1 / (1 + exp(−centipawns / s))
//
// with one scale s for each producer of evaluations, found by maximum likelihood with a draw as half a win
// and half a loss. So that an engine with few games does not get a wild scale, its own evaluations are joined
// by as many as kPriorPositions drawn from all producers together.

namespace scholar::learning {

// Evaluations and the results that followed, counted: enough to fit a scale, in constant memory.
class EvaluationCounts {
  public:
    static constexpr int kBinWidth = 10;  // centipawns
    static constexpr int kLimit = 2000;   // evaluations beyond say only "won" and are left out of the fit
    static constexpr int kBins = 2 * kLimit / kBinWidth + 1;

    // Both from the side to move's view. Mates are left out.
    void add(const games::Evaluation& evaluation, double result);
    void add(const EvaluationCounts& other);

    double positions() const;
    double positions_in(int bin) const { return positions_[static_cast<std::size_t>(bin)]; }
    // Sum of the results in the bin.
    double points_in(int bin) const { return points_[static_cast<std::size_t>(bin)]; }
    static double centipawns_of(int bin) { return bin * kBinWidth - kLimit; }

  private:
    std::array<double, kBins> positions_{};
    std::array<double, kBins> points_{};
};

// The scale s in centipawns that makes `counts` most likely; `weight` × `prior` counts beside it.
double fit_scale(const EvaluationCounts& counts, const EvaluationCounts& prior, double weight);

struct ProducerScale {
    std::string producer;
    double positions = 0;  // that the fit saw
    double scale = 0;      // s, in centipawns
};

struct EvaluationScales {
    // A game's positions are anything but independent: this is about a hundred games' worth.
    static constexpr double kPriorPositions = 10'000;
    // Used where nothing was fitted: the expected result at one pawn is then 0.64.
    static constexpr double kDefaultScale = 175;

    ProducerScale pooled{"all", 0, kDefaultScale};
    std::vector<ProducerScale> producers;  // in the order of Sampler::producers()

    // The expected result, 0 to 1, that an evaluation stands for; 1 or 0 for a mate.
    double expected(const games::Evaluation& evaluation, std::uint32_t producer) const;
};

// `counts` in the order of `producers`.
EvaluationScales fit_scales(const std::vector<std::string>& producers,
                            const std::vector<EvaluationCounts>& counts);

// The producers with at least kPriorPositions evaluations, most first: the ones whose scale is mainly their
// own.
std::vector<ProducerScale> main_producers(const EvaluationScales& scales);

// "all 123.5 (2287144), Stockfish 111.1 (400158), …" of the main ones, for a network's history.
std::string describe(const EvaluationScales& scales);
// The same for people, several lines, with how many producers have fewer.
std::string to_table(const EvaluationScales& scales);

}  // namespace scholar::learning
