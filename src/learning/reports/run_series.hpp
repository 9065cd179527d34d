#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/plot.hpp"
#include "learning/selfplay_loop/run_history.hpp"

// Lines of plots from the rounds of runs of `scholar learn`.

namespace scholar::learning {

double core_minutes(const RunRound& round);

// A quantity of the course from `first` to `last`; logarithmic if it grew much.
base::PlotAxis course_axis(const char* label, double first, double last);

// A value by core-minutes, from the rounds that have it; means over stretches where there are many.
base::PlotSeries series_of(const RunHistory& history, std::string name, bool logarithmic,
                           const std::function<std::optional<double>(const RunRound&)>& of);

// What a plot shows of a run by core-minutes.
struct RunCurve {
    const char* name;  // of the file
    const char* title;
    base::PlotAxis y;
    std::function<std::optional<double>(const RunRound&)> of;
};
// Loss on new positions and above the entropy of the targets, what is learnt by heart, speed, …
const std::vector<RunCurve>& run_curves();

// The core-minutes at which the stages of the course began, but for the first.
std::vector<double> stage_marks(const RunHistory& history);

// Of all rounds, a line each with its own names at the head (RFC 4180).
std::string rounds_as_csv(const RunHistory& history);

}  // namespace scholar::learning
