#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "chess/position.hpp"
#include "learning/selfplay_loop/learn_status.hpp"

namespace scholar::learning {

// How the units of a network's layer behave over some positions.
struct UnitActivity {
    int units = 0;         // of a hidden layer in each output bucket that enough of the positions are of
    int dead = 0;          // 0 in every position, the transformer's from either viewpoint
    double saturated = 0;  // share of all activations that are at the upper clip
};
// Layer for layer: the transformer, then the hidden layers.
std::vector<UnitActivity> measure_activity(const nets::Network& network,
                                           std::span<const chess::Position> positions);

// Watches for ways in which learning from oneself goes wrong. Each alarm is given once when it begins, as a
// line for the user, and again only after the trouble was over.
class Alarms {
  public:
    // After each round, with the activity of its network layer for layer.
    std::vector<std::string> check(const RoundSummary& round, std::span<const UnitActivity> activity);

    // Those that ring, in a word or two.
    std::vector<std::string> ringing() const;

    // Notes a game by its hash; whether it was among the last 200,000 already.
    bool is_repeated(std::uint64_t game_hash);

  private:
    // Gives the text if the trouble has just begun.
    void raise(bool trouble, bool& ringing, std::string text, std::vector<std::string>& into) const;

    std::deque<RoundSummary> recent_;
    std::deque<double> by_heart_;  // of recent rounds: how much higher the loss was on new positions
    std::uint64_t trained_ = 0;    // positions since the run began or was resumed
    std::deque<std::uint64_t> order_;
    std::unordered_set<std::uint64_t> seen_;
    bool draws_ = false;
    bool loss_ = false;
    bool nothing_learnt_ = false;
    bool learnt_by_heart_ = false;
    bool dead_ = false;
    bool saturated_ = false;
    bool repeats_ = false;
};

}  // namespace scholar::learning
