#include <atomic>
#include <fmt/format.h>
#include <future>
#include <gtest/gtest.h>
#include <semaphore>

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
    EngineGo() : engine_(std::move(*Engine::create(tests::fake_players(log_)))) {}

    void set(std::string_view name, std::string_view value) {
        const auto status = engine_->set_option(name, value);
        EXPECT_TRUE(status) << (status ? "" : status.error().message);
        EXPECT_TRUE(engine_->prepare());
    }
    // The limits that the search got.
    const Limits& go(std::vector<Limit> limits) {
        engine_->search({std::move(limits), {}, Milliseconds(10)}, silent_);
        return log_.limits.back();
    }
    static chess::Move first_move(const chess::Position& position) {
        return allowed_moves(position, {}).front();  // as the fake search plays
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
    set("MtdfConvergence", "7");
    const Limits& limits = go({DepthLimit{3}});
    EXPECT_EQ(limits.multi_pv, 3);
    EXPECT_EQ(limits.move_overhead, Milliseconds(77));
    EXPECT_EQ(limits.nodes_per_second, 0U);
    const AlphaBetaOptions& made = log_.made_with.back();
    EXPECT_EQ(made.threads, 4);
    EXPECT_EQ(made.convergence, 7);
    EXPECT_EQ(made.tablebases.min_depth, 5);
    EXPECT_EQ(made.tablebases.max_pieces, 4);
    EXPECT_FALSE(made.tablebases.fifty_move_rule);
    EXPECT_EQ(made.evaluation_noise, 0);
}

// Whether the answer came while it was wanted, and not before. The search itself has found all there is.
TEST_F(EngineGo, PonderingEndsWithTheHitOrAStop) {
    struct : Observer {
        std::binary_semaphore found{0};
        void on_end(const SearchResult&) override { found.release(); }
    } observer;
    log_.finds_all = true;
    std::atomic<bool> wanted = false;
    int answers = 0;
    const auto ponder = [&] {
        wanted = false;
        engine_->go({{PonderLimit{}, DepthLimit{1}}, {}, {}}, observer, [&](const auto&) {
            ++answers;
            EXPECT_TRUE(wanted);
        });
        observer.found.acquire();
    };
    for (int round = 0; round < 40; ++round) {
        ponder();
        wanted = true;
        round % 2 == 0 ? engine_->ponder_hit() : engine_->stop();
        engine_->wait();
        EXPECT_EQ(answers, round + 1);
    }
    // A hit that nothing waits for changes nothing for the next one.
    engine_->ponder_hit();
    ponder();
    wanted = true;
    engine_->finish();
    EXPECT_EQ(answers, 41);
}

// Stockfish's meaning of nodestime: the clock of the first move is all there is, and only nodes use it up.
TEST_F(EngineGo, ABudgetOfNodesIsKeptForTheWholeGame) {
    set("nodestime", "100");
    log_.counters.nodes = 30'000;
    const auto clock = [&](long remaining, std::optional<int> moves_to_go = std::nullopt) {
        const Limits& limits = go({ClockLimit{Milliseconds(remaining), Milliseconds(50), moves_to_go}});
        EXPECT_EQ(limits.nodes_per_second, 100'000U);
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

// Only a move of the game costs anything, and every one gets its increment.
TEST_F(EngineGo, WhatIsNoMoveCostsNoBudget) {
    set("nodestime", "100");
    log_.counters.nodes = 30'000;
    const ClockLimit clock{Milliseconds(10'000), Milliseconds(50), std::nullopt};
    const auto left = [&] { return go({clock}).find<ClockLimit>()->remaining.count(); };
    EXPECT_EQ(left(), 10'000);
    go({DepthLimit{3}});
    go({MateLimit{3}, clock});
    engine_->go({{clock, InfiniteLimit{}}, {}, {}}, silent_, [](const auto&) {});
    engine_->finish();
    engine_->go({{PonderLimit{}, clock}, {}, {}}, silent_, [](const auto&) {});
    engine_->finish();  // a miss
    EXPECT_EQ(left(), 9'750);
    engine_->go({{PonderLimit{}, clock}, {}, {}}, silent_, [](const auto&) {});
    engine_->ponder_hit();
    engine_->wait();
    EXPECT_EQ(left(), 9'250);
    // A mate that needs no search takes one node.
    stand_at("8/8/8/4k3/8/8/8/KR6 w - - 0 1");
    go({clock});
    stand_at("8/8/8/4k3/8/8/p7/KR6 w - - 0 1");
    EXPECT_EQ(left(), 9'000 + 49);  // 904,999 nodes and more
}

TEST_F(EngineGo, AWeakPlayerHasFewNodesAndErrs) {
    set("UCI_LimitStrength", "true");
    set("UCI_Elo", std::to_string(weakest_elo()));
    const Level weakest = levels().front();
    EXPECT_EQ(log_.made_with.back().evaluation_noise, weakest.noise);
    EXPECT_EQ(go({MoveTimeLimit{Milliseconds(100)}}).find<NodeLimit>()->nodes, weakest.nodes);
    EXPECT_EQ(go({NodeLimit{10}}).find<NodeLimit>()->nodes, 10U);
    // Against a bare king, and once it has seen a mate, it pays attention.
    stand_at("8/8/8/4k3/8/8/8/KQ5Q w - - 0 1");
    EXPECT_EQ(go({DepthLimit{9}}).find<NodeLimit>()->nodes, kFinishingNodes);
    stand_at("8/7p/8/4k3/8/8/p7/KQ6 w - - 0 1");
    EXPECT_EQ(go({DepthLimit{9}}).find<NodeLimit>()->nodes, weakest.nodes);
    log_.score = chess::Score::mate_in(5);
    const auto nodes_of = [&](std::vector<Limit> limits) {
        return go(std::move(limits)).find<NodeLimit>()->nodes;
    };
    EXPECT_EQ(nodes_of({DepthLimit{9}}), weakest.nodes);
    const chess::Line before = engine_->line();
    chess::Line next = before;
    next.push(first_move(before.current()));
    next.push(first_move(next.current()));
    engine_->set_line(next);
    EXPECT_EQ(nodes_of({DepthLimit{9}}), kFinishingNodes);
    // As a position of its own it is the same.
    engine_->set_line(before);
    go({DepthLimit{9}});
    engine_->set_line(chess::Line(next.current()));
    EXPECT_EQ(nodes_of({DepthLimit{9}}), kFinishingNodes);
    // Not elsewhere, and not for what was analysed, or pondered in vain.
    stand_at("8/7p/8/8/4k3/8/p7/K5Q1 w - - 0 1");
    EXPECT_EQ(nodes_of({DepthLimit{9}}), weakest.nodes);
    engine_->set_line(before);
    log_.score = chess::Score(0);
    go({DepthLimit{9}});
    log_.score = chess::Score::mate_in(5);
    go({MateLimit{5}});
    engine_->go({{PonderLimit{}, DepthLimit{9}}, {}, {}}, silent_, [](const auto&) {});
    engine_->finish();
    engine_->set_line(next);
    EXPECT_EQ(nodes_of({DepthLimit{9}}), weakest.nodes);
    engine_->set_line(before);
    go({DepthLimit{9}});
    engine_->new_game();
    engine_->set_line(next);
    EXPECT_EQ(nodes_of({DepthLimit{9}}), weakest.nodes);
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
    // Its record is as whole as a search's.
    const auto result = engine_->search({{DepthLimit{1}}, {}, {}}, silent_);
    ASSERT_EQ(result.lines.size(), 1U);
    EXPECT_EQ(result.lines.front().variation, result.principal_variation);
    EXPECT_EQ(result.leaf_kind, LeafKind::Exact);
    EXPECT_EQ(result.leaf.key(), engine_->line().current().after(result.best).key());
    engine_->set_line(chess::Line(result.leaf));
    EXPECT_EQ(result.score, -*engine_->evaluate());
    EXPECT_EQ(result.lines.front().score, result.score);
    ASSERT_EQ(result.root_distribution.size(), 1U);
    EXPECT_EQ(result.root_distribution.front(), std::pair(result.best, 1.0));
    engine_->set_line(chess::Line());
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

// King and rook against king, in 15 moves; whether the search was asked.
class LoneKingGo : public EngineGo {
  protected:
    static constexpr const char* kRook = "8/8/8/4k3/8/8/8/KR6 w - - {} 100";
    bool searches(const Limit& limit) {
        const std::size_t before = log_.limits.size();
        result_ = engine_->search({{limit}, {}, {}}, silent_);
        return log_.limits.size() > before;
    }
    void stand_with_clock(int halfmove_clock) {
        stand_at(fmt::format(fmt::runtime(kRook), halfmove_clock).c_str());
    }
    static constexpr MoveTimeLimit kLong{Milliseconds(60'000)};
    static constexpr MoveTimeLimit kShort{Milliseconds(10)};
    SearchResult result_;
};

TEST_F(LoneKingGo, IsPlayedFromTheEnding) {
    stand_with_clock(0);
    EXPECT_FALSE(searches(kLong));
    ASSERT_TRUE(result_.score->is_mate());
    EXPECT_EQ(result_.principal_variation.size(), static_cast<std::size_t>(result_.score->plies_to_mate()));
    ASSERT_EQ(result_.lines.size(), 1U);
    EXPECT_EQ(result_.lines.front().variation, result_.principal_variation);
    EXPECT_EQ(result_.lines.front().score, result_.score);
    ASSERT_EQ(result_.root_distribution.size(), 1U);
    EXPECT_EQ(result_.root_distribution.front(), std::pair(result_.best, 1.0));
    EXPECT_TRUE(result_.leaf.in_check() && !chess::has_legal_move(result_.leaf));
}

TEST_F(LoneKingGo, NoMateIsAnnouncedThatTheRulesForbid) {
    stand_with_clock(0);
    EXPECT_FALSE(searches(kLong));
    const int plies = result_.score->plies_to_mate();
    const chess::Move best = result_.best;
    stand_with_clock(100 - plies);  // mate with the last half-move that may be
    EXPECT_FALSE(searches(kLong));
    stand_with_clock(100 - plies + 1);
    EXPECT_TRUE(searches(kLong));
    stand_with_clock(100);
    EXPECT_TRUE(searches(kLong));

    // The position after the best move, with which this game begins, comes a second time and a third.
    chess::Line line(chess::parse_fen(fmt::format(fmt::runtime(kRook), 0))->after(best));
    const auto make = [&](chess::Square from, chess::Square to) {
        const chess::Move move(from, to);
        ASSERT_TRUE(chess::legal_moves(line.current()).contains(move));
        line.push(move);
    };
    const auto go_round = [&] {
        make(chess::E5, chess::D5);
        make(best.to(), best.from());
        make(chess::D5, chess::E5);
    };
    go_round();
    engine_->set_line(line);
    EXPECT_FALSE(searches(kLong));
    ASSERT_EQ(result_.best, best);
    line.push(best);
    go_round();
    engine_->set_line(line);
    EXPECT_TRUE(searches(kLong));
}

TEST_F(LoneKingGo, IsNotSolvedInAHurry) {
    stand_with_clock(0);
    EXPECT_TRUE(searches(kShort));
    EXPECT_TRUE(searches(ClockLimit{Milliseconds(500), Milliseconds(0), std::nullopt}));
    EXPECT_FALSE(searches(DepthLimit{3}));
    // Once solved it takes no time, and the other ending does not push it out.
    stand_at("8/8/8/4k3/8/8/8/KQ6 w - - 0 1");
    EXPECT_TRUE(searches(kShort));
    EXPECT_FALSE(searches(NodeLimit{10}));
    EXPECT_FALSE(searches(kShort));
    stand_with_clock(0);
    EXPECT_FALSE(searches(kShort));
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
    const Players players = standard_players();
    std::vector<std::pair<std::string, std::string>> choices;
    for (const System& system : players.systems) choices.emplace_back("System", system.name);
    for (const SearchKind& search : players.searches) choices.emplace_back("Search", search.name);
    for (const auto& [option, value] : choices) {
        const auto engine = std::move(*Engine::create());
        ASSERT_TRUE(engine->set_option(option, value));
        // What a search needs and the system scholar has not.
        if (const SearchKind* kind = option == "Search" ? players.find_search(value) : nullptr)
            for (const evaluators::Need& need : kind->needs) {
                if (need.role == evaluators::Role::Policy) {
                    ASSERT_TRUE(engine->set_option("PolicyFile", "<random:1>"));
                } else if (need.role == evaluators::Role::Order) {
                    ASSERT_TRUE(engine->set_option("OrderFile", "<order:<embedded>>"));
                }
            }
        ASSERT_TRUE(engine->prepare()) << value;
        search::Observer silent;
        chess::Line line;
        while (line.terminal() == chess::Terminal::None && line.ply() < 120) {
            engine->set_line(line);
            const auto result = engine->search({{NodeLimit{200}}, {}, {}}, silent);
            ASSERT_TRUE(chess::legal_moves(line.current()).contains(result.best)) << value;
            line.push(result.best);
        }
    }
    const auto engine = std::move(*Engine::create());
    const auto refused = engine->set_option("System", "deep blue");
    ASSERT_FALSE(refused);
    EXPECT_NE(
        refused.error().message.find(
            "expected scholar, knightcap, giraffe, convchess, rl-in-chess, deepchess, oneply or random"),
        std::string::npos);
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
    const auto points = levels();
    ASSERT_GE(points.size(), 4U);
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
    for (std::size_t i = 1; i < points.size(); ++i) {
        const Level& low = points[i - 1];
        const Level& high = points[i];
        const Level between = level_for(low.elo + (high.elo - low.elo) / 3);
        const double share = static_cast<double>((high.elo - low.elo) / 3) / (high.elo - low.elo);
        const double nodes = std::pow(static_cast<double>(low.nodes), 1 - share) *
                             std::pow(static_cast<double>(high.nodes), share);
        EXPECT_NEAR(static_cast<double>(between.nodes), nodes, 1);
        EXPECT_NEAR(between.noise, (1 - share) * low.noise + share * high.noise, 1e-6);
    }
}

}  // namespace
}  // namespace scholar::engine
