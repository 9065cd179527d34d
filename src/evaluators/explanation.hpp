#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "chess/line.hpp"
#include "chess/types.hpp"
#include "evaluators/batch_evaluator.hpp"
#include "nets/container/any_network.hpp"

// Which men make a network say what it says of a position.

namespace scholar::evaluators {

enum class ExplanationMethod : std::uint8_t {
    // The man is taken off the board: what is said with him less what is said without.
    Occlusion,
    // Gradient × input: the slope of what is said by each number that the network is given, times the number
    // (nets/explained/explained.hpp says whose a number is).
    Gradient,
    // Integrated gradients (M. Sundararajan, A. Taly and Q. Yan, "Axiomatic attribution for deep networks",
    // 2017): the same with the slope's mean on the way from all numbers 0 to what they are, so that the
    // shares add up to what is said less what is said of nothing.
    Integrated,
};
inline constexpr std::array kExplanationMethods{ExplanationMethod::Occlusion, ExplanationMethod::Gradient,
                                                ExplanationMethod::Integrated};
// "occlusion", "gradient", "integrated".
std::string_view to_string(ExplanationMethod method);
std::optional<ExplanationMethod> find_explanation_method(std::string_view name);

// In what an explanation counts: of a value, Score units (400 · logit of the expected result) from White's
// view; of a move, its probability, 0 to 1.
struct Explanation {
    ExplanationMethod method{};
    double said = 0;
    // By square: what the man there gives. Nothing where nobody stands, or where `left_out` says why.
    std::array<std::optional<double>, 64> men{};
    std::map<chess::Square, std::string> left_out;
    // By occlusion both are 0, as nothing has to add up. What numbers give that are no man's: side to move,
    // castling rights, attacked squares, ….
    double others = 0;
    // What is left of `said`: biases, and what the slopes do not see.
    double rest = 0;

    // Of all men.
    double men_total() const;
    // The men, from the one who gives most to the one who takes most; of equal ones that on the lower square.
    std::vector<chess::Square> order() const;
};

// The position without the man on a square, with the same side to move; what he allowed (castling, en
// passant) goes with him. Refuses kings, and what is no position then, or one without a legal move.
base::Result<chess::Position> without_man(const chess::Position& position, chess::Square square);

// Asks one network. Belongs to one thread.
class Explainer {
  public:
    // Of the way of Integrated, at the middle of each of which slopes are taken.
    static constexpr int kUsualSteps = 32;

    // Refuses a network that has neither value nor policy.
    static base::Result<Explainer> make(const nets::AnyNetwork& network, int steps = kUsualSteps);

    const nets::AnyNetwork& network() const { return network_; }
    // Whether it knows a network's slopes too, of the value or of a move.
    bool has_slopes(bool of_move) const;

    // What the engine's own evaluator says of positions, each by itself: without a move the value, else the
    // probability of the move, which is legal in all of them. Each has a legal move.
    base::Result<std::vector<double>> say(const std::vector<chess::Position>& positions,
                                          std::optional<chess::Move> move);
    // The likeliest move of a position that has one; of equal ones the first generated.
    base::Result<chess::Move> likeliest_move(const chess::Position& position);

    // Of the value, or of a legal move. Refuses what the network does not have, and a position without a
    // legal move.
    base::Result<Explanation> explain(const chess::Position& position, std::optional<chess::Move> move,
                                      ExplanationMethod method);

  private:
    Explainer(const nets::AnyNetwork& network, std::unique_ptr<BatchEvaluator> batch, int steps)
        : network_(network), batch_(std::move(batch)), steps_(steps) {}

    base::Result<Explanation> by_occlusion(const chess::Position& position, std::optional<chess::Move> move);
    base::Result<Explanation> by_slopes(const chess::Position& position, std::optional<chess::Move> move,
                                        bool integrated);

    nets::AnyNetwork network_;
    std::unique_ptr<BatchEvaluator> batch_;
    int steps_;
};

}  // namespace scholar::evaluators
