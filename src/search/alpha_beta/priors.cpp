#include "search/alpha_beta/priors.hpp"

#include <algorithm>
#include <cmath>

namespace scholar::search {

namespace {

// Twice as likely is worth half of what one history can say at most.
constexpr double kOrderPerDoubling = 8192;
constexpr double kMostOrder = 8 * kOrderPerDoubling;

}  // namespace

void MovePriors::ask(evaluators::MovePolicy& policy, const chess::Position& position) {
    moves_ = chess::legal_moves(position);
    policy.judge(position, moves_, std::span(probabilities_).first(static_cast<std::size_t>(moves_.size())));
}

float MovePriors::probability(chess::Move move) const {
    for (int i = 0; i < moves_.size(); ++i)
        if (moves_[i] == move) return probabilities_[static_cast<std::size_t>(i)];
    return 0;
}

int MovePriors::order(chess::Move move) const {
    const double times_the_mean = static_cast<double>(probability(move)) * moves_.size();
    return static_cast<int>(
        std::clamp(kOrderPerDoubling * std::log2(std::max(times_the_mean, 1e-6)), -kMostOrder, kMostOrder));
}

}  // namespace scholar::search
