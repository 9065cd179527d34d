#include "learning/segments/segment_run.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "evaluators/make.hpp"
#include "learning/run/device.hpp"
#include "learning/run/milestones.hpp"
#include "learning/run/run_files.hpp"
#include "learning/run/run_time.hpp"
#include "nets/container/kinds.hpp"

namespace scholar::learning {

namespace {

// Roots that piece values are measured on.
constexpr std::size_t kMeasuredRoots = 100;
// New lessons that the network which played is measured on.
constexpr std::size_t kMeasuredNewLessons = 1'000;
// Streams of random numbers beside those of segments, which are numbered from 0.
constexpr std::uint64_t kBatchStream = std::uint64_t{1} << 62;
constexpr double kSecondsBetweenLines = 20;

RunShellOptions shell_options(const SegmentRecipe& recipe, const SegmentOptions& options) {
    RunShellOptions shell;
    shell.folder = options.output.empty() ? recipe.training.output : options.output;
    shell.resume = options.resume;
    shell.or_begin = options.or_begin;
    shell.overwrite = options.overwrite;
    shell.json = options.json;
    shell.limits.steps = recipe.iterations;
    shell.limits.core_minutes = options.core_minutes;
    shell.limits.minutes = options.minutes;
    return shell;
}

}  // namespace

SegmentRun::SegmentRun(const SegmentRecipe& recipe, const SegmentOptions& options, std::stop_token stop)
    : recipe_(recipe),
      options_(options),
      shell_(shell_options(recipe, options), std::move(stop)),
      task_(recipe.training.task->make_task(recipe.training, Device::Cpu)) {}

SegmentOutcome SegmentRun::outcome(bool finished) const {
    return {finished, now_.iterations, now_.lessons, shell_.clock().cores()};
}

// ---- beginning, or going on

// Task and window take their parts of the checkpoint if that is to be gone on from, and is of this recipe.
base::Status SegmentRun::find_start() {
    const auto parse = [&](const nets::TensorFile& file) -> base::Result<SegmentProgress> {
        auto progress = take_segment_progress(file);
        if (progress && options_.resume && check_unchanged(training().settings, progress->settings)) {
            if (auto taken = task_->take(file); !taken) return std::unexpected(taken.error());
            if (auto taken = window_.take(file); !taken) return std::unexpected(taken.error());
        }
        return progress;
    };
    auto loaded = read_checkpoint<SegmentProgress>(shell_.folder(), parse);
    RunShell::Found found{std::nullopt, shell_.has_checkpoint_or_records()};
    if (!loaded)
        found.checkpoint = std::unexpected(loaded.error());
    else if (*loaded)
        found.checkpoint = " of " + base::counted((*loaded)->checkpoint.iterations, "iteration");
    const auto goes_on = shell_.goes_on(found);
    if (!goes_on) return std::unexpected(goes_on.error());
    resumed_ = *goes_on;
    if (!resumed_) {
        now_.settings = training().settings;
        return task_->begin();
    }
    now_ = std::move((*loaded)->checkpoint);
    warning_ = (*loaded)->warning;
    if (auto same = check_unchanged(training().settings, now_.settings); !same)
        return base::fail_in(shell_.folder().string(), same.error());
    shell_.clock().add_cores(now_.core_seconds);
    return {};
}

base::Status SegmentRun::open_roots() {
    auto source = open_positions(training().sampling(games::Split::Train, training().seed));
    if (!source) return std::unexpected(source.error());
    roots_ = std::move(*source);
    if (resumed_ && now_.data_hash != roots_->data_hash())
        return base::fail("{}: the games have changed since the run began: their hash was {} and is {}",
                          shell_.folder().string(), base::to_hex(now_.data_hash),
                          base::to_hex(roots_->data_hash()));
    now_.data_hash = roots_->data_hash();
    // The first of all, so that a run that goes on measures on the same.
    const StreamPlace place = std::exchange(now_.roots, {});
    roots_->start_pass(0);
    auto first = draw_roots(std::min(kMeasuredRoots, recipe_.roots));
    if (!first) return std::unexpected(first.error());
    measured_on_ = std::move(*first);
    now_.roots = place;
    roots_->start_pass(place.epoch);
    return roots_->skip(place.consumed);
}

base::Status SegmentRun::begin() {
    if (const std::string warning = prepare_torch(training().threads); !warning.empty())
        fmt::print(stderr, "warning: {}\n", warning);
    if (auto s = shell_.be_alone(); !s) return s;
    if (auto s = find_start(); !s) return s;
    if (auto s = open_roots(); !s) return s;
    // A kind of network that does not play replaces no older run.
    if (auto s = make_playing(); !s) return s;
    if (auto s = shell_.create({kMilestonesFolder}); !s) return s;
    if (!resumed_) {
        std::vector<std::filesystem::path> old = checkpoint_files(shell_.folder());
        for (const char* name : {kMetricsFile, kNetworkFile}) old.push_back(shell_.path(name));
        std::error_code unknown;
        std::erase_if(old, [&](const std::filesystem::path& path) {
            return !task_->initial().empty() && std::filesystem::equivalent(path, task_->initial(), unknown);
        });
        std::error_code error;
        for (const auto& entry : std::filesystem::directory_iterator(shell_.path(kMilestonesFolder), error))
            old.push_back(entry.path());
        if (auto s = RunShell::remove(old); !s) return s;
    }
    if (auto s = shell_.open_metrics(resumed_ ? std::optional(now_.iterations) : std::nullopt); !s) return s;
    if (!warning_.empty()) shell_.metrics().say("warning: " + warning_);
    shell_.metrics().say(fmt::format("roots from {}; {}; {} roots an iteration{}", roots_->describe(),
                                     task_->describe(), recipe_.roots,
                                     resumed_ ? fmt::format("; from iteration {}", now_.iterations) : ""));
    return shell_.metrics().record({{"kind", "start"},
                                    {"step", now_.iterations},
                                    {"recipe", training().name},
                                    {"recipe_hash", base::to_hex(training().hash())},
                                    {"data_hash", base::to_hex(now_.data_hash)},
                                    {"threads", options_.threads}});
}

base::Result<std::vector<chess::Position>> SegmentRun::draw_roots(std::size_t count) {
    std::vector<chess::Position> positions;
    while (positions.size() < count) {
        Samples samples = roots_->none();
        const auto got = roots_->next(count - positions.size(), samples);
        if (!got) return std::unexpected(got.error());
        for (const games::Sample& sample : std::get<std::vector<games::Sample>>(samples))
            positions.push_back(sample.position);
        now_.roots.consumed += *got;
        if (positions.size() == count) break;
        if (now_.roots.consumed == 0)
            return base::fail("no position of the training data passes the filter: expected at least one");
        roots_->start_pass(++now_.roots.epoch);
        now_.roots.consumed = 0;
    }
    return positions;
}

// ---- learning

base::Status SegmentRun::make_playing() {
    auto file = task_->playing(measured_on_, {{"recipe", training().name},
                                              {"recipe_hash", base::to_hex(training().hash())},
                                              {"data_hash", base::to_hex(now_.data_hash)},
                                              {"seed", fmt::format("{}", training().seed)},
                                              {"iterations", fmt::format("{}", now_.iterations)},
                                              {"searches", fmt::format("{}", now_.searches)},
                                              {"positions", fmt::format("{}", now_.lessons)}});
    if (!file) return std::unexpected(file.error());
    auto network = nets::take_any_network(*file);
    if (!network) return std::unexpected(network.error());
    file_ = std::move(*file);
    playing_ = std::move(*network);
    return {};
}

base::Status SegmentRun::take_steps(const std::vector<LabelledNode>& nodes, std::size_t batch,
                                    double learning_rate, Report& report) {
    for (std::size_t from = 0; from < nodes.size(); from += batch) {
        const auto begin = nodes.begin() + static_cast<std::ptrdiff_t>(from);
        const auto end = nodes.begin() + static_cast<std::ptrdiff_t>(std::min(from + batch, nodes.size()));
        const auto encoded = task_->encode(std::vector<LabelledNode>(begin, end));
        if (!encoded) return std::unexpected(encoded.error());
        ++now_.steps;
        const auto done = task_->step(**encoded, now_.steps, learning_rate);
        if (!done) return base::fail_in(fmt::format("iteration {}", now_.iterations + 1), done.error());
        if (!std::isfinite(done->loss))
            return base::fail(
                "iteration {}: the training loss is not a finite number, expected one: try a smaller "
                "learning_rate; the last checkpoint stays",
                now_.iterations + 1);
        report.loss += done->loss;
        ++report.steps;
        now_.trained += static_cast<std::uint64_t>(end - begin);
    }
    return {};
}

base::Status SegmentRun::learn_material() {
    const MaterialStart& start = recipe_.start;
    const auto positions = draw_roots(start.positions);
    if (!positions) return std::unexpected(positions.error());
    const std::vector<LabelledNode> lessons = material_lessons(*positions, start);
    if (lessons.empty())
        return base::fail("all positions of [start] are even, expected others with 'decided'");
    Report report;
    for (int pass = 0; pass < start.passes && !shell_.stop().stop_requested(); ++pass) {
        report.loss = 0;
        report.steps = 0;
        if (auto s = take_steps(lessons, start.batch, start.learning_rate, report); !s) return s;
    }
    if (auto s = make_playing(); !s) return s;
    const double loss = report.loss / static_cast<double>(std::max<std::size_t>(report.steps, 1));
    shell_.metrics().say(fmt::format("learnt to count pieces of {} in {:.1f} core-seconds: loss {:.4f}",
                                     base::counted(lessons.size(), "position"), shell_.clock().cores(),
                                     loss));
    return shell_.metrics().record({{"kind", "material"},
                                    {"step", 0},
                                    {"positions", lessons.size()},
                                    {"passes", start.passes},
                                    {"loss", loss},
                                    {"core_seconds", shell_.clock().cores()}});
}

base::Result<bool> SegmentRun::play(const SegmentStage& stage, std::vector<SegmentLesson>& lessons,
                                    Report& report) {
    const auto start = std::chrono::steady_clock::now();
    const auto roots = draw_roots(recipe_.roots);
    if (!roots) return std::unexpected(roots.error());
    SegmentPlan plan = recipe_.play;
    plan.nodes = stage.nodes;
    const auto played = play_segments(playing_, *roots, plan, training().seed,
                                      now_.iterations * recipe_.roots, options_.threads, shell_.stop());
    if (!played) return std::unexpected(played.error());
    if (!*played) return false;
    SegmentLessonPlan how = recipe_.lessons;
    how.lambda = stage.lambda;
    for (const Segment& segment : **played) {
        for (const SegmentSearch& search : segment.searches) {
            ++report.searches;
            report.nodes += search.nodes;
            if (search.leaf_kind == search::LeafKind::CutShort)
                ++report.cut_short;
            else if (search.leaf_kind != search::LeafKind::Exact)
                ++report.fixed;
        }
        std::ranges::move(lessons_of(segment, how), std::back_inserter(lessons));
    }
    report.lessons = lessons.size();
    report.playing = seconds_since(start);
    return true;
}

base::Status SegmentRun::train(const SegmentStage& stage, Report& report) {
    const auto start = std::chrono::steady_clock::now();
    now_.owed += stage.reuse * static_cast<double>(report.lessons);
    base::Random random(training().seed, kBatchStream + now_.iterations);
    while (now_.owed > 0 && window_.size() > 0) {
        const std::vector<LabelledNode> batch = window_.draw(random, training().batch);
        // The rest waits for the next iteration, unless no more are remembered than make one step.
        if (now_.owed < static_cast<double>(batch.size()) && report.steps > 0) break;
        if (auto s = take_steps(batch, batch.size(), stage.learning_rate, report); !s) return s;
        now_.owed -= static_cast<double>(batch.size());
    }
    if (report.steps > 0) report.loss /= static_cast<double>(report.steps);
    report.training = seconds_since(start);
    return {};
}

// How far the network that played is from what it is to learn, before it does.
base::Status SegmentRun::measure(const std::vector<SegmentLesson>& lessons, Report& report) const {
    auto leaf = evaluators::make_leaf(playing_);
    if (!leaf) return std::unexpected(leaf.error());
    const std::size_t stride = lessons.size() / kMeasuredNewLessons + 1;
    std::size_t count = 0;
    for (std::size_t i = 0; i < lessons.size(); i += stride, ++count) {
        leaf->reset(lessons[i].position);
        const double said = leaf->value(lessons[i].position).expected();
        report.error += std::abs(lessons[i].expected.nearest(said) - said);
    }
    if (count > 0) report.error /= static_cast<double>(count);
    return {};
}

base::Result<bool> SegmentRun::iterate() {
    const SegmentStage& stage = recipe_.stage_at(now_.iterations);
    const StreamPlace before = now_.roots;
    Report report;
    std::vector<SegmentLesson> lessons;
    const auto played = play(stage, lessons, report);
    if (!played) return std::unexpected(played.error());
    if (!*played) {
        now_.roots = before;
        return false;
    }
    if (auto s = measure(lessons, report); !s) return std::unexpected(s.error());
    const auto recent = std::llround(stage.recent * static_cast<double>(now_.iterations + 1));
    window_.add(lessons,
                std::min<std::size_t>(stage.window, static_cast<std::size_t>(std::max(recent, 1LL))));
    if (auto s = train(stage, report); !s) return std::unexpected(s.error());
    ++now_.iterations;
    now_.searches += report.searches;
    now_.nodes += report.nodes;
    now_.lessons += report.lessons;
    if (auto s = make_playing(); !s) return std::unexpected(s.error());
    if (auto s = record(stage, report); !s) return std::unexpected(s.error());
    return true;
}

// ---- what it leaves

base::Status SegmentRun::record(const SegmentStage& stage, const Report& report) {
    now_.core_seconds = shell_.clock().cores();
    if (seconds_since(said_) >= kSecondsBetweenLines) {
        said_ = std::chrono::steady_clock::now();
        shell_.metrics().say(fmt::format(
            "iteration {}: {:.2f} M positions, {:.1f} core-minutes, loss {:.4f}, mean error {:.4f}",
            now_.iterations, 1e-6 * static_cast<double>(now_.lessons), now_.core_seconds / 60, report.loss,
            report.error));
    }
    return shell_.metrics().record({{"kind", "iteration"},
                                    {"step", now_.iterations},
                                    {"steps", now_.steps},
                                    {"positions", now_.lessons},
                                    {"trained", now_.trained},
                                    {"searches", now_.searches},
                                    {"nodes", now_.nodes},
                                    {"cut_short", report.cut_short},
                                    {"fixed", report.fixed},
                                    {"window", window_.size()},
                                    {"loss", report.loss},
                                    {"mean_error", report.error},
                                    {"learning_rate", stage.learning_rate},
                                    {"playing_seconds", report.playing},
                                    {"training_seconds", report.training},
                                    {"core_seconds", now_.core_seconds}});
}

base::Status SegmentRun::keep_milestones() {
    const double cores = shell_.clock().cores();
    while (Milestones::is_due(now_.milestones, cores)) {
        // Of several that are due, this network is only the last.
        while (Milestones::is_due(now_.milestones + 1, cores)) ++now_.milestones;
        const auto path = shell_.path(kMilestonesFolder) /
                          fmt::format("{:03}-core-minutes.safetensors", Milestones::minutes(now_.milestones));
        if (auto s = nets::write_tensors(path, file_); !s) return s;
        ++now_.milestones;
    }
    return {};
}

base::Status SegmentRun::save() {
    now_.core_seconds = shell_.clock().cores();
    nets::TensorFile file;
    if (auto s = task_->put(file); !s) return s;
    window_.put(file);
    put_segment_progress(file, now_);
    if (auto s = nets::write_tensors(shell_.path(kNetworkFile), file_); !s) return s;
    if (auto s = write_checkpoint(shell_.folder(), file); !s) return s;
    saved_ = std::chrono::steady_clock::now();
    return {};
}

base::Result<SegmentOutcome> SegmentRun::run() {
    if (auto s = begin(); !s) return std::unexpected(s.error());
    if (!resumed_ && recipe_.start.positions > 0)
        if (auto s = learn_material(); !s) return std::unexpected(s.error());
    bool changed = !resumed_ && !shell_.stop().stop_requested();
    while (!shell_.is_over({.steps = now_.iterations})) {
        const auto whole = iterate();
        if (!whole) return std::unexpected(whole.error());
        if (!*whole) break;
        changed = true;
        if (auto s = keep_milestones(); !s) return std::unexpected(s.error());
        if (seconds_since(saved_) < options_.checkpoint_seconds) continue;
        if (auto s = save(); !s) return std::unexpected(s.error());
        changed = false;
    }
    if (changed)
        if (auto s = save(); !s) return std::unexpected(s.error());
    return outcome(!shell_.stop().stop_requested());
}

}  // namespace scholar::learning
