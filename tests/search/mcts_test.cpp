// How the Monte-Carlo tree search plays: limits, draws, lines, what is wrong and what is over.

#include "search/mcts/mcts.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "chess/movegen.hpp"
#include "mcts_fixture.hpp"
#include "nets/container/open_network.hpp"
#include "support/test_data.hpp"

namespace scholar::search {
namespace {

using namespace chess;
using namespace mcts_tests;

class MctsPlay : public MctsTest {};

TEST_F(MctsPlay, TheRootsVisitsAreThoseAskedForAndTheSameAgain) {
    for (const std::size_t capacity : {1U, 32U}) {
        const auto one = search(lots(), capacity);
        const auto other = search(lots(), capacity);
        for (const std::uint64_t nodes : {1U, 2U, 5U, 100U, 1'000U, 5'000U}) {
            one->new_game();
            const auto first = run(*one, at(kMiddlegame), nodes);
            EXPECT_EQ(first.counters.nodes, nodes);
            std::uint64_t sum = 0;
            for (const auto& [move, visits] : visits_of(first)) sum += static_cast<std::uint64_t>(visits);
            EXPECT_EQ(sum, nodes);
            other->new_game();
            const auto again = run(*other, at(kMiddlegame), nodes);
            EXPECT_EQ(again.root_distribution, first.root_distribution);
            EXPECT_EQ(again.score, first.score);
            EXPECT_EQ(again.principal_variation, first.principal_variation);
            // The most visited, and of equals the better.
            for (const auto& [move, share] : first.root_distribution)
                EXPECT_LE(share, first.root_distribution.front().second);
            EXPECT_EQ(first.best, first.root_distribution.front().first);
            EXPECT_EQ(first.leaf_kind, LeafKind::CutShort);
            EXPECT_EQ(first.root_share, RootShare::Visits);
        }
    }
}

TEST_F(MctsPlay, PlaysLegalMovesWherever) {
    const auto search = this->search(lots(), 16);
    base::Random random(11);
    for (int game = 0; game < (tests::kSanitized ? 2 : 10); ++game) {
        Line line;
        search->new_game();
        while (line.terminal() == Terminal::None && line.ply() < 150) {
            const MoveList moves = legal_moves(line.current());
            const auto result = run(*search, line, random.below(60));
            ASSERT_TRUE(moves.contains(result.best));
            Line variation = line;
            for (const Move move : result.principal_variation) {
                ASSERT_TRUE(legal_moves(variation.current()).contains(move));
                variation.push(move);
            }
            EXPECT_EQ(result.leaf.key(), variation.current().key());
            line.push(random.below(2) == 0
                          ? result.best
                          : moves[static_cast<int>(random.below(static_cast<std::uint64_t>(moves.size())))]);
        }
    }
}

TEST_F(MctsPlay, DrawsByRuleAreDraws) {
    // Whoever is to move is said to be winning.
    const auto optimist = search([](const Line&, const MoveList& moves) { return even(0.95, moves); });
    const auto expect_draw = [&](const Line& line, std::vector<Move> only, int nodes) {
        optimist->new_game();
        const auto result = run(*optimist, line, static_cast<std::uint64_t>(nodes), std::move(only));
        EXPECT_EQ(result.score, Score::draw()) << to_fen(line.current());
        EXPECT_EQ(result.leaf_kind, LeafKind::Draw);
    };
    expect_draw(at("7k/8/8/6Q1/8/8/8/K7 w - - 0 1"), {Move(G5, G6)}, 10);   // stalemate
    expect_draw(at("7k/8/8/8/8/8/6p1/7K w - - 0 1"), {Move(H1, G2)}, 10);   // bare kings
    expect_draw(at("7k/8/8/8/8/8/R7/K7 w - - 99 80"), {Move(A2, B2)}, 10);  // fifty moves
    // Back to where it came from within the search: a draw at the first repetition, since both may repeat.
    Line line = at("7k/8/8/8/8/8/R7/K7 w - - 0 1");
    for (const Move move : {Move(A2, B2), Move(H8, G8), Move(B2, A2)}) line.push(move);
    const auto once = run(*optimist, line, 10, {Move(G8, H8)});
    EXPECT_NE(once.score, Score::draw());  // once before the root: not yet
    line.push(Move(G8, H8));
    for (const Move move : {Move(A2, B2), Move(H8, G8), Move(B2, A2)}) line.push(move);
    expect_draw(line, {Move(G8, H8)}, 10);  // the third time
}

TEST_F(MctsPlay, OnlyTheMovesThatAreAskedFor) {
    const auto search = this->search(lots(), 4);
    run(*search, Line(), 500);
    const auto result = run(*search, Line(), 200, {Move(A2, A3), Move(H2, H4)});
    EXPECT_TRUE(result.best == Move(A2, A3) || result.best == Move(H2, H4));
    EXPECT_EQ(result.root_distribution.size(), 2U);
    EXPECT_EQ(result.counters.nodes, 200U);
    EXPECT_EQ(run(*search, Line(), 5, {Move(A2, A3)}).best, Move(A2, A3));
    // A mate is not found where it may not be played, and the search ends where all that may is lost.
    const Line mate = at("6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1");
    EXPECT_EQ(run(*search, mate, 500).score, Score::mate_in(1));
    EXPECT_FALSE(run(*search, mate, 100, {Move(G1, F1)}).score->is_mate());
}

TEST_F(MctsPlay, SeveralLines) {
    const auto search = this->search(lots());
    const auto result = run(*search, at(kMiddlegame), 2'000, {}, 4);
    ASSERT_EQ(result.lines.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(result.lines[i].variation.front(), result.root_distribution[i].first);
        EXPECT_TRUE(result.lines[i].score);
    }
    search->new_game();
    EXPECT_EQ(run(*search, at("7k/8/6Q1/8/8/8/8/K7 w - - 0 1"), 300, {}, 300).lines.size(),
              static_cast<std::size_t>(legal_moves(*parse_fen("7k/8/6Q1/8/8/8/8/K7 w - - 0 1")).size()));
}

TEST_F(MctsPlay, WhereTheGameIsOver) {
    const auto search = this->search(lots());
    const auto stalemate = run(*search, at("7k/8/6Q1/8/8/8/8/K7 b - - 0 1"), 10);
    EXPECT_FALSE(stalemate.best);
    EXPECT_EQ(stalemate.leaf_kind, LeafKind::Draw);
    EXPECT_EQ(run(*search, at("R5k1/8/6K1/8/8/8/8/8 b - - 0 1"), 10).score, Score::mated_in(0));
    // A draw that nobody has claimed is played on.
    EXPECT_TRUE(run(*search, at("7k/8/8/8/8/8/R7/K7 w - - 120 90"), 10).best);
    EXPECT_TRUE(seen_.asked_in_vain == 0);
    // All moves lose.
    const auto lost = run(*search, at("7k/8/6K1/8/8/8/8/R7 b - - 0 1"), 1'000);
    EXPECT_EQ(lost.score, Score::mated_in(2));
    EXPECT_LT(lost.counters.nodes, 1'000U);
}

TEST_F(MctsPlay, StopsWhenItIsTold) {
    std::stop_source stop;
    stop.request_stop();
    const auto search = this->search(lots(), 4);
    const auto result = search->run(Line(), {{InfiniteLimit{}}, {}, {}}, stop.get_token(), silent_);
    EXPECT_TRUE(legal_moves(Position()).contains(result.best));
    // From within: the observer stops it at the sixth iteration.
    struct Stopper : Observer {
        std::stop_source source;
        int last = 0;
        void on_iteration(const Iteration& iteration) override {
            last = iteration.depth;
            if (iteration.depth >= 6) source.request_stop();
        }
    } stopper;
    search->new_game();
    const auto stopped =
        search->run(Line(), {{InfiniteLimit{}}, {}, {}}, stopper.source.get_token(), stopper);
    EXPECT_EQ(stopper.last, stopped.counters.depth);
    EXPECT_LT(stopped.counters.nodes, 256U);
}

// Time in nodes, so that nothing is measured.
TEST_F(MctsPlay, KeepsItsLimits) {
    const auto search = this->search(lots(), 4);
    const auto nodes = [&](std::vector<Limit> given) {
        Limits limits{std::move(given), {}, Milliseconds(0)};
        limits.nodes_per_second = 1'000;
        search->new_game();
        return search->run(at(kMiddlegame), limits, {}, silent_).counters.nodes;
    };
    EXPECT_NEAR(static_cast<double>(nodes({MoveTimeLimit{Milliseconds(700)}})), 700, 4);
    EXPECT_EQ(nodes({DepthLimit{7}}), 128U);
    EXPECT_EQ(nodes({DepthLimit{7}, NodeLimit{50}}), 50U);
    const auto clock = nodes({ClockLimit{Milliseconds(60'000), Milliseconds(0), std::nullopt}});
    EXPECT_LT(clock, 10'000U);
    EXPECT_GT(clock, 100U);
    std::stop_source hit;
    EXPECT_EQ(nodes({PonderLimit{hit.get_token()}, MoveTimeLimit{Milliseconds(10)}, NodeLimit{900}}), 900U);
    hit.request_stop();
    EXPECT_LT(nodes({PonderLimit{hit.get_token()}, MoveTimeLimit{Milliseconds(10)}, NodeLimit{900}}), 20U);
    // On the clock nobody thinks about the only move.
    Limits limits{{ClockLimit{Milliseconds(60'000), Milliseconds(0), std::nullopt}}, {}, Milliseconds(0)};
    limits.nodes_per_second = 1'000;
    EXPECT_LT(search->run(at("7k/8/8/8/8/5p2/1r6/K7 w - - 0 1"), limits, {}, silent_).counters.nodes, 10U);
}

// However sharp the policy is made: powers of small numbers are smaller than there are numbers for.
TEST_F(MctsPlay, TheLikeliestMoveComesFirstAtAnyTemperature) {
    const Line line = at(kMiddlegame);
    const MoveList moves = legal_moves(line.current());
    const Opinion opinion = by_lot(line.current(), moves);
    const auto likeliest = std::ranges::max_element(opinion.probabilities) - opinion.probabilities.begin();
    for (const double temperature : {1.0, 0.1, 0.02, 0.01}) {
        MctsOptions options;
        options.exploration.policy_temperature = temperature;
        EXPECT_EQ(run(*search(lots(), 1, options), line, 1).best, moves[static_cast<int>(likeliest)]);
    }
}

TEST_F(MctsPlay, LooksForAMateInSoManyMoves) {
    const auto search = this->search(lots());
    const Line line = at("7k/8/5K2/8/8/8/8/6R1 w - - 0 1");
    const auto found = search->run(line, {{MateLimit{2}}, {}, {}}, {}, silent_);
    EXPECT_EQ(found.score, Score::mate_in(3));
    const auto none = search->run(Line(), {{MateLimit{1}}, {}, {}}, {}, silent_);
    EXPECT_TRUE(none.best);
    EXPECT_FALSE(none.score->is_mate());
    // What trying everything cost is of the same nodes.
    const auto within = search->run(at(kMiddlegame), {{MateLimit{5}, NodeLimit{1'000}}, {}, {}}, {}, silent_);
    EXPECT_LE(within.counters.nodes, 1'000U);
    EXPECT_GT(within.counters.nodes, 500U);
}

TEST_F(MctsPlay, SaysWhatIsWrongWithAnOpinionAndPlaysAllTheSame) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    using Spoil = std::function<void(Opinion&)>;
    for (const auto& [spoil, part] : std::vector<std::pair<Spoil, std::string>>{
             {[](Opinion& o) { o.probabilities[0] = kNan; }, "is nan, expected one from 0 to 1"},
             {[](Opinion& o) { o.probabilities[0] = -0.5F; }, "is -0.5, expected"},
             {[](Opinion& o) { o.probabilities.pop_back(); }, "probabilities of moves, expected"},
             {[](Opinion& o) { std::ranges::fill(o.probabilities, 0.0F); }, "of all moves are 0"},
             {[](Opinion& o) { o.wdl.reset(); }, "the expected result is missing"},
             {[](Opinion& o) { o.wdl = Wdl{kNan, 0, 0}; }, "the expected result is nan"}})
        for (const int good : {0, 1, 40}) {
            int asked = 0;
            const auto search = this->search(
                [&](const Line& line, const MoveList& moves) {
                    Opinion opinion = by_lot(line.current(), moves);
                    if (asked++ >= good) spoil(opinion);
                    return opinion;
                },
                8);
            const auto result = run(*search, at(kMiddlegame), 300);
            EXPECT_NE(result.trouble.find(part), std::string::npos) << result.trouble;
            EXPECT_EQ(result.trouble.find('\n'), std::string::npos);
            EXPECT_TRUE(parse_fen(result.trouble.substr(0, result.trouble.find(':')))) << result.trouble;
            EXPECT_TRUE(legal_moves(*parse_fen(kMiddlegame)).contains(result.best));
            EXPECT_EQ(result.score.has_value(), good > 0);
            // Put right, it plays on.
            asked = -1'000;
            EXPECT_EQ(run(*search, at(kMiddlegame), 300).trouble, "");
        }
    // A single move without a chance is nothing wrong.
    const auto search = this->search([](const Line& line, const MoveList& moves) {
        Opinion opinion = by_lot(line.current(), moves);
        opinion.probabilities[0] = 0;
        return opinion;
    });
    EXPECT_EQ(run(*search, at(kMiddlegame), 300).trouble, "");
}

// An evaluation that fails, with batches in between.
TEST_F(MctsPlay, AnEvaluationThatFailsEndsTheSearch) {
    const std::string file = testing::TempDir() + "mcts_test_opinions.jsonl";
    std::filesystem::remove(file);
    const auto policy = *nets::open_network("<random:1>");
    {
        const auto recorded = *nets::open_network("<record:" + file + ",<embedded>>");
        const auto result = run(*make_mcts(recorded, policy).value(), at(kMiddlegame), 50);
        EXPECT_EQ(result.trouble, "");
        // What was recorded is enough for the same search, and for no longer one.
        const auto replayed = *nets::open_network("<replay:" + file + ">");
        const auto again = make_mcts(replayed, policy).value();
        const auto same = run(*again, at(kMiddlegame), 50);
        EXPECT_EQ(same.trouble, "");
        EXPECT_EQ(same.root_distribution, result.root_distribution);
        EXPECT_EQ(same.score, result.score);
        const auto more = run(*again, at(kMiddlegame), 50);
        EXPECT_NE(more.trouble.find("not among the recorded opinions"), std::string::npos);
        EXPECT_TRUE(legal_moves(*parse_fen(kMiddlegame)).contains(more.best));
    }
    std::filesystem::remove(file);
}

TEST_F(MctsPlay, RefusesNetworksWithoutValueOrPolicy) {
    const auto value = *nets::open_network("");
    const auto policy = *nets::open_network("<random:1>");
    EXPECT_TRUE(make_mcts(value, policy));
    const auto refusal = [](const auto& made) { return made ? std::string() : made.error().message; };
    EXPECT_NE(refusal(make_mcts(policy, policy)).find("expected a value"), std::string::npos);
    EXPECT_NE(refusal(make_mcts(value, value)).find("expected probabilities of moves"), std::string::npos);
}

TEST_F(MctsPlay, ValuesWhatIsQuiet) {
    const auto value = *nets::open_network("");
    const auto policy = *nets::open_network("<random:1>");
    MctsOptions options;
    options.exploration = default_exploration(value, true);
    const auto quiet = run(*make_mcts(value, policy, options).value(), at(kMiddlegame), 50);
    options.quiescence = false;
    const auto at_once = run(*make_mcts(value, policy, options).value(), at(kMiddlegame), 50);
    EXPECT_NE(quiet.score, at_once.score);
    EXPECT_NE(default_exploration(value, true).policy_temperature,
              default_exploration(value, false).policy_temperature);
    EXPECT_EQ(default_exploration(policy, true).policy_temperature, mcts::Exploration().policy_temperature);
}

// Knows nothing of chess: what it finds it has from the tables that ship.
TEST_F(MctsPlay, AsksEndgameTables) {
    auto tables = tablebases::Tablebases::open(tests::test_data("syzygy").string());
    ASSERT_TRUE(tables) << tables.error().message;
    MctsOptions options;
    options.tablebases.tables = std::move(*tables);
    const auto search = this->search(lots(), 4, options);
    // The root is in the tables.
    const auto won = run(*search, at("8/8/8/4k3/8/8/8/R3K3 w - - 0 1"), 200);
    EXPECT_TRUE(won.score->is_win());
    EXPECT_GT(won.counters.tablebase_hits, 0U);
    const auto drawn = run(*search, at("8/8/8/8/4k3/8/4P3/4K3 b - - 0 1"), 200);
    EXPECT_EQ(drawn.score, Score::draw());
    EXPECT_EQ(drawn.leaf_kind, LeafKind::Tablebase);
    // It is not, but what captures lead to is: taking the rook wins.
    const auto takes = run(*search, at("8/8/8/3k4/8/8/r7/R3K3 w - - 0 1"), 400);
    EXPECT_EQ(takes.best, Move(A1, A2));
    EXPECT_TRUE(takes.score->is_win());
    EXPECT_GT(takes.counters.tablebase_hits, 0U);
}

}  // namespace
}  // namespace scholar::search
