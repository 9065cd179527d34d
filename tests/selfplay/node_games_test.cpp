#include "selfplay/node_games.hpp"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <unistd.h>

#include "base/files.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "games/store.hpp"
#include "selfplay/openings.hpp"
#include "support/random_games.hpp"

namespace scholar::selfplay {
namespace {

namespace fs = std::filesystem;

base::Result<std::unique_ptr<engine::Engine>> small_engine() {
    auto engine = engine::Engine::create();
    if (engine)
        if (auto status = (*engine)->set_option("Hash", "1"); !status) return std::unexpected(status.error());
    return engine;
}

// Games of random moves from the start.
std::vector<RootGame> random_games(std::size_t count) {
    std::vector<RootGame> games;
    base::Random random(3);
    while (games.size() < count) {
        RootGame game;
        game.result = games.size() % 2 == 0 ? games::GameResult::WhiteWins : games::GameResult::Draw;
        tests::play_random_game(random, chess::Position(), 60,
                                [&](const chess::Position&, chess::Move move, const chess::Position&) {
                                    game.moves.push_back(move);
                                });
        games.push_back(std::move(game));
    }
    return games;
}

search::TappedNode node_at(const chess::Line& line) {
    return {line, line.ply(), {}, {}, search::Bound::Exact, {}};
}

// Different positions with a choice, some of them twice, and one without.
TEST(NodeReservoir, KeepsEachPositionEquallyOften) {
    std::vector<chess::Line> lines;
    base::Random random(1);
    chess::Line line;
    while (lines.size() < 40) {
        line.push(draw_move(line.current(), random));
        if (line.terminal() != chess::Terminal::None) line = chess::Line();
        if (chess::count_legal_moves(line.current()) > 1) lines.push_back(line);
    }
    const chess::Line forced(*chess::parse_fen("7k/8/8/8/8/8/1r6/K7 w - - 0 1"));
    ASSERT_EQ(chess::count_legal_moves(forced.current()), 1);
    constexpr int kTimes = 4'000;
    constexpr std::size_t kKept = 8;
    NodeReservoir reservoir(kKept);
    std::map<std::uint64_t, int> kept;
    for (int time = 0; time < kTimes; ++time) {
        reservoir.begin(base::Random(static_cast<std::uint64_t>(time)));
        reservoir.on_node(node_at(forced));
        for (std::size_t i = 0; i < lines.size(); ++i) {
            reservoir.on_node(node_at(lines[i]));
            if (i % 3 == 0) reservoir.on_node(node_at(lines[i / 2]));
        }
        reservoir.end();
        reservoir.on_node(node_at(lines.back()));
        ASSERT_EQ(reservoir.met(), lines.size());
        ASSERT_EQ(reservoir.kept().size(), kKept);
        for (const chess::Position& position : reservoir.kept()) ++kept[position.key()];
    }
    ASSERT_EQ(kept.size(), lines.size());
    // 800 times each; the standard deviation is √(4000 · 1/5 · 4/5) = 25.
    for (const auto& [key, times] : kept) EXPECT_NEAR(times, 800, 5 * 25) << key;
}

class NodeGamesTest : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / fmt::format("scholar-node-games-{}", getpid());
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    NodeGames few(const std::string& name, std::uint64_t games = 40) const {
        NodeGames how;
        how.plan.seed = 5;
        how.plan.games = random_games(9);
        how.plan.root_limit = search::NodeLimit{600};
        how.plan.per_root = 6;
        how.plan.label_limit = search::NodeLimit{150};
        how.games = games;
        how.store = folder_ / name;
        how.settings = {{"--seed", "5"}};
        return how;
    }
    static FilledStore harvest(const NodeGames& how, std::uint64_t stop_at = ~std::uint64_t{0}) {
        std::stop_source stop;
        const auto made = harvest_nodes(
            how, small_engine,
            [&](std::uint64_t games) {
                if (games >= stop_at) stop.request_stop();
            },
            stop.get_token());
        EXPECT_TRUE(made) << made.error().message;
        return made ? *made : FilledStore{};
    }

    fs::path folder_;
};

TEST_F(NodeGamesTest, AreNodesWithWhatASearchOfEachFinds) {
    const NodeGames how = few("nodes.games");
    ASSERT_TRUE(harvest(how).finished);
    const auto games = games::read_all_games(how.store).value();
    ASSERT_EQ(games.size(), 40U);
    std::map<std::string, std::map<std::uint64_t, int>> of_roots;
    const auto engine = small_engine().value();
    ASSERT_TRUE(engine->prepare());
    int unlike_start = 0;
    for (const games::Game& game : games) {
        ASSERT_EQ(game.moves.size(), 1U);
        EXPECT_GE(chess::count_legal_moves(game.start), 2);
        ++of_roots[std::string(game.tag("Round"))][game.start.key()];
        EXPECT_NE(game.result, games::GameResult::Unknown);
        ASSERT_EQ(game.evaluations.size(), 1U);
        engine->new_game();
        engine->set_line(chess::Line(game.start));
        search::Limits limits;
        limits.limits.push_back(how.plan.label_limit);
        search::Silence silence;
        const auto found = engine->search(limits, silence);
        EXPECT_EQ(found.best, game.moves.front()) << chess::to_fen(game.start);
        ASSERT_TRUE(found.score);
        if (!found.score->is_mate()) {
            EXPECT_EQ(chess::PovScore(*found.score, game.start.side_to_move()).white().value(),
                      game.evaluations.front()->centipawns);
        }
        unlike_start += game.start == chess::Position() ? 0 : 1;
    }
    EXPECT_EQ(unlike_start, 40);
    // Six different ones of each root, and what is left of the last.
    ASSERT_EQ(of_roots.size(), 7U);
    for (const auto& [round, nodes] : of_roots) EXPECT_EQ(nodes.size(), round == "7" ? 4U : 6U) << round;
}

TEST_F(NodeGamesTest, TheStoreDoesNotDependOnThreadsNorOnWhoKilledIt) {
    const NodeGames whole = few("whole.games", 70);
    ASSERT_TRUE(harvest(whole).finished);
    const std::string bytes = base::read_text(whole.store).value();
    NodeGames how = few("killed.games", 70);
    how.threads = 3;
    how.resume = true;
    const FilledStore first = harvest(how, 12);
    EXPECT_FALSE(first.finished);
    ASSERT_GE(first.games, 12U);
    EXPECT_EQ(first.games % how.plan.per_root, 0U);
    // In the midst of a block that had just been begun.
    const fs::path partial = games::partial_path(how.store);
    fs::resize_file(partial, fs::file_size(partial) - 20);
    const FilledStore second = harvest(how, 30);
    EXPECT_EQ(second.before, first.games - how.plan.per_root);
    const FilledStore last = harvest(how);
    ASSERT_TRUE(last.finished);
    EXPECT_EQ(base::read_text(how.store).value(), bytes);

    NodeGames other = few("whole.games", 70);
    other.replace = true;
    other.plan.seed = 6;
    ASSERT_TRUE(harvest(other).finished);
    EXPECT_NE(base::read_text(other.store).value(), bytes);
}

TEST_F(NodeGamesTest, RefusesRootsThatTellOfNothing) {
    NodeGames how = few("none.games");
    how.plan.root_limit = search::NodeLimit{1};
    const auto made = harvest_nodes(how, small_engine, [](std::uint64_t) {}, {});
    ASSERT_FALSE(made);
    EXPECT_NE(made.error().message.find("none of whose searches tells of 6 different nodes"),
              std::string::npos)
        << made.error().message;
    how.plan.games.clear();
    EXPECT_FALSE(harvest_nodes(how, small_engine, [](std::uint64_t) {}, {}));
}

}  // namespace
}  // namespace scholar::selfplay
