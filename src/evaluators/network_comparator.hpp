#pragma once

#include <memory>
#include <utility>

#include "evaluators/comparator.hpp"
#include "nets/comparison/comparison_runner.hpp"

namespace scholar::evaluators {

// What a network of architecture "comparison" says: where it says that neither is better, neither is
// preferred.
class NetworkComparator final : public Comparator {
  public:
    explicit NetworkComparator(std::shared_ptr<const nets::ComparisonNetwork> network)
        : runner_(std::move(network)) {}

    std::unique_ptr<Comparator> copy() const override { return std::make_unique<NetworkComparator>(*this); }
    void embed(const chess::Position& position, Embedding& out) override {
        out.resize(runner_.embedding_size());
        runner_.embed(position, out);
    }
    bool prefers(const Embedding& a, const Embedding& b) override { return runner_.logit(a, b) > 0; }

  private:
    nets::ComparisonRunner runner_;
};

}  // namespace scholar::evaluators
