#include "learning/sparse_policy/policy_task.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <variant>

#include "base/text.hpp"
#include "learning/run/run_files.hpp"
#include "learning/sparse_policy/policy_validation.hpp"
#include "learning/targets/move_targets.hpp"
#include "nets/container/network_metadata.hpp"
#include "nets/container/open_network.hpp"
#include "nets/sparse_policy/sparse_policy_file.hpp"

namespace scholar::learning {

namespace {

// Positions of the training data that the constants are fitted to.
constexpr std::size_t kFittedPositions = 20'000;

struct EncodedPolicy final : Encoded {
    PolicyBatch batch;
    explicit EncodedPolicy(PolicyBatch of) : batch(std::move(of)) {}
};

class SparsePolicyTask final : public Task {
  public:
    SparsePolicyTask(const Recipe& recipe, const SparsePolicyRecipe& plan, Device device)
        : recipe_(recipe), plan_(plan), device_(device) {}

    base::Result<std::unique_ptr<SampleSource>> open_source() const override {
        return open(games::Split::Train, recipe_.seed);
    }
    base::Status begin() override;
    base::Status take(const nets::TensorFile& checkpoint) override;
    base::Status draw() override;
    std::vector<std::string> files() const override { return {kNetworkFile, kFloatNetworkFile}; }
    std::string initial() const override { return plan_.initial; }
    base::Result<bool> prepare(const std::filesystem::path& folder, const Metrics& metrics,
                               const std::stop_token& stop) override;
    std::string describe() const override { return fmt::format("network {}", nets::describe(plan_.info)); }

    base::Result<std::unique_ptr<Encoded>> encode(const Samples& samples) const override {
        return std::make_unique<EncodedPolicy>(
            encode_policy(std::get<std::vector<games::Sample>>(samples), info_));
    }
    base::Result<StepReport> step(const Encoded& samples, std::uint64_t step, double learning_rate) override;
    base::Result<Measurement> measure() override {
        measured_ = validation_->measure(*model_);
        return measured_;
    }
    base::Status put(nets::TensorFile& checkpoint) const override {
        nets::put_sparse_policy_info(checkpoint, info_);
        return model_->put(checkpoint);
    }
    base::Status finish(const TrainedRun& run) override;

  private:
    base::Result<std::unique_ptr<SampleSource>> open(games::Split split, std::uint64_t seed) const {
        if (auto status = expect_played_moves(recipe_.data.sampling); !status)
            return std::unexpected(status.error());
        return open_positions(recipe_.sampling(split, seed));
    }
    base::Result<std::vector<games::Sample>> draw_of(games::Split split, std::uint64_t seed,
                                                     std::size_t count, std::string_view name) const;
    base::Result<nets::FloatSparsePolicy> start() const;

    const Recipe& recipe_;
    const SparsePolicyRecipe& plan_;
    const Device device_;
    nets::SparsePolicyInfo info_;
    std::vector<games::Sample> held_out_;  // until there is a validation
    std::vector<games::Sample> training_;
    std::optional<SparsePolicyModel> model_;
    std::optional<PolicyValidation> validation_;
    Measurement measured_;
};

base::Result<nets::FloatSparsePolicy> SparsePolicyTask::start() const {
    if (plan_.initial.empty()) return nets::FloatSparsePolicy::random(info_, recipe_.seed);
    auto network = nets::load_float_sparse_policy(plan_.initial);
    if (!network) return network;
    const nets::SparsePolicyInfo& found = network->info;
    if (found.architecture != info_.architecture || found.rows != info_.rows)
        return base::fail("{}: {}, expected {} as the recipe says", plan_.initial, nets::describe(found),
                          nets::describe(info_));
    network->info = info_;
    return network;
}

base::Status SparsePolicyTask::begin() {
    if (device_ == Device::Gpu)
        return base::fail("a sparse policy is trained by kernels of the CPU, expected no --gpu");
    info_ = plan_.info;
    if (!plan_.piece_values.empty()) {
        const auto teacher = nets::open_network(plan_.piece_values);
        if (!teacher) return base::fail("'piece_values' in [network]: {}", teacher.error().message);
        if (teacher->piece_values() == nullptr)
            return base::fail("'piece_values' in [network]: {} has learnt none, expected a network that has",
                              plan_.piece_values);
        info_.piece_values = *teacher->piece_values();
    }
    const auto network = start();
    if (!network) return std::unexpected(network.error());
    model_.emplace(*network, torch_threads());
    return {};
}

base::Status SparsePolicyTask::take(const nets::TensorFile& checkpoint) {
    const auto kept = nets::take_piece_values(checkpoint);
    if (!kept) return std::unexpected(kept.error());
    info_ = plan_.info;
    // Those of the beginning: the network that they came from may have become another.
    info_.piece_values = *kept;
    model_.emplace(nets::FloatSparsePolicy::random(info_, recipe_.seed), torch_threads());
    return model_->take(checkpoint);
}

base::Result<std::vector<games::Sample>> SparsePolicyTask::draw_of(games::Split split, std::uint64_t seed,
                                                                   std::size_t count,
                                                                   std::string_view name) const {
    const auto source = open(split, seed);
    if (!source) return std::unexpected(source.error());
    auto samples = draw_samples(**source, count);
    if (!samples) return std::unexpected(samples.error());
    if (count_of(*samples) == 0)
        return base::fail("no position of the {} data passes the filter: expected at least one", name);
    return std::get<std::vector<games::Sample>>(std::move(*samples));
}

base::Status SparsePolicyTask::draw() {
    auto held_out =
        draw_of(games::Split::Validation, recipe_.seed, recipe_.validation_positions, "validation");
    if (!held_out) return std::unexpected(held_out.error());
    auto training = draw_of(games::Split::Train, recipe_.seed + 1, kFittedPositions, "training");
    if (!training) return std::unexpected(training.error());
    held_out_ = std::move(*held_out);
    training_ = std::move(*training);
    return {};
}

base::Result<bool> SparsePolicyTask::prepare(const std::filesystem::path& /*folder*/, const Metrics& metrics,
                                             const std::stop_token& /*stop*/) {
    if (held_out_.size() < recipe_.validation_positions)
        metrics.say(fmt::format("held out are only {} that pass the filter, fewer than the {} wanted",
                                base::counted(held_out_.size(), "position"), recipe_.validation_positions));
    validation_.emplace(std::move(held_out_), training_, info_);
    training_ = {};
    return true;
}

base::Result<StepReport> SparsePolicyTask::step(const Encoded& samples, std::uint64_t /*step*/,
                                                double learning_rate) {
    const PolicyBatch& batch = static_cast<const EncodedPolicy&>(samples).batch;
    const PolicyStep done = model_->train(batch, plan_.adam, learning_rate, plan_.clip);
    return StepReport{done.loss, validation_->constant_loss(batch), done.clipped, done.times};
}

base::Status SparsePolicyTask::finish(const TrainedRun& run) {
    nets::FloatSparsePolicy trained = model_->network();
    trained.info.history = run.history;
    trained.info.history["parent"] = plan_.initial.empty() ? "none" : plan_.initial;
    trained.info.history["clipped_weights"] = fmt::format("{}", run.clipped);
    trained.info.history["piece_values_of"] = plan_.piece_values.empty() ? "none" : plan_.piece_values;
    add_measures(measured_, trained.info.history);
    if (auto s = nets::save_network(run.folder / kFloatNetworkFile, trained); !s) return s;
    const auto rounded = nets::quantise(trained);
    if (!rounded) return std::unexpected(rounded.error());
    const EngineAgreement agreement = validation_->compare(*rounded, *model_);
    run.metrics.say(learning::describe(agreement, "trainer"));
    if (run.clipped > 0) run.metrics.say(fmt::format("weights clipped during training: {}", run.clipped));
    if (auto s = run.metrics.record({{"kind", "export"},
                                     {"step", run.steps},
                                     {"clipped", run.clipped},
                                     {"output_scale", rounded->output_scale},
                                     {"compared_positions", agreement.positions},
                                     {"mean_difference", agreement.mean_difference()},
                                     {"largest_difference", agreement.largest_difference},
                                     {"same_best_move", agreement.same_best_move}});
        !s)
        return s;
    if (agreement.mean_difference() > plan_.largest_mean_difference)
        return base::fail(
            "the quantised network's probabilities differ from the float one's by {:.2g} in the mean, "
            "expected at most {} (largest_mean_difference in [export]); only {} was written",
            agreement.mean_difference(), plan_.largest_mean_difference, kFloatNetworkFile);
    const std::filesystem::path path = run.folder / kNetworkFile;
    if (auto s = nets::save_network(path, *rounded); !s) return s;
    run.metrics.say(fmt::format("wrote {}: {}, content {}", path.string(), nets::describe(*rounded),
                                nets::content_name(*rounded)));
    return {};
}

}  // namespace

std::unique_ptr<Task> make_sparse_policy_task(const Recipe& recipe, const SparsePolicyRecipe& plan,
                                              Device device) {
    return std::make_unique<SparsePolicyTask>(recipe, plan, device);
}

}  // namespace scholar::learning
