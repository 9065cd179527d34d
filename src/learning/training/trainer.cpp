#include "learning/training/trainer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "learning/run/checkpoint_files.hpp"
#include "learning/run/run_files.hpp"
#include "learning/run/run_shell.hpp"
#include "learning/training/checkpoint.hpp"
#include "learning/training/same_course.hpp"
#include "learning/training/task.hpp"
#include "learning/training/training_loop.hpp"

namespace scholar::learning {

namespace {

RunShellOptions shell_options(const Recipe& recipe, const TrainOptions& options) {
    RunShellOptions shell;
    shell.folder = recipe.output;
    shell.resume = options.resume;
    shell.or_begin = options.or_begin;
    shell.overwrite = options.overwrite;
    shell.json = options.json;
    shell.limits.steps = recipe.schedule.steps;
    shell.limits.minutes = options.minutes;
    shell.limits.core_minutes = options.core_minutes;
    return shell;
}

// One run of a recipe, from its folder to its network.
class TrainingRun {
  public:
    TrainingRun(const Recipe& recipe, const TrainOptions& options, std::stop_token stop)
        : recipe_(recipe),
          options_(options),
          shell_(shell_options(recipe, options), std::move(stop)),
          task_(recipe.task->make_task(recipe, options.device)) {}

    base::Result<TrainOutcome> run();

  private:
    base::Result<std::optional<Loaded<TrainingProgress>>> load();
    base::Status find_start();
    base::Status check_data(const SampleSource& source) const;
    base::Status begin_new_run();
    base::Status say_start(const SampleSource& source);
    base::Status finish(TrainingLoop& loop);
    TrainOutcome stopped() const { return {false, start_.step, {}, start_.core_seconds}; }

    const Recipe& recipe_;
    const TrainOptions options_;
    RunShell shell_;
    const std::unique_ptr<Task> task_;
    TrainingProgress start_;
    bool resumed_ = false;
};

// The task takes its part of the checkpoint if that is to be gone on from, and is of this recipe.
base::Result<std::optional<Loaded<TrainingProgress>>> TrainingRun::load() {
    const auto parse = [&](const nets::TensorFile& file) -> base::Result<TrainingProgress> {
        auto progress = take_progress(file);
        if (progress && options_.resume && check_same_course(recipe_, progress->settings, progress->step))
            if (auto taken = task_->take(file); !taken) return std::unexpected(taken.error());
        return progress;
    };
    return read_checkpoint<TrainingProgress>(recipe_.output, parse);
}

base::Status TrainingRun::find_start() {
    auto loaded = load();
    RunShell::Found found{std::nullopt, shell_.has_checkpoint_or_records()};
    if (!loaded)
        found.checkpoint = std::unexpected(loaded.error());
    else if (*loaded)
        found.checkpoint = fmt::format(" at step {}", (*loaded)->checkpoint.step);
    const auto goes_on = shell_.goes_on(found);
    if (!goes_on) return std::unexpected(goes_on.error());
    if (!*goes_on) {
        start_.settings = recipe_.settings;
        return task_->begin();
    }
    if (!(*loaded)->warning.empty()) fmt::print(stderr, "warning: {}\n", (*loaded)->warning);
    start_ = std::move((*loaded)->checkpoint);
    if (auto same = check_same_course(recipe_, start_.settings, start_.step); !same)
        return base::fail_in(recipe_.output.string(), same.error());
    start_.settings = recipe_.settings;
    resumed_ = true;
    shell_.clock().add_cores(start_.core_seconds);
    return {};
}

base::Status TrainingRun::check_data(const SampleSource& source) const {
    if (!resumed_ || start_.data_hash == source.data_hash()) return {};
    return base::fail("{}: the games have changed since the run began: their hash was {} and is {}",
                      recipe_.output.string(), base::to_hex(start_.data_hash),
                      base::to_hex(source.data_hash()));
}

base::Status TrainingRun::begin_new_run() {
    // Nothing of an older run may stay that this one could be taken for, or resumed from.
    if (shell_.overwrites()) {
        std::vector<std::filesystem::path> old = checkpoint_files(recipe_.output);
        old.push_back(shell_.path(kMetricsFile));
        for (const std::string& name : task_->files()) old.push_back(shell_.path(name));
        // What the run starts from is kept until its own result replaces it.
        if (const std::string initial = task_->initial(); !initial.empty())
            std::erase_if(old, [&](const std::filesystem::path& path) {
                std::error_code unknown;
                return std::filesystem::equivalent(path, initial, unknown);
            });
        if (auto status = RunShell::remove(old); !status) return status;
    }
    return task_->write_beginning(recipe_.output);
}

base::Status TrainingRun::say_start(const SampleSource& source) {
    shell_.metrics().say(fmt::format("{}; {}; {} of {}{}", source.describe(), task_->describe(),
                                     base::counted(recipe_.schedule.steps, "step"),
                                     base::counted(recipe_.batch, source.unit()),
                                     start_.step > 0 ? fmt::format("; from step {}", start_.step) : ""));
    return shell_.metrics().record({{"kind", "start"},
                                    {"step", start_.step},
                                    {"recipe", recipe_.name},
                                    {"recipe_hash", base::to_hex(recipe_.hash())},
                                    {"data_hash", base::to_hex(source.data_hash())},
                                    {"threads", torch_threads()}});
}

base::Status TrainingRun::finish(TrainingLoop& loop) {
    if (auto s = loop.measure(); !s) return s;
    shell_.metrics().say(loop.measured().table);
    const TrainingProgress& now = loop.now();
    TrainedRun run{recipe_.output, shell_.metrics(), now.step, now.clipped, {}};
    run.history = {{"recipe", recipe_.name},
                   {"recipe_hash", base::to_hex(recipe_.hash())},
                   {"recipe_text_hash", base::to_hex(recipe_.text_hash)},
                   {"data", fmt::format("{}", fmt::join(recipe_.data.stores, ", "))},
                   {"data_hash", base::to_hex(now.data_hash)},
                   {"seed", fmt::format("{}", recipe_.seed)},
                   {"steps", fmt::format("{}", now.step)},
                   {"positions", fmt::format("{}", now.samples)},
                   {"core_seconds", fmt::format("{:.0f}", shell_.clock().cores())}};
    return task_->finish(run);
}

base::Result<TrainOutcome> TrainingRun::run() {
    if (auto there = check_device(options_.device); !there) return std::unexpected(there.error());
    if (const std::string warning = prepare_torch(recipe_.threads); !warning.empty())
        fmt::print(stderr, "warning: {}\n", warning);

    if (auto s = shell_.be_alone(); !s) return std::unexpected(s.error());
    if (auto s = find_start(); !s) return std::unexpected(s.error());
    auto source = task_->open_source();
    if (!source) return std::unexpected(source.error());
    if (auto s = check_data(**source); !s) return std::unexpected(s.error());
    if (auto s = shell_.create(); !s) return std::unexpected(s.error());
    if (auto s = task_->draw(); !s) return std::unexpected(s.error());
    // Neither the recipe nor the data can refuse the run from here on.
    if (!resumed_)
        if (auto s = begin_new_run(); !s) return std::unexpected(s.error());
    if (auto s = shell_.open_metrics(resumed_ ? std::optional(start_.step) : std::nullopt); !s)
        return std::unexpected(s.error());
    if (auto s = say_start(**source); !s) return std::unexpected(s.error());
    start_.data_hash = (*source)->data_hash();
    const auto prepared = task_->prepare(recipe_.output, shell_.metrics(), shell_.stop());
    if (!prepared) return std::unexpected(prepared.error());
    if (!*prepared) return stopped();

    TrainingLoop loop(recipe_, *task_, shell_, start_);
    if (!loop.is_done())
        if (auto s = loop.run(std::move(*source)); !s) return std::unexpected(s.error());
    const bool done = loop.is_done();
    if (done || (options_.writes_unfinished && !shell_.stop().stop_requested()))
        if (auto s = finish(loop); !s) return std::unexpected(s.error());
    return TrainOutcome{done, loop.now().step, loop.measured(), start_.core_seconds};
}

}  // namespace

base::Result<TrainOutcome> train(const Recipe& recipe, const TrainOptions& options, std::stop_token stop) {
    return TrainingRun(recipe, options, std::move(stop)).run();
}

}  // namespace scholar::learning
