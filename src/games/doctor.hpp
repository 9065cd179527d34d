#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "games/copies.hpp"
#include "games/evaluation_record.hpp"
#include "games/statistics.hpp"
#include "games/store.hpp"

// What may be wrong with games that something is to learn from.

namespace scholar::games {

enum class Severity : std::uint8_t {
    Note,     // worth knowing
    Warning,  // may spoil what is learnt
    Error,    // damage, or data that would mislead whatever is measured
};
std::string_view to_string(Severity severity);

struct Finding {
    Severity severity;
    std::string code;     // one word, the same for the same fault: "duplicate-games"
    std::string what;     // what was found and what was expected, in one line
    std::uint64_t count;  // of games, or of whatever the text says
    std::string example;  // "FILE: game N" or the like; "" if there is none
    std::string advice;   // what to do
};

// From where on something is a finding.
struct DoctorLimits {
    std::size_t few_plies = 10;        // shorter games are "short"
    std::size_t min_cut_plies = 20;    // shorter games are not taken for cut ones
    std::uint64_t min_games = 200;     // fewer are too few to speak of shares
    double most_unknown = 0.05;        // share of games without a result
    double most_draws = 0.85;          // share of games with a result
    double most_of_one_side = 0.75;    // White's or Black's share of the points
    double most_forfeits = 0.10;       // share of games that time, rules or connection ended
    double least_distinct = 0.25;      // share of positions that are distinct
    double least_openings = 30;        // effective number of openings at half-move 16
    std::uint64_t min_evaluated = 30;  // games of a producer, and as a colour, to judge it
    double most_constant = 0.95;       // share of a producer's most frequent evaluation
    double most_scale_factor = 5;      // of a producer's scale to the median of all
    double least_scale = 10;           // centipawns (EvaluationRecord::scale)
    double most_scale = 2'000;
    int extreme_centipawns = 15'000;            // no evaluation but a mate goes so far
    std::size_t min_constant_evaluations = 20;  // of one player in one game, to call them constant
    double most_constant_games = 0.01;          // share of the games with evaluations
    double most_cut_in_two_splits = 0.001;      // share of games
    double least_correlation = 0.05;            // of evaluations with results; less says nothing
    double contradiction = -0.2;                // and less than this goes against the results
    std::size_t min_constant_clocks = 20;       // of one player in one game, to call them constant
    std::uint64_t most_overspent_ms = 60'000;   // that a move takes longer than the clock had
};

struct DoctorOptions {
    struct Store {
        std::string path;
        std::optional<Split> role;  // that all its games belong to; else their hashes decide
    };
    std::vector<Store> stores;
    SplitShares shares{};
    DoctorLimits limits{};
    unsigned threads = 0;  // 0: as many as the machine has
    std::stop_token stop;
    std::function<void(std::uint64_t)> progress;  // told how many games have been passed
};

// How many positions there are, counted before each half-move, and how many of them differ.
struct PositionCount {
    std::uint64_t positions = 0;
    double distinct = 0;
    double standard_error = 0;  // of `distinct`, as a share of it; 0 if it is exact
    double share() const { return positions == 0 ? 0 : distinct / static_cast<double>(positions); }
};

// The positions that games have reached at one half-move.
struct OpeningVariety {
    std::size_t ply = 0;
    std::uint64_t games =
        0;               // that go so far and were counted: all, or a sample by hash if there are too many
    double entropy = 0;  // bits
    double effective() const;  // so many equally frequent positions have that entropy
};

struct ProducerRecord {
    std::size_t store = 0;  // index among the stores that could be opened
    std::string name;
    EvaluationRecord evaluations;
};

struct Examination {
    struct Store {
        std::string path;
        std::optional<Split> role;
        std::uint64_t games = 0;
        std::uint64_t plies = 0;
        std::uint64_t blocks = 0;
        std::uint64_t bytes = 0;
        std::uint64_t damaged_blocks = 0;
        std::uint64_t damaged_games = 0;
    };
    std::vector<Store> stores;  // that could be opened; of one that was cut off, its whole blocks
    GameStatistics statistics;
    PositionCount positions;
    double seen_once = 0;  // positions that occur once, of the distinct ones
    // Share of the distinct positions of validation and test games that training games have too. Nothing
    // without both.
    std::optional<double> shared_with_training;
    std::vector<std::pair<std::size_t, PositionCount>> by_ply;
    std::vector<OpeningVariety> openings;
    Copies copies;
    std::vector<ProducerRecord> producers;  // the most frequent first
    std::vector<Finding> findings;          // the worst first

    std::uint64_t count(Severity severity) const;
};

// Reads all of the stores: checksums, every move, every hash, and everything that a Finding can say. Damage
// is a finding too; an error is only that it was stopped.
base::Result<Examination> examine(const DoctorOptions& options);

}  // namespace scholar::games
