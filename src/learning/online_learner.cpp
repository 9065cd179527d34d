#include "learning/online_learner.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "arena/locked_appender.hpp"
#include "arena/match_game.hpp"
#include "arena/match_output.hpp"
#include "base/files.hpp"
#include "base/random.hpp"
#include "chess/fen.hpp"
#include "games/pgn_writer.hpp"
#include "learning/metrics.hpp"
#include "learning/online_checkpoint.hpp"
#include "learning/online_opponents.hpp"
#include "learning/online_predictions.hpp"
#include "learning/recipe.hpp"
#include "learning/run_time.hpp"
#include "nets/any_network.hpp"
#include "nets/linear_file.hpp"
#include "nets/linear_network.hpp"
#include "selfplay/openings.hpp"
#include "selfplay/recording_player.hpp"

namespace scholar::learning {

namespace {

using nlohmann::json;

constexpr const char* kSeed = "seed";
constexpr std::uint64_t kDefaultSeed = 1;
constexpr const char* kName = "Scholar";
constexpr const char* kGames = "games.pgn";
constexpr const char* kSnapshots = "snapshots";
constexpr const char* kFirstSnapshot = "game-000000.safetensors";
// Positions of recent games that the piece values are measured on, and how many each game gives.
constexpr std::size_t kStarts = 300;
constexpr std::size_t kStartsOfAGame = 6;

// What each piece of a kind is worth anywhere, and the two weights that the paper's figure 5 shows.
constexpr int kPawn = nets::feature(nets::Block::Material);
constexpr int kCastled = nets::feature(nets::Block::Castled);
constexpr int kDoubledPawn = nets::feature(nets::Block::DoubledPawn);

// Games after which weights are kept: 0, 25, 50, 100, 200, then every hundred.
bool is_snapshot(std::uint64_t games) {
    return games == 25 || games == 50 || games % 100 == 0;
}

double points_of(const arena::MatchGame& game) {
    return game.points(0);
}

std::string in_words(double points) {
    return points == 1 ? "won against" : points == 0 ? "lost to" : "drew with";
}

class OnlineLearner {
  public:
    OnlineLearner(const OnlineRecipe& recipe, const OnlineOptions& options, std::stop_token stop)
        : recipe_(recipe),
          options_(options),
          stop_(std::move(stop)),
          seed_(options.seed.value_or(kDefaultSeed)) {}

    base::Result<OnlineOutcome> run() {
        if (auto status = begin(); !status) return std::unexpected(status.error());
        while (!finished()) {
            auto played = play();
            if (!played) return std::unexpected(played.error());
            if (!*played) break;
        }
        return OnlineOutcome{!stop_.stop_requested(), now_.games, now_.rating};
    }

  private:
    bool finished() const {
        return stop_.stop_requested() || (options_.games > 0 && now_.games >= options_.games);
    }
    std::filesystem::path path(const char* name) const { return options_.output / name; }

    base::Status begin();
    base::Status check_folder(bool has_checkpoint) const;
    base::Status remove_old_run();
    base::Status start_anew(const nets::FloatLinearNetwork& network);
    base::Status resume(OnlineCheckpoint from);
    base::Result<nets::FloatLinearNetwork> first_network() const;
    base::Status find_opponents();
    void restore_ratings();
    std::vector<std::pair<std::string, std::string>> settings() const;

    // Plays the next game and learns from it. False: stopped before its end.
    base::Result<bool> play();
    arena::MatchOptions terms(std::optional<std::size_t> opponent, base::Random& random) const;
    std::unique_ptr<selfplay::RecordingPlayer> learner(search::Table& table) const;
    // What one side's searches came to.
    struct Counts {
        std::size_t searched = 0;  // positions
        std::size_t exact = 0;     // of them, those that teach
        std::size_t expected = 0;  // replies
        double squares = 0;        // of the errors
    };
    Counts learn(const arena::MatchGame& game, chess::Color side, const selfplay::RecordingPlayer& player,
                 bool opponent_is_weaker);
    void change_weights();
    void note_starts(const arena::MatchGame& game);
    // By stage, in pawns.
    std::vector<double> weights_of(int feature) const;
    base::Status keep(const arena::MatchGame& game, const arena::MatchOptions& terms, json record);
    nets::FloatLinearNetwork network() const;

    const OnlineRecipe& recipe_;
    const OnlineOptions& options_;
    const std::stop_token stop_;
    std::uint64_t seed_;
    OnlineCheckpoint now_;
    std::array<double, nets::kStageCount> pawn_{};  // as it stays, if it does
    double cores_before_ = 0;
    std::optional<OnlineOpponents> opponents_;  // none: it plays itself
    std::optional<Metrics> metrics_;
    std::optional<arena::LockedAppender> games_;
    nets::AnyNetwork playing_;
};

std::vector<std::pair<std::string, std::string>> OnlineLearner::settings() const {
    auto all = recipe_.settings;
    all.emplace_back(kSeed, fmt::format("{}", seed_));
    return all;
}

base::Result<nets::FloatLinearNetwork> OnlineLearner::first_network() const {
    if (recipe_.start == "material") return nets::FloatLinearNetwork::material_start();
    if (recipe_.start == "pawns") return nets::FloatLinearNetwork::all_pawns();
    return nets::load_float_linear_network(recipe_.start);
}

base::Status OnlineLearner::find_opponents() {
    if (recipe_.plays_itself()) return {};
    auto opponents = OnlineOpponents::find(recipe_, [this](const std::string& text) { metrics_->say(text); });
    if (!opponents) return std::unexpected(opponents.error());
    opponents_.emplace(std::move(*opponents));
    return {};
}

// What a new run would remove, or mix its own with, must be an older run's, and the user must have said so.
base::Status OnlineLearner::check_folder(bool has_checkpoint) const {
    namespace fs = std::filesystem;
    std::error_code error;
    if (!options_.overwrite && !has_checkpoint) {
        const auto not_ours = [](const fs::path& file) {
            return base::fail("{}: is not of a run that can go on, expected no such file or --overwrite",
                              file.string());
        };
        // A run that was killed in its first game leaves an empty file of games and the first weights.
        if (const auto size = fs::file_size(path(kGames), error); !error && size > 0)
            return not_ours(path(kGames));
        for (const auto& entry : fs::directory_iterator(path(kSnapshots), error))
            if (entry.path().filename() != kFirstSnapshot) return not_ours(entry.path());
    }
    if (recipe_.start == "material" || recipe_.start == "pawns") return {};
    const fs::path folder = fs::weakly_canonical(options_.output, error);
    const fs::path start = fs::weakly_canonical(recipe_.start, error);
    if (!folder.empty() && std::ranges::mismatch(folder, start).in1 == folder.end())
        return base::fail("{}: lies in the folder of the run, expected a network elsewhere", recipe_.start);
    return {};
}

base::Status OnlineLearner::remove_old_run() {
    std::vector<std::filesystem::path> old = checkpoint_files(options_.output);
    for (const char* name : {kSnapshots, "report", "network.safetensors", "report.md", "metrics.jsonl"})
        old.push_back(path(name));
    for (const auto& file : old) {
        std::error_code error;
        std::filesystem::remove_all(file, error);
        if (error) return base::fail("{}: cannot remove: {}", file.string(), error.message());
    }
    return games_->resize(0);
}

base::Status OnlineLearner::begin() {
    auto loaded = load_online_checkpoint(options_.output);
    if (!options_.resume && !options_.overwrite && (!loaded || *loaded))
        return base::fail("{}: already holds a run{}: --resume goes on with it, --overwrite begins again",
                          options_.output.string(),
                          loaded ? fmt::format(" of {} games", (*loaded)->checkpoint.games) : "");
    if (options_.resume && !loaded) return std::unexpected(loaded.error());
    const bool resumed = options_.resume && *loaded;
    std::optional<nets::FloatLinearNetwork> first;
    if (!resumed) {
        if (auto status = check_folder(loaded && *loaded); !status) return status;
        auto network = first_network();
        if (!network) return std::unexpected(network.error());
        first = std::move(*network);
    }
    if (auto status = find_opponents(); !status) return status;
    std::error_code error;
    std::filesystem::create_directories(options_.output, error);
    if (error)
        return base::fail("{}: cannot create the folder: {}", options_.output.string(), error.message());
    // Who has this lock has the folder.
    auto games = arena::LockedAppender::open(path(kGames).string());
    if (!games) return std::unexpected(games.error());
    games_.emplace(std::move(*games));
    for (const char* folder : {"", kSnapshots, "report"}) base::remove_leftovers(path(folder));
    if (resumed) {
        if (auto status = resume(std::move((*loaded)->checkpoint)); !status) return status;
    } else {
        if (auto status = remove_old_run(); !status) return status;
        if (auto status = start_anew(*first); !status) return status;
    }
    for (const nets::Stage stage : nets::kStages)
        pawn_[static_cast<std::size_t>(stage)] = now_.weights[nets::weight_index(kPawn, stage)];
    // A game that a kill left behind is played again.
    if (auto status = games_->resize(std::min(now_.pgn_bytes, games_->size())); !status) return status;

    auto metrics = Metrics::open(path("metrics.jsonl"), resumed ? std::optional(now_.games) : std::nullopt,
                                 options_.json);
    if (!metrics) return std::unexpected(metrics.error());
    metrics_ = std::move(*metrics);
    if (resumed && !(*loaded)->warning.empty()) metrics_->say("warning: " + (*loaded)->warning);
    restore_ratings();
    auto network = nets::quantise(this->network());
    if (!network) return std::unexpected(network.error());
    playing_ = std::make_shared<const nets::LinearNetwork>(std::move(*network));
    if (resumed) return {};
    if (auto status = metrics_->record({{"kind", "start"},
                                        {"step", 0},
                                        {"seed", seed_},
                                        {"settings", recipe_.settings},
                                        {"weights", nets::kLinearWeights}});
        !status)
        return status;
    return nets::save_network(path(kSnapshots) / kFirstSnapshot, this->network());
}

base::Status OnlineLearner::start_anew(const nets::FloatLinearNetwork& network) {
    std::error_code error;
    std::filesystem::create_directories(path(kSnapshots), error);
    if (error)
        return base::fail("{}: cannot create the folder: {}", path(kSnapshots).string(), error.message());
    now_.weights.assign(network.weights.begin(), network.weights.end());
    now_.pending.assign(network.weights.size(), 0);
    now_.piece_values = network.info.piece_values;
    now_.rating = {recipe_.first_rating, arena::Glicko::kNew};
    now_.settings = settings();
    cores_before_ = -core_seconds();
    return {};
}

base::Status OnlineLearner::resume(OnlineCheckpoint from) {
    if (!options_.seed)
        for (const auto& [key, value] : from.settings)
            if (key == kSeed) std::from_chars(value.data(), value.data() + value.size(), seed_);
    if (auto same = check_unchanged(settings(), from.settings); !same)
        return base::fail_in(options_.output.string(), same.error());
    now_ = std::move(from);
    cores_before_ = now_.core_seconds - core_seconds();
    return {};
}

// Who could be played before, and who can be now.
void OnlineLearner::restore_ratings() {
    if (!opponents_) return;
    for (const arena::SkippedPlayer& skipped : opponents_->skipped())
        metrics_->say(fmt::format("without {}: {}", skipped.name, skipped.reason));
    std::vector<std::string> names;
    for (std::size_t i = 0; i < opponents_->all().size(); ++i) {
        names.push_back(opponents_->all()[i].player.config.name);
        const auto known = now_.opponents.find(names.back());
        if (known != now_.opponents.end()) opponents_->set_rating(i, known->second);
    }
    if (!now_.pool.empty() && now_.pool != names)
        metrics_->say("warning: the opponents are not those of before: the run goes another way");
    now_.pool = std::move(names);
}

nets::FloatLinearNetwork OnlineLearner::network() const {
    nets::FloatLinearNetwork network;
    std::ranges::transform(now_.weights, network.weights.begin(),
                           [](double weight) { return static_cast<float>(weight); });
    network.info.piece_values = now_.piece_values;
    network.info.history = {{"recipe", recipe_.name},
                            {"games", fmt::format("{}", now_.games)},
                            {"seed", fmt::format("{}", seed_)},
                            {"nodes", fmt::format("{}", recipe_.nodes)}};
    return network;
}

std::unique_ptr<selfplay::RecordingPlayer> OnlineLearner::learner(search::Table& table) const {
    search::Limits limits;
    limits.limits.emplace_back(search::NodeLimit{recipe_.nodes});
    return std::make_unique<selfplay::RecordingPlayer>(
        kName, search::make_alpha_beta(playing_, table, recipe_.search), std::move(limits));
}

// Of the one game to be played.
arena::MatchOptions OnlineLearner::terms(std::optional<std::size_t> opponent, base::Random& random) const {
    arena::MatchOptions terms;
    terms.time_controls[0] = {arena::TimeControl::Nodes{recipe_.nodes}};
    terms.time_controls[1] = terms.time_controls[0];
    if (opponent) {
        terms.time_controls[1] = opponents_->all()[*opponent].time_control;
        terms.time_margin = opponents_->time_margin();
    }
    const auto opening = selfplay::random_opening(chess::Position(), recipe_.random_moves, random);
    terms.openings = {{chess::Position(), opening.moves}};
    return terms;
}

base::Result<bool> OnlineLearner::play() {
    base::Random random(seed_, now_.games);
    std::optional<std::size_t> number;
    if (opponents_) {
        const auto chosen = opponents_->choose(now_.rating, recipe_.spread, random);
        if (!chosen) return std::unexpected(chosen.error());
        number = *chosen;
    }
    const arena::MatchOptions terms = this->terms(number, random);
    search::Table table(recipe_.table_megabytes);
    search::Table other_table(number ? search::Table::kMinMegabytes : recipe_.table_megabytes);
    const auto self = learner(table);
    const auto other = number ? nullptr : learner(other_table);
    arena::Player& against = number ? opponents_->engine(*number) : *other;

    arena::MatchGame game;
    game.number = static_cast<int>(now_.games);
    game.names = {kName, number ? opponents_->all()[*number].player.config.name : std::string("itself")};
    game.white = static_cast<int>(now_.games % 2);
    if (!arena::play_game(terms, {self.get(), &against}, game, stop_)) return false;
    if (number) {
        opponents_->note_game(*number, game.failure != arena::Failure::None, game.reason);
        // Nothing that the weights could answer for. The clock is a part of the game.
        if (game.failure != arena::Failure::None && game.failure != arena::Failure::TimeLoss) return true;
    }
    ++now_.games;

    const chess::Color side = game.white == 0 ? chess::White : chess::Black;
    const arena::Glicko before = now_.rating;
    const arena::Glicko theirs = number ? opponents_->all()[*number].rating : before;
    Counts counts = learn(game, side, *self, theirs.rating < before.rating);
    if (other) {
        const Counts more = learn(game, ~side, *other, false);
        counts = {counts.searched + more.searched, counts.exact + more.exact, counts.expected + more.expected,
                  counts.squares + more.squares};
    }
    const auto searched = static_cast<double>(std::max<std::size_t>(counts.searched, 1));
    json record{{"kind", "game"},
                {"step", now_.games},
                {"opponent", game.names[1]},
                {"colour", game.white == 0 ? "white" : "black"},
                {"points", points_of(game)},
                {"reason", game.reason},
                {"half_moves", game.opening_moves.size() + game.moves.size()},
                {"searched", counts.searched},
                {"lessons", counts.exact},
                {"expected_replies", static_cast<double>(counts.expected) / searched},
                {"error", std::sqrt(counts.squares / searched)}};
    if (number) {
        const std::array result{arena::GlickoGame{theirs, points_of(game)}};
        const std::array reverse{arena::GlickoGame{before, 1 - points_of(game)}};
        now_.rating = arena::rate_period(arena::after_time(before, recipe_.rating_change, 1), result);
        if (!opponents_->all()[*number].player.anchor) {
            opponents_->set_rating(*number, arena::rate_period(theirs, reverse));
            now_.opponents[game.names[1]] = opponents_->all()[*number].rating;
        }
        record["opponent_rating"] = theirs.rating;
        record["expected_points"] = arena::expected_points(before, theirs);
    }
    note_starts(game);
    if (now_.games % recipe_.games_per_update == 0) change_weights();
    if (auto status = keep(game, terms, std::move(record)); !status) return std::unexpected(status.error());
    return true;
}

OnlineLearner::Counts OnlineLearner::learn(const arena::MatchGame& game, chess::Color side,
                                           const selfplay::RecordingPlayer& player, bool opponent_is_weaker) {
    OnlineGame whole{game.start, game.opening_moves};
    for (const arena::PlayedMove& played : game.moves) whole.moves.push_back(played.move);
    const bool white_won = game.result == games::GameResult::WhiteWins;
    const bool drawn = game.result == games::GameResult::Draw;
    const bool won = !drawn && white_won == (side == chess::White);
    whole.mated = won && game.ending == games::Ending::Checkmate;
    const auto said = predictions(player.thoughts(), whole, side, recipe_.where, network());
    const OnlineGameOutcome outcome{.value = drawn ? recipe_.draw
                                             : won ? 1.0
                                                   : -1.0,
                                    .tells = game.ending != games::Ending::TimeForfeit,
                                    .opponent_is_weaker = opponent_is_weaker};
    OnlineUpdate how = recipe_.update;
    if (now_.games <= recipe_.outcome_games) how.lambda = 1;
    add_online_update(said, outcome, how, now_.pending);
    const auto errors = online_errors(said, outcome, how);
    Counts counts;
    for (std::size_t t = 0; t < said.size(); ++t) {
        ++counts.searched;
        counts.exact += said[t].lessons.empty() ? 0 : 1;
        counts.expected += said[t].reply_expected ? 1 : 0;
        counts.squares += errors[t] * errors[t];
    }
    return counts;
}

// Some positions of the game, for measuring what pieces are worth.
void OnlineLearner::note_starts(const arena::MatchGame& game) {
    chess::Position position = game.start;
    for (const chess::Move move : game.opening_moves) position.make(move);
    const std::size_t stride = game.moves.size() / kStartsOfAGame + 1;
    for (std::size_t i = 0; i < game.moves.size(); ++i) {
        if (i % stride == stride / 2) now_.starts.push_back(chess::to_fen(position));
        position.make(game.moves[i].move);
    }
    if (now_.starts.size() > kStarts)
        now_.starts.erase(now_.starts.begin(), now_.starts.end() - static_cast<std::ptrdiff_t>(kStarts));
}

void OnlineLearner::change_weights() {
    for (std::size_t i = 0; i < now_.weights.size(); ++i) now_.weights[i] += now_.pending[i];
    std::ranges::fill(now_.pending, 0);
    if (recipe_.fixed_pawn)
        for (const nets::Stage stage : nets::kStages)
            now_.weights[nets::weight_index(kPawn, stage)] = pawn_[static_cast<std::size_t>(stage)];
    ++now_.updates;
    std::vector<chess::Position> positions;
    for (const std::string& fen : now_.starts)
        if (const auto position = chess::parse_fen(fen)) positions.push_back(*position);
    now_.piece_values = nets::measure_piece_values(network(), positions);
}

std::vector<double> OnlineLearner::weights_of(int feature) const {
    std::vector<double> pawns;
    for (const nets::Stage stage : nets::kStages)
        pawns.push_back(now_.weights[nets::weight_index(feature, stage)] / nets::kPawnScore);
    return pawns;
}

base::Status OnlineLearner::keep(const arena::MatchGame& game, const arena::MatchOptions& terms,
                                 json record) {
    const nets::FloatLinearNetwork weights = network();
    auto rounded = nets::quantise(weights);
    if (!rounded)
        return base::fail("after game {}: {}: the learning rate may be too large", now_.games,
                          rounded.error().message);
    playing_ = std::make_shared<const nets::LinearNetwork>(std::move(*rounded));
    now_.core_seconds = cores_before_ + core_seconds();
    record["rating"] = now_.rating.rating;
    record["deviation"] = now_.rating.deviation;
    record["piece_values"] = now_.piece_values;
    record["castled"] = weights_of(kCastled);
    record["doubled_pawn"] = weights_of(kDoubledPawn);
    record["core_seconds"] = now_.core_seconds;
    if (auto status = games_->append(arena::to_pgn(game, terms, "Scholar learns", games::date_of_today()));
        !status)
        return status;
    if (auto status = metrics_->record(record); !status) return status;
    if (auto status = nets::save_network(path("network.safetensors"), weights); !status) return status;
    if (is_snapshot(now_.games))
        if (auto status = nets::save_network(
                path(kSnapshots) / fmt::format("game-{:06}.safetensors", now_.games), weights);
            !status)
            return status;
    now_.pgn_bytes = games_->size();
    if (auto status = save_online_checkpoint(options_.output, now_); !status) return status;
    const auto rated = record.find("opponent_rating");
    metrics_->say(fmt::format(
        "game {}: {} {}{}, {} half-moves, rating {:.0f} ± {:.0f}", now_.games, in_words(points_of(game)),
        game.names[1], rated == record.end() ? "" : fmt::format(" ({:.0f})", rated->template get<double>()),
        game.opening_moves.size() + game.moves.size(), now_.rating.rating, now_.rating.error()));
    return {};
}

}  // namespace

base::Result<OnlineOutcome> learn_online(const OnlineRecipe& recipe, const OnlineOptions& options,
                                         std::stop_token stop) {
    return OnlineLearner(recipe, options, std::move(stop)).run();
}

}  // namespace scholar::learning
