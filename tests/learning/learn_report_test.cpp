#include "learning/reports/learn_report.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "games/pgn.hpp"
#include "learning/measuring/milestone_places.hpp"
#include "learning/measuring/opening_views.hpp"
#include "learning/reports/learn_overlay.hpp"
#include "learning/reports/report_plot.hpp"
#include "learning/selfplay_loop/games_course.hpp"
#include "learning/selfplay_loop/learn_folder.hpp"
#include "learning/selfplay_loop/learner.hpp"
#include "learning/selfplay_loop/run_history.hpp"
#include "nets/perspective/network_file.hpp"
#include "nets/perspective/quantise.hpp"
#include "support/test_data.hpp"
#include "synthetic_games.hpp"

namespace scholar::learning {
namespace {

class Silent final : public LearnObserver {
  public:
    void on_status(const LearnStatus& /*status*/, bool /*round_ended*/) override {}
    void on_notice(const std::string& /*text*/) override {}
};

class LastPlace final : public LearnObserver {
  public:
    void on_status(const LearnStatus& status, bool /*round_ended*/) override { place = status.place; }
    void on_notice(const std::string& /*text*/) override {}
    std::optional<LadderPlace> place;
};

constexpr const char* kRecipe = R"(
[network]
width = 32
[play]
resign_score = 0
most_moves = 60
[optimiser]
batch = 256
[course]
stages = [ "stage nodes=20 window=1000 games=8 learning_rate=0.01 reuse=4" ]
[rating]
pairs = 2
)";

// A run of a few seconds' work.
void learn_a_little(const std::filesystem::path& folder) {
    const auto recipe = parse_learn_recipe(kRecipe, "test.toml");
    ASSERT_TRUE(recipe) << recipe.error().message;
    LearnOptions options;
    options.output = folder;
    options.threads = 1;
    options.games = 32;
    options.program = "Scholar test";
    Silent silent;
    const auto outcome = learn(*recipe, options, silent, {});
    ASSERT_TRUE(outcome) << outcome.error().message;
}

std::string text_of(const std::filesystem::path& file) {
    const auto text = base::read_text(file);
    EXPECT_TRUE(text) << text.error().message;
    return text ? *text : "";
}

TEST(LearnReport, ShowsWhatTheRunDid) {
    const tests::TemporaryFolder folder;
    learn_a_little(folder.path());
    const auto written = write_learn_report(folder.path());
    ASSERT_TRUE(written) << written.error().message;
    EXPECT_EQ(*written, folder / "report.md");
    const std::string report = text_of(*written);
    for (const char* part : {"| games | 32 in 4 rounds |", "| began with | random weights |",
                             "| network | 768 → 32 × 2 → 1, squared |", "Scholar test, seed 1, 1 thread;",
                             "network.width = 32\n", "above the network that it began with", "| alarms |",
                             "## Loss", "1. e4 c5", "(report/games.pgn)"})
        EXPECT_TRUE(report.contains(part)) << part;
    // Every plot that it shows is there.
    int plots = 0;
    for (std::size_t at = report.find("]("); at != std::string::npos; at = report.find("](", at + 1)) {
        const std::string name = report.substr(at + 2, report.find(')', at) - at - 2);
        EXPECT_TRUE(std::filesystem::exists(folder / name)) << name;
        if (!name.ends_with(".svg")) continue;
        ++plots;
        EXPECT_TRUE(text_of(folder / name).ends_with("</svg>\n"));
        EXPECT_FALSE(text_of(folder / name).contains("no data")) << name;
    }
    EXPECT_EQ(plots, 13);
    // The games can be read again.
    auto games = games::PgnReader::open((folder / "report/games.pgn").string());
    ASSERT_TRUE(games);
    int count = 0;
    for (auto item = games->next(); item && *item == games::PgnItem::Game; item = games->next()) {
        EXPECT_EQ(games->game().tag("Event"), "Scholar learns");
        EXPECT_GT(games->game().moves.size(), 4U);
        ++count;
    }
    EXPECT_GE(count, 2);
    // Made again it is the same.
    ASSERT_TRUE(write_learn_report(folder.path()));
    EXPECT_EQ(text_of(*written), report);
}

TEST(LearnReport, HasALineForEachRound) {
    const tests::TemporaryFolder folder;
    learn_a_little(folder.path());
    ASSERT_TRUE(write_learn_report(folder.path()));
    const std::string csv = text_of(folder / "report/rounds.csv");
    EXPECT_TRUE(csv.starts_with("round,core_seconds,games,lessons,stage,nodes,window,learning_rate,")) << csv;
    EXPECT_EQ(std::ranges::count(csv, '\n'), 5);
    EXPECT_TRUE(csv.contains("\r\n4,")) << csv;
    const auto commas = [](std::string_view line) { return std::ranges::count(line, ','); };
    for (std::size_t at = 0, end = 0; (end = csv.find("\r\n", at)) != std::string::npos; at = end + 2)
        EXPECT_EQ(commas(std::string_view(csv).substr(at, end - at)), 24);
}

TEST(LearnReport, LaysRunsOverOneAnother) {
    const tests::TemporaryFolder folder;
    for (const char* run : {"one", "two"}) learn_a_little(folder / run);
    const std::vector<std::filesystem::path> runs{folder / "one", folder / "two"};
    const auto written = write_learn_overlay(runs, folder / "both");
    ASSERT_TRUE(written) << written.error().message;
    const std::string report = text_of(*written);
    for (const char* run : {"one", "two"})
        EXPECT_TRUE(report.contains(fmt::format("| {} | 1 | 768 → 32 × 2 → 1, squared |", run))) << report;
    const std::string plot = text_of(folder / "both/report/fresh-loss.svg");
    EXPECT_TRUE(plot.contains(">one</text>") && plot.contains(">two</text>"));
    EXPECT_FALSE(write_learn_overlay(std::vector<std::filesystem::path>{folder / "one", folder / "none"},
                                     folder / "both"));
    const auto into_a_run = write_learn_overlay(runs, folder / "one");
    ASSERT_FALSE(into_a_run);
    EXPECT_TRUE(into_a_run.error().message.contains("one: is a run, whose report would be lost"))
        << into_a_run.error().message;
}

TEST(LearnReport, MakesDoWithWhatIsThere) {
    const tests::TemporaryFolder folder;
    learn_a_little(folder.path());
    // Snapshots that were taken away or damaged, and a last line that a kill cut off.
    const auto snapshots = folder / "snapshots";
    auto first = std::filesystem::directory_iterator(snapshots)->path();
    std::filesystem::resize_file(first, 100);
    std::ofstream(folder / "metrics.jsonl", std::ios::app) << R"({"kind":"round","st)";
    const auto damaged = write_learn_report(folder.path());
    ASSERT_TRUE(damaged) << damaged.error().message;
    EXPECT_TRUE(text_of(*damaged).contains(first.filename().string()));
    std::filesystem::remove_all(snapshots);
    std::filesystem::remove(folder / "network.safetensors");
    EXPECT_TRUE(write_learn_report(folder.path()));
}

// A game of the ladder, and the players' names before the first.
// With both colours by turns, so that what the pool thinks of White's advantage does not count; the results
// are as if the player were always White.
void add_ladder_games(arena::LadderGames& games, const std::string& player, const char* opponent,
                      const std::vector<games::GameResult>& results) {
    for (const std::string& name : {player, std::string(opponent)})
        ASSERT_TRUE(games.declare(name, "words of " + name, "3+0.03"));
    using enum games::GameResult;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const bool is_white = i % 2 == 0;
        const auto turned = results[i] == WhiteWins   ? BlackWins
                            : results[i] == BlackWins ? WhiteWins
                                                      : results[i];
        ASSERT_TRUE(games.append({.pair = static_cast<int>(i / 2),
                                  .white = is_white ? player : opponent,
                                  .black = is_white ? opponent : player,
                                  .result = is_white ? results[i] : turned}));
    }
}

// A stretch at either end must not be one point alone, which would be what the noise makes of it.
TEST(ReportPlot, MeansAreOfAsManyPointsAtTheEnds) {
    std::vector<base::PlotPoint> points;
    for (int i = 0; i < 3'000; ++i) points.push_back({1.0 + i, static_cast<double>(i % 2)});
    const auto means = thinned(points, false);
    ASSERT_EQ(means.size(), 150U);
    for (const base::PlotPoint& mean : means) EXPECT_NEAR(mean.y, 0.5, 0.03) << mean.x;
}

TEST(LearnReport, PlacesMilestonesByTheirGames) {
    using enum games::GameResult;
    const tests::TemporaryFolder folder;
    learn_a_little(folder.path());
    const LearnFolder run(folder.path());
    for (const int minutes : {1, 2, 5, 10}) {
        const auto network =
            nets::quantise(nets::FloatNetwork::random({.width = 32}, static_cast<std::uint64_t>(minutes)));
        ASSERT_TRUE(network && nets::save_network(run.milestone(minutes), network->network));
    }
    EXPECT_EQ(run.milestones(), (std::vector{1, 2, 5, 10}));
    const auto name = [&](int minutes) {
        return milestone_name(minutes, *nets::load_network(run.milestone(minutes)));
    };
    // The run has placed two of them: one somewhat later than it is called, since rounds are whole.
    std::ofstream metrics(run.metrics(), std::ios::app);
    for (const auto& [minutes, elo] : {std::pair(5.3, 1111.0), std::pair(10.0, 1222.0)})
        metrics << ladder_record({.core_seconds = 60 * minutes, .elo = elo, .error = 30, .games = 80}, 4)
                << "\n";
    metrics.close();
    const auto report = [&] {
        const auto written = write_learn_report(folder.path());
        EXPECT_TRUE(written) << written.error().message;
        return text_of(folder / "report.md");
    };
    EXPECT_TRUE(report().contains("| 5 | 1111 ± 30 | 80 |\n| 10 | 1222 ± 30 | 80 |"));
    {
        auto games = arena::LadderGames::open(run.ladder_games().string());
        ASSERT_TRUE(games) << games.error().message;
        // As good as 2850; above somebody; with games that lead nowhere.
        add_ladder_games(*games, name(2), "Toga II 3.0", {WhiteWins, BlackWins, Draw, Draw});
        add_ladder_games(*games, name(5), "Toga II 3.0", {WhiteWins, WhiteWins});
        add_ladder_games(*games, name(1), "Nobody", {WhiteWins, BlackWins});
        // Also while somebody writes it.
        EXPECT_FALSE(report().contains("1111 ± 30"));
    }
    // A run that goes on knows the place of its last milestone that has one.
    LastPlace watched;
    LearnOptions on;
    on.output = folder.path();
    on.threads = 1;
    on.games = 40;
    on.resume = true;
    ASSERT_TRUE(learn(*parse_learn_recipe(kRecipe, "test.toml"), on, watched, {}));
    ASSERT_TRUE(watched.place);
    EXPECT_EQ(watched.place->core_seconds, 300);
    EXPECT_EQ(watched.place->games, 2U);
    const std::string text = report();
    EXPECT_FALSE(text.contains("1111 ± 30"));
    EXPECT_FALSE(text.contains("\n| 1 | "));
    const auto place_after = [&](const char* minutes) {
        const std::size_t at = text.find(std::string("\n| ") + minutes + " | ");
        return at == std::string::npos ? 0.0 : std::stod(text.substr(at + 5 + std::strlen(minutes)));
    };
    EXPECT_NEAR(place_after("2"), 2850, 40);
    // Two games won: one chance in twenty at somewhat less than the opponent has.
    EXPECT_TRUE(text.contains("\n| 5 | more than 27")) << text;
    EXPECT_TRUE(text.contains(" | 2 |\n| 10 | 1222 ± 30 | 80 |")) << text;
    EXPECT_TRUE(std::filesystem::exists(folder / "report/ladder.svg"));
    // Where the games are damaged, what the run wrote down must do.
    std::ofstream(run.ladder_games(), std::ios::app) << "nonsense\n";
    const std::string damaged = report();
    EXPECT_TRUE(damaged.contains("expected one JSON object")) << damaged;
    EXPECT_TRUE(damaged.contains("| 5 | 1111 ± 30 | 80 |"));
}

TEST(LearnReport, OfARunThatOnlyLearntFromGames) {
    const tests::TemporaryFolder folder;
    const auto store = folder / "games.games";
    tests::write_random_games(store, 400, 11, true);
    const auto recipe = parse_learn_recipe(
        std::string(kRecipe) + "[games]\nstages = [\"ply min=10\"]\nbatch = 512\n", "test.toml");
    ASSERT_TRUE(recipe) << recipe.error().message;
    LearnOptions options;
    options.output = folder / "run";
    options.threads = 1;
    options.games_files = {store.string()};
    options.only_games = true;
    Silent silent;
    ASSERT_TRUE(learn(*recipe, options, silent, {}));
    const auto written = write_learn_report(options.output);
    ASSERT_TRUE(written) << written.error().message;
    const std::string report = text_of(*written);
    for (const char* part : {"| games against itself | none yet |", "| network | 768 → 32 × 2 → 1, squared |",
                             "## From other people's games", "(report/lessons.svg)", "1. e4 c5"})
        EXPECT_TRUE(report.contains(part)) << part << "\n" << report;
    EXPECT_FALSE(text_of(options.output / "report/lessons.svg").contains("no data"));
    // Of one that still learns from them, before it has a network and records of its own.
    std::filesystem::create_directories(folder / "early");
    std::filesystem::copy(options.output / "games", folder / "early" / "games",
                          std::filesystem::copy_options::recursive);
    const auto early = write_learn_report(folder / "early");
    ASSERT_TRUE(early) << early.error().message;
    EXPECT_TRUE(text_of(*early).contains("(report/lessons.svg)"));
    EXPECT_FALSE(text_of(*early).contains("| network |"));
    // And of one that played afterwards: both.
    options.resume = true;
    options.only_games = false;
    options.games = 8;
    ASSERT_TRUE(learn(*recipe, options, silent, {}));
    ASSERT_TRUE(write_learn_report(options.output));
    const std::string both = text_of(*written);
    EXPECT_TRUE(both.contains("## From other people's games"));
    EXPECT_TRUE(both.contains("| games | 8 in 1 round |"));
    // Where the records of the first are damaged, the rest is told all the same.
    std::ofstream(options.output / "games/run/metrics.jsonl", std::ios::app) << "nonsense\n";
    ASSERT_TRUE(write_learn_report(options.output));
    EXPECT_TRUE(text_of(*written).contains("| games | 8 in 1 round |"));
    EXPECT_TRUE(text_of(*written).contains("is no record of scholar train"));
}

TEST(GamesCourse, IsReadFromWhatTrainingWrites) {
    const std::string lines = R"({"kind":"start","step":0}
{"kind":"train","step":50,"positions":25600,"loss":0.6,"constant_loss":0.69,"core_seconds":2.5}
{"kind":"validation","step":50,"unseen":{"positions":0,"target":{}}}
{"kind":"train","step":100,"positions":51200,"loss":0.5,"constant_loss":0.68,"core_seconds":5}
{"kind":"validation","step":100,"unseen":{"positions":70,"target":{"network":{"cross_entropy":0.51},"constant":{"cross_entropy":0.67},"material":{"cross_entropy":0.6}}}}
{"kind":"tra)";
    const auto course = parse_games_course(lines, "m");
    ASSERT_TRUE(course) << course.error().message;
    ASSERT_EQ(course->training.size(), 2U);
    EXPECT_EQ(course->training[1].positions, 51'200U);
    EXPECT_EQ(course->training[1].loss, 0.5);
    EXPECT_EQ(course->core_seconds, 5);
    ASSERT_EQ(course->validations.size(), 2U);
    EXPECT_EQ(course->validations[0].held_out, 0U);
    EXPECT_EQ(course->validations[1].positions, 51'200U);
    EXPECT_EQ(course->validations[1].material, 0.6);
    for (const char* line : {"{\"kind\":\"train\",\"positions\":1}\n", "[]\n", "nonsense\n"}) {
        const auto refused = parse_games_course(line, "m");
        ASSERT_FALSE(refused) << line;
        EXPECT_TRUE(refused.error().message.starts_with("m: line 1: is no record of scholar train"))
            << refused.error().message;
    }
}

TEST(LearnReport, RefusesWhatIsNoRun) {
    const tests::TemporaryFolder folder;
    const auto refusal = [&] {
        const auto written = write_learn_report(folder.path());
        EXPECT_FALSE(written);
        EXPECT_FALSE(std::filesystem::exists(folder / "report.md"));
        return written ? std::string() : written.error().message;
    };
    EXPECT_TRUE(refusal().contains("no metrics.jsonl, expected the folder of a run"));
    std::ofstream(folder / "metrics.jsonl") << "not JSON\n";
    EXPECT_TRUE(refusal().contains("metrics.jsonl: line 1: is no record of scholar learn"));
    std::ofstream(folder / "metrics.jsonl") << R"({"kind":"train","step":50,"loss":0.6})" << "\n";
    EXPECT_TRUE(refusal().contains("metrics.jsonl: no complete round"));
}

TEST(OpeningViews, AreOfAllFirstMovesAndTheSameEachTime) {
    const auto quantised = nets::quantise(nets::FloatNetwork::random({.width = 32}, 1));
    ASSERT_TRUE(quantised);
    const auto network = std::make_shared<const nets::Network>(quantised->network);
    const OpeningView view = opening_view(network);
    ASSERT_EQ(view.first_moves.size(), 20U);
    EXPECT_TRUE(std::ranges::is_sorted(view.first_moves, std::ranges::greater{}, &OpeningMove::expected));
    EXPECT_TRUE(view.line.starts_with("1. " + view.first_moves.front().move)) << view.line;
    ASSERT_EQ(view.replies.size(), opening_positions().size());
    for (const OpeningMove& reply : view.replies) {
        EXPECT_GE(reply.expected, 0);
        EXPECT_LE(reply.expected, 1);
        EXPECT_FALSE(reply.move.empty());
    }
    const OpeningView again = opening_view(network);
    EXPECT_EQ(again.line, view.line);
    EXPECT_EQ(again.first_moves.front().expected, view.first_moves.front().expected);
}

}  // namespace
}  // namespace scholar::learning
