#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>

#include "base/error.hpp"
#include "games/held_out.hpp"
#include "nets/container/any_network.hpp"

// What a network of any kind knows of games that it has not seen, by the same questions for all.

namespace scholar::learning {

struct MethodJudgement {
    // Cross-entropy of the games' results, nats; nothing of who judges no positions.
    std::optional<double> log_loss;
    // The same of the other half of the positions, with its logits times the one number that is best for the
    // first half: what is left if it is only too sure, or not sure enough.
    std::optional<double> scaled_log_loss;
    // Shares of moves played that are its first guess: by its probabilities; by the best value one half-move
    // ahead.
    std::optional<double> by_policy;
    std::optional<double> by_value;
};

// Of the set's positions, with the games before them; one half-move ahead of the first `ahead`.
base::Result<MethodJudgement> judge_method(const nets::AnyNetwork& network, const games::HeldOutSet& set,
                                           std::size_t ahead, const std::stop_token& stop);
// As one line of JSON; nothing of another text.
std::string to_text(const MethodJudgement& judgement);
std::optional<MethodJudgement> judgement_from(const std::string& text);
// The cross-entropy of the best constant.
double constant_log_loss(const games::HeldOutSet& set);

}  // namespace scholar::learning
