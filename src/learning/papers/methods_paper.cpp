#include "learning/papers/methods_paper.hpp"

#include <array>

#include "learning/papers/methods_experiment.hpp"

namespace scholar::learning {

namespace {

constexpr std::array kMethodsExperiments{
    Experiment{.name = "matrix",
               .about = "Plays every system's networks under every search that can take them",
               .paper = "each had one search",
               .size = "100 games a cell against KnightCap, at 1,000 nodes a move and at 0.02 s a move",
               .time = "5 hours",
               .run = fill_matrix},
};

}  // namespace

Paper methods_paper() {
    return {"methods", "No paper: all systems beside each other", kMethodsExperiments};
}

}  // namespace scholar::learning
