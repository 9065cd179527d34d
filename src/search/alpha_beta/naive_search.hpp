#pragma once

#include <cstdint>
#include <memory>

#include "base/error.hpp"
#include "nets/container/any_network.hpp"
#include "search/alpha_beta/move_cost.hpp"
#include "search/search.hpp"

namespace scholar::search {

// What bounds the tree of a naive search, at each iteration.
enum class NaiveBound : std::uint8_t {
    Depth,        // the distance from the root: one half-move more
    Probability,  // a share of the root's probability of 1, which every node divides equally among its moves:
                  // nodes that have at least 1/threshold_base of the share before
};

struct NaiveOptions {
    NaiveBound bound = NaiveBound::Depth;
    double threshold_base = CostOptions::kDefaultThresholdBase;
};

// Two searches that differ in nothing but what bounds the tree (M. Lai, "Giraffe: Using Deep Reinforcement
// Learning to Play Chess", 2015, section 5): alpha-beta with iterations, captures first, and quiescence over
// captures. No table, no pruning, no reductions; of an iteration the next knows the order of the root's
// moves. One thread, whatever the limits. A score is exactly its leaf's static value. Refused: a network that
// gives leaves no value, or by more than the position.
base::Result<std::unique_ptr<Search>> make_naive_search(const nets::AnyNetwork& network,
                                                        const NaiveOptions& options = {});

}  // namespace scholar::search
