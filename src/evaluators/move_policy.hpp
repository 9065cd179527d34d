#pragma once

#include <memory>
#include <span>

#include "chess/position.hpp"
#include "chess/types.hpp"

namespace scholar::evaluators {

// How likely each legal move is: for the order of moves and for probability inside alpha-beta, and for the
// priors of a tree search that looks at one position at a time. It follows the search's path as a leaf
// evaluator does (leaf_evaluator.hpp); who keeps nothing of the path leaves those calls as they are. It
// belongs to one thread.
class MovePolicy {
  public:
    virtual ~MovePolicy() = default;
    // Another one of the same, for another thread.
    virtual std::unique_ptr<MovePolicy> copy() const = 0;

    virtual void reset(const chess::Position& /*position*/) {}
    virtual void push(const chess::Position& /*before*/, chess::Move /*move*/) {}
    virtual void push_null(const chess::Position& /*before*/) {}
    virtual void pop() {}

    // The probabilities of `moves`, all legal ones of `position`, where the policy stands, in their order:
    // from 0 to 1, with a sum of 1. `out` has a place for each; there is at least one.
    virtual void judge(const chess::Position& position, const chess::MoveList& moves,
                       std::span<float> out) = 0;
    // What asking costs, in nodes of an alpha-beta search with a small network: where a node is expected to
    // take fewer, nobody should ask.
    virtual double worth_nodes() const = 0;
};

}  // namespace scholar::evaluators
