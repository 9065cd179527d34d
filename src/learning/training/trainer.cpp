#include "learning/training/trainer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"
#include "learning/perspective/export.hpp"
#include "learning/perspective/model.hpp"
#include "learning/run/metrics.hpp"
#include "learning/run/run_time.hpp"
#include "learning/training/batch_stream.hpp"
#include "learning/training/checkpoint.hpp"
#include "learning/training/survey.hpp"
#include "nets/perspective/network_file.hpp"
#include "nets/perspective/quantise.hpp"

namespace scholar::learning {

namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kRecordEvery = 50;  // steps
constexpr const char* kMetrics = "metrics.jsonl";

games::Sampler::Options training_options(const Recipe& recipe) {
    games::Sampler::Options options;
    options.stores = recipe.data.stores;
    options.sampling = recipe.data.sampling;
    options.seed = recipe.seed;
    options.shuffle_buffer = recipe.data.shuffle_buffer;
    return options;
}

json to_json(const Losses& losses) {
    return {{"cross_entropy", losses.cross_entropy}, {"squared_error", losses.squared_error}};
}
json to_json(const Comparison& comparison) {
    return {{"network", to_json(comparison.network)},
            {"constant", to_json(comparison.constant)},
            {"material", to_json(comparison.material)}};
}
json to_json(const ValidationPart& part) {
    return {
        {"positions", part.positions}, {"target", to_json(part.target)}, {"result", to_json(part.result)}};
}

std::string scales_table(const EvaluationScales& scales) {
    std::string text =
        "evaluations: expected result = 1 / (1 + exp(-centipawns / s)), fitted to the training games\n";
    text += fmt::format("  {:<24} {:>12} {:>8}", "producer", "positions", "s");
    const auto row = [&text](const ProducerScale& scale) {
        text += fmt::format("\n  {:<24} {:>12.0f} {:>8.1f}", scale.producer, scale.positions, scale.scale);
    };
    row(scales.pooled);
    const std::vector<ProducerScale> main = main_producers(scales);
    for (const ProducerScale& scale : main) row(scale);
    const auto others = std::ranges::count_if(scales.producers, [](const ProducerScale& scale) {
        return scale.positions > 0 && scale.positions < EvaluationScales::kPriorPositions;
    });
    if (others > 0)
        text += fmt::format("\n  and {} with fewer than {:.0f} positions, all of them in survey.json", others,
                            EvaluationScales::kPriorPositions);
    return text;
}

// Where a run begins: new, or from a checkpoint.
struct Start {
    ModelState model;
    Checkpoint before;  // of a resumed run; its model is moved to the one above
    bool resumed = false;
    std::optional<nets::Network> untrained;  // of a new run
};

// What is drawn from the games before the run begins.
struct Samples {
    std::vector<games::Sample> validation;
    std::vector<games::Sample> training;  // the baselines are fitted to them
};

// Adds up what the steps took.
struct RunTimes {
    StepTimes steps;
    double validation = 0;
    double checkpoints = 0;
    Clock::time_point start = Clock::now();
};

class Run {
  public:
    Run(const Recipe& recipe, const TrainOptions& options, std::stop_token stop)
        : recipe_(recipe), options_(options), stop_(std::move(stop)) {}

    base::Result<TrainOutcome> train();

  private:
    bool has_begun() const;
    base::Result<Start> find_start() const;
    base::Result<nets::Network> untrained(nets::FloatNetwork network) const;
    base::Status begin_new_run(const nets::Network& untrained) const;
    base::Result<std::optional<ValidationSet>> prepare_validation(Samples samples);
    base::Status check_data(const Start& start, const games::Sampler& sampler) const;
    base::Status steps(Model& model, BatchStream& stream, Checkpoint& state, const ValidationSet& validation);
    base::Status validate(const Model& model, const ValidationSet& validation, std::uint64_t step);
    base::Status checkpoint(const Model& model, Checkpoint& state);
    base::Status record_steps(const Checkpoint& state, std::uint64_t step, double loss, double constant,
                              double rate);
    base::Status finish(const Model& model, const ValidationSet& validation, const Checkpoint& state);
    void say_times(const BatchStream& stream, std::uint64_t first, std::uint64_t last) const;

    const Recipe& recipe_;
    const TrainOptions options_;
    const std::stop_token stop_;
    std::optional<Metrics> metrics_;
    TargetRule rule_;
    Baselines baselines_;
    ValidationReport last_report_;
    RunTimes times_;
    double cores_at_start_ = core_seconds();
    double cores_before_ = 0;  // spent by the runs that this one resumes
};

// Whether there is something to go on with in the output folder.
bool Run::has_begun() const {
    std::vector<std::filesystem::path> files = checkpoint_files(recipe_.output);
    files.push_back(recipe_.output / kMetrics);
    std::error_code unknown;
    return std::ranges::any_of(
        files, [&](const std::filesystem::path& file) { return std::filesystem::exists(file, unknown); });
}

base::Result<Start> Run::find_start() const {
    auto loaded = load_checkpoint(recipe_.output);
    Start start;
    if (options_.resume) {
        if (!loaded) return std::unexpected(loaded.error());
        if (*loaded) {
            if (!(*loaded)->warning.empty()) fmt::print(stderr, "warning: {}\n", (*loaded)->warning);
            start.before = std::move((*loaded)->checkpoint);
            if (auto same = check_unchanged(recipe_.settings, start.before.settings); !same)
                return base::fail_in(recipe_.output.string(), same.error());
            start.model = std::move(start.before.model);
            start.resumed = true;
            return start;
        }
    } else if (!options_.overwrite && (!loaded || *loaded)) {
        return base::fail("{}: already holds a run{}: --resume goes on with it, --overwrite begins again",
                          recipe_.output.string(),
                          loaded ? fmt::format(" at step {}", (*loaded)->checkpoint.model.steps) : "");
    }
    auto network = start_network(recipe_.network, recipe_.seed);
    if (!network) return std::unexpected(network.error());
    auto quantised = untrained(*network);
    if (!quantised) return std::unexpected(quantised.error());
    start.untrained = std::move(*quantised);
    const Model model(*network, recipe_.network.factorise);
    start.model = model.state();
    start.before.settings = recipe_.settings;
    return start;
}

base::Result<nets::Network> Run::untrained(nets::FloatNetwork network) const {
    network.info.history["recipe"] = recipe_.name;
    network.info.history["seed"] = fmt::format("{}", recipe_.seed);
    network.info.history["steps"] = "0";
    auto quantised = nets::quantise(network);
    if (!quantised) return base::fail_in("the untrained network", quantised.error());
    return std::move(quantised->network);
}

base::Status Run::begin_new_run(const nets::Network& untrained) const {
    // Nothing of an older run may stay that this one could be taken for, or resumed from.
    if (options_.overwrite) {
        std::vector<std::filesystem::path> old = checkpoint_files(recipe_.output);
        for (const char* name : {kMetrics, "network.safetensors", "network-float.safetensors"})
            old.push_back(recipe_.output / name);
        for (const std::filesystem::path& path : old) {
            std::error_code error;
            // What the run starts from is kept until its own result replaces it.
            if (!recipe_.network.initial.empty() &&
                std::filesystem::equivalent(path, recipe_.network.initial, error))
                continue;
            std::filesystem::remove(path, error);
            if (error) return base::fail("{}: cannot remove: {}", path.string(), error.message());
        }
    }
    return nets::save_network(recipe_.output / "untrained.safetensors", untrained);
}

// Nothing if it was told to stop.
base::Result<std::optional<ValidationSet>> Run::prepare_validation(Samples samples) {
    if (samples.validation.size() < recipe_.validation_positions)
        metrics_->say(
            fmt::format("the validation games have only {} that pass the filter, fewer than the {} wanted",
                        base::counted(samples.validation.size(), "position"), recipe_.validation_positions));
    std::vector<std::uint64_t> keys;
    keys.reserve(samples.validation.size());
    for (const games::Sample& sample : samples.validation)
        keys.push_back(survey_key(recipe_, sample.position));
    auto surveyed = survey(recipe_, keys, recipe_.output / "survey.json", stop_);
    if (!surveyed) return std::unexpected(surveyed.error());
    if (!*surveyed) return std::nullopt;
    Survey& found = **surveyed;
    rule_ = {recipe_.result_weight, std::move(found.scales)};
    if (rule_.scales.pooled.positions > 0) metrics_->say(scales_table(rule_.scales));

    baselines_ = fit_baselines(samples.training, rule_);
    const auto& weights = baselines_.material_target.weights;
    metrics_->say(fmt::format(
        "material only, in Score units: pawn {:.0f}, knight {:.0f}, bishop {:.0f}, rook {:.0f}, "
        "queen {:.0f}, the move {:.0f} (fitted to {} training positions)",
        chess::Score::kScale * weights[0], chess::Score::kScale * weights[1],
        chess::Score::kScale * weights[2], chess::Score::kScale * weights[3],
        chess::Score::kScale * weights[4], chess::Score::kScale * weights[5], baselines_.positions));
    return ValidationSet(std::move(samples.validation), std::move(found.unseen),
                         *recipe_.network.architecture.features, rule_, baselines_);
}

base::Status Run::check_data(const Start& start, const games::Sampler& sampler) const {
    if (!start.resumed || start.before.data_hash == sampler.data_hash()) return {};
    return base::fail("{}: the games have changed since the run began: their hash was {} and is {}",
                      recipe_.output.string(), base::to_hex(start.before.data_hash),
                      base::to_hex(sampler.data_hash()));
}

base::Status Run::validate(const Model& model, const ValidationSet& validation, std::uint64_t step) {
    const auto start = Clock::now();
    last_report_ = validation.report(model.logits(validation.batch()));
    times_.validation += seconds_since(start);
    return metrics_->record({{"kind", "validation"},
                             {"step", step},
                             {"all", to_json(last_report_.all)},
                             {"unseen", to_json(last_report_.unseen)}});
}

base::Status Run::checkpoint(const Model& model, Checkpoint& state) {
    const auto start = Clock::now();
    state.model = model.state();
    state.core_seconds = cores_before_ + core_seconds() - cores_at_start_;
    auto status = save_checkpoint(recipe_.output, state);
    times_.checkpoints += seconds_since(start);
    return status;
}

base::Status Run::record_steps(const Checkpoint& state, std::uint64_t step, double loss, double constant,
                               double rate) {
    return metrics_->record({{"kind", "train"},
                             {"step", step},
                             {"positions", state.positions},
                             {"epoch", state.place.epoch},
                             {"loss", loss},
                             {"constant_loss", constant},
                             {"learning_rate", rate},
                             {"clipped", state.clipped},
                             {"seconds", seconds_since(times_.start)},
                             {"core_seconds", cores_before_ + core_seconds() - cores_at_start_}});
}

base::Status Run::steps(Model& model, BatchStream& stream, Checkpoint& state,
                        const ValidationSet& validation) {
    const std::uint64_t first = state.model.steps;
    const std::uint64_t last = recipe_.schedule.steps;
    base::Progress progress("training", (last - first) * recipe_.batch, "positions");
    double loss = 0;
    double constant = 0;
    std::uint64_t summed = 0;
    std::string note;
    std::uint64_t step = first;
    std::uint64_t saved = first;
    times_.start = Clock::now();
    while (step < last && !stop_.stop_requested()) {
        const auto batch = stream.next();
        if (!batch) return std::unexpected(batch.error());
        ++step;
        const double rate = recipe_.schedule.rate(step);
        const StepResult result = model.train(*batch, recipe_.adam, rate, recipe_.clip);
        if (!std::isfinite(result.loss))
            return base::fail(
                "step {}: the training loss is not a finite number, expected one: try a smaller "
                "learning_rate; "
                "the last checkpoint stays",
                step);
        times_.steps.forward += result.times.forward;
        times_.steps.backward += result.times.backward;
        times_.steps.update += result.times.update;
        state.place = batch->after;
        state.positions += batch->size();
        state.clipped += result.clipped;

        LossSum of_constant;
        for (const float target : batch->targets)
            of_constant.add(baselines_.constant_target, static_cast<double>(target));
        loss += result.loss;
        constant += of_constant.mean().cross_entropy;
        ++summed;
        if (step % kRecordEvery == 0 || step == last) {
            const auto n = static_cast<double>(summed);
            note = fmt::format("loss {:.4f} (constant {:.4f})", loss / n, constant / n);
            if (auto s = record_steps(state, step, loss / n, constant / n, rate); !s) return s;
            loss = constant = 0;
            summed = 0;
        }
        progress.update((step - first) * recipe_.batch, note);

        if (step % recipe_.checkpoint_every == 0 || step == last) {
            if (auto s = checkpoint(model, state); !s) return s;
            saved = step;
        }
        if (step % recipe_.validate_every == 0 && step != last) {
            if (auto s = validate(model, validation, step); !s) return s;
            const ValidationPart& unseen = last_report_.unseen;
            metrics_->say(fmt::format(
                "step {}: validation on {} not in training: {}, material only {}, constant {}", step,
                base::counted(unseen.positions, "position"), show_loss(unseen.target.network.cross_entropy),
                show_loss(unseen.target.material.cross_entropy),
                show_loss(unseen.target.constant.cross_entropy)));
        }
    }
    progress.finish();
    if (step > first) say_times(stream, first, step);
    // Stopped: if before the first step, there must be something to resume from all the same.
    if (step < last && (step > saved || step == first)) return checkpoint(model, state);
    return {};
}

// Of the steps behind `first`.
void Run::say_times(const BatchStream& stream, std::uint64_t first, std::uint64_t last) const {
    const double whole = seconds_since(times_.start);
    const StreamTimes data = stream.times();
    const auto part = [whole](const char* what, double seconds) {
        return fmt::format("{} {:.1f} s ({:.0f} %)", what, seconds, 100 * seconds / whole);
    };
    const double positions = static_cast<double>((last - first) * recipe_.batch);
    metrics_->say(
        fmt::format("{:.0f} positions in {:.1f} s: {:.0f} positions/s with {}\n"
                    "  training thread: {}, {}, {}, {}, {}, {}\n"
                    "  beside it: {}, {}",
                    positions, whole, positions / whole, base::counted(torch_threads(), "thread"),
                    part("forward", times_.steps.forward), part("backward", times_.steps.backward),
                    part("update", times_.steps.update), part("waiting for data", data.waiting),
                    part("validation", times_.validation), part("checkpoints", times_.checkpoints),
                    part("reading", data.reading), part("feature extraction", data.encoding)));
    (void)metrics_->record({{"kind", "times"},
                            {"step", last},
                            {"positions", positions},
                            {"seconds", whole},
                            {"forward", times_.steps.forward},
                            {"backward", times_.steps.backward},
                            {"update", times_.steps.update},
                            {"waiting", data.waiting},
                            {"validation", times_.validation},
                            {"checkpoints", times_.checkpoints},
                            {"reading", data.reading},
                            {"feature_extraction", data.encoding}});
}

base::Status Run::finish(const Model& model, const ValidationSet& validation, const Checkpoint& state) {
    if (auto s = validate(model, validation, recipe_.schedule.steps); !s) return s;
    metrics_->say(to_table(last_report_));
    const ValidationPart& unseen = last_report_.unseen;
    std::map<std::string, std::string> history{
        {"recipe", recipe_.name},
        {"recipe_hash", base::to_hex(recipe_.hash())},
        {"recipe_text_hash", base::to_hex(recipe_.text_hash)},
        {"data", fmt::format("{}", fmt::join(recipe_.data.stores, ", "))},
        {"data_hash", base::to_hex(state.data_hash)},
        {"seed", fmt::format("{}", recipe_.seed)},
        {"steps", fmt::format("{}", recipe_.schedule.steps)},
        {"positions", fmt::format("{}", state.positions)},
        {"clipped_weights", fmt::format("{}", state.clipped)},
        {"core_seconds", fmt::format("{:.0f}", cores_before_ + core_seconds() - cores_at_start_)},
        {"parent", recipe_.network.initial.empty() ? "none" : recipe_.network.initial},
        {"evaluation_scales", rule_.scales.pooled.positions > 0 ? describe(rule_.scales) : "none"},
        {"validation_positions", fmt::format("{}", unseen.positions)},
    };
    if (unseen.positions > 0)
        for (const auto& [key, losses] : {std::pair{"validation_loss", &unseen.target.network},
                                          {"validation_loss_constant", &unseen.target.constant},
                                          {"validation_loss_material", &unseen.target.material},
                                          {"validation_result_loss", &unseen.result.network},
                                          {"validation_result_loss_constant", &unseen.result.constant},
                                          {"validation_result_loss_material", &unseen.result.material}})
            history[key] = show_loss(losses->cross_entropy);
    const auto result = prepare_export(model, validation, recipe_, history);
    if (!result) return std::unexpected(result.error());
    metrics_->say(to_table(*result));
    if (state.clipped > 0) metrics_->say(fmt::format("weights clipped during training: {}", state.clipped));
    const nets::QuantisationReport& report = result->quantised.report;
    if (auto s = metrics_->record({{"kind", "export"},
                                   {"step", recipe_.schedule.steps},
                                   {"piece_values", result->trained.info.piece_values},
                                   {"largest_transformer", report.largest_transformer},
                                   {"largest_hidden", report.largest_hidden},
                                   {"largest_output", report.largest_output},
                                   {"hidden_bound", report.hidden_bound},
                                   {"output_bound", report.output_bound},
                                   {"zero_rows", report.zero_rows},
                                   {"dead_units", report.dead_units},
                                   {"clipped", state.clipped},
                                   {"compared_positions", result->agreement.positions},
                                   {"mean_difference", result->agreement.mean_difference},
                                   {"largest_difference", result->agreement.largest_difference}});
        !s)
        return s;
    if (auto s = write_export(*result, recipe_); !s) return s;
    metrics_->say(fmt::format("wrote {}", (recipe_.output / "network.safetensors").string()));
    return {};
}

base::Result<TrainOutcome> Run::train() {
    if (auto there = check_device(options_.device); !there) return std::unexpected(there.error());
    if (const std::string warning = prepare_torch(recipe_.threads); !warning.empty())
        fmt::print(stderr, "warning: {}\n", warning);

    if (options_.resume && !options_.or_begin && !has_begun())
        return base::fail("{}: holds no run to go on with: without --resume a new one begins there",
                          recipe_.output.string());
    auto sampler = games::Sampler::open(training_options(recipe_));
    if (!sampler) return std::unexpected(sampler.error());
    std::error_code error;
    std::filesystem::create_directories(recipe_.output, error);
    if (error)
        return base::fail("{}: cannot create the folder: {}", recipe_.output.string(), error.message());
    base::remove_leftovers(recipe_.output);
    auto start = find_start();
    if (!start) return std::unexpected(start.error());
    if (auto status = check_data(*start, *sampler); !status) return std::unexpected(status.error());
    auto validation_samples = draw_validation(recipe_);
    if (!validation_samples) return std::unexpected(validation_samples.error());
    auto training_samples = draw_training(recipe_);
    if (!training_samples) return std::unexpected(training_samples.error());
    // Neither the recipe nor the data can refuse the run from here on.
    if (!start->resumed)
        if (auto status = begin_new_run(*start->untrained); !status) return std::unexpected(status.error());
    const std::uint64_t first = start->model.steps;
    cores_before_ = start->before.core_seconds;

    auto metrics = Metrics::open(recipe_.output / kMetrics,
                                 start->resumed ? std::optional(first) : std::nullopt, options_.json);
    if (!metrics) return std::unexpected(metrics.error());
    metrics_ = std::move(*metrics);
    metrics_->say(fmt::format(
        "{}, {}; network {}; {} of {}{}", base::counted(sampler->total_games(), "game"),
        base::counted(sampler->total_plies(), "half-move"), nets::to_string(recipe_.network.architecture),
        base::counted(recipe_.schedule.steps, "step"), base::counted(recipe_.batch, "position"),
        first > 0 ? fmt::format("; from step {}", first) : ""));
    if (auto s = metrics_->record({{"kind", "start"},
                                   {"step", first},
                                   {"recipe", recipe_.name},
                                   {"recipe_hash", base::to_hex(recipe_.hash())},
                                   {"data_hash", base::to_hex(sampler->data_hash())},
                                   {"threads", torch_threads()}});
        !s)
        return std::unexpected(s.error());

    const auto validation =
        prepare_validation({std::move(*validation_samples), std::move(*training_samples)});
    if (!validation) return std::unexpected(validation.error());
    if (!*validation) return TrainOutcome{false, first, last_report_, cores_before_};
    Model model(start->model, options_.device);
    Checkpoint state = std::move(start->before);
    state.model.steps = first;
    state.data_hash = sampler->data_hash();
    if (first < recipe_.schedule.steps) {
        BatchStream stream(std::move(*sampler), state.place, recipe_.batch,
                           *recipe_.network.architecture.features, rule_);
        if (auto s = steps(model, stream, state, **validation); !s) return std::unexpected(s.error());
    }
    const std::uint64_t reached = model.state().steps;
    if (reached < recipe_.schedule.steps) return TrainOutcome{false, reached, last_report_, cores_before_};
    if (auto s = finish(model, **validation, state); !s) return std::unexpected(s.error());
    return TrainOutcome{true, reached, last_report_, cores_before_};
}

}  // namespace

base::Result<TrainOutcome> train(const Recipe& recipe, const TrainOptions& options, std::stop_token stop) {
    return Run(recipe, options, std::move(stop)).train();
}

}  // namespace scholar::learning
