#pragma once

#include <memory>
#include <utility>

#include "base/error.hpp"
#include "evaluators/any_leaf.hpp"
#include "evaluators/batch_evaluator.hpp"
#include "evaluators/comparator.hpp"
#include "evaluators/linear_evaluator.hpp"
#include "evaluators/move_policy.hpp"
#include "evaluators/network_evaluator.hpp"
#include "nets/container/any_network.hpp"

// What is made of a network: the evaluator that its kind has, or one by an adapter from another that it has.
// The kinds' own makers are a plain table in make.cpp; a new kind of network is a row there. Each refuses, in
// one line, a network that cannot give it.

namespace scholar::evaluators {

// Its own, or a batch's values one by one, where a position alone decides them.
base::Result<AnyLeaf> make_leaf(const nets::AnyNetwork& network);
// Its own, or its leaf's values in batches of one.
base::Result<std::unique_ptr<BatchEvaluator>> make_batch(const nets::AnyNetwork& network);
// The value of one with the probabilities of another, or of the same; refuses networks that have not both.
base::Result<std::unique_ptr<BatchEvaluator>> make_joined_batch(const nets::AnyNetwork& value,
                                                                const nets::AnyNetwork& policy);
// A value that somebody else works out with a network's probabilities; refuses one without them.
base::Result<std::unique_ptr<BatchEvaluator>> make_joined_batch(std::unique_ptr<BatchEvaluator> value,
                                                                const nets::AnyNetwork& policy);
// Its own, or a batch's probabilities one by one.
base::Result<std::unique_ptr<MovePolicy>> make_policy(const nets::AnyNetwork& network);
base::Result<std::unique_ptr<Comparator>> make_comparator(const nets::AnyNetwork& network);

// Calls use(leaf) with the leaf evaluator of a network that has one, as what it is where its kind is hot, so
// that the search is compiled for it, else as AnyLeaf. What use() gives is a base::Result.
template <class Use>
auto with_leaf(const nets::AnyNetwork& network, Use&& use) -> decltype(use(std::declval<AnyLeaf>())) {
    if (auto perspective = network.as<nets::Network>()) return use(NetworkEvaluator(std::move(perspective)));
    if (auto linear = network.as<nets::LinearNetwork>()) return use(LinearEvaluator(std::move(linear)));
    auto leaf = make_leaf(network);
    if (!leaf) return std::unexpected(leaf.error());
    return use(std::move(*leaf));
}

}  // namespace scholar::evaluators
