#include "learning/training/torch_task.hpp"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <chrono>
#include <fmt/format.h>

#include "base/random.hpp"
#include "base/text.hpp"
#include "learning/optimise/weight_average.hpp"
#include "learning/run/run_time.hpp"
#include "learning/training/torch_guard.hpp"

namespace scholar::learning {

namespace {

// Samples of the training data that the constant is fitted to, and of the held-out ones that are measured at
// once.
constexpr std::size_t kFittedSamples = 20'000;
constexpr std::size_t kMeasuredAtOnce = 4'096;
constexpr const char* kWeights = "network.";
constexpr const char* kAverage = "average.";
constexpr const char* kOptimiser = "optimiser";

void seed_torch(std::uint64_t seed, std::uint64_t step) {
    at::manual_seed(base::Random(seed, step).next());
}

template <class T>
void drop_front(std::vector<T>& from, std::size_t count) {
    from.erase(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(count));
}

// Takes up to `count` samples off the front.
Samples take_front(Samples& from, std::size_t count) {
    return std::visit(
        [count](auto& all) -> Samples {
            const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(count, all.size()));
            std::decay_t<decltype(all)> front(all.begin(), end);
            drop_front(all, front.size());
            return front;
        },
        from);
}

}  // namespace

TorchTask::TorchTask(const Recipe& recipe, const TorchPlan& plan, Device device)
    : recipe_(recipe), plan_(plan), device_(device) {}

base::Result<std::unique_ptr<SampleSource>> TorchTask::open(games::Split split, std::uint64_t seed) const {
    return open_positions(recipe_.sampling(split, seed));
}

base::Result<std::unique_ptr<SampleSource>> TorchTask::open_source() const {
    return open(games::Split::Train, recipe_.seed);
}

base::Status TorchTask::load(const std::string& path, TorchNetwork& into,
                             const std::vector<std::string>& parts) const {
    const auto file = nets::read_tensors(path);
    if (!file) return std::unexpected(file.error());
    if (auto status = take_weights(*file, into, "", parts); !status)
        return base::fail_in(path, status.error());
    return {};
}

// Network, teacher and optimiser, before the first step.
base::Status TorchTask::make() {
    seed_torch(recipe_.seed, 0);
    network_ = make_network();
    for (const TorchStage& stage : plan_.stages)
        for (const std::string& part : stage.parts)
            if (auto status = check_part(*network_, part); !status)
                return base::fail("'stages' in [optimiser]: {}", status.error().message);
    if (!plan_.teacher.empty()) {
        auto teacher = make_teacher();
        if (!teacher) return std::unexpected(teacher.error());
        teacher_ = std::move(*teacher);
        if (auto status = load(plan_.teacher, *teacher_, {}); !status) return status;
        teacher_->eval();
        for (at::Tensor& each : teacher_->parameters()) each.set_requires_grad(false);
    }
    if (plan_.averaging > 0) averaged_ = make_network();
    if (device_ == Device::Gpu) {
        if (averaged_) averaged_->to(at::Device(at::kCUDA, 0));
        network_->to(at::Device(at::kCUDA, 0));
        if (teacher_) teacher_->to(at::Device(at::kCUDA, 0));
    }
    std::vector<Optimiser::Parameter> parameters;
    for (const auto& item : network_->named_parameters()) parameters.push_back({item.key(), item.value()});
    optimiser_.emplace(plan_.optimiser, std::move(parameters));
    stage_ = nullptr;
    return {};
}

base::Status TorchTask::begin() {
    return guarded("the first weights", [this]() -> base::Status {
        if (auto status = make(); !status) return status;
        if (!plan_.initial.empty())
            if (auto status = load(plan_.initial, *network_, plan_.initial_parts); !status) return status;
        if (averaged_) average(1);
        return {};
    });
}

base::Status TorchTask::take(const nets::TensorFile& checkpoint) {
    return guarded("the checkpoint", [&]() -> base::Status {
        if (auto status = make(); !status) return status;
        if (auto status = take_weights(checkpoint, *network_, kWeights); !status) return status;
        if (averaged_)
            if (auto status = take_weights(checkpoint, *averaged_, kAverage); !status) return status;
        return optimiser_->take(checkpoint, kOptimiser);
    });
}

base::Result<Samples> TorchTask::measured_samples() const {
    const auto source = open(games::Split::Validation, recipe_.seed);
    if (!source) return std::unexpected(source.error());
    return draw_samples(**source, recipe_.validation_positions);
}

std::map<std::string, std::string> TorchTask::history_of(const TrainedRun& run) const {
    std::map<std::string, std::string> history = run.history;
    history["parent"] = plan_.initial.empty() ? "none" : plan_.initial;
    add_measures(measured_, history);
    return history;
}

base::Status TorchTask::draw() {
    const auto draw_of = [this](games::Split split, std::uint64_t seed, std::size_t count, const char* name,
                                Samples& into) -> base::Status {
        auto source = open(split, seed);
        if (!source) return std::unexpected(source.error());
        auto samples = draw_samples(**source, count);
        if (!samples) return std::unexpected(samples.error());
        if (count_of(*samples) == 0)
            return base::fail("no {} of the {} data passes the filter: expected at least one",
                              (*source)->unit(), name);
        into = std::move(*samples);
        return {};
    };
    if (auto s = draw_of(games::Split::Validation, recipe_.seed, recipe_.validation_positions, "validation",
                         held_out_);
        !s)
        return s;
    return draw_of(games::Split::Train, recipe_.seed + 1, kFittedSamples, "training", training_);
}

base::Result<bool> TorchTask::prepare(const std::filesystem::path& /*folder*/, const Metrics& metrics,
                                      const std::stop_token& stop) {
    return guarded("the first look at the data", [&]() -> base::Result<bool> {
        const c10::NoGradGuard no_gradients;
        const std::size_t count = count_of(held_out_);
        if (count < recipe_.validation_positions)
            metrics.say(fmt::format("held out are only {} that pass the filter, fewer than the {} wanted",
                                    base::counted(count, "sample"), recipe_.validation_positions));
        while (count_of(held_out_) > 0) {
            if (stop.stop_requested()) return false;
            const Samples part = take_front(held_out_, kMeasuredAtOnce);
            validation_.push_back(tensors(part));
            validation_sizes_.push_back(count_of(part));
        }
        std::vector<Tensors> targets;  // by part
        while (count_of(training_) > 0)
            targets.push_back(wanted_of(tensors(take_front(training_, kMeasuredAtOnce))).targets);
        Tensors all;
        for (std::size_t i = 0; i < targets.front().size(); ++i) {
            Tensors parts;
            for (const Tensors& part : targets) parts.push_back(part[i]);
            all.push_back(at::cat(parts));
        }
        constant_ = constant(all);
        others_ = others(all);
        return true;
    });
}

base::Result<std::unique_ptr<Encoded>> TorchTask::encode(const Samples& samples) const {
    return guarded("encoding", [&]() -> base::Result<std::unique_ptr<Encoded>> {
        const c10::NoGradGuard no_gradients;
        return std::make_unique<TorchBatch>(tensors(samples));
    });
}

Tensors TorchTask::on_device(const Tensors& tensors) const {
    if (device_ == Device::Cpu) return tensors;
    Tensors there;
    there.reserve(tensors.size());
    for (const at::Tensor& each : tensors) there.push_back(each.to(at::Device(at::kCUDA, 0)));
    return there;
}

TorchTask::Wanted TorchTask::wanted_of(const TorchBatch& batch) const {
    Wanted wanted{on_device(batch.inputs), on_device(batch.targets)};
    if (teacher_) {
        const c10::NoGradGuard no_gradients;
        wanted.targets = with_teacher(wanted.targets, teacher_->forward(wanted.inputs));
    }
    return wanted;
}

// One answer to all samples, said again for each.
Tensors TorchTask::said_of_all(const Tensors& answer, const Tensors& like) {
    Tensors said;
    said.reserve(like.size());
    for (std::size_t i = 0; i < like.size(); ++i) {
        std::vector<std::int64_t> sizes(static_cast<std::size_t>(answer.at(i).dim()), -1);
        sizes.front() = like[i].size(0);
        said.push_back(answer[i].expand(sizes));
    }
    return said;
}

base::Result<StepReport> TorchTask::step(const Encoded& samples, std::uint64_t step, double learning_rate) {
    return guarded("training", [&]() -> base::Result<StepReport> {
        using Clock = std::chrono::steady_clock;
        const TorchStage& stage = stage_of(plan_.stages, step);
        if (&stage != stage_) set_trained(*network_, stage);
        stage_ = &stage;
        seed_torch(recipe_.seed, step);
        StepReport report;
        auto start = Clock::now();
        const Wanted wanted = wanted_of(static_cast<const TorchBatch&>(samples));
        const Tensors said = network_->forward(wanted.inputs);
        const at::Tensor of_network = loss(said, wanted.targets);
        report.loss = of_network.item<double>();
        if (!constant_.empty()) {
            const c10::NoGradGuard no_gradients;
            report.constant_loss = loss(said_of_all(constant_, said), wanted.targets).item<double>();
        }
        report.times.forward = seconds_since(start);
        start = Clock::now();
        // None of the samples may be what any part of the network learns from.
        if (of_network.requires_grad()) of_network.backward();
        report.times.backward = seconds_since(start);
        start = Clock::now();
        const double of_stage = stage.learning_rate > 0 ? stage.learning_rate / plan_.learning_rate : 1;
        optimiser_->step(learning_rate * of_stage);
        if (averaged_) average(step);
        report.times.update = seconds_since(start);
        return report;
    });
}

// Takes in the weights after this step. Running statistics, averages already, are those of now.
void TorchTask::average(std::uint64_t step) {
    const c10::NoGradGuard no_gradients;
    const double kept = kept_of_average(plan_.averaging, 1, step);
    const auto newest = network_->parameters();
    auto next = newest.begin();
    for (at::Tensor& mean : averaged_->parameters()) mean.lerp_(*next++, 1 - kept);
    const auto statistics = network_->buffers();
    next = statistics.begin();
    for (at::Tensor& into : averaged_->buffers()) into.copy_(*next++);
}

std::vector<std::pair<std::string, double>> TorchTask::all_figures(const Tensors& said,
                                                                   const Tensors& wanted) const {
    std::vector<std::pair<std::string, double>> all{{"loss", loss(said, wanted).item<double>()}};
    for (auto& figure : figures(said, wanted)) all.push_back(std::move(figure));
    return all;
}

base::Result<Measurement> TorchTask::measure() {
    return guarded("validation", [this]() -> base::Result<Measurement> {
        const c10::NoGradGuard no_gradients;
        network().eval();
        stage_ = nullptr;  // the next step makes it train again
        std::vector<Measure> sums;
        for (std::size_t i = 0; i < validation_.size(); ++i) {
            const Wanted wanted = wanted_of(validation_[i]);
            const Tensors said = network().forward(wanted.inputs);
            const auto all = static_cast<double>(validation_sizes_[i]);
            const auto ours = all_figures(said, wanted.targets);
            const auto of_constant = all_figures(said_of_all(constant_, said), wanted.targets);
            sums.resize(ours.size());
            std::vector<double> counts(ours.size());
            for (std::size_t k = 0; k < ours.size(); ++k) {
                counts[k] = samples_of(ours[k].first, wanted.targets, all);
                sums[k].name = ours[k].first;
                sums[k].samples += static_cast<std::size_t>(counts[k]);
                sums[k].network += counts[k] * ours[k].second;
                sums[k].constant += counts[k] * of_constant[k].second;
            }
            for (std::size_t k = 0; k < ours.size(); ++k) sums[k].others.resize(others_.size());
            for (std::size_t other = 0; other < others_.size(); ++other) {
                const auto& [name, answer] = others_[other];
                const auto theirs = all_figures(said_of_all(answer, said), wanted.targets);
                for (std::size_t k = 0; k < theirs.size(); ++k) {
                    sums[k].others[other].first = name;
                    sums[k].others[other].second += counts[k] * theirs[k].second;
                }
            }
        }
        for (Measure& each : sums) {
            const auto samples = std::max(static_cast<double>(each.samples), 1.0);
            each.network /= samples;
            each.constant /= samples;
            for (auto& [name, value] : each.others) value /= samples;
        }
        measured_ = said_plainly(std::move(sums), figures_in_line());
        return measured_;
    });
}

base::Status TorchTask::put(nets::TensorFile& checkpoint) const {
    return guarded("the checkpoint", [&]() -> base::Status {
        if (auto status = put_weights(checkpoint, *network_, kWeights); !status) return status;
        if (averaged_)
            if (auto status = put_weights(checkpoint, *averaged_, kAverage); !status) return status;
        optimiser_->put(checkpoint, kOptimiser);
        return {};
    });
}

base::Status TorchTask::finish(const TrainedRun& run) {
    return guarded("the network's file", [&]() -> base::Status {
        nets::TensorFile file;
        for (const auto& [key, value] : run.history) file.metadata["history." + key] = value;
        if (auto status = put_weights(file, network(), ""); !status) return status;
        const std::filesystem::path path = run.folder / files().front();
        if (auto status = nets::write_tensors(path, file); !status) return status;
        run.metrics.say(fmt::format("wrote {}", path.string()));
        return {};
    });
}

}  // namespace scholar::learning
