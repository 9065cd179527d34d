#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "arena/move_opinion.hpp"
#include "arena/questions.hpp"
#include "base/error.hpp"
#include "games/held_out.hpp"
#include "games/move_habits.hpp"

// How well players foretell the moves of games: each position of a held-out set is put to them with the game
// so far, and what they hold of its moves is compared with the move that was played.

namespace scholar::arena {

// The move that was played is counted among so many held to be best; tables for people show some of these.
inline constexpr auto kWithin = [] {
    std::array<int, 30> counts{};
    std::iota(counts.begin(), counts.end(), 1);
    return counts;
}();
inline constexpr std::array<int, 4> kShownWithin{1, 3, 5, 10};

// Of one position.
struct MoveAnswer {
    bool asked = false;     // false: stopped before its turn
    std::string failure{};  // empty, or why nothing is known: it counts as missed
    chess::Move guess{};    // the first; none of who knows only shares
    std::array<std::optional<double>, kWithin.size()> within{};  // see share_within()
    std::optional<double> probability{};                         // of the move that was played
};

// Who foretells.
struct MovePredictor {
    std::string name;
    bool is_exact = false;            // its hits are expected ones: there is no chance in them
    std::vector<MoveAnswer> answers;  // by position of the set
};

struct MoveSuiteResult {
    std::vector<MovePredictor> engines;
    // Who does not look at the position but for its legal moves: what engines have to be better than. The
    // most frequent moves, if there are any, and chance.
    std::vector<MovePredictor> constants;
    bool interrupted = false;
};

// Each position is a new game, of which its index is the number. A search that could not do what it is for is
// a failure. `progress` hears the number of answers, from one thread at a time.
base::Result<MoveSuiteResult> run_move_suite(const games::HeldOutSet& set, const games::MoveHabits& habits,
                                             const AskingOptions& options,
                                             const std::function<void(std::size_t)>& progress,
                                             std::stop_token stop);

// Some positions of a set.
struct MoveGroup {
    std::string kind;  // "all", "ply", "rating", "move"
    std::string name;
    std::vector<std::size_t> positions;  // indices
};
// Those whose turn came with every engine: all of them; by half-moves since the start of the game; by the
// rating of the player to move, in bands of `band` points; by whether the move played was quiet, that is no
// capture, no promotion and no check; and those in which it was no winning capture, one whose exchange gains
// half a pawn or more (chess::exchange_wins, with pieces worth what the default network has learnt). Empty
// groups are left out, and ratings if there are none.
std::vector<MoveGroup> move_groups(const games::HeldOutSet& set, const MoveSuiteResult& result, int band);

// A mean with its 95 % interval.
struct Estimate {
    double mean = 0;
    double low = 0;
    double high = 0;
    double error() const { return (high - low) / 2; }
};
// Of a share of `count` ≥ 1: E. B. Wilson, "Probable inference, the law of succession, and statistical
// inference" (1927).
Estimate wilson(double share, std::uint64_t count);

// Probabilities below this count as this much: one move that was held to be impossible would otherwise make
// the loss of all infinite.
inline constexpr double kLeastProbability = 1e-9;

// How well one predictor did in one group.
struct MoveScore {
    std::uint64_t positions = 0;
    std::uint64_t failures = 0;
    std::array<std::optional<Estimate>, kWithin.size()> within;  // nothing: it does not say so much
    std::optional<Estimate> log_loss;  // mean of −ln probability; only of who gives probabilities
    std::uint64_t impossible = 0;      // moves played whose probability was below kLeastProbability
};
MoveScore score_moves(const MovePredictor& predictor, const MoveGroup& group);

// What was measured, for whoever is to repeat it: stores, rule, size and hash of the set.
std::string describe(const games::HeldOutSet& set);
// A table by group, with the constants below the engines.
std::string describe(const games::HeldOutSet& set, const MoveSuiteResult& result, int band);
// Lines of JSON: of the set; of each position asked; of each group and predictor.
std::string to_json_lines(const games::HeldOutSet& set, const MoveSuiteResult& result, int band);

}  // namespace scholar::arena
