#include "learning/training/training_loop.hpp"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "learning/run/checkpoint_files.hpp"
#include "learning/run/device.hpp"
#include "learning/run/run_time.hpp"

namespace scholar::learning {

namespace {

constexpr std::uint64_t kRecordEvery = 50;  // steps

}  // namespace

TrainingLoop::TrainingLoop(const Recipe& recipe, Task& task, RunShell& shell, TrainingProgress now)
    : recipe_(recipe), task_(task), shell_(shell), now_(std::move(now)) {}

base::Status TrainingLoop::run(std::unique_ptr<SampleSource> source) {
    const std::uint64_t first = now_.step;
    const std::uint64_t last = recipe_.schedule.steps;
    const std::string unit(source->unit());
    SampleStream stream(std::move(source), now_.place, recipe_.batch,
                        [this](const Samples& samples) { return task_.encode(samples); });
    base::Progress progress("training", (last - first) * recipe_.batch, unit + "s");
    std::uint64_t saved = first;
    spent_.start = Clock::now();
    while (!shell_.is_over({.steps = now_.step})) {
        if (auto s = step(stream); !s) return s;
        progress.update((now_.step - first) * recipe_.batch, note_);
        if (now_.step % recipe_.checkpoint_every == 0 || now_.step == last) {
            if (auto s = checkpoint(); !s) return s;
            saved = now_.step;
        }
        if (now_.step % recipe_.validate_every == 0 && now_.step != last) {
            if (auto s = measure(); !s) return s;
            shell_.metrics().say(fmt::format("step {}: {}", now_.step, measured_.line));
        }
    }
    progress.finish();
    if (now_.step > first) say_times(stream, first, unit);
    // Stopped: if before the first step, there must be something to resume from all the same.
    if (now_.step < last && (now_.step > saved || now_.step == first)) return checkpoint();
    return {};
}

base::Status TrainingLoop::step(SampleStream& stream) {
    const auto batch = stream.next();
    if (!batch) return std::unexpected(batch.error());
    ++now_.step;
    const double rate = recipe_.schedule.rate(now_.step);
    const auto done = task_.step(*batch->samples, now_.step, rate);
    if (!done) return base::fail_in(fmt::format("step {}", now_.step), done.error());
    if (!std::isfinite(done->loss))
        return base::fail(
            "step {}: the training loss is not a finite number, expected one: try a smaller learning_rate; "
            "the last checkpoint stays",
            now_.step);
    spent_.steps.forward += done->times.forward;
    spent_.steps.backward += done->times.backward;
    spent_.steps.update += done->times.update;
    now_.place = batch->after;
    now_.samples += batch->size;
    now_.clipped += done->clipped;
    mean_.loss += done->loss;
    mean_.constant += done->constant_loss;
    ++mean_.steps;
    if (now_.step % kRecordEvery == 0 || now_.step == recipe_.schedule.steps) return record_mean(rate);
    return {};
}

base::Status TrainingLoop::record_mean(double rate) {
    const auto steps = static_cast<double>(mean_.steps);
    const double loss = mean_.loss / steps;
    const double constant = mean_.constant / steps;
    mean_ = {};
    note_ = fmt::format("loss {:.4f} (constant {:.4f})", loss, constant);
    return shell_.metrics().record({{"kind", "train"},
                                    {"step", now_.step},
                                    {"positions", now_.samples},
                                    {"epoch", now_.place.epoch},
                                    {"loss", loss},
                                    {"constant_loss", constant},
                                    {"learning_rate", rate},
                                    {"clipped", now_.clipped},
                                    {"seconds", seconds_since(spent_.start)},
                                    {"core_seconds", shell_.clock().cores()}});
}

base::Status TrainingLoop::checkpoint() {
    const auto start = Clock::now();
    now_.core_seconds = shell_.clock().cores();
    nets::TensorFile file;
    auto status = task_.put(file);
    put_progress(file, now_);
    if (status) status = write_checkpoint(recipe_.output, file);
    spent_.checkpoints += seconds_since(start);
    return status;
}

base::Status TrainingLoop::measure() {
    const auto start = Clock::now();
    auto measured = task_.measure();
    if (!measured) return std::unexpected(measured.error());
    measured_ = std::move(*measured);
    spent_.measuring += seconds_since(start);
    nlohmann::json record = measured_.record;
    record["kind"] = "validation";
    record["step"] = now_.step;
    return shell_.metrics().record(record);
}

// Of the steps behind `first`.
void TrainingLoop::say_times(const SampleStream& stream, std::uint64_t first, std::string_view unit) const {
    const double whole = seconds_since(spent_.start);
    const StreamTimes data = stream.times();
    const auto part = [whole](const char* what, double seconds) {
        return fmt::format("{} {:.1f} s ({:.0f} %)", what, seconds, 100 * seconds / whole);
    };
    const double samples = static_cast<double>((now_.step - first) * recipe_.batch);
    shell_.metrics().say(
        fmt::format("{:.0f} {}s in {:.1f} s: {:.0f} {}s/s with {}\n"
                    "  training thread: {}, {}, {}, {}, {}, {}\n"
                    "  beside it: {}, {}",
                    samples, unit, whole, samples / whole, unit, base::counted(torch_threads(), "thread"),
                    part("forward", spent_.steps.forward), part("backward", spent_.steps.backward),
                    part("update", spent_.steps.update), part("waiting for data", data.waiting),
                    part("validation", spent_.measuring), part("checkpoints", spent_.checkpoints),
                    part("reading", data.reading), part("feature extraction", data.encoding)));
    (void)shell_.metrics().record({{"kind", "times"},
                                   {"step", now_.step},
                                   {"positions", samples},
                                   {"seconds", whole},
                                   {"forward", spent_.steps.forward},
                                   {"backward", spent_.steps.backward},
                                   {"update", spent_.steps.update},
                                   {"waiting", data.waiting},
                                   {"validation", spent_.measuring},
                                   {"checkpoints", spent_.checkpoints},
                                   {"reading", data.reading},
                                   {"feature_extraction", data.encoding}});
}

}  // namespace scholar::learning
