#include "learning/online/online_student.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/text.hpp"
#include "chess/fen.hpp"
#include "learning/run/milestones.hpp"
#include "learning/run/run_files.hpp"
#include "learning/run/run_settings.hpp"
#include "nets/linear/linear_file.hpp"
#include "nets/linear/linear_network.hpp"
#include "search/alpha_beta/alpha_beta.hpp"

namespace scholar::learning {

namespace {

using nlohmann::json;

constexpr const char* kGames = "games.pgn";
constexpr const char* kFirstSnapshot = "game-000000.safetensors";
// Positions of recent games that the piece values are measured on, and how many each game gives.
constexpr std::size_t kGameStarts = 300;
constexpr std::size_t kStartsOfAGame = 6;

// What each piece of a kind is worth anywhere, and the two weights that the paper's figure 5 shows.
constexpr int kPawn = nets::feature(nets::Block::Material);
constexpr int kCastled = nets::feature(nets::Block::Castled);
constexpr int kDoubledPawn = nets::feature(nets::Block::DoubledPawn);

std::string in_words(double points) {
    return points == 1 ? "won against" : points == 0 ? "lost to" : "drew with";
}

RunShellOptions shell_options(const OnlineOptions& options) {
    RunShellOptions shell;
    shell.folder = options.output;
    shell.resume = options.resume;
    shell.or_begin = options.or_begin;
    shell.overwrite = options.overwrite;
    shell.json = options.json;
    shell.limits.games = options.games;
    return shell;
}

// Of the side that is the student's.
double points_of(const StudentGame& game) {
    return games::points(game.result, game.sides.front().color).value_or(0.5);
}

}  // namespace

OnlineStudent::OnlineStudent(const OnlineRecipe& recipe, const OnlineOptions& options)
    : recipe_(recipe),
      options_(options),
      seed_(options.seed.value_or(kDefaultSeed)),
      shell_(shell_options(options), {}) {}

base::Result<std::unique_ptr<OnlineStudent>> OnlineStudent::open(const OnlineRecipe& recipe,
                                                                 const OnlineOptions& options) {
    std::unique_ptr<OnlineStudent> student(new OnlineStudent(recipe, options));
    if (auto status = student->begin(); !status) return std::unexpected(status.error());
    return student;
}

void OnlineStudent::say(const std::string& text) const {
    shell_.metrics().say(text);
}

RunSettings OnlineStudent::settings() const {
    return with_seed(recipe_.settings, seed_);
}

base::Result<nets::FloatLinearNetwork> OnlineStudent::first_network() const {
    if (recipe_.start == "material") return nets::FloatLinearNetwork::material_start();
    if (recipe_.start == "pawns") return nets::FloatLinearNetwork::all_pawns();
    return nets::load_float_linear_network(recipe_.start);
}

// What a new run would remove, or mix its own with, must be an older run's, and the user must have said so.
base::Status OnlineStudent::check_folder(bool has_checkpoint) const {
    namespace fs = std::filesystem;
    std::error_code error;
    if (!options_.overwrite && !has_checkpoint) {
        const auto not_ours = [](const fs::path& file) {
            return base::fail(
                "{}: is left of a run that cannot go on: --overwrite removes it and begins anew",
                file.string());
        };
        // A run that was killed in its first game leaves an empty file of games and the first weights.
        if (const auto size = fs::file_size(shell_.path(kGames), error); !error && size > 0)
            return not_ours(shell_.path(kGames));
        for (const auto& entry : fs::directory_iterator(shell_.path(kSnapshotsFolder), error))
            if (entry.path().filename() != kFirstSnapshot) return not_ours(entry.path());
    }
    if (recipe_.start == "material" || recipe_.start == "pawns") return {};
    const fs::path folder = fs::weakly_canonical(options_.output, error);
    const fs::path start = fs::weakly_canonical(recipe_.start, error);
    if (!folder.empty() && std::ranges::mismatch(folder, start).in1 == folder.end())
        return base::fail("{}: lies in the folder of the run, expected a network elsewhere", recipe_.start);
    return {};
}

base::Status OnlineStudent::remove_old_run() {
    std::vector<std::filesystem::path> old = checkpoint_files(options_.output);
    for (const char* name : {kSnapshotsFolder, kReportFolder, kNetworkFile, kReportFile, kMetricsFile})
        old.push_back(shell_.path(name));
    if (auto status = RunShell::remove(old); !status) return status;
    return games_->resize(0);
}

base::Status OnlineStudent::begin() {
    if (auto status = shell_.be_alone(); !status) return status;
    auto loaded = load_online_checkpoint(options_.output);
    RunShell::Found found{std::nullopt, false};
    if (!loaded)
        found.checkpoint = std::unexpected(loaded.error());
    else if (*loaded)
        found.checkpoint = " of " + base::counted((*loaded)->checkpoint.games, "game");
    found.begun = shell_.has_checkpoint_or_records();
    const auto goes_on = shell_.goes_on(found);
    if (!goes_on) return std::unexpected(goes_on.error());
    const bool resumed = *goes_on;
    std::optional<nets::FloatLinearNetwork> first;
    if (!resumed) {
        if (auto status = check_folder(loaded && *loaded); !status) return status;
        auto network = first_network();
        if (!network) return std::unexpected(network.error());
        first = std::move(*network);
    }
    if (auto status = shell_.create(); !status) return status;
    // Nobody else writes games there either.
    auto games = arena::LockedAppender::open(shell_.path(kGames).string());
    if (!games) return std::unexpected(games.error());
    games_.emplace(std::move(*games));
    for (const char* folder : {kSnapshotsFolder, kReportFolder}) base::remove_leftovers(shell_.path(folder));
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

    if (auto status = shell_.open_metrics(resumed ? std::optional(now_.games) : std::nullopt); !status)
        return status;
    if (resumed && !(*loaded)->warning.empty()) shell_.metrics().say("warning: " + (*loaded)->warning);
    auto network = nets::quantise(network_of(now_.weights));
    if (!network) return std::unexpected(network.error());
    playing_ = std::make_shared<const nets::LinearNetwork>(std::move(*network));
    if (resumed) return {};
    if (auto status = shell_.metrics().record({{"kind", "start"},
                                               {"step", 0},
                                               {"seed", seed_},
                                               {"settings", recipe_.settings},
                                               {"weights", nets::kLinearWeights}});
        !status)
        return status;
    return nets::save_network(shell_.path(kSnapshotsFolder) / kFirstSnapshot, network_of(kept()));
}

base::Status OnlineStudent::start_anew(const nets::FloatLinearNetwork& network) {
    std::error_code error;
    std::filesystem::create_directories(shell_.path(kSnapshotsFolder), error);
    if (error)
        return base::fail("{}: cannot create the folder: {}", shell_.path(kSnapshotsFolder).string(),
                          error.message());
    now_.weights.assign(network.weights.begin(), network.weights.end());
    now_.pending.assign(network.weights.size(), 0);
    if (recipe_.step == OnlineStep::Adaptive) now_.squares.assign(network.weights.size(), 0);
    if (recipe_.average_games > 0) now_.mean = now_.weights;
    now_.piece_values = network.info.piece_values;
    now_.rating = {recipe_.first_rating, arena::Glicko::kNew};
    now_.settings = settings();
    return {};
}

base::Status OnlineStudent::resume(OnlineCheckpoint from) {
    if (!options_.seed)
        if (const auto seed = seed_of(from.settings)) seed_ = *seed;
    if (auto same = check_unchanged(settings(), from.settings); !same)
        return base::fail_in(options_.output.string(), same.error());
    now_ = std::move(from);
    shell_.clock().add_cores(now_.core_seconds);
    return {};
}

nets::FloatLinearNetwork OnlineStudent::network_of(const std::vector<double>& weights) const {
    nets::FloatLinearNetwork network;
    std::ranges::transform(weights, network.weights.begin(),
                           [](double weight) { return static_cast<float>(weight); });
    network.info.piece_values = now_.piece_values;
    network.info.history = {{"recipe", recipe_.name},
                            {"games", fmt::format("{}", now_.games)},
                            {"seed", fmt::format("{}", seed_)},
                            {"nodes", fmt::format("{}", recipe_.nodes)}};
    return network;
}

std::unique_ptr<search::Search> OnlineStudent::search(search::Table& table, search::NodeTap* tap) const {
    search::AlphaBetaOptions how = recipe_.search;
    how.tap = tap;
    return search::make_alpha_beta(playing_, table, how).value();
}

std::unique_ptr<selfplay::TreeStrap> OnlineStudent::tap() const {
    return recipe_.treestrap ? std::make_unique<selfplay::TreeStrap>(*recipe_.treestrap) : nullptr;
}

void OnlineStudent::set_pool(std::vector<std::string> names) {
    if (!now_.pool.empty() && now_.pool != names)
        say("warning: the opponents are not those of before: the run goes another way");
    now_.pool = std::move(names);
}

base::Status OnlineStudent::learn(const StudentGame& game) {
    ++now_.games;
    const arena::Glicko before = now_.rating;
    Counts counts;
    for (const StudentGame::Side& side : game.sides)
        learn(game, side, game.opponent_rating && game.opponent_rating->rating < before.rating, counts);
    const auto searched = static_cast<double>(std::max<std::size_t>(counts.searched, 1));
    const chess::Color side = game.sides.front().color;
    json record{{"kind", "game"},
                {"step", now_.games},
                {"opponent", game.opponent},
                {"colour", side == chess::White ? "white" : "black"},
                {"points", points_of(game)},
                {"reason", game.reason},
                {"half_moves", game.moves.size()},
                {"searched", counts.searched},
                {"lessons", counts.exact},
                {"expected_replies", static_cast<double>(counts.expected) / searched},
                {"error", std::sqrt(counts.squares / searched)}};
    if (game.opponent_rating) {
        const std::array result{arena::GlickoGame{*game.opponent_rating, points_of(game)}};
        now_.rating = arena::rate_period(arena::after_time(before, recipe_.rating_change, 1), result);
        record["opponent_rating"] = game.opponent_rating->rating;
        record["expected_points"] = arena::expected_points(before, *game.opponent_rating);
    }
    note_starts(game);
    if (now_.games % recipe_.games_per_update == 0) change_weights();
    return keep(game, std::move(record));
}

void OnlineStudent::learn(const StudentGame& game, const StudentGame::Side& side, bool opponent_is_weaker,
                          Counts& counts) {
    const double points = games::points(game.result, side.color).value_or(0.5);
    const bool mated = points == 1 && game.ending == games::Ending::Checkmate;
    const auto said = predictions(side.thoughts, {game.start, game.moves, mated}, side.color, recipe_.where,
                                  network_of(now_.weights));
    const OnlineGameOutcome outcome{
        .value = points == 0.5 ? recipe_.draw : 2 * points - 1,
        .tells = game.ending != games::Ending::TimeForfeit && game.ending != games::Ending::Forfeit,
        .opponent_is_weaker = opponent_is_weaker};
    OnlineUpdate how = recipe_.update;
    if (now_.games <= recipe_.outcome_games) how.lambda = 1;
    how.alpha = recipe_.step == OnlineStep::Plain ? alpha() : 1;
    add_online_update(said, outcome, how, now_.pending);
    const auto errors = online_errors(said, outcome, how);
    for (std::size_t t = 0; t < said.size(); ++t) {
        ++counts.searched;
        counts.exact += said[t].lessons.empty() ? 0 : 1;
        counts.expected += said[t].reply_expected ? 1 : 0;
        counts.squares += errors[t] * errors[t];
    }
}

// Some positions of the game, for measuring what pieces are worth.
void OnlineStudent::note_starts(const StudentGame& game) {
    chess::Position position = game.start;
    const std::size_t stride = game.moves.size() / kStartsOfAGame + 1;
    for (std::size_t i = 0; i < game.moves.size(); ++i) {
        if (i % stride == stride / 2) now_.starts.push_back(chess::to_fen(position));
        position.make(game.moves[i]);
    }
    if (now_.starts.size() > kGameStarts)
        now_.starts.erase(now_.starts.begin(), now_.starts.end() - static_cast<std::ptrdiff_t>(kGameStarts));
}

double OnlineStudent::alpha() const {
    const double alpha = recipe_.update.alpha;
    if (recipe_.alpha_games == 0) return alpha;
    return alpha / (1 + static_cast<double>(now_.games - 1) / recipe_.alpha_games);
}

void OnlineStudent::change_weights() {
    if (recipe_.step == OnlineStep::Adaptive)
        for (std::size_t i = 0; i < now_.pending.size(); ++i) {
            double& change = now_.pending[i];
            now_.squares[i] += change * change;
            if (change != 0) change *= alpha() * nets::kPawnScore / std::sqrt(now_.squares[i]);
        }
    for (std::size_t i = 0; i < now_.weights.size(); ++i) now_.weights[i] += now_.pending[i];
    std::ranges::fill(now_.pending, 0);
    if (recipe_.fixed_pawn)
        for (const nets::Stage stage : nets::kStages)
            now_.weights[nets::weight_index(kPawn, stage)] = pawn_[static_cast<std::size_t>(stage)];
    ++now_.updates;
    if (!now_.mean.empty()) {
        // Of all weights so far while they are few.
        const double share = std::max(static_cast<double>(recipe_.games_per_update) / recipe_.average_games,
                                      1 / static_cast<double>(now_.updates));
        for (std::size_t i = 0; i < now_.mean.size(); ++i)
            now_.mean[i] += std::min(share, 1.0) * (now_.weights[i] - now_.mean[i]);
    }
    std::vector<chess::Position> positions;
    for (const std::string& fen : now_.starts)
        if (const auto position = chess::parse_fen(fen)) positions.push_back(*position);
    now_.piece_values = nets::measure_piece_values(network_of(kept()), positions);
}

std::vector<double> OnlineStudent::weights_of(int feature) const {
    std::vector<double> pawns;
    pawns.reserve(nets::kStageCount);
    for (const nets::Stage stage : nets::kStages)
        pawns.push_back(now_.weights[nets::weight_index(feature, stage)] / nets::kPawnScore);
    return pawns;
}

base::Status OnlineStudent::keep(const StudentGame& game, json record) {
    const nets::FloatLinearNetwork weights = network_of(kept());
    auto rounded = nets::quantise(network_of(now_.weights));
    if (!rounded)
        return base::fail("after game {}: {}: the learning rate may be too large", now_.games,
                          rounded.error().message);
    playing_ = std::make_shared<const nets::LinearNetwork>(std::move(*rounded));
    now_.core_seconds = shell_.clock().cores();
    record["rating"] = now_.rating.rating;
    record["deviation"] = now_.rating.deviation;
    record["piece_values"] = now_.piece_values;
    record["castled"] = weights_of(kCastled);
    record["doubled_pawn"] = weights_of(kDoubledPawn);
    record["core_seconds"] = now_.core_seconds;
    if (auto status = games_->append(game.pgn); !status) return status;
    if (auto status = shell_.metrics().record(record); !status) return status;
    if (auto status = nets::save_network(shell_.path(kNetworkFile), weights); !status) return status;
    if (is_games_milestone(now_.games))
        if (auto status = nets::save_network(
                shell_.path(kSnapshotsFolder) / fmt::format("game-{:06}.safetensors", now_.games), weights);
            !status)
            return status;
    now_.pgn_bytes = games_->size();
    if (auto status = save_online_checkpoint(options_.output, now_); !status) return status;
    const auto rated = record.find("opponent_rating");
    shell_.metrics().say(fmt::format(
        "game {}: {} {}{}, {}, rating {:.0f} ± {:.0f}", now_.games, in_words(points_of(game)), game.opponent,
        rated == record.end() ? "" : fmt::format(" ({:.0f})", rated->get<double>()),
        base::counted(game.moves.size(), "half-move"), now_.rating.rating, now_.rating.error()));
    return {};
}

}  // namespace scholar::learning
