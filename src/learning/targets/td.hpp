#pragma once

#include <span>
#include <vector>

// The core of TD(λ) and of TDLeaf(λ) (J. Baxter, A. Tridgell, L. Weaver, "KnightCap: a chess program that
// learns by combining TD(λ) with game-tree search", 1998).
//
// A game gave the predictions v_1 … v_{N-1} and the outcome v_N := r, all from one side's view. With the
// temporal differences d_t = v_{t+1} − v_t the paper's update (equations 3 and 11; the d_t in its inner sum
// is to be read as d_j) is
//
//     w := w + α Σ_t ∇v_t · e_t        e_t = Σ_{j=t}^{N-1} λ^{j−t} d_j
//
// that is: v_t is moved towards the λ-return G_t = v_t + e_t. Under TD(λ) ∇v_t is taken at the position of
// the game, under TDLeaf(λ) at the leaf of its principal variation, whose static value v_t is.

namespace scholar::learning {

// Σ_{j≥t} λ^{j−t} d_j for each t.
std::vector<double> discounted_sums(std::span<const double> differences, double lambda);

// e_t for each prediction. With λ = 0 the difference to the next prediction, with λ = 1 that to the outcome.
// `cut` (empty, or as long as `values`) says after which predictions the game did not go on as predicted
// (a move by lot): nothing is learnt from what came then, so e_t is 0 there.
std::vector<double> temporal_errors(std::span<const double> values, double outcome, double lambda,
                                    std::span<const char> cut = {});

// G_t = v_t + e_t: between the smallest and the largest of the later predictions and the outcome.
std::vector<double> lambda_returns(std::span<const double> values, double outcome, double lambda,
                                   std::span<const char> cut = {});

// The error of the first of these predictions as Giraffe's text has it (M. Lai, "Giraffe: using deep
// reinforcement learning to play chess", 2015, section 4.5 and table 2): the sum of all changes, each times λ
// to the number of half-moves from the start at which it is seen. That is λ times e_1 of a game that was cut
// off: the first change, too, is discounted. Of fewer than two
// predictions it is 0.
double error_of_first(std::span<const double> values, double lambda);

}  // namespace scholar::learning
