#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/plot.hpp"
#include "chess/position.hpp"
#include "evaluators/explanation.hpp"

// What explanations are worth, by two measures of the literature.
//
// Deletion (W. Samek et al., "Evaluating the visualization of what a deep neural network has learned", 2017,
// most relevant first; V. Petsiuk, A. Das and K. Saenko, "RISE", 2018): men are taken off one after another,
// those first who give most to what is said, by their signed share in the whole position; the sooner it falls
// the better the explanation. What is watched is the expected result of the side that the network holds to be
// better, or the probability of its likeliest move.
//
// What men cost explains most of it, so that there are two more questions: of pawns alone, which all cost the
// same; and whether methods agree about men of one kind and colour.
//
// Agreement: Spearman's rank correlation of two methods' shares; the same of what is left of each share after
// the mean of all men of that kind and colour; and how many of the three largest shares, whatever their sign,
// are of the same men.

namespace scholar::arena {

struct ExplanationStudyOptions {
    bool of_moves = false;  // of the likeliest move's probability; else of the value
    // Only pawns are taken off; of the value, those of the better side.
    bool pawns = false;
    int taken = 10;         // men taken off; positions with fewer who can be are passed over
    int random_orders = 8;  // in each position
    std::uint64_t seed = 1;
};

struct MeanWithError {
    double mean = 0;
    double error = 0;  // standard error
};
// Of one at least; of one the error is 0.
MeanWithError mean_with_error(std::span<const double> values);

// Men taken off in one order.
struct DeletionCurve {
    std::string name;                    // of a method, "dearest first" or "random"
    std::vector<MeanWithError> watched;  // by how many are off, 0 to `taken`
    // Means over the positions: of what is watched, averaged over 1 … `taken`; and of that less that of
    // random orders in the same position.
    MeanWithError area;
    MeanWithError against_random;
};

// Of two methods, over the men of whom both say something.
struct MethodAgreement {
    evaluators::ExplanationMethod first;
    evaluators::ExplanationMethod second;
    MeanWithError rank_correlation;
    MeanWithError within_kinds;
    MeanWithError shared_top;     // of the three largest, 0 to 1
    double shared_by_chance = 0;  // the same of two orders by lot
};

struct ExplanationStudy {
    std::size_t positions = 0;
    std::size_t passed_over = 0;
    // The methods, then "dearest first" (queens, rooks, bishops, knights, pawns; of the value, of the side
    // that is better), then "random".
    std::vector<DeletionCurve> curves;
    std::vector<MethodAgreement> agreements;
    bool interrupted = false;
};

// Spearman's: of ranks, those of equal numbers being their mean; 0 where one side never differs.
double rank_correlation(std::span<const double> first, std::span<const double> second);

// By all methods that the network has. `progress` hears the number of positions done.
base::Result<ExplanationStudy> study_explanations(std::span<const chess::Position> positions,
                                                  evaluators::Explainer& explainer,
                                                  const ExplanationStudyOptions& options,
                                                  const std::function<void(std::size_t)>& progress,
                                                  const std::stop_token& stop);

// A table of the curves and one of the agreements.
std::string describe(const ExplanationStudy& study, const ExplanationStudyOptions& options);
base::Plot deletion_plot(const ExplanationStudy& study, const ExplanationStudyOptions& options,
                         const std::string& title);

}  // namespace scholar::arena
