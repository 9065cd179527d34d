#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include "chess/types.hpp"
#include "search/effort.hpp"

// What a move costs of a node's effort.

namespace scholar::search {

enum class CostKind : std::uint8_t {
    HalfMove,     // each one half-move; moves of little promise are reduced by their number
    Probability,  // −ln p / ln b half-moves: nodes are searched down to a least probability (M. Lai,
                  // "Giraffe", 2015, section 5)
};

// What a policy is used for.
enum class PolicyUse : std::uint8_t { Order, Probability, Both };

struct CostOptions {
    // About the geometric mean of the number of legal moves: a half-move is worth as much under both kinds of
    // cost.
    static constexpr double kDefaultThresholdBase = 30;
    static constexpr double kLeastThresholdBase = 1.5;
    static constexpr double kMostThresholdBase = 100;

    CostKind kind = CostKind::HalfMove;
    // b. From one iteration to the next the least probability falls by as much.
    double threshold_base = kDefaultThresholdBase;
    // Of the policy, where there is one. As probability it says what its moves cost; where the cost is of
    // half-moves, by how much they are reduced, in place of their number. Nothing: Order for half-moves, Both
    // for probability.
    std::optional<PolicyUse> policy_use;
    // It is asked where so many nodes are expected below a node. Nothing: as many as it says that one
    // question costs.
    std::optional<double> policy_min_nodes;

    bool operator==(const CostOptions&) const = default;

    bool by_probability() const { return kind == CostKind::Probability; }
    PolicyUse use() const {
        return policy_use.value_or(by_probability() ? PolicyUse::Both : PolicyUse::Order);
    }
    bool policy_orders() const { return use() != PolicyUse::Probability; }
    bool policy_prices() const { return use() != PolicyUse::Order; }
};

// Costs by probability, never less than a quarter of a half-move nor more than four.
class ProbabilityCosts {
  public:
    explicit ProbabilityCosts(double threshold_base)
        : units_per_nat_(Effort::kHalfMove / std::log(threshold_base)) {
        for (std::size_t moves = 1; moves < uniform_.size(); ++moves)
            uniform_[moves] = of(1 / static_cast<double>(moves));
    }

    // Of a move that is the best with this probability, 0 to 1.
    Effort of(double probability) const {
        constexpr double kLeast = Effort::kHalfMove / 4.0;
        constexpr double kMost = Effort::kHalfMove * 4.0;
        const double units = -units_per_nat_ * std::log(std::max(probability, 1e-30));
        return Effort::of_units(static_cast<int>(std::lround(std::clamp(units, kLeast, kMost))));
    }
    // Of one of so many legal moves, of which nothing is known; at least one.
    Effort of_one_among(int moves) const { return uniform_[static_cast<std::size_t>(moves)]; }

  private:
    double units_per_nat_;
    std::array<Effort, chess::kMaxMoves + 1> uniform_{};
};

}  // namespace scholar::search
