#include "learning/learner.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>

#include "learning/alarms.hpp"
#include "learning/learn_checkpoint.hpp"
#include "learning/losses.hpp"
#include "learning/metrics.hpp"
#include "learning/piece_values.hpp"
#include "learning/rating_course.hpp"
#include "learning/recipe.hpp"
#include "learning/replay_window.hpp"
#include "learning/run_time.hpp"
#include "learning/weight_average.hpp"
#include "nets/network_file.hpp"
#include "nets/quantise.hpp"

namespace scholar::learning {

namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

// Positions that the piece values are measured on.
constexpr std::size_t kMeasured = 500;
// Steps between two weights that the average takes in.
constexpr std::uint64_t kAverageEvery = 4;
// Networks that stay, by core-minutes.
constexpr std::array kMilestones{1, 2, 5, 10, 20, 40, 60, 120, 240, 480};
// Seconds between checkpoints; a round more may be lost.
constexpr double kCheckpointEvery = 30;

class Learner {
  public:
    Learner(const LearnRecipe& recipe, const LearnOptions& options, LearnObserver& observer,
            std::stop_token stop)
        : recipe_(recipe),
          options_(options),
          observer_(observer),
          stop_(std::move(stop)),
          window_(recipe.stages.front().window),
          average_(recipe.averaging),
          course_(options.output / "snapshots"),
          draws_(options.seed, 0x1E55025) {}

    base::Result<LearnOutcome> run();

  private:
    base::Status begin();
    base::Status resume(LearnCheckpoint from);
    base::Result<nets::FloatNetwork> start_network() const;
    base::Status remove_old_run() const;
    std::vector<std::pair<std::string, std::string>> settings() const;
    base::Status publish();
    base::Status checkpoint();
    std::optional<RoundSummary> play_round(const LearnStage& stage);
    base::Status train(const LearnStage& stage, RoundSummary& summary);
    base::Status report(const LearnStage& stage, const RoundSummary& summary);
    base::Status keep_milestone();
    base::Status rate(const LearnStage& stage);
    int threads() const;
    void note_ratings();
    void tell(const LearnStage& stage, bool round_ended);
    double cores() const { return cores_before_ + core_seconds(); }
    bool finished() const {
        return stop_.stop_requested() ||
               (options_.minutes > 0 && seconds_since(started_) >= 60 * options_.minutes) ||
               (options_.games > 0 && done_.games >= options_.games) ||
               (options_.core_minutes > 0 && cores() >= 60 * options_.core_minutes);
    }

    const LearnRecipe& recipe_;
    const LearnOptions options_;
    LearnObserver& observer_;
    LearnStatus status_;
    const Clock::time_point started_ = Clock::now();
    const std::stop_token stop_;
    nets::FeatureSet features_{};
    std::unique_ptr<selfplay::Players> players_;
    std::optional<Model> model_;
    ReplayWindow window_;
    WeightAverage average_;
    RatingCourse course_;
    base::Random draws_;
    std::optional<Metrics> metrics_;
    nets::Network newest_;
    Alarms alarms_;
    std::vector<games::Sample> recent_;  // to measure piece values on
    nets::PieceValues piece_values_ = nets::kEqualPieceValues;
    LearnProgress done_;
    double cores_before_ = 0;  // spent by the runs that this one resumes
    std::size_t milestone_ = 0;
    Clock::time_point saved_ = Clock::now();
};

std::vector<std::pair<std::string, std::string>> Learner::settings() const {
    auto all = recipe_.settings;
    all.emplace_back("seed", fmt::format("{}", options_.seed));
    return all;
}

int Learner::threads() const {
    return options_.threads > 0 ? options_.threads
                                : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

// Lets the newest network play earlier ones, if it is time.
base::Status Learner::rate(const LearnStage& stage) {
    if (recipe_.rating_pairs == 0 || !course_.is_due(done_.lessons)) return {};
    selfplay::DuelPlan plan;
    plan.nodes = stage.nodes;
    plan.pairs = recipe_.rating_pairs;
    plan.seed = options_.seed;
    plan.threads = threads();
    if (auto s =
            course_.add(std::make_shared<const nets::Network>(newest_), done_.lessons, cores(), plan, stop_);
        !s)
        return s;
    note_ratings();
    if (status_.ratings.empty()) return {};
    const LearnRating& rating = status_.ratings.back();
    return metrics_->record({{"kind", "rating"},
                             {"step", done_.rounds},
                             {"lessons", done_.lessons},
                             {"core_seconds", cores()},
                             {"elo", rating.elo},
                             {"error", rating.error}});
}

void Learner::note_ratings() {
    status_.ratings.clear();
    const auto ratings = course_.ratings();
    for (std::size_t i = 0; i < ratings.size(); ++i)
        if (ratings[i])
            status_.ratings.push_back({course_.entries()[i].lessons, course_.entries()[i].core_seconds,
                                       ratings[i]->elo, ratings[i]->error});
}

void Learner::tell(const LearnStage& stage, bool round_ended) {
    done_.core_seconds = cores();
    status_.progress = done_;
    status_.stage = stage;
    status_.piece_values = piece_values_;
    status_.seconds = seconds_since(started_);
    const auto share = [](double done, double all) { return all > 0 ? std::min(1.0, done / all) : 0; };
    status_.share_done = std::max(
        share(static_cast<double>(done_.games + status_.games_of_round), static_cast<double>(options_.games)),
        std::max(share(done_.core_seconds, 60 * options_.core_minutes),
                 share(status_.seconds, 60 * options_.minutes)));
    observer_.on_status(status_, round_ended);
}

base::Status Learner::begin() {
    const auto features = nets::find_feature_set(recipe_.feature_set);
    if (!features) return std::unexpected(features.error());
    features_ = *features;
    if (const std::string warning = prepare_torch(threads()); !warning.empty())
        observer_.on_notice("warning: " + warning);
    players_ = selfplay::make_local_players(threads(), options_.seed);
    auto loaded = load_learn_checkpoint(options_.output);
    if (options_.resume) {
        if (!loaded) return std::unexpected(loaded.error());
        if (*loaded) {
            if (!(*loaded)->warning.empty()) observer_.on_notice("warning: " + (*loaded)->warning);
            if (auto s = resume(std::move((*loaded)->checkpoint)); !s) return s;
        }
    } else if (!options_.overwrite && (!loaded || *loaded)) {
        return base::fail("{}: already holds a run{}: --resume goes on with it, --overwrite begins again",
                          options_.output.string(),
                          loaded ? fmt::format(" of {} games", (*loaded)->checkpoint.progress.games) : "");
    }
    if (!model_) {
        auto network = start_network();
        if (!network) return std::unexpected(network.error());
        model_.emplace(*network, recipe_.factorise);
        piece_values_ = network->info.piece_values;
        if (options_.overwrite)
            if (auto s = remove_old_run(); !s) return s;
    }
    std::error_code error;
    std::filesystem::create_directories(options_.output / "milestones", error);
    if (error)
        return base::fail("{}: cannot create the folder: {}", options_.output.string(), error.message());
    auto metrics = Metrics::open(options_.output / "metrics.jsonl", done_.rounds, options_.json);
    if (!metrics) return std::unexpected(metrics.error());
    metrics_ = std::move(*metrics);
    while (milestone_ < kMilestones.size() && cores() >= 60.0 * kMilestones[milestone_]) ++milestone_;
    return {};
}

base::Result<nets::FloatNetwork> Learner::start_network() const {
    if (recipe_.initial.empty()) return nets::FloatNetwork::random(recipe_.width, options_.seed);
    auto network = nets::load_float_network(recipe_.initial);
    if (network && network->info.width != recipe_.width)
        return base::fail("{}: width {}, expected {} as the recipe says", recipe_.initial,
                          network->info.width, recipe_.width);
    return network;
}

// Nothing of an older run may stay that this one could be taken for, or resumed from.
base::Status Learner::remove_old_run() const {
    std::error_code error;
    for (const auto& path : {previous_checkpoint(options_.output), last_checkpoint(options_.output),
                             options_.output / "milestones", options_.output / "snapshots"}) {
        std::filesystem::remove_all(path, error);
        if (error) return base::fail("{}: cannot remove: {}", path.string(), error.message());
    }
    return {};
}

base::Status Learner::resume(LearnCheckpoint from) {
    if (auto same = check_unchanged(settings(), from.settings); !same)
        return base::fail_in(options_.output.string(), same.error());
    model_.emplace(from.model);
    if (from.average) average_.restore(std::move(*from.average));
    piece_values_ = from.piece_values;
    window_.set_capacity(std::max(window_.capacity(), from.window.size()));
    window_.restore(std::move(from.window), from.window_added);
    draws_.set_state(from.draws);
    const auto ratings = json::parse(from.ratings, nullptr, false);
    if (auto s = course_.from_json(ratings); !s) return base::fail_in(options_.output.string(), s.error());
    done_ = from.progress;
    note_ratings();
    cores_before_ = done_.core_seconds - core_seconds();
    return {};
}

base::Status Learner::checkpoint() {
    LearnCheckpoint now;
    done_.core_seconds = cores();
    now.progress = done_;
    now.model = model_->state();
    if (!average_.empty()) now.average = average_.network();
    now.piece_values = piece_values_;
    now.window = window_.in_order();
    now.window_added = window_.added();
    now.draws = draws_.state();
    now.ratings = course_.to_json().dump();
    now.settings = settings();
    saved_ = Clock::now();
    return save_learn_checkpoint(options_.output, now);
}

// The model's weights, rounded, become the network that plays.
base::Status Learner::publish() {
    nets::FloatNetwork network =
        recipe_.averaging > 0 && !average_.empty() ? average_.network() : model_->network();
    network.info.history = {{"recipe", recipe_.name},
                            {"seed", fmt::format("{}", options_.seed)},
                            {"games", fmt::format("{}", done_.games)},
                            {"lessons", fmt::format("{}", done_.lessons)},
                            {"core_seconds", fmt::format("{:.0f}", cores())}};
    if (!recent_.empty()) piece_values_ = measure_piece_values(*model_, recent_, options_.seed);
    network.info.piece_values = piece_values_;
    auto quantised = nets::quantise(network);
    if (!quantised) return std::unexpected(quantised.error());
    newest_ = std::move(quantised->network);
    return nets::save_network(options_.output / "network.safetensors", newest_);
}

// Nothing if it was told to stop before all games were played.
std::optional<RoundSummary> Learner::play_round(const LearnStage& stage) {
    const auto start = Clock::now();
    selfplay::Assignment assignment;
    assignment.generation = static_cast<std::uint32_t>(done_.rounds);
    assignment.network = std::make_shared<nets::Network>(newest_);
    assignment.plan = recipe_.play;
    assignment.plan.nodes = stage.nodes;
    players_->assign(assignment);
    LessonPlan plan = recipe_.lessons;
    plan.lambda = stage.lambda;
    plan.result_weight = stage.result_weight;
    RoundSummary summary;
    recent_.clear();
    std::vector<Lesson> all;
    const std::uint64_t played =
        players_->play(done_.games, stage.games, stop_, [&](selfplay::Record&& record) {
            summary.repeated += alarms_.is_repeated(record.game.hash());
            status_.games_of_round = ++summary.games;
            tell(stage, false);
            summary.half_moves += record.game.moves.size();
            summary.draws += record.game.result == games::GameResult::Draw;
            for (const selfplay::Judgement& judgement : record.judgements) {
                summary.nodes += judgement.nodes;
                summary.judged += judgement.searched;
            }
            const std::vector<Lesson> lessons = lessons_of(record, plan);
            all.insert(all.end(), lessons.begin(), lessons.end());
            if (!lessons.empty() && recent_.size() < kMeasured) {
                games::Sample sample;
                sample.position = lessons[record.number * 7919 % lessons.size()].position;
                recent_.push_back(sample);
            }
        });
    status_.games_of_round = 0;
    if (played < stage.games) return std::nullopt;
    for (const Lesson& lesson : all) window_.add(lesson);
    summary.lessons = all.size();
    done_.games += summary.games;
    done_.lessons += summary.lessons;
    summary.playing = seconds_since(start);
    return summary;
}

base::Status Learner::train(const LearnStage& stage, RoundSummary& summary) {
    const auto start = Clock::now();
    done_.owed += recipe_.reuse * static_cast<double>(summary.lessons);
    if (window_.size() < recipe_.batch) return {};
    Batch batch;
    while (done_.owed >= static_cast<double>(recipe_.batch)) {
        done_.owed -= static_cast<double>(recipe_.batch);
        window_.draw(draws_, recipe_.batch, features_, batch);
        const StepResult step = model_->train(batch, recipe_.adam, stage.learning_rate, recipe_.clip);
        if (!std::isfinite(step.loss))
            return base::fail(
                "round {}: the training loss is not a finite number, expected one: try a smaller "
                "learning_rate",
                done_.rounds);
        if (recipe_.averaging > 0 && model_->steps() % kAverageEvery == 0)
            average_.add(model_->network(), kAverageEvery);
        double mean = 0;
        for (const float target : batch.targets) mean += static_cast<double>(target);
        mean /= static_cast<double>(batch.size());
        LossSum constant;
        for (const float target : batch.targets)
            constant.add(std::log(mean / (1 - mean)), static_cast<double>(target));
        summary.loss += step.loss;
        summary.constant_loss += constant.mean().cross_entropy;
        ++summary.steps;
        summary.trained += batch.size();
    }
    if (summary.steps > 0) {
        summary.loss /= static_cast<double>(summary.steps);
        summary.constant_loss /= static_cast<double>(summary.steps);
    }
    summary.training = seconds_since(start);
    return {};
}

base::Status Learner::report(const LearnStage& stage, const RoundSummary& s) {
    const auto games = static_cast<double>(std::max<std::uint64_t>(1, s.games));
    status_.round = s;
    tell(stage, true);
    std::vector<chess::Position> positions;
    positions.reserve(recent_.size());
    for (const games::Sample& sample : recent_) positions.push_back(sample.position);
    for (const std::string& line : alarms_.check(s, measure_activity(newest_, positions))) {
        observer_.on_notice(line);
        if (auto status = metrics_->record({{"kind", "alarm"}, {"step", done_.rounds}, {"text", line}});
            !status)
            return status;
    }
    return metrics_->record({{"kind", "round"},
                             {"step", done_.rounds},
                             {"games", done_.games},
                             {"lessons", done_.lessons},
                             {"core_seconds", cores()},
                             {"loss", s.loss},
                             {"constant_loss", s.constant_loss},
                             {"draws", static_cast<double>(s.draws) / games},
                             {"half_moves", static_cast<double>(s.half_moves) / games},
                             {"nodes", stage.nodes},
                             {"nodes_per_second", static_cast<double>(s.nodes) / s.playing},
                             {"playing", s.playing},
                             {"training", s.training},
                             {"piece_values", newest_.info.piece_values}});
}

base::Status Learner::keep_milestone() {
    while (milestone_ < kMilestones.size() && cores() >= 60.0 * kMilestones[milestone_]) {
        const auto name = fmt::format("{:03}-core-minutes.safetensors", kMilestones[milestone_]);
        if (auto s = nets::save_network(options_.output / "milestones" / name, newest_); !s) return s;
        ++milestone_;
    }
    return {};
}

base::Result<LearnOutcome> Learner::run() {
    if (auto s = begin(); !s) return std::unexpected(s.error());
    if (auto s = publish(); !s) return std::unexpected(s.error());
    if (auto s = rate(recipe_.stages.front()); !s) return std::unexpected(s.error());
    while (!finished()) {
        const LearnStage& stage = recipe_.stage_at(done_.lessons);
        window_.set_capacity(stage.window);
        auto summary = play_round(stage);
        if (!summary) break;
        ++done_.rounds;
        if (auto s = train(stage, *summary); !s) return std::unexpected(s.error());
        if (auto s = publish(); !s) return std::unexpected(s.error());
        if (auto s = report(stage, *summary); !s) return std::unexpected(s.error());
        if (auto s = rate(stage); !s) return std::unexpected(s.error());
        if (auto s = keep_milestone(); !s) return std::unexpected(s.error());
        if (seconds_since(saved_) >= kCheckpointEvery)
            if (auto s = checkpoint(); !s) return std::unexpected(s.error());
    }
    if (auto s = checkpoint(); !s) return std::unexpected(s.error());
    return LearnOutcome{!stop_.stop_requested(), done_};
}

}  // namespace

base::Result<LearnOutcome> learn(const LearnRecipe& recipe, const LearnOptions& options,
                                 LearnObserver& observer, std::stop_token stop) {
    return Learner(recipe, options, observer, std::move(stop)).run();
}

}  // namespace scholar::learning
