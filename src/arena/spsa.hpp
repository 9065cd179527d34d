#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

// Simultaneous perturbation stochastic approximation (J. C. Spall, "Implementation of the simultaneous
// perturbation algorithm for stochastic optimization", IEEE Transactions on Aerospace and Electronic Systems
// 34, 1998), as chess programs are tuned with it: two settings on opposite sides of the present one play each
// other, and the present one moves towards the winner. How many parameters there are does not matter to the
// number of games that a step costs.
//
// With N pairs of games in all and i of them played before, a parameter is set apart by ±c(i), by chance of
// either sign, and then moves by r(i)·c(i)·(wins - losses) in the direction of the sign that won, where
//     c(i) = c_end · (N/(i + 1))^gamma,
//     r(i) = a(i)/c(i)²,  a(i) = r_end · c_end² · ((A + N)/(A + i + 1))^alpha,  A = a_ratio · N,
// so that c_end and r_end are what these are at the end: the parameterisation of fishtest.

namespace scholar::arena {

struct SpsaParameter {
    std::string name;
    double start = 0;
    double minimum = 0;
    double maximum = 0;
    double c_end = 0;
    double r_end = 0;
};

struct SpsaPlan {
    std::vector<SpsaParameter> parameters;
    int pairs = 0;                // of games, in all
    int pairs_per_iteration = 1;  // played with the same two settings
    double alpha = 0.602;
    double gamma = 0.101;
    double a_ratio = 0.1;
    std::uint64_t seed = 1;

    int iterations() const { return (pairs + pairs_per_iteration - 1) / pairs_per_iteration; }
};

// The two settings of one iteration. Engines take whole numbers: a value is rounded up or down by chance, so
// that on average it is itself.
struct SpsaTrial {
    std::vector<int> signs;  // by parameter: +1 or -1
    std::vector<std::int64_t> plus;
    std::vector<std::int64_t> minus;
    int pairs = 0;
};

class Spsa {
  public:
    explicit Spsa(SpsaPlan plan);

    const SpsaPlan& plan() const { return plan_; }
    int iteration() const { return iteration_; }
    int pairs_played() const { return iteration_ * plan_.pairs_per_iteration; }
    bool done() const { return iteration_ >= plan_.iterations(); }
    const std::vector<double>& values() const { return values_; }

    // Of the next iteration. Depends on the plan, the values and the number of the iteration, on nothing
    // else.
    SpsaTrial next() const;
    // `wins_less_losses`: of the plus side. Values stay within their bounds.
    void apply(const SpsaTrial& trial, int wins_less_losses);

    // Goes on from such values.
    void restore(int iteration, std::vector<double> values);

    // c(i) and r(i) of a parameter, i pairs having been played.
    double perturbation(const SpsaParameter& parameter, int pairs_before) const;
    double rate(const SpsaParameter& parameter, int pairs_before) const;

  private:
    SpsaPlan plan_;
    int iteration_ = 0;
    std::vector<double> values_;
};

}  // namespace scholar::arena
