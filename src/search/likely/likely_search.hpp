#pragma once

#include <cstddef>
#include <memory>

#include "base/error.hpp"
#include "evaluators/batch_evaluator.hpp"
#include "nets/container/any_network.hpp"
#include "search/search.hpp"

namespace scholar::search {

struct LikelyOptions {
    static constexpr int kDefaultBreadth = 4;
    static constexpr int kMostBreadth = 256;
    static constexpr int kMostDepth = 100;

    int breadth = kDefaultBreadth;  // how many moves of a node are tried, the likeliest
    int depth = 0;                  // how many half-moves it looks ahead at most; 0: as far as limits allow
    std::size_t megabytes = 16;  // what is remembered of positions may take; a search ends where it is full
};

// Negamax over the few likely moves of each position (A. Singh, "Convolutional neural networks learn to play
// chess", 2015, section 2.6.3), deeper in the place of broader: a policy says which moves, a value what their
// ends are worth. Alpha-beta, iterations one half-move deeper than the last, the better of a node's positions
// first. All likely moves of a node are asked about together, and what was said is remembered from search to
// search. One thread. Refused: networks without value or policy.
base::Result<std::unique_ptr<Search>> make_likely_search(const nets::AnyNetwork& value,
                                                         const nets::AnyNetwork& policy,
                                                         const LikelyOptions& options = {});
// The same by an evaluator that gives both.
std::unique_ptr<Search> make_likely_search(std::unique_ptr<evaluators::BatchEvaluator> evaluator,
                                           const LikelyOptions& options = {});

}  // namespace scholar::search
