#include <atomic>
#include <future>
#include <gtest/gtest.h>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "engine/engine.hpp"
#include "engine/strength.hpp"
#include "support/fake_search.hpp"
#include "support/test_data.hpp"

// What the engine makes of a go, seen by the search that it asks.

namespace scholar::engine {
namespace {

using namespace search;
using tests::FakeSearchLog;

class EngineGo : public testing::Test {
  protected:
    EngineGo() : engine_(std::move(*Engine::create(tests::fake_presets(log_)))) {}

    void set(std::string_view name, std::string_view value) {
        const auto status = engine_->set_option(name, value);
        EXPECT_TRUE(status) << (status ? "" : status.error().message);
    }
    // The limits that the search got.
    const Limits& go(std::vector<Limit> limits) {
        engine_->search({std::move(limits), {}, Milliseconds(10)}, silent_);
        return log_.limits.back();
    }
    void stand_at(const char* fen) { engine_->set_line(chess::Line(*chess::parse_fen(fen))); }

    FakeSearchLog log_;
    std::unique_ptr<Engine> engine_;
    Observer silent_;
};

TEST_F(EngineGo, OptionsReachTheSearch) {
    set("MultiPV", "3");
    set("Move Overhead", "77");
    set("Threads", "4");
    set("SyzygyProbeDepth", "5");
    set("SyzygyProbeLimit", "4");
    set("Syzygy50MoveRule", "false");
    const Limits& limits = go({DepthLimit{3}});
    EXPECT_EQ(limits.multi_pv, 3);
    EXPECT_EQ(limits.move_overhead, Milliseconds(77));
    EXPECT_EQ(limits.nodes_per_millisecond, 0U);
    const AlphaBetaOptions& made = log_.made_with.back();
    EXPECT_EQ(made.threads, 4);
    EXPECT_EQ(made.tablebases.min_depth, 5);
    EXPECT_EQ(made.tablebases.max_pieces, 4);
    EXPECT_FALSE(made.tablebases.fifty_move_rule);
    EXPECT_EQ(made.evaluation_noise, 0);
}

TEST_F(EngineGo, PonderingEndsWithTheHitOrAStop) {
    for (const bool hit : {true, false}) {
        std::atomic<int> done = 0;
        engine_->go({{PonderLimit{}, DepthLimit{1}}, {}, {}}, silent_, [&](const auto&) { ++done; });
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        EXPECT_EQ(done, 0);
        hit ? engine_->ponder_hit() : engine_->stop();
        engine_->wait();
        EXPECT_EQ(done, 1);
    }
    // A hit that nothing waits for changes nothing for the next one.
    engine_->ponder_hit();
    std::atomic<int> done = 0;
    engine_->go({{PonderLimit{}, DepthLimit{1}}, {}, {}}, silent_, [&](const auto&) { ++done; });
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    EXPECT_EQ(done, 0);
    engine_->finish();
    EXPECT_EQ(done, 1);
}

// Stockfish's meaning of nodestime: the clock of the first move is all there is, and only nodes use it up.
TEST_F(EngineGo, ABudgetOfNodesIsKeptForTheWholeGame) {
    set("nodestime", "100");
    log_.counters.nodes = 30'000;
    const auto clock = [&](long remaining, std::optional<int> moves_to_go = std::nullopt) {
        const Limits& limits = go({ClockLimit{Milliseconds(remaining), Milliseconds(50), moves_to_go}});
        EXPECT_EQ(limits.nodes_per_millisecond, 100U);
        EXPECT_EQ(limits.move_overhead, Milliseconds(0));
        return limits.find<ClockLimit>()->remaining.count();
    };
    EXPECT_EQ(clock(10'000), 10'000);
    // 10 s are 1,000,000 nodes; 30,000 are spent and 50 ms are 5,000 more. What the clock says is not asked.
    EXPECT_EQ(clock(3), 9'750);
    EXPECT_EQ(clock(999'999), 9'500);
    engine_->new_game();
    EXPECT_EQ(clock(2'000), 2'000);
    // The first amount comes again with a new time control.
    engine_->new_game();
    EXPECT_EQ(clock(1'000, 2), 1'000);
    EXPECT_EQ(clock(1'000, 1), 750);
    EXPECT_EQ(clock(1'000, 2), 1'500);
}

TEST_F(EngineGo, AWeakPlayerHasFewNodesAndErrs) {
    set("UCI_LimitStrength", "true");
    set("UCI_Elo", std::to_string(weakest_elo()));
    const Level weakest = measured_levels().front();
    EXPECT_EQ(log_.made_with.back().evaluation_noise, weakest.noise);
    EXPECT_EQ(go({MoveTimeLimit{Milliseconds(100)}}).find<NodeLimit>()->nodes, weakest.nodes);
    EXPECT_EQ(go({NodeLimit{10}}).find<NodeLimit>()->nodes, 10U);
    // Against a bare king, and once it has seen a mate, it pays attention.
    stand_at("8/8/8/4k3/8/8/8/KQ5Q w - - 0 1");
    EXPECT_EQ(go({DepthLimit{9}}).find<NodeLimit>()->nodes, kFinishingNodes);
    stand_at("8/8/8/4k3/8/8/p7/KQ6 w - - 0 1");
    EXPECT_EQ(go({DepthLimit{9}}).find<NodeLimit>()->nodes, weakest.nodes);
    log_.score = chess::Score::mate_in(5);
    go({DepthLimit{9}});
    EXPECT_EQ(go({DepthLimit{9}}).find<NodeLimit>()->nodes, kFinishingNodes);
    engine_->new_game();
    EXPECT_EQ(go({DepthLimit{9}}).find<NodeLimit>()->nodes, weakest.nodes);
    // Other games, other errors; the same again from the same seed.
    set("Seed", "5");
    const auto first = log_.made_with.back().noise_seed;
    engine_->new_game();
    EXPECT_NE(log_.made_with.back().noise_seed, first);
    set("Seed", "5");
    EXPECT_EQ(log_.made_with.back().noise_seed, first);

    set("UCI_LimitStrength", "false");
    EXPECT_FALSE(go({DepthLimit{9}}).find<NodeLimit>());
}

TEST_F(EngineGo, PlaysFromTheBookWhenItMay) {
    const tests::TemporaryFolder folder;
    const auto path = folder / "one.bin";
    const chess::Position start;
    // Two moves, of which the second must come three times as often; key of the Polyglot format's example.
    const auto e4 = chess::Move(chess::E2, chess::E4);
    const auto d4 = chess::Move(chess::D2, chess::D4);
    ASSERT_TRUE(games::write_book(path, {{0x463b96181691fc9c, games::to_book_move(e4), 1, 0},
                                         {0x463b96181691fc9c, games::to_book_move(d4), 3, 0}}));
    set("BookFile", path.string());
    go({DepthLimit{1}});
    EXPECT_EQ(log_.limits.size(), 1U);  // off by default: the search was asked
    set("OwnBook", "true");
    set("Seed", "1");
    int queens_pawn = 0;
    for (int i = 0; i < 400; ++i)
        queens_pawn += engine_->search({{DepthLimit{1}}, {}, {}}, silent_).best == d4;
    EXPECT_EQ(log_.limits.size(), 1U);
    EXPECT_NEAR(queens_pawn, 300, 45);  // five standard deviations
    // Analysis is not answered from the book.
    go({MateLimit{1}});
    EXPECT_EQ(log_.limits.size(), 2U);
    set("UCI_AnalyseMode", "true");
    go({DepthLimit{1}});
    EXPECT_EQ(log_.limits.size(), 3U);
    EXPECT_FALSE(engine_->set_option("BookFile", (folder / "none.bin").string()));
    set("UCI_AnalyseMode", "false");
    go({DepthLimit{1}});
    EXPECT_EQ(log_.limits.size(), 3U);  // the old book stays
}

TEST_F(EngineGo, TablesThatDoNotOpenLeaveTheOldOnes) {
    const auto path = tests::test_data("syzygy").string();
    set("SyzygyPath", path);
    ASSERT_TRUE(log_.made_with.back().tablebases.tables);
    const auto refused = engine_->set_option("SyzygyPath", path + "/none");
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("option SyzygyPath"), std::string::npos);
    EXPECT_EQ(refused.error().message.find('\n'), std::string::npos);
    ASSERT_TRUE(log_.made_with.back().tablebases.tables);
    EXPECT_EQ(log_.made_with.back().tablebases.tables->path(), path);
    set("SyzygyPath", "<empty>");
    EXPECT_FALSE(log_.made_with.back().tablebases.tables);
}

TEST(Engine, EverySystemPlaysWholeGames) {
    for (const Preset& preset : standard_presets()) {
        const auto engine = std::move(*Engine::create());
        ASSERT_TRUE(engine->set_option("System", preset.name));
        search::Observer silent;
        chess::Line line;
        while (line.terminal() == chess::Terminal::None && line.ply() < 120) {
            engine->set_line(line);
            const auto result = engine->search({{NodeLimit{200}}, {}, {}}, silent);
            ASSERT_TRUE(chess::legal_moves(line.current()).contains(result.best)) << preset.name;
            line.push(result.best);
        }
    }
    const auto engine = std::move(*Engine::create());
    const auto refused = engine->set_option("System", "deep blue");
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("expected scholar, oneply or random"), std::string::npos);
}

// The same nodes again, whatever was searched in between.
TEST(Engine, TheSameNodesComeAgainAfterANewGame) {
    const auto engine = std::move(*Engine::create());
    search::Observer silent;
    const auto nodes = [&](int depth) {
        engine->new_game();
        engine->set_line(chess::Line());
        std::uint64_t sum = 0;
        // A few moves of a game: what one search leaves in the table, the next one finds.
        for (int i = 0; i < 3; ++i) {
            const auto result = engine->search({{DepthLimit{depth}}, {}, {}}, silent);
            sum = sum * 31 + result.counters.nodes;
            chess::Line next = engine->line();
            next.push(result.best);
            engine->set_line(next);
        }
        return sum;
    };
    for (const int depth : {2, 4, 6, 8}) {
        const auto first = nodes(depth);
        nodes(3);
        EXPECT_EQ(nodes(depth), first) << depth;
    }
}

TEST(Strength, LevelsAreInterpolatedBetweenThePoints) {
    const auto points = measured_levels();
    ASSERT_EQ(points.size(), 4U);
    for (const Level& point : points) {
        EXPECT_EQ(level_for(point.elo).nodes, point.nodes);
        EXPECT_EQ(level_for(point.elo).noise, point.noise);
    }
    EXPECT_EQ(level_for(-500).nodes, points.front().nodes);
    EXPECT_EQ(level_for(9'000).nodes, points.back().nodes);
    // Never weaker by asking for more.
    for (int elo = weakest_elo(); elo < strongest_elo(); ++elo) {
        EXPECT_LE(level_for(elo).nodes, level_for(elo + 1).nodes) << elo;
        EXPECT_GE(level_for(elo).noise, level_for(elo + 1).noise) << elo;
    }
    const Level& low = points[1];
    const Level& high = points[2];
    const Level middle = level_for((low.elo + high.elo) / 2);
    EXPECT_NEAR(static_cast<double>(middle.nodes * middle.nodes), static_cast<double>(low.nodes * high.nodes),
                0.01 * static_cast<double>(low.nodes * high.nodes));
}

}  // namespace
}  // namespace scholar::engine
