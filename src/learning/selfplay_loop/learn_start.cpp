#include "learning/selfplay_loop/learn_start.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "learning/perspective/growth.hpp"
#include "learning/perspective/network_plan.hpp"
#include "nets/perspective/network_file.hpp"
#include "nets/perspective/quantise.hpp"

namespace scholar::learning {

namespace {

// Of any architecture: it takes the place of the recipe's, and grows to what the recipe has that it lacks.
base::Result<nets::FloatNetwork> given_network(const LearnRun& run) {
    auto network = nets::load_float_network(run.options.from);
    if (!network) return network;
    const nets::Architecture& architecture = network->info.architecture;
    for (const LearnStage& stage : run.recipe.stages)
        if (stage.network.width > architecture.width &&
            stage.network.width % architecture.width_multiple() != 0)
            return base::fail("{}: {} cannot grow to the recipe's {} units, expected {}", run.options.from,
                              nets::to_string(architecture), stage.network.width,
                              nets::expected_widths(architecture));
    for (const LearnStage& stage : run.recipe.stages) {
        if (stage.network.hidden.empty() || !architecture.hidden.empty()) continue;
        nets::Architecture deep = architecture;
        deep.width = std::max(deep.width, stage.network.width);
        deep.hidden = stage.network.hidden;
        if (auto fits = check_deepening(deep, run.recipe.clip); !fits)
            return base::fail("{}: clip_output {}", run.options.from, fits.error().message);
        break;
    }
    return network;
}

}  // namespace

base::Result<nets::FloatNetwork> first_network(const LearnRun& run) {
    if (!run.options.from.empty()) return given_network(run);
    NetworkPlan plan = run.recipe.network;
    // What learns from games first passes over a part of the course, and begins with what the network has
    // grown to there.
    if (!run.options.games_files.empty() && plan.initial.empty())
        plan.architecture = run.recipe.architecture_at(run.recipe.head_start);
    return start_network(plan, run.seed);
}

base::Status check_fits(const LearnRun& run, const nets::FloatNetwork& first) {
    const auto quantised = nets::quantise(first);
    if (quantised) return {};
    const std::string& file = run.options.from.empty() ? run.recipe.network.initial : run.options.from;
    return base::fail_in(file.empty() ? "random weights" : file, quantised.error());
}

base::Result<std::optional<LearntFromGames>> taught_by_games(const LearnRun& run,
                                                             const nets::FloatNetwork& start) {
    GamesLessons lessons;
    lessons.files = run.options.games_files;
    lessons.folder = run.folder.games_lessons();
    lessons.seed = run.seed;
    lessons.threads = run.threads();
    lessons.device = run.options.device;
    lessons.json = run.options.json;
    return learn_from_games(run.recipe, start, lessons, run.shell.stop());
}

std::uint64_t head_start(const LearnRun& run, const nets::FloatNetwork& network) {
    std::uint64_t lessons = 0;
    const auto known = network.info.history.find(kCourseHistory);
    if (!run.options.games_files.empty() || known == network.info.history.end() ||
        std::from_chars(known->second.data(), known->second.data() + known->second.size(), lessons).ec !=
            std::errc())
        return run.recipe.head_start;
    return std::min(lessons, run.recipe.head_start);
}

std::string describe_beginning(const LearnRun& run) {
    const std::string& network = run.options.from.empty() ? run.recipe.network.initial : run.options.from;
    std::string text = network.empty() ? "random weights" : network;
    if (!run.options.games_files.empty())
        text += fmt::format(", then the games of {}", fmt::join(run.options.games_files, ", "));
    return text;
}

}  // namespace scholar::learning
