#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "nets/network.hpp"

namespace scholar::learning {

// An exponential moving average of a network's weights: steadier than the weights themselves, which still
// follow every batch.
class WeightAverage {
  public:
    // `decay` for each step.
    explicit WeightAverage(double decay) : decay_(decay) {}

    // Takes in the weights `steps` steps after those before.
    void add(const nets::FloatNetwork& network, std::uint64_t steps) {
        if (average_.transformer.empty()) {
            average_ = network;
            return;
        }
        const auto kept = static_cast<float>(std::pow(decay_, static_cast<double>(steps)));
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
