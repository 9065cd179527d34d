#include "learning/selfplay_loop/learn_run.hpp"

#include "base/cores.hpp"

namespace scholar::learning {

namespace {

RunShellOptions shell_of(const LearnOptions& options) {
    RunShellOptions shell;
    shell.folder = options.output;
    shell.resume = options.resume;
    shell.overwrite = options.overwrite;
    shell.json = options.json;
    shell.limits = {.games = options.games, .core_minutes = options.core_minutes, .minutes = options.minutes};
    return shell;
}

}  // namespace

LearnRun::LearnRun(const LearnRecipe& with_recipe, const LearnOptions& with_options,
                   LearnObserver& with_observer, std::stop_token stop)
    : recipe(with_recipe),
      options(with_options),
      observer(with_observer),
      shell(shell_of(with_options), std::move(stop)),
      folder(with_options.output),
      seed(with_options.seed.value_or(kDefaultSeed)),
      average(with_recipe.averaging),
      window(with_recipe.stages.front().window),
      segments(with_options.output),
      course(folder.snapshots()) {}

int LearnRun::threads() const {
    return base::threads_or_cores(options.threads);
}

}  // namespace scholar::learning
