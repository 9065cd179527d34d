#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "nets/perspective/network.hpp"

namespace scholar::learning {

// How much of an average of weights stays when it takes in those of `steps` steps later, `all` after the
// first: `decay` for each step in the long run. While there are few steps it is an average of the last fifth
// of them, so that the random weights at the beginning are soon forgotten.
inline double kept_of_average(double decay, std::uint64_t steps, std::uint64_t all) {
    constexpr double kLatePart = 0.2;
    const double late = static_cast<double>(steps) / (kLatePart * static_cast<double>(all));
    return std::min(std::pow(decay, static_cast<double>(steps)), std::max(0.0, 1 - late));
}

// An exponential moving average of a network's weights: steadier than the weights themselves, which still
// follow every batch.
class WeightAverage {
  public:
    // `decay` for each step, in the long run.
    explicit WeightAverage(double decay) : decay_(decay) {}

    // Takes in the weights `steps` steps after those before, `all` after the first.
    void add(const nets::FloatNetwork& network, std::uint64_t steps, std::uint64_t all) {
        if (average_.transformer.empty()) {
            average_ = network;
            return;
        }
        const auto kept = static_cast<float>(kept_of_average(decay_, steps, all));
        const auto blend = [kept](std::vector<float>& to, const std::vector<float>& from) {
            for (std::size_t i = 0; i < to.size(); ++i) to[i] = kept * to[i] + (1 - kept) * from[i];
        };
        std::vector<const std::vector<float>*> newest;
        nets::for_each_weights(network, [&](const auto&, const auto&, const std::vector<float>& weights) {
            newest.push_back(&weights);
        });
        auto next = newest.begin();
        nets::for_each_weights(average_, [&](const auto&, const auto&, std::vector<float>& weights) {
            blend(weights, **next++);
        });
    }
    bool empty() const { return average_.transformer.empty(); }
    const nets::FloatNetwork& network() const { return average_; }
    void restore(nets::FloatNetwork average) { average_ = std::move(average); }

  private:
    double decay_;
    nets::FloatNetwork average_;
};

}  // namespace scholar::learning
