#pragma once

#include <memory>
#include <utility>

#include "evaluators/any_leaf.hpp"
#include "evaluators/comparator.hpp"

namespace scholar::evaluators {

// A comparator that is secretly a number: a leaf evaluator's value, for White.
class ValueComparator final : public Comparator {
  public:
    explicit ValueComparator(AnyLeaf leaf) : leaf_(std::move(leaf)) {}

    std::unique_ptr<Comparator> copy() const override { return std::make_unique<ValueComparator>(leaf_); }
    void embed(const chess::Position& position, Embedding& out) override {
        leaf_.reset(position);
        const chess::PovScore value(leaf_.value(position), position.side_to_move());
        out.assign(1, static_cast<float>(value.white().value()));
    }
    bool prefers(const Embedding& a, const Embedding& b) override { return a.front() > b.front(); }

  private:
    AnyLeaf leaf_;
};

}  // namespace scholar::evaluators
