#include "learning/perspective/perspective_task.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/text.hpp"
#include "learning/perspective/export.hpp"
#include "learning/perspective/model.hpp"
#include "learning/perspective/model_file.hpp"
#include "learning/perspective/perspective_recipe.hpp"
#include "learning/perspective/validation.hpp"
#include "learning/run/run_files.hpp"
#include "learning/targets/survey.hpp"
#include "nets/perspective/network_file.hpp"
#include "nets/perspective/quantise.hpp"

namespace scholar::learning {

namespace {

struct PerspectiveBatch final : Encoded {
    Batch batch;
    explicit PerspectiveBatch(Batch of) : batch(std::move(of)) {}
};

class PerspectiveTask final : public Task {
  public:
    PerspectiveTask(const Recipe& recipe, Device device)
        : recipe_(recipe), plan_(perspective_of(recipe)), device_(device) {}

    base::Result<std::unique_ptr<SampleSource>> open_source() const override {
        return open_positions(recipe_.sampling(games::Split::Train, recipe_.seed));
    }
    base::Status begin() override;
    base::Status take(const nets::TensorFile& checkpoint) override;
    base::Status draw() override;
    std::vector<std::string> files() const override { return {kNetworkFile, kFloatNetworkFile}; }
    std::string initial() const override { return plan_.network.initial; }
    base::Status write_beginning(const std::filesystem::path& folder) override {
        return nets::save_network(folder / "untrained.safetensors", *untrained_);
    }
    base::Result<bool> prepare(const std::filesystem::path& folder, const Metrics& metrics,
                               const std::stop_token& stop) override;
    std::string describe() const override {
        return fmt::format("network {}", nets::to_string(plan_.network.architecture));
    }

    base::Result<std::unique_ptr<Encoded>> encode(const Samples& samples) const override {
        return std::make_unique<PerspectiveBatch>(
            learning::encode(std::get<std::vector<games::Sample>>(samples), features(), rule_));
    }
    base::Result<StepReport> step(const Encoded& samples, std::uint64_t step, double learning_rate) override;
    base::Result<Measurement> measure() override;
    base::Status put(nets::TensorFile& checkpoint) const override;
    base::Status finish(const TrainedRun& run) override;

  private:
    const nets::FeatureSet& features() const { return *plan_.network.architecture.features; }
    base::Result<nets::Network> untrained(nets::FloatNetwork network) const;

    const Recipe& recipe_;
    const PerspectiveRecipe& plan_;
    const Device device_;
    ModelState start_;                        // until there is a model
    std::optional<nets::Network> untrained_;  // of a new run
    std::vector<games::Sample> held_out_;     // until there is a validation set
    std::vector<games::Sample> training_;     // the baselines are fitted to them
    TargetRule rule_;
    Baselines baselines_;
    std::optional<ValidationSet> validation_;
    std::optional<Model> model_;
    ValidationReport last_report_;
};

base::Status PerspectiveTask::begin() {
    auto network = start_network(plan_.network, recipe_.seed);
    if (!network) return std::unexpected(network.error());
    auto quantised = untrained(*network);
    if (!quantised) return std::unexpected(quantised.error());
    untrained_ = std::move(*quantised);
    start_ = Model(*network, plan_.network.factorise).state();
    return {};
}

base::Result<nets::Network> PerspectiveTask::untrained(nets::FloatNetwork network) const {
    network.info.history["recipe"] = recipe_.name;
    network.info.history["seed"] = fmt::format("{}", recipe_.seed);
    network.info.history["steps"] = "0";
    auto quantised = nets::quantise(network);
    if (!quantised) return base::fail_in("the untrained network", quantised.error());
    return std::move(quantised->network);
}

base::Status PerspectiveTask::take(const nets::TensorFile& checkpoint) {
    auto model = take_model(checkpoint);
    if (!model) return std::unexpected(model.error());
    start_ = std::move(*model);
    return {};
}

base::Status PerspectiveTask::draw() {
    auto held_out = draw_validation(recipe_);
    if (!held_out) return std::unexpected(held_out.error());
    held_out_ = std::move(*held_out);
    auto training = draw_training(recipe_);
    if (!training) return std::unexpected(training.error());
    training_ = std::move(*training);
    return {};
}

base::Result<bool> PerspectiveTask::prepare(const std::filesystem::path& folder, const Metrics& metrics,
                                            const std::stop_token& stop) {
    if (held_out_.size() < recipe_.validation_positions)
        metrics.say(
            fmt::format("the validation games have only {} that pass the filter, fewer than the {} wanted",
                        base::counted(held_out_.size(), "position"), recipe_.validation_positions));
    std::vector<std::uint64_t> keys;
    keys.reserve(held_out_.size());
    for (const games::Sample& sample : held_out_) keys.push_back(survey_key(recipe_, sample.position));
    auto surveyed = survey(recipe_, keys, folder / "survey.json", stop);
    if (!surveyed) return std::unexpected(surveyed.error());
    if (!*surveyed) return false;
    Survey& found = **surveyed;
    rule_ = target_rule(plan_.target, std::move(found.scales));
    if (rule_.scales.pooled.positions > 0) metrics.say(to_table(rule_.scales));

    baselines_ = fit_baselines(training_, rule_);
    training_ = {};
    const auto& weights = baselines_.material_target.weights;
    metrics.say(fmt::format(
        "material only, in Score units: pawn {:.0f}, knight {:.0f}, bishop {:.0f}, rook {:.0f}, "
        "queen {:.0f}, the move {:.0f} (fitted to {} training positions)",
        chess::Score::kScale * weights[0], chess::Score::kScale * weights[1],
        chess::Score::kScale * weights[2], chess::Score::kScale * weights[3],
        chess::Score::kScale * weights[4], chess::Score::kScale * weights[5], baselines_.positions));
    validation_.emplace(std::move(held_out_), std::move(found.unseen), features(), rule_, baselines_);
    model_.emplace(start_, device_);
    start_ = ModelState();
    return true;
}

base::Result<StepReport> PerspectiveTask::step(const Encoded& samples, std::uint64_t /*step*/,
                                               double learning_rate) {
    const Batch& batch = static_cast<const PerspectiveBatch&>(samples).batch;
    const StepResult result = model_->train(batch, plan_.adam, learning_rate, plan_.clip);
    LossSum of_constant;
    for (const float target : batch.targets)
        of_constant.add(baselines_.constant_target, static_cast<double>(target));
    return StepReport{result.loss, of_constant.mean().cross_entropy, result.clipped, result.times};
}

base::Result<Measurement> PerspectiveTask::measure() {
    last_report_ = validation_->report(model_->logits(validation_->batch()));
    return to_measurement(last_report_);
}

base::Status PerspectiveTask::put(nets::TensorFile& checkpoint) const {
    const ModelState state = model_->state();
    if (auto status = check_finite(state); !status) return status;
    put_model(checkpoint, state);
    return {};
}

base::Status PerspectiveTask::finish(const TrainedRun& run) {
    const ValidationPart& unseen = last_report_.unseen;
    std::map<std::string, std::string> history = run.history;
    history["clipped_weights"] = fmt::format("{}", run.clipped);
    history["parent"] = plan_.network.initial.empty() ? "none" : plan_.network.initial;
    history["evaluation_scales"] =
        rule_.scales.pooled.positions > 0 ? learning::describe(rule_.scales) : "none";
    history["validation_positions"] = fmt::format("{}", unseen.positions);
    if (unseen.positions > 0)
        for (const auto& [key, losses] : {std::pair{"validation_loss", &unseen.target.network},
                                          {"validation_loss_constant", &unseen.target.constant},
                                          {"validation_loss_material", &unseen.target.material},
                                          {"validation_result_loss", &unseen.result.network},
                                          {"validation_result_loss_constant", &unseen.result.constant},
                                          {"validation_result_loss_material", &unseen.result.material}})
            history[key] = show_measure(losses->cross_entropy);
    const auto result = prepare_export(*model_, *validation_, recipe_.seed, history);
    if (!result) return std::unexpected(result.error());
    run.metrics.say(to_table(*result));
    if (run.clipped > 0) run.metrics.say(fmt::format("weights clipped during training: {}", run.clipped));
    const nets::QuantisationReport& report = result->quantised.report;
    if (auto s = run.metrics.record({{"kind", "export"},
                                     {"step", run.steps},
                                     {"piece_values", result->trained.info.piece_values},
                                     {"largest_transformer", report.largest_transformer},
                                     {"largest_hidden", report.largest_hidden},
                                     {"largest_output", report.largest_output},
                                     {"hidden_bound", report.hidden_bound},
                                     {"output_bound", report.output_bound},
                                     {"zero_rows", report.zero_rows},
                                     {"dead_units", report.dead_units},
                                     {"clipped", run.clipped},
                                     {"compared_positions", result->agreement.positions},
                                     {"mean_difference", result->agreement.mean_difference},
                                     {"largest_difference", result->agreement.largest_difference}});
        !s)
        return s;
    if (auto s = write_export(*result, run.folder, plan_.limits); !s) return s;
    run.metrics.say(fmt::format("wrote {}", (run.folder / kNetworkFile).string()));
    return {};
}

}  // namespace

std::unique_ptr<Task> make_perspective_task(const Recipe& recipe, Device device) {
    return std::make_unique<PerspectiveTask>(recipe, device);
}

}  // namespace scholar::learning
