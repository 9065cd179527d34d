#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace scholar::learning {

// How far a prediction is from what should be, averaged over positions; not numbers over none.
struct Losses {
    double cross_entropy = 0;  // −t·log p − (1 − t)·log(1 − p), in nats
    double squared_error = 0;  // (t − p)²
};

inline double sigmoid(double logit) {
    return 1 / (1 + std::exp(-logit));
}

// The cross-entropy of σ(logit) against `target`, without overflow.
inline double cross_entropy(double logit, double target) {
    return std::max(logit, 0.0) - logit * target + std::log1p(std::exp(-std::abs(logit)));
}

// Sums over positions; mean() divides.
class LossSum {
  public:
    void add(double logit, double target) {
        const double error = target - sigmoid(logit);
        sum_.cross_entropy += cross_entropy(logit, target);
        sum_.squared_error += error * error;
        ++count_;
    }
    Losses mean() const {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        if (count_ < 1) return {none, none};
        return {sum_.cross_entropy / count_, sum_.squared_error / count_};
    }

  private:
    Losses sum_;
    double count_ = 0;
};

// Of the best constant, which is the mean of the targets, over at least one position: its entropy.
double constant_cross_entropy(std::span<const float> targets);

}  // namespace scholar::learning
