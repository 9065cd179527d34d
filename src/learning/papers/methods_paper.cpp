#include "learning/papers/methods_paper.hpp"

#include <array>

#include "learning/papers/methods_experiment.hpp"

namespace scholar::learning {

namespace {

constexpr std::array kMethodsExperiments{
    Experiment{.name = "matrix",
               .about = "Plays every system's networks under every search that can take them",
               .paper = "each had one search",
               .size =
                   "100 games a cell against KnightCap (20 where one side wins them all), at 1,000 nodes a "
                   "move and at 0.02 s a move",
               .time = "5 hours",
               .run = fill_matrix},
    Experiment{.name = "learning",
               .about = "Lets all methods learn from the same games for the same time, and one from its own",
               .paper = "each had its own games and machine",
               .size =
                   "nine recipes read after 5, 20 and 60 core-minutes, two more seeds to 20; 10,000 held-out "
                   "positions; two matches of 100 games a reading",
               .time = "18 hours",
               .run = compare_learning},
};

}  // namespace

Paper methods_paper() {
    return {.name = "methods",
            .title = "No paper: all systems beside each other",
            .experiments = kMethodsExperiments,
            .learns_from_games = true,
            .solves_a_suite = true,
            .has_seeds = true,
            .has_places = false};
}

}  // namespace scholar::learning
