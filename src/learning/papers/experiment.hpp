#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "learning/papers/findings.hpp"
#include "learning/papers/reproduction.hpp"

// What `scholar reproduce PAPER [EXPERIMENT]` knows: the papers, and of each the experiments that are
// repeated here, with the paper's figure, our size and the time that it takes.

namespace scholar::learning {

// Makes what was found so far last, and the report with it.
using TakeFindings = std::function<base::Status(const Findings&)>;

struct Experiment {
    std::string_view name;   // one word, as on the command line
    std::string_view about;  // what is done
    std::string_view paper;  // its figure, and where it stands there; or that it has none
    std::string_view size;   // of ours: games, seeds
    std::string_view time;   // what that takes of one core, games included
    // Whatever was done before is not done again (reproduce()). Calls `take` after every step, with all that
    // is known then.
    base::Status (*run)(Reproduction& work, const TakeFindings& take);
};

struct Paper {
    std::string_view name;   // one word, as on the command line
    std::string_view title;  // who wrote it, when, and what it is about
    std::span<const Experiment> experiments;
    // Whether it learns from games that others played (ReproductionOptions::stores).
    bool learns_from_games = false;
    // And whether it can be asked about others (test_stores).
    bool is_tested_on_others = false;
    // Whether other policies can be asked beside its own (beside).
    bool asks_other_policies = false;
    // Whether its networks can be asked a suite of positions (suite).
    bool solves_a_suite = false;
    // Whether an experiment learns with several seeds (seeds), and whether networks play on the ladder
    // (ladder_games).
    bool has_seeds = false;
    bool has_places = true;
};

// A plain table, in the order in which they appeared.
std::span<const Paper> all_papers();

// Repeats the experiments of these names, or all where none is named, in the table's order. In the output
// folder are then report.md, which has all that was found at any time, and EXPERIMENT.md with the part of
// each (EXPERIMENT.unfinished.md until it is over). Whatever was done with other weights, by another build of
// this program or with other openings is not the same, and is done anew. The path of the report.
base::Result<std::filesystem::path> reproduce(const Paper& paper, std::span<const std::string> names,
                                              const ReproductionOptions& options,
                                              const std::stop_token& stop);

}  // namespace scholar::learning
