#include "learning/selfplay_loop/learner.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <deque>
#include <nlohmann/json.hpp>
#include <thread>

#include "arena/placement.hpp"
#include "base/files.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "chess/fen.hpp"
#include "learning/measuring/ladder_place.hpp"
#include "learning/measuring/milestone_places.hpp"
#include "learning/measuring/rating_course.hpp"
#include "learning/optimise/weight_average.hpp"
#include "learning/perspective/growth.hpp"
#include "learning/perspective/piece_values.hpp"
#include "learning/run/metrics.hpp"
#include "learning/run/run_time.hpp"
#include "learning/selfplay_loop/alarms.hpp"
#include "learning/selfplay_loop/games_lessons.hpp"
#include "learning/selfplay_loop/kept_games.hpp"
#include "learning/selfplay_loop/learn_checkpoint.hpp"
#include "learning/selfplay_loop/learn_folder.hpp"
#include "learning/selfplay_loop/replay_window.hpp"
#include "learning/selfplay_loop/round_games.hpp"
#include "learning/selfplay_loop/run_history.hpp"
#include "learning/selfplay_loop/window_segments.hpp"
#include "learning/targets/losses.hpp"
#include "learning/training/recipe.hpp"
#include "nets/perspective/network_file.hpp"
#include "nets/perspective/quantise.hpp"

namespace scholar::learning {

namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

// Steps between two weights that the average takes in.
constexpr std::uint64_t kAverageEvery = 4;
// Positions from which games may begin.
constexpr std::size_t kStarts = 2'000;
// Networks that stay, by core-minutes: these, and then each after twice as long as the one before.
constexpr std::array kMilestones{1, 2, 5, 10, 20, 40, 60};
constexpr std::size_t kMostMilestones = kMilestones.size() + 16;
// The random numbers of the batches, apart from those of games; and of each round's new positions.
constexpr std::uint64_t kDrawStream = 0x1E55025;
constexpr std::uint64_t kFreshStream = 0xF2E5'0000'0000;
// How far on its course a network is, in its history.
constexpr const char* kCourse = "course";
// New positions whose loss is looked at before they are trained on, and older ones beside them.
constexpr std::size_t kMeasuredPositions = 1'024;

int milestone_minutes(std::size_t number) {
    if (number < kMilestones.size()) return kMilestones.at(number);
    return kMilestones.back() << (number - kMilestones.size() + 1);
}

class Learner {
  public:
    Learner(const LearnRecipe& recipe, const LearnOptions& options, LearnObserver& observer,
            std::stop_token stop)
        : recipe_(recipe),
          options_(options),
          observer_(observer),
          stop_(std::move(stop)),
          folder_(options.output),
          window_(recipe.stages.front().window),
          segments_(options.output),
          average_(recipe.averaging),
          course_(folder_.snapshots()),
          seed_(options.seed.value_or(kDefaultSeed)),
          draws_(0) {}
    ~Learner() {
        if (lock_) lock_->remove();
    }
    Learner(const Learner&) = delete;
    Learner& operator=(const Learner&) = delete;

    base::Result<LearnOutcome> run();

  private:
    base::Status begin();
    base::Status be_alone();
    base::Status keep_recipe(bool in_place_of_another) const;
    base::Status remove_run() const;
    base::Status resume(LearnCheckpoint from);
    base::Status open_kept_games();
    base::Result<nets::FloatNetwork> first_network() const;
    base::Result<nets::FloatNetwork> given_network() const;
    base::Status check_fits(const nets::FloatNetwork& first) const;
    base::Result<std::optional<LearntFromGames>> taught_by_games(const nets::FloatNetwork& start) const;
    // Whether the first network is not random.
    bool begins_taught() const {
        return !options_.games_files.empty() || !options_.from.empty() || !recipe_.network.initial.empty();
    }
    const LearnStage& stage_now() const { return recipe_.stage_at(done_.head_start + done_.lessons); }
    std::uint64_t head_start(const nets::FloatNetwork& network) const;
    std::string describe_beginning() const;
    RunSettings settings() const;
    base::Status grow(const LearnStage& stage);
    nets::FloatNetwork newest_weights();
    base::Status install(nets::FloatNetwork network);
    base::Status promote(const LearnStage& stage, RoundSummary& summary);
    base::Status checkpoint();
    base::Result<std::optional<RoundSummary>> play_round(const LearnStage& stage);
    base::Status train(const LearnStage& stage, RoundSummary& summary);
    void measure_by_heart(RoundSummary& summary) const;
    base::Status report(const LearnStage& stage, const RoundSummary& summary);
    base::Status keep_milestone();
    base::Status place(int minutes, const std::filesystem::path& network);
    base::Status rate(const LearnStage& stage);
    int threads() const;
    void note_ratings();
    void tell(const LearnStage& stage, bool round_ended);
    double cores() const { return cores_before_ + core_seconds(); }
    // Since this run began, by the clock; while milestones play on the ladder it stands still.
    double seconds() const { return seconds_since(started_) - placing_; }
    bool milestone_is_due() const {
        return done_.milestones < kMostMilestones && cores() >= 60.0 * milestone_minutes(done_.milestones);
    }
    bool finished() const {
        return stop_.stop_requested() || options_.only_games ||
               (options_.minutes > 0 && seconds() >= 60 * options_.minutes) ||
               (options_.games > 0 && done_.games >= options_.games) ||
               (options_.core_minutes > 0 && cores() >= 60 * options_.core_minutes);
    }

    const LearnRecipe& recipe_;
    const LearnOptions options_;
    LearnObserver& observer_;
    LearnStatus status_;
    const Clock::time_point started_ = Clock::now();
    const std::stop_token stop_;
    const LearnFolder folder_;
    std::optional<games::LockedFile> lock_;
    std::shared_ptr<selfplay::Players> players_;
    std::optional<Model> model_;
    ReplayWindow window_;
    WindowSegments segments_;
    WeightAverage average_;
    RatingCourse course_;
    std::uint64_t seed_;
    base::Random draws_;
    std::optional<Metrics> metrics_;
    std::optional<KeptGames> kept_;
    nets::FloatNetwork playing_weights_;
    nets::Network playing_;
    Alarms alarms_;
    std::deque<chess::Position> starts_;  // one of each of the newest games
    std::vector<games::Sample> recent_;   // to measure piece values on
    nets::PieceValues piece_values_ = nets::kEqualPieceValues;
    LearnProgress done_;
    double cores_before_ = 0;  // spent by the runs that this one resumes
    double placing_ = 0;       // seconds, by the clock, that milestones have played on the ladder
    LearnProgress before_;     // where they had come to
    bool resumed_ = false;
    std::string beginning_;                   // what the run began with, for people
    std::optional<selfplay::Record> sample_;  // a game of this round, to be kept
    Clock::time_point saved_ = Clock::now();
};

RunSettings Learner::settings() const {
    return with_seed(recipe_.settings, seed_);
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
    plan.seed = seed_;
    plan.threads = threads();
    done_.core_seconds = cores();
    const std::size_t before = course_.entries().size();
    if (auto s = course_.add(std::make_shared<const nets::Network>(playing_), done_, plan, stop_); !s)
        return s;
    // It was told to stop before all games were played.
    if (course_.entries().size() == before) return {};
    note_ratings();
    if (status_.ratings.empty()) return {};
    const LearnRating& rating = status_.ratings.back();
    return metrics_->record({{"kind", "rating"},
                             {"step", done_.rounds},
                             {"games", done_.games},
                             {"lessons", done_.lessons},
                             {"core_seconds", cores()},
                             {"elo", rating.elo},
                             {"error", rating.error},
                             {"course", course_record(status_.ratings)}});
}

void Learner::note_ratings() {
    status_.ratings.clear();
    const auto ratings = course_.ratings();
    for (std::size_t i = 0; i < ratings.size(); ++i)
        if (ratings[i])
            status_.ratings.push_back({course_.entries()[i].lessons, course_.entries()[i].core_seconds,
                                       ratings[i]->elo, ratings[i]->error, course_.entries()[i].games,
                                       course_.entries()[i].name});
}

void Learner::tell(const LearnStage& stage, bool round_ended) {
    done_.core_seconds = cores();
    status_.progress = done_;
    status_.stage = stage;
    status_.piece_values = piece_values_;
    status_.seconds = seconds();
    // The limit that will end the run is the one of which this run has done the largest share of what was
    // left.
    const auto share = [](double before, double now, double limit) {
        return limit > before ? std::min(1.0, (now - before) / (limit - before)) : 0;
    };
    status_.share_done = std::max(
        {share(static_cast<double>(before_.games), static_cast<double>(done_.games + status_.games_of_round),
               static_cast<double>(options_.games)),
         share(before_.core_seconds, done_.core_seconds, 60 * options_.core_minutes),
         share(0, status_.seconds, 60 * options_.minutes)});
    observer_.on_status(status_, round_ended);
}

base::Status Learner::keep_recipe(bool in_place_of_another) const {
    if (!in_place_of_another) {
        const auto kept = folder_.kept_recipe();
        if (!kept) return std::unexpected(kept.error());
        if (*kept) return {};
    }
    return folder_.keep_recipe(recipe_.name, recipe_.text);
}

// What the folder holds, once nothing that was given is known to refuse the run that takes its place.
base::Status Learner::remove_run() const {
    std::vector<std::string> inputs = options_.games_files;
    for (const std::string& given : {options_.from, recipe_.network.initial})
        if (!given.empty()) inputs.push_back(given);
    if (auto s = folder_.check_inputs(inputs); !s) return s;
    if (!options_.games_files.empty())
        if (auto s = check_games(options_.games_files, stop_); !s) return s;
    return folder_.remove_run();
}

// Keeps others from learning in the folder, if it is there.
base::Status Learner::be_alone() {
    std::error_code unknown;
    if (lock_ || !std::filesystem::is_directory(folder_.root(), unknown)) return {};
    auto lock = folder_.lock();
    if (!lock) return std::unexpected(lock.error());
    lock_.emplace(std::move(*lock));
    return {};
}

base::Status Learner::begin() {
    if (auto there = check_device(options_.device); !there) return there;
    if (const std::string warning = prepare_torch(threads()); !warning.empty())
        observer_.on_notice("warning: " + warning);
    // From before the first look at what is there.
    if (auto s = be_alone(); !s) return s;
    auto loaded = load_learn_checkpoint(options_.output);
    if (options_.resume) {
        if (!loaded) return std::unexpected(loaded.error());
        if (!folder_.has_begun())
            return base::fail("{}: holds no run to go on with: without --resume a new one begins there",
                              options_.output.string());
        if (*loaded) {
            if (!(*loaded)->warning.empty()) observer_.on_notice("warning: " + (*loaded)->warning);
            if (auto s = resume(std::move((*loaded)->checkpoint)); !s) return s;
        } else if (games_lessons_begun(folder_.games_lessons()) && options_.games_files.empty()) {
            return base::fail(
                "{}: was stopped while it learnt from games; to go on, give it --games with the same files",
                options_.output.string());
        }
    } else if (!options_.overwrite && games_lessons_begun(folder_.games_lessons()) && loaded && !*loaded) {
        return base::fail("{}: already learns from games: --resume goes on with it, --overwrite begins again",
                          options_.output.string());
    } else if (!options_.overwrite && (!loaded || *loaded)) {
        return base::fail("{}: already holds a run{}: --resume goes on with it, --overwrite begins again",
                          options_.output.string(),
                          loaded ? " of " + base::counted((*loaded)->checkpoint.progress.games, "game") : "");
    }
    players_ = options_.players ? options_.players : selfplay::make_local_players(threads());
    if (!model_) {
        draws_ = base::Random(seed_, kDrawStream);
        auto network = first_network();
        if (!network) return std::unexpected(network.error());
        if (auto s = check_fits(*network); !s) return s;
        if (options_.overwrite)
            if (auto s = remove_run(); !s) return s;
        if (auto s = folder_.create(); !s) return s;
        if (auto s = be_alone(); !s) return s;
        // For who goes on before there is a checkpoint; that of games which are gone on with stays until they
        // have agreed to this one.
        if (auto s = keep_recipe(!games_lessons_begun(folder_.games_lessons())); !s) return s;
        if (!options_.games_files.empty()) {
            auto taught = taught_by_games(*network);
            if (!taught) return std::unexpected(taught.error());
            if (!*taught) return {};
            network = std::move((*taught)->network);
            cores_before_ = (*taught)->core_seconds_before;
        }
        if (begins_taught()) {
            done_.head_start = head_start(*network);
            done_.refill = stage_now().window;
        }
        beginning_ = describe_beginning();
        model_.emplace(*network, recipe_.network.factorise, options_.device);
        piece_values_ = network->info.piece_values;
    }
    if (options_.ladder_games > 0) {
        const auto ladder = arena::built_in_ladder();
        if (ladder && !arena::can_place(*ladder))
            observer_.on_notice("warning: no player of the ladder can play here: no places on the ladder");
    }
    if (resumed_)
        if (auto s = folder_.create(); !s) return s;
    // Of a run that goes on, too: stages that lie ahead may have changed.
    if (auto s = keep_recipe(true); !s) return s;
    if (done_.head_start > 0)
        observer_.on_notice(
            fmt::format("it has learnt before: its course begins where others come to after {}",
                        base::counted(done_.head_start, "position")));
    auto metrics = Metrics::open(folder_.metrics(), resumed_ ? std::optional(done_.rounds) : std::nullopt,
                                 options_.json);
    if (!metrics) return std::unexpected(metrics.error());
    metrics_ = std::move(*metrics);
    if (auto s = open_kept_games(); !s) return s;
    if (auto s = metrics_->record(start_record(
            {options_.program, beginning_, seed_, threads(), recipe_.settings, resumed_}, done_.rounds));
        !s)
        return s;
    // What was learnt before the first round left no networks.
    if (!resumed_)
        while (milestone_is_due()) ++done_.milestones;
    return {};
}

// A run that stops keeping its games leaves a whole store of those that it has kept.
base::Status Learner::open_kept_games() {
    std::error_code unknown;
    const bool ends = !recipe_.keep_games && resumed_ &&
                      std::filesystem::exists(games::journal_path(folder_.kept_games()), unknown);
    if (!recipe_.keep_games && !ends) return {};
    std::string all;
    for (const auto& [key, value] : settled(settings(), 0)) all += fmt::format("{}={}\n", key, value);
    auto kept = KeptGames::open(folder_.kept_games(), all, done_.games);
    if (!ends) {
        if (!kept) return std::unexpected(kept.error());
        kept_.emplace(std::move(*kept));
        return {};
    }
    if (const base::Status finished = kept ? kept->finish() : std::unexpected(kept.error()); !finished)
        observer_.on_notice("warning: the store of the games kept so far could not be finished: " +
                            finished.error().message);
    return {};
}

// Of any architecture: it takes the place of the recipe's.
base::Result<nets::FloatNetwork> Learner::given_network() const {
    auto network = nets::load_float_network(options_.from);
    if (!network) return network;
    const nets::Architecture& architecture = network->info.architecture;
    for (const LearnStage& stage : recipe_.stages)
        if (stage.width > architecture.width && stage.width % architecture.width_multiple() != 0)
            return base::fail("{}: {} cannot grow to the recipe's {} units, expected {}", options_.from,
                              nets::to_string(architecture), stage.width,
                              nets::expected_widths(architecture));
    return network;
}

base::Result<nets::FloatNetwork> Learner::first_network() const {
    if (!options_.from.empty()) return given_network();
    NetworkPlan plan = recipe_.network;
    // What learns from games first passes over a part of the course, and begins with what the network has
    // grown to there.
    if (!options_.games_files.empty() && plan.initial.empty())
        plan.architecture = recipe_.architecture_at(recipe_.head_start);
    return start_network(plan, seed_);
}

// The network that a run begins with plays before it learns: as integers.
base::Status Learner::check_fits(const nets::FloatNetwork& first) const {
    const auto quantised = nets::quantise(first);
    if (quantised) return {};
    const std::string& file = options_.from.empty() ? recipe_.network.initial : options_.from;
    return base::fail_in(file.empty() ? "random weights" : file, quantised.error());
}

// Nothing if it was told to stop meanwhile.
base::Result<std::optional<LearntFromGames>> Learner::taught_by_games(const nets::FloatNetwork& start) const {
    GamesLessons lessons;
    lessons.files = options_.games_files;
    lessons.folder = folder_.games_lessons();
    lessons.seed = seed_;
    lessons.threads = threads();
    lessons.device = options_.device;
    lessons.json = options_.json;
    return learn_from_games(recipe_, start, lessons, stop_);
}

// Who begins with a network that a run had learnt before it came so far goes on where that was.
std::uint64_t Learner::head_start(const nets::FloatNetwork& network) const {
    std::uint64_t lessons = 0;
    const auto known = network.info.history.find(kCourse);
    if (!options_.games_files.empty() || known == network.info.history.end() ||
        std::from_chars(known->second.data(), known->second.data() + known->second.size(), lessons).ec !=
            std::errc())
        return recipe_.head_start;
    return std::min(lessons, recipe_.head_start);
}

// What a new run starts from, for people.
std::string Learner::describe_beginning() const {
    const std::string& network = options_.from.empty() ? recipe_.network.initial : options_.from;
    std::string text = network.empty() ? "random weights" : network;
    if (!options_.games_files.empty())
        text += fmt::format(", then the games of {}", fmt::join(options_.games_files, ", "));
    return text;
}

base::Status Learner::resume(LearnCheckpoint from) {
    if (!options_.seed)
        if (const auto seed = seed_of(from.settings)) seed_ = *seed;
    const std::uint64_t taken_in = from.progress.head_start + from.progress.lessons;
    if (auto same = check_unchanged(settled(settings(), taken_in), settled(from.settings, taken_in)); !same)
        return base::fail(
            "{}: {}; without a recipe --resume goes on with the one that the run keeps, and --from {} begins "
            "a "
            "new run with what this one has learnt",
            options_.output.string(), same.error().message, folder_.network().string());
    if (const std::string given = describe_beginning();
        (!options_.games_files.empty() || !options_.from.empty()) && given != from.beginning)
        return base::fail(
            "{}: this run began with {}: give it the same again, or leave out --games and --from",
            options_.output.string(), from.beginning);
    model_.emplace(from.model, options_.device);
    if (from.average) average_.restore(std::move(*from.average));
    piece_values_ = from.piece_values;
    if (from.playing) {
        playing_weights_ = std::move(*from.playing);
        playing_weights_.info.piece_values = piece_values_;
        if (!from.playing_history.empty()) playing_weights_.info.history = std::move(from.playing_history);
    }
    window_.set_capacity(std::max(window_.capacity(), from.window.size()));
    window_.restore(std::move(from.window), from.window_added);
    segments_.restore(std::move(from.segments));
    draws_.set_state(from.draws);
    for (const std::string& fen : from.starts) {
        const auto start = chess::parse_fen(fen);
        if (!start) return base::fail_in(options_.output.string(), start.error());
        starts_.push_back(*start);
    }
    const auto ratings = json::parse(from.ratings, nullptr, false);
    if (auto s = course_.from_json(ratings); !s) return base::fail_in(options_.output.string(), s.error());
    done_ = from.progress;
    before_ = done_;
    beginning_ = std::move(from.beginning);
    resumed_ = true;
    note_ratings();
    if (const auto places = milestone_places(folder_); !places)
        observer_.on_notice("warning: no place on the ladder: " + places.error().message);
    else if (!places->empty())
        status_.place = places->back();
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
    if (recipe_.promotion.pairs > 0) {
        now.playing = playing_weights_;
        now.playing_history = playing_weights_.info.history;
    }
    now.window_size = window_.size();
    // While it fills again all of it is needed: what is left out would never be learnt from.
    if (const std::size_t most = options_.checkpoint_lessons;
        most > 0 && most < window_.size() && done_.refill == 0) {
        now.window_size = most;
        // Also where the window was lost before and was not full again yet.
        now.progress.refill = std::min<std::uint64_t>(window_.added(), window_.capacity());
    }
    auto segments = segments_.save(window_, now.window_size);
    if (!segments) return std::unexpected(segments.error());
    now.segments = *segments;
    now.window_added = window_.added();
    now.draws = draws_.state();
    for (const chess::Position& start : starts_) now.starts.push_back(chess::to_fen(start));
    now.ratings = base::json_line(course_.to_json());
    now.beginning = beginning_;
    now.settings = settings();
    if (kept_)
        if (auto status = kept_->flush(); !status) return status;
    saved_ = Clock::now();
    if (auto status = save_learn_checkpoint(options_.output, now); !status) return status;
    segments_.is_kept(std::move(*segments));
    return {};
}

// A network that was given may be larger than the stage's, or be of features that are not among those of the
// stage: then it stays as it is.
base::Status Learner::grow(const LearnStage& stage) {
    bool grew = false;
    const auto replace = [&](const auto& grown) {
        grew = true;
        model_.emplace(grown(model_->state()), options_.device);
        if (!average_.empty()) average_.restore(grown(average_.network()));
        playing_weights_ = grown(playing_weights_);
    };
    const nets::Architecture before = model_->architecture();
    if (stage.features != before.features && coarser_features(*before.features, *stage.features))
        replace([&](const auto& network) { return refined(network, *stage.features); });
    // Not the seed of the first units, which the new ones would else repeat.
    const std::uint64_t seed = seed_ + static_cast<std::uint64_t>(stage.width);
    if (stage.width > before.width)
        replace([&](const auto& network) { return widened(network, stage.width, seed); });
    // What plays now is what a run would play that went on from here.
    return grew ? install(playing_weights_) : base::Status{};
}

// What has been learnt so far.
nets::FloatNetwork Learner::newest_weights() {
    nets::FloatNetwork network =
        recipe_.averaging > 0 && !average_.empty() ? average_.network() : model_->network();
    network.info.history = {{"recipe", recipe_.name},
                            {"seed", fmt::format("{}", seed_)},
                            {"games", fmt::format("{}", done_.games)},
                            {"lessons", fmt::format("{}", done_.lessons)},
                            {kCourse, fmt::format("{}", done_.head_start + done_.lessons)},
                            {"core_seconds", fmt::format("{:.0f}", cores())}};
    network.info.piece_values =
        recent_.empty() ? piece_values_ : measure_piece_values(Model(network, false), recent_, seed_);
    return network;
}

// Weights, rounded, become the network that plays.
base::Status Learner::install(nets::FloatNetwork network) {
    auto quantised = nets::quantise(network);
    if (!quantised) return std::unexpected(quantised.error());
    piece_values_ = network.info.piece_values;
    playing_weights_ = std::move(network);
    playing_ = std::move(quantised->network);
    return nets::save_network(folder_.network(), playing_);
}

// The newest weights play from now on; where the recipe asks for it, only if they win a short match.
base::Status Learner::promote(const LearnStage& stage, RoundSummary& summary) {
    nets::FloatNetwork newest = newest_weights();
    if (recipe_.promotion.pairs == 0) return install(std::move(newest));
    summary.promoted = false;
    // It would win or lose as before.
    if (model_->steps() == done_.matched_steps) return {};
    if (done_.rounds % recipe_.promotion.every != 0) return {};
    done_.matched_steps = model_->steps();
    auto quantised = nets::quantise(newest);
    if (!quantised) return std::unexpected(quantised.error());
    selfplay::DuelPlan plan;
    plan.nodes = stage.nodes;
    plan.pairs = recipe_.promotion.pairs;
    plan.seed = seed_ * 1'000'003 + done_.rounds;
    plan.threads = threads();
    // To its end even when told to stop: what comes after must not depend on when that was.
    const selfplay::DuelResult result =
        selfplay::duel(std::make_shared<const nets::Network>(std::move(quantised->network)),
                       std::make_shared<const nets::Network>(playing_), plan, {});
    summary.match_score = result.score();
    summary.promoted = result.score() >= recipe_.promotion.score;
    return summary.promoted ? install(std::move(newest)) : base::Status{};
}

// Nothing if it was told to stop before all games were played.
base::Result<std::optional<RoundSummary>> Learner::play_round(const LearnStage& stage) {
    const auto start = Clock::now();
    selfplay::Assignment assignment;
    assignment.seed = seed_;
    assignment.generation = static_cast<std::uint32_t>(done_.rounds);
    assignment.network = std::make_shared<nets::Network>(playing_);
    assignment.plan = recipe_.play;
    assignment.plan.nodes = stage.nodes;
    assignment.plan.exact_leaves = recipe_.lessons.where == LessonPlan::Where::Leaf;
    if (recipe_.play.own_start > 0)
        assignment.starts =
            std::make_shared<const std::vector<chess::Position>>(starts_.begin(), starts_.end());
    players_->assign(assignment);
    LessonPlan plan = recipe_.lessons;
    plan.lambda = stage.lambda;
    plan.result_weight = stage.result_weight;
    RoundGames round(plan, recipe_.play.own_start > 0);
    base::Status keeping;
    const auto played = players_->play(done_.games, stage.games, stop_, [&](selfplay::Record&& record) {
        cores_before_ += record.core_seconds_elsewhere;
        round.add(record, alarms_.is_repeated(record.game.hash()));
        status_.games_of_round = round.summary().games;
        tell(stage, false);
        if (kept_ && keeping) keeping = kept_->add(record);
        if (record.number == done_.games && is_sample_round(done_.rounds)) sample_ = std::move(record);
    });
    status_.games_of_round = 0;
    recent_ = round.measured();
    if (!keeping) return std::unexpected(keeping.error());
    if (stop_.stop_requested() && (!played || *played < stage.games)) return std::nullopt;
    if (!played || *played < stage.games) {
        // With others it goes on with this round.
        if (auto s = checkpoint(); !s) return std::unexpected(s.error());
        if (!played) return std::unexpected(played.error());
        return base::fail("round {}: only {} of {} could be played", done_.rounds, *played,
                          base::counted(stage.games, "game"));
    }
    for (const Lesson& lesson : round.lessons()) window_.add(lesson);
    starts_.insert(starts_.end(), round.starts().begin(), round.starts().end());
    while (starts_.size() > kStarts) starts_.pop_front();
    RoundSummary summary = round.summary();
    done_.games += summary.games;
    done_.lessons += summary.lessons;
    summary.playing = seconds_since(start);
    return summary;
}

// Of the network that plays, not of the weights in training: these follow the last batches and are worse
// everywhere. Before the round's positions are trained on.
void Learner::measure_by_heart(RoundSummary& summary) const {
    const Model plays(playing_weights_, false);
    base::Random random(seed_, kFreshStream + done_.rounds);
    const auto loss_on = [&](std::size_t count, std::size_t newer) -> std::optional<double> {
        if (count == 0) return std::nullopt;
        Batch batch;
        window_.draw(random, std::min(count, kMeasuredPositions), count, *plays.architecture().features,
                     batch, newer);
        return mean_cross_entropy(plays.logits(batch), batch.targets);
    };
    const std::size_t fresh = std::min<std::size_t>(summary.lessons, window_.size());
    summary.fresh_loss = loss_on(fresh, 0);
    summary.seen_loss = loss_on(window_.size() - fresh, fresh);
}

base::Status Learner::train(const LearnStage& stage, RoundSummary& summary) {
    const auto start = Clock::now();
    // Who begins with a network or goes on without the window that it had learns nothing from a few games
    // alone.
    const std::uint64_t full = std::min<std::uint64_t>(done_.refill, window_.capacity());
    if (static_cast<double>(window_.size()) < recipe_.fill * static_cast<double>(full)) return {};
    done_.refill = 0;
    done_.owed += stage.reuse * static_cast<double>(summary.lessons);
    if (window_.size() < recipe_.batch) return {};
    const nets::Architecture& architecture = model_->architecture();
    // The recipe's are those of its first network.
    const WeightClip clip = within_bounds(recipe_.clip, architecture);
    Batch batch;
    if (model_->steps() > 0) measure_by_heart(summary);
    while (done_.owed >= static_cast<double>(recipe_.batch)) {
        done_.owed -= static_cast<double>(recipe_.batch);
        window_.draw(draws_, recipe_.batch, window_.size(), *architecture.features, batch);
        const StepResult step = model_->train(batch, recipe_.adam, stage.learning_rate, clip);
        if (!std::isfinite(step.loss))
            return base::fail(
                "round {}: the training loss is not a finite number, expected one: try a smaller "
                "learning_rate",
                done_.rounds);
        if (recipe_.averaging > 0 && model_->steps() % kAverageEvery == 0)
            average_.add(model_->network(), kAverageEvery, model_->steps());
        summary.clipped += step.clipped;
        summary.loss += step.loss;
        summary.constant_loss += constant_cross_entropy(batch.targets);
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
    status_.round = s;
    tell(stage, true);
    std::vector<chess::Position> positions;
    positions.reserve(recent_.size());
    for (const games::Sample& sample : recent_) positions.push_back(sample.position);
    for (const std::string& line : alarms_.check(s, measure_activity(playing_, positions))) {
        observer_.on_notice(line);
        if (auto status = metrics_->record({{"kind", "alarm"}, {"step", done_.rounds}, {"text", line}});
            !status)
            return status;
    }
    if (sample_) {
        if (auto status = metrics_->record(game_record(*sample_, done_.rounds)); !status) return status;
        sample_.reset();
    }
    return metrics_->record(round_record(done_, s, stage, playing_.info));
}

base::Status Learner::keep_milestone() {
    while (milestone_is_due()) {
        // Of several that are due, this network is only the last.
        while (done_.milestones + 1 < kMostMilestones &&
               cores() >= 60.0 * milestone_minutes(done_.milestones + 1))
            ++done_.milestones;
        const int minutes = milestone_minutes(done_.milestones);
        const auto path = folder_.milestone(minutes);
        if (auto s = nets::save_network(path, playing_); !s) return s;
        if (options_.ladder_games > 0) {
            // The games take long: whoever stops or kills them finds this network, and places it, when the
            // run goes on.
            if (auto s = checkpoint(); !s) return s;
            if (auto s = place(minutes, path); !s) return s;
            if (stop_.stop_requested()) return {};
        }
        ++done_.milestones;
        // That it has its place is in the records: a run that goes on must not say it again.
        if (options_.ladder_games > 0)
            if (auto s = checkpoint(); !s) return s;
    }
    return {};
}

// Lets a milestone play on the ladder. The time that it takes is none of learning.
base::Status Learner::place(int minutes, const std::filesystem::path& network) {
    if (stop_.stop_requested()) return {};
    auto ladder = arena::built_in_ladder();
    if (!ladder) return std::unexpected(ladder.error());
    if (!arena::can_place(*ladder)) return {};
    const auto start = Clock::now();
    const double before = core_seconds();
    LadderPlan plan{std::move(*ladder), folder_.ladder_games(), options_.ladder_games, threads(), seed_};
    plan.watch = [&](int games) {
        status_.placing = {minutes, games, options_.ladder_games};
        // From a thread that plays there, in which nothing may be thrown.
        try {
            observer_.on_status(status_, false);
        } catch (const std::exception&) {
            status_.placing.reset();
        }
    };
    observer_.on_notice(fmt::format("the network after {} core-minutes plays {} games on the ladder", minutes,
                                    options_.ladder_games));
    auto placed = place_network(plan, milestone_name(minutes, playing_), network, stop_);
    cores_before_ -= core_seconds() - before;
    placing_ += seconds_since(start);
    status_.placing.reset();
    if (!placed) {
        observer_.on_notice("warning: no place on the ladder: " + placed.error().message);
        return {};
    }
    if (!*placed) {
        if (!stop_.stop_requested())
            observer_.on_notice(
                "warning: no place on the ladder: too few games to meet players of known strength");
        return {};
    }
    status_.place = **placed;
    status_.place->core_seconds = cores();
    return metrics_->record(ladder_record(*status_.place, done_.rounds));
}

base::Result<LearnOutcome> Learner::run() {
    if (auto s = begin(); !s) return std::unexpected(s.error());
    if (!model_) return LearnOutcome{false, false, done_};
    if (auto s = install(playing_weights_.transformer.empty() ? newest_weights() : playing_weights_); !s)
        return std::unexpected(s.error());
    // From here on what it began with need not be said again when it goes on.
    if (!resumed_)
        if (auto s = checkpoint(); !s) return std::unexpected(s.error());
    if (auto s = rate(stage_now()); !s) return std::unexpected(s.error());
    if (auto s = keep_milestone(); !s) return std::unexpected(s.error());
    while (!finished()) {
        const LearnStage& stage = stage_now();
        window_.set_capacity(stage.window);
        if (auto s = grow(stage); !s) return std::unexpected(s.error());
        auto played = play_round(stage);
        if (!played) return std::unexpected(played.error());
        if (!*played) break;
        RoundSummary* const summary = &**played;
        ++done_.rounds;
        if (auto s = train(stage, *summary); !s) return std::unexpected(s.error());
        if (auto s = promote(stage, *summary); !s) return std::unexpected(s.error());
        if (auto s = report(stage, *summary); !s) return std::unexpected(s.error());
        if (auto s = rate(stage_now()); !s) return std::unexpected(s.error());
        if (auto s = keep_milestone(); !s) return std::unexpected(s.error());
        if (seconds_since(saved_) >= options_.checkpoint_seconds)
            if (auto s = checkpoint(); !s) return std::unexpected(s.error());
    }
    if (auto s = keep_milestone(); !s) return std::unexpected(s.error());
    if (auto s = checkpoint(); !s) return std::unexpected(s.error());
    if (kept_)
        if (auto s = kept_->finish(); !s) return std::unexpected(s.error());
    std::error_code unknown;
    const bool was_taught = std::filesystem::exists(games_lessons_metrics(folder_.games_lessons()), unknown);
    return LearnOutcome{!stop_.stop_requested(), done_.rounds > 0 || was_taught, done_};
}

}  // namespace

base::Result<LearnOutcome> learn(const LearnRecipe& recipe, const LearnOptions& options,
                                 LearnObserver& observer, std::stop_token stop) {
    return Learner(recipe, options, observer, std::move(stop)).run();
}

}  // namespace scholar::learning
