#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arena/place.hpp"
#include "learning/selfplay_loop/learn_checkpoint.hpp"
#include "learning/selfplay_loop/learn_recipe.hpp"

namespace scholar::learning {

// How many lie in each tenth of 0 to 1.
using Tenths = std::array<std::uint64_t, 10>;

// What happened in one round of a run.
struct RoundSummary {
    std::uint64_t games = 0;
    std::uint64_t half_moves = 0;
    std::uint64_t nodes = 0;
    std::uint64_t judged = 0;   // positions that were searched
    std::uint64_t full = 0;     // of them, those that were not only played
    std::uint64_t bounded = 0;  // of these, those whose score is no more than a bound
    std::uint64_t depths = 0;   // of these, all iterations that were completed
    std::uint64_t lessons = 0;  // that all of them gave
    std::uint64_t draws = 0;
    std::uint64_t repeated = 0;   // games that had been played before
    std::uint64_t played_on = 0;  // to their end, though both sides took them for decided
    std::uint64_t misjudged = 0;  // of these, those that the other side won, or nobody
    Tenths targets{};             // of lessons, expected results of the side to move; of bounds, their middle
    Tenths openings{};            // of games, White's expected result by their first search
    double playing = 0;           // seconds
    double training = 0;          // seconds
    std::uint64_t steps = 0;
    std::uint64_t trained = 0;  // positions, each as often as it was drawn
    double loss = 0;            // mean cross-entropy of the steps' batches, in nats
    double constant_loss = 0;   // of one value for all positions of a batch
    double target_entropy = 0;  // of who says of each position what should be said
    std::uint64_t clipped = 0;  // weights that the steps would have driven out of their bounds
    // Of the network that played, on positions of the round's games before any of them was trained on, and on
    // older ones of the window; nothing before the first step, or where there are none.
    std::optional<double> fresh_loss;
    std::optional<double> seen_loss;
    std::optional<double>
        match_score;       // of the newest network against the one that played, where one was played
    bool promoted = true;  // the newest network plays from now on
};

struct LearnRating {
    std::uint64_t lessons = 0;  // learnt before
    double core_seconds = 0;
    double elo = 0;           // above the network that the run began with
    double error = 0;         // 95 %
    std::uint64_t games = 0;  // that it had learnt from
    std::string name{};       // of its file among the snapshots
};

// Where a network stands among players of known strength.
struct LadderPlace {
    double core_seconds = 0;  // that it had learnt for
    double elo = 0;
    double error = 0;         // 95 %
    std::uint64_t games = 0;  // that say so
    arena::PlaceKind kind = arena::PlaceKind::Rated;
};

// A milestone that is playing on the ladder.
struct LadderProgress {
    int minutes = 0;  // core-minutes after which the network stood
    int games = 0;    // so far
    int of = 0;
};

// How a run stands, for those who watch it.
struct LearnStatus {
    LearnProgress progress;
    LearnStage stage;
    std::uint64_t games_of_round = 0;   // played so far, while a round is being played
    std::optional<RoundSummary> round;  // the last complete one
    nets::PieceValues piece_values{};
    std::string network;                    // that plays: nets::to_string() of its architecture
    std::optional<std::uint64_t> next;      // lessons with which the next stage begins; none behind the last
    std::vector<std::string> alarms;        // that ring, in a word or two
    std::vector<LearnRating> ratings;       // in order
    std::optional<LadderPlace> place;       // of the last milestone of this run that has one
    std::optional<LadderProgress> placing;  // while one plays there
    double seconds = 0;     // since this run began or was resumed, without games on the ladder
    double share_done = 0;  // of what this run has to do before a limit ends it, 0 to 1; 0 without limits
};

// Who watches a run. Called from the learning thread or from one that it waits for, never from two at once.
class LearnObserver {
  public:
    virtual ~LearnObserver() = default;
    // Several times a second at most while games are played; `round_ended`: a round is complete.
    virtual void on_status(const LearnStatus& status, bool round_ended) = 0;
    // Something that the user should know: a line.
    virtual void on_notice(const std::string& text) = 0;
};

}  // namespace scholar::learning
