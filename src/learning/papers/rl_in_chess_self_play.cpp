// From nothing, by games of its own tree search: what the paper names as where reinforcement learning begins,
// at a size that one core can do.

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "arena/place.hpp"
#include "base/files.hpp"
#include "base/json.hpp"
#include "learning/papers/recipe_text.hpp"
#include "learning/papers/rl_in_chess_experiment.hpp"
#include "learning/run/run_time.hpp"

namespace scholar::learning {

// recipes/rl-in-chess-self-play.toml.
std::string_view rl_in_chess_self_play_recipe();

namespace {

constexpr int kTreeRounds = 20;
constexpr std::uint64_t kRoundGames = 200;
constexpr std::uint64_t kRoundVisits = 48;
// Learns from the games of so many rounds.
constexpr std::size_t kWindowRounds = 4;
constexpr std::array kPlacedAfter{1, 5, 10, 20};
constexpr std::uint64_t kPlayVisits = 100;
// Who knows nothing plays positions out by lot (algorithm 2, with no policy).
constexpr const char* kNoPolicy = "<random:1>";
constexpr const char* kNoValue = "<rollouts:<random:1>>";

// Core-seconds of a round.
struct RoundTimes {
    double playing = 0;
    double learning = 0;
};

base::Result<std::optional<RoundTimes>> noted_times(const std::filesystem::path& file) {
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return std::nullopt;
    const auto text = base::read_text(file);
    if (!text) return std::unexpected(text.error());
    const auto json = nlohmann::json::parse(*text, nullptr, false);
    if (!json.is_array() || json.size() != 2 || !json[0].is_number() || !json[1].is_number())
        return base::fail(
            "{}: expected [seconds of playing, of learning]; without the file they are not known",
            file.string());
    return RoundTimes{json[0].get<double>(), json[1].get<double>()};
}

base::Status note_times(const std::filesystem::path& file, const RoundTimes& times) {
    const nlohmann::json json{times.playing, times.learning};
    return base::write_atomically(file, base::json_text(json) + "\n");
}

// A network that learns round by round.
class SelfTaught {
  public:
    explicit SelfTaught(const Reproduction& work) : work_(work) {}

    // One more round: games with what it has learnt, and learning from those of the last rounds.
    base::Result<RoundTimes> go_on() {
        ++round_;
        const double begin = core_seconds();
        const auto store = play();
        if (!store) return std::unexpected(store.error());
        stores_.push_back(store->string());
        if (stores_.size() > kWindowRounds) stores_.erase(stores_.begin());
        const double played = core_seconds();
        auto trained = learn();
        if (!trained) return std::unexpected(trained.error());
        network_ = std::move(*trained);
        const auto file = network_->folder / "round.json";
        const auto noted = noted_times(file);
        if (!noted) return std::unexpected(noted.error());
        if (*noted) return **noted;
        const RoundTimes times{played - begin, core_seconds() - played};
        if (auto status = note_times(file, times); !status) return std::unexpected(status.error());
        return times;
    }

    const std::optional<Trained>& network() const { return network_; }
    int round() const { return round_; }

  private:
    base::Result<std::filesystem::path> play() const {
        PaperStore wanted;
        wanted.name = fmt::format("round-{}", round_);
        wanted.games = work_.sized(kRoundGames, 4);
        wanted.nodes = work_.sized(kRoundVisits, 8);
        wanted.seed = static_cast<std::uint64_t>(round_);
        wanted.options = {{"Search", "mcts"},
                          {"EvalFile", network_ ? network_->network().string() : kNoValue},
                          {"PolicyFile", network_ ? network_->network().string() : kNoPolicy},
                          {"DirichletNoiseEpsilon", "0.25"},
                          {"DirichletNoiseAlpha", "0.3"},
                          {"Temperature", "1"},
                          {"TempCutoffMove", "20"}};
        return work_.games(wanted);
    }

    base::Result<Trained> learn() const {
        RecipeChanges changes{
            {"stores = [\"runs/rl-in-chess/own.games\"]", fmt::format("stores = {}", in_toml(stores_))},
            {"\nseed = 1\n", fmt::format("\nseed = {}\n", round_)}};
        if (network_)
            changes.emplace_back(
                "kind = \"residual\"\n",
                fmt::format("kind = \"residual\"\ninitial = {}\n", in_toml(network_->unfolded().string())));
        if (work_.options().quick)
            changes.insert(changes.end(), {{"positions = 60_000", "positions = 500"},
                                           {"batch = 256", "batch = 50"},
                                           {"validation_share = 0.05", "validation_share = 0.3"},
                                           {"validation_positions = 1_000", "validation_positions = 100"}});
        const std::string name = fmt::format("self-play-{}", round_);
        const auto recipe = with_replaced(name, std::string(rl_in_chess_self_play_recipe()), changes);
        if (!recipe) return std::unexpected(recipe.error());
        return work_.train(name, *recipe);
    }

    const Reproduction& work_;
    int round_ = 0;
    std::vector<std::string> stores_;
    std::optional<Trained> network_;
};

}  // namespace

base::Status learn_by_tree(Reproduction& work, const TakeFindings& take) {
    PaperExperiment experiment(work, take);
    Findings& findings = experiment.findings;
    findings.remarks.push_back(
        fmt::format("Each round: {} games of the network's own tree search, {} visits a move, with noise at "
                    "the root and moves drawn "
                    "by visits up to move 20; then learning from the games of the last {} rounds. The first "
                    "round has no network: "
                    "positions are played out by lot. Games begin from the built-in openings and some moves "
                    "by lot, which are not learnt from. Times of playing and "
                    "learning are of one core; a round that was stopped counts from where it went on.",
                    kRoundGames, kRoundVisits, kWindowRounds));
    findings.tables.push_back({"Learning from its own games",
                               {{"round", "core-minutes", "of them playing", "loss of moves", "first move, %",
                                 "squared error of the value", "Elo with 100 visits"}}});
    const bool can_place = experiment.can_place();
    SelfTaught student(work);
    double minutes = 0;
    double playing = 0;
    const int rounds = static_cast<int>(work.sized(kTreeRounds, 2));
    while (student.round() < rounds) {
        const auto times = student.go_on();
        if (!times) return std::unexpected(times.error());
        minutes += (times->playing + times->learning) / 60;
        playing += times->playing / 60;
        const Trained& trained = *student.network();
        std::vector<std::string> row{std::to_string(student.round()),
                                     fmt::format("{:.1f}", minutes),
                                     fmt::format("{:.1f}", playing),
                                     trained.loss("loss of moves"),
                                     trained.per_cent("first move"),
                                     trained.loss("squared error of the value"),
                                     "–"};
        if (std::ranges::find(kPlacedAfter, student.round()) != kPlacedAfter.end() && can_place) {
            const std::string network = trained.network().string();
            const auto place = work.place({fmt::format("self-taught, round {}", student.round()),
                                           network,
                                           {{"Search", "mcts"}, {"PolicyFile", network}}},
                                          {arena::TimeControl::Nodes{kPlayVisits}});
            if (!place) return std::unexpected(place.error());
            if (*place) row.back() = arena::describe_place((*place)->kind, (*place)->elo, (*place)->error);
        }
        findings.tables.back().rows.push_back(std::move(row));
        if (auto status = experiment.take(); !status) return status;
    }
    return {};
}

}  // namespace scholar::learning
