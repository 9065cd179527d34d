// Who plays, and how: options in any order, pairs that cannot be, and who plays on then.

#include "engine/players.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <gtest/gtest.h>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/uci_move.hpp"
#include "engine/built_in_books.hpp"
#include "engine/engine.hpp"
#include "evaluators/make.hpp"
#include "nets/container/open_network.hpp"
#include "nets/conv/conv_file.hpp"
#include "support/small_conv.hpp"

namespace scholar::engine {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

class PlayersTest : public testing::Test {
  protected:
    void set(const Settings& settings) {
        for (const auto& [name, value] : settings) {
            const auto status = engine_->set_option(name, value);
            EXPECT_TRUE(status) << (status ? "" : status.error().message);
        }
    }
    // Why who is asked for cannot be put together; "": it can.
    std::string refusal() {
        const auto status = engine_->prepare();
        return status ? "" : status.error().message;
    }
    search::SearchResult play(int nodes = 2'000) {
        search::Silence silent;
        engine_->set_line(chess::Line());
        return engine_->search({{search::NodeLimit{static_cast<std::uint64_t>(nodes)}}, {}, {}}, silent);
    }

    std::unique_ptr<Engine> engine_ = std::move(*Engine::create());
};

// Each setting by itself may be impossible: only all of them together count.
TEST_F(PlayersTest, OptionsComeInAnyOrder) {
    Settings settings{{"EvalFile", "<empty>"}, {"PolicyFile", "<random:3>"}, {"Search", "policy"}};
    std::ranges::sort(settings);
    std::vector<chess::Move> played;
    do {
        engine_ = std::move(*Engine::create());
        set(settings);
        EXPECT_EQ(refusal(), "");
        const auto result = play();
        played.push_back(result.best);
        EXPECT_FALSE(result.score);
        EXPECT_FALSE(engine_->evaluate());
    } while (std::ranges::next_permutation(settings).found);
    EXPECT_EQ(played.size(), 6U);
    EXPECT_EQ(std::ranges::count(played, played.front()), 6);
}

TEST_F(PlayersTest, AnImpossiblePairIsRefusedOnceAndTheLastGoodPlayerStays) {
    const auto before = play();
    for (const auto& [settings, part] : std::vector<std::pair<Settings, std::string>>{
             {{{"Search", "policy"}, {"PolicyFile", "<empty>"}},
              "Search policy needs probabilities of moves: PolicyFile is empty"},
             {{{"System", "oneply"}, {"Search", "policy"}, {"PolicyFile", "<embedded>"}},
              "PolicyFile is empty"},
             {{{"Search", "policy"}, {"PolicyFile", "<scholar-c81e6a60>"}},
              "PolicyFile is perspective 1: 768 → 256 × 2 → 1, clipped, which gives a value at leaves"},
             {{{"EvalFile", "<empty>"}}, "Search mtdf needs a value at leaves or values in batches"},
             {{{"EvalFile", "<random:1>"}}, "EvalFile is random policy of seed 1, which gives probabilities"},
             {{{"Search", "mcts"}, {"PolicyFile", "<empty>"}},
              "Search mcts needs probabilities of moves: PolicyFile is empty, expected a network that gives"},
             {{{"Search", "mcts"}, {"PolicyFile", "<scholar-c81e6a60>"}},
              "Search mcts needs probabilities of moves: PolicyFile is perspective 1"},
             {{{"Search", "mcts"}, {"PolicyFile", "<random:1>"}, {"EvalFile", "<empty>"}},
              "Search mcts needs a value at leaves or values in batches or chances to win, draw and lose: "
              "EvalFile is empty"},
             {{{"Search", "order"}}, "Search order needs an order of positions: OrderFile is empty"},
             {{{"System", "random"}, {"Search", "value"}}, "Search value needs"},
             {{{"PolicyFile", "<scholar-c81e6a60>"}}, "PolicyFile: perspective 1"}}) {
        engine_ = std::move(*Engine::create());
        set(settings);
        const std::string said = refusal();
        EXPECT_NE(said.find(part), std::string::npos) << said << ", expected " << part;
        EXPECT_EQ(said.find('\n'), std::string::npos);
        EXPECT_EQ(refusal(), "");  // it has been said
        const auto after = play();
        EXPECT_EQ(after.best, before.best);
        EXPECT_EQ(after.score, before.score);
        EXPECT_EQ(after.counters.nodes, before.counters.nodes);
        // What is put right is put together.
        set({{"System", "scholar"},
             {"Search", "value"},
             {"EvalFile", "<embedded>"},
             {"PolicyFile", "<embedded>"}});
        EXPECT_EQ(refusal(), "");
        EXPECT_EQ(play().counters.nodes, 20U);
    }
}

TEST_F(PlayersTest, AnOptionThatTheSearchDoesNotHeedIsNamedOnce) {
    set({{"Search", "value"}, {"UCI_LimitStrength", "true"}, {"Hash", "4"}});
    EXPECT_EQ(refusal(), "");
    EXPECT_EQ(engine_->take_notes(),
              std::vector<std::string>{"option UCI_LimitStrength means nothing to Search value"});
    play();
    EXPECT_TRUE(engine_->take_notes().empty());
    set({{"Search", "mtdf"}});
    EXPECT_EQ(refusal(), "");
    EXPECT_TRUE(engine_->take_notes().empty());
    set({{"Search", "value"}});
    EXPECT_EQ(refusal(), "");
    EXPECT_EQ(engine_->take_notes().size(), 1U);
}

TEST_F(PlayersTest, AStrengthThatNothingLimitsIsSaid) {
    set({{"UCI_Elo", "1500"}});
    EXPECT_EQ(refusal(), "");
    EXPECT_EQ(engine_->take_notes(),
              std::vector<std::string>{"option UCI_Elo means nothing without UCI_LimitStrength"});
    set({{"UCI_LimitStrength", "true"}});
    EXPECT_EQ(refusal(), "");
    EXPECT_TRUE(engine_->take_notes().empty());
}

// What a node's effort is counted in belongs to the table's drafts: where that changes, nothing there counts
// any more. PolicyMinNodes, PolicyUse and ThresholdBase come to the search.
TEST_F(PlayersTest, AnotherCostIsAnotherTable) {
    const auto first = play(3'000).counters.nodes;
    EXPECT_EQ(first, 3'000U);
    const auto result_of = [&](const Settings& settings) {
        set(settings);
        const auto result = play(3'000);
        EXPECT_EQ(refusal(), "");
        return result;
    };
    const auto plain = result_of({{"Search", "probability"}});
    const auto steep = result_of({{"ThresholdBase", "20"}});
    EXPECT_NE(steep.counters.selective_depth * 1000 + steep.counters.depth,
              plain.counters.selective_depth * 1000 + plain.counters.depth);
    const auto again = result_of({{"ThresholdBase", "30"}});
    EXPECT_EQ(again.principal_variation, plain.principal_variation);
    EXPECT_EQ(again.counters.depth, plain.counters.depth);
    result_of({{"PolicyFile", "<random:1>"}, {"PolicyUse", "probability"}, {"PolicyMinNodes", "50"}});
    const auto refused = engine_->set_option("PolicyUse", "always");
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("PolicyUse"), std::string::npos);
    const auto range = engine_->set_option("ThresholdBase", "1");
    ASSERT_FALSE(range);
    EXPECT_NE(range.error().message.find("1.5 to 100"), std::string::npos);
    set({{"Search", "naive-probability"}, {"PolicyUse", "order"}});
    EXPECT_EQ(refusal(), "");
    const auto notes = engine_->take_notes();
    EXPECT_NE(std::ranges::find(notes, "option PolicyUse means nothing to Search naive-probability"),
              notes.end());
}

// KnightCap's book is in the binary: it plays from it where it may, and nobody else does.
TEST_F(PlayersTest, ASystemPlaysFromItsOwnBook) {
    const auto book = open_book("<knightcap>");
    ASSERT_TRUE(book) << book.error().message;
    EXPECT_GT(book->positions(), 1'000U);
    book->walk(chess::Position(), [](const chess::Position&, const games::BookMoves& moves, int) {
        EXPECT_EQ(moves.illegal, 0U);
    });
    set({{"OwnBook", "true"}});
    EXPECT_GT(play(100).counters.nodes, 0U);
    set({{"System", "knightcap"}});
    EXPECT_EQ(play(100).counters.nodes, 0U);
    set({{"OwnBook", "false"}});
    EXPECT_GT(play(100).counters.nodes, 0U);
    set({{"System", "scholar"}, {"OwnBook", "true"}, {"BookFile", "<knightcap>"}});
    EXPECT_EQ(play(100).counters.nodes, 0U);
    const auto none = engine_->set_option("BookFile", "<none>");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().message, "option BookFile: no built-in book '<none>'; expected <knightcap>");
}

// Whoever plays on is who is asked what a position is worth, and by which network.
TEST_F(PlayersTest, TheNetworkIsThatOfWhoPlays) {
    const std::string own = engine_->network().content_name();
    set({{"EvalFile", "<empty>"}});
    ASSERT_TRUE(engine_->network());
    EXPECT_EQ(engine_->network().content_name(), own);
    EXPECT_TRUE(engine_->evaluate());
    // A network of another role that has values fills this one.
    const std::string file = testing::TempDir() + "players_test.jsonl";
    std::remove(file.c_str());
    set({{"OrderFile", "<record:" + file + ",<embedded>>"}});
    (void)engine_->prepare();
    EXPECT_EQ(refusal(), "");
    EXPECT_TRUE(play(200).score);
    std::remove(file.c_str());
}

// A small convolutional network of random weights, as a file.
std::string convolutional_file(nets::PlanesLayout input) {
    const std::string file =
        testing::TempDir() + "players_test_" + std::string(to_string(input)) + ".safetensors";
    EXPECT_TRUE(nets::save_network(file, tests::small_conv_network(input)));
    return file;
}

// What a network that reads the game so far says is asked with the game, not with the position alone; and it
// decides at no leaves.
TEST_F(PlayersTest, TheGameReachesANetworkThatReadsIt) {
    const std::string file = convolutional_file(nets::PlanesLayout::Lc0Classical112);
    set({{"Search", "policy"}, {"PolicyFile", file}});
    search::Silence silent;
    chess::Line game;
    for (const char* move : {"g1f3", "g8f6", "f3g1", "f6g8", "e2e4"})
        game.push(*chess::parse_uci_move(game.current(), move));
    const auto batch = *evaluators::make_batch(*nets::open_network(file));
    const auto ask = [&](const chess::Line& line) {
        batch->submit(line, chess::legal_moves(line.current()));
        std::vector<evaluators::Opinion> opinions;
        EXPECT_TRUE(batch->collect(opinions));
        return opinions.front();
    };
    const auto expected = ask(game);
    const auto best = std::ranges::max_element(expected.probabilities) - expected.probabilities.begin();
    engine_->set_line(game);
    const auto result = engine_->search({{search::NodeLimit{1}}, {}, {}}, silent);
    EXPECT_EQ(refusal(), "");
    EXPECT_EQ(result.best, chess::legal_moves(game.current())[static_cast<int>(best)]);
    EXPECT_FLOAT_EQ(static_cast<float>(result.root_distribution.front().second),
                    expected.probabilities[static_cast<std::size_t>(best)]);
    EXPECT_EQ(engine_->evaluate(), std::nullopt);
    const auto opinion = engine_->opinion();
    ASSERT_TRUE(opinion && *opinion);
    EXPECT_EQ((*opinion)->probabilities, expected.probabilities);
    EXPECT_NE((*opinion)->probabilities, ask(chess::Line(game.current())).probabilities);

    set({{"Search", "mtdf"}, {"EvalFile", file}});
    const std::string refused = refusal();
    EXPECT_NE(refused.find("Search mtdf keeps answers by position: EvalFile is residual 1: lc0-112"),
              std::string::npos)
        << refused;
    EXPECT_NE(refused.find("which reads the position's past too"), std::string::npos);
    std::filesystem::remove(file);
}

// What moves cost in a search that probability bounds is what its policy would choose by.
TEST_F(PlayersTest, ProbabilitiesAreThoseOfThePolicyThatPlays) {
    chess::Line game;
    for (const char* move : {"e2e4", "e7e5", "d1h5"}) game.push(*chess::parse_uci_move(game.current(), move));
    EXPECT_TRUE(engine_->probabilities()->empty());  // the default system has none
    set({{"System", "giraffe"}});
    engine_->set_line(game);
    const auto probabilities = engine_->probabilities();
    EXPECT_EQ(refusal(), "");
    ASSERT_TRUE(probabilities);
    const chess::MoveList moves = chess::legal_moves(game.current());
    ASSERT_EQ(probabilities->size(), static_cast<std::size_t>(moves.size()));
    set({{"Search", "policy"}});
    search::Silence silent;
    const auto result = engine_->search({{search::NodeLimit{1}}, {}, {}}, silent);
    EXPECT_EQ(refusal(), "");
    ASSERT_EQ(result.root_distribution.size(), probabilities->size());
    for (const auto& [move, share] : result.root_distribution) {
        const auto place = static_cast<std::size_t>(std::ranges::find(moves, move) - moves.begin());
        EXPECT_NEAR((*probabilities)[place], share, 1e-6);
    }
}

// One that reads a board alone decides at the leaves of alpha-beta, puts its moves in order, or does both.
TEST_F(PlayersTest, ANetworkOfOneBoardPlaysUnderAlphaBeta) {
    const std::string file = convolutional_file(nets::PlanesLayout::Board18);
    for (const Settings& settings :
         {Settings{{"EvalFile", file}}, {{"PolicyFile", file}}, {{"EvalFile", file}, {"PolicyFile", file}}}) {
        engine_ = std::move(*Engine::create());
        set(settings);
        const auto result = play(30);
        EXPECT_EQ(refusal(), "");
        EXPECT_TRUE(result.score);
        EXPECT_EQ(result.trouble, "");
    }
    std::filesystem::remove(file);
}

// Every option that a search says it heeds is one, and so is every one that is a search's affair.
TEST_F(PlayersTest, TablesAgree) {
    const Players players = standard_players();
    for (const SearchKind& search : players.searches)
        for (const std::string_view option : search.heeds) {
            EXPECT_TRUE(is_of_searches(option)) << option;
            EXPECT_NE(find_option(engine_->options(), option), nullptr) << option;
        }
    for (const System& system : players.systems) EXPECT_NE(players.find_search(system.search), nullptr);
}

// A tree search takes value and policy from two networks, or both from one, whatever role that is given.
TEST_F(PlayersTest, ATreeSearchTakesValueAndPolicyFromWhereTheyAre) {
    set({{"Search", "mcts"},
         {"PolicyFile", "<random:1>"},
         {"MinibatchSize", "4"},
         {"SyzygyProbeDepth", "3"}});
    EXPECT_EQ(refusal(), "");
    EXPECT_EQ(engine_->take_notes(),
              std::vector<std::string>{"option SyzygyProbeDepth means nothing to Search mcts"});
    const auto result = play(300);
    EXPECT_EQ(result.counters.nodes, 300U);
    EXPECT_TRUE(result.score);
    EXPECT_EQ(result.trouble, "");
    // What its options say comes to it.
    const auto narrow = [&](const std::string& cpuct) {
        engine_->new_game();
        set({{"CPuct", cpuct}});
        double most = 0;
        for (const auto& [move, share] : play(300).root_distribution) most = std::max(most, share);
        return most;
    };
    EXPECT_GT(narrow("0.3"), narrow("30"));
    const auto refused = engine_->set_option("CPuct", "101");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "option CPuct: value '101', expected a number from 0 to 100");
    // The tree has the memory that Hash says, and goes on in it.
    const auto fullness = [&](const std::string& megabytes) {
        engine_->new_game();
        set({{"Hash", megabytes}});
        return play(1'000).counters.table_permille;
    };
    const int of_one = fullness("1");
    EXPECT_LT(of_one, 1'000);
    EXPECT_NEAR(4.0 * fullness("4"), of_one, 0.1 * of_one);
    set({{"Hash", "1"}});
    EXPECT_EQ(play(30'000).counters.nodes, 30'000U);
    set({{"Hash", "4"}});
    // And alpha-beta has it again afterwards, as if nothing had been.
    set({{"Search", "default"}, {"PolicyFile", "<embedded>"}});
    EXPECT_EQ(refusal(), "");
    const auto after = play(20'000);
    engine_ = std::move(*Engine::create());
    set({{"Hash", "4"}});
    EXPECT_EQ(play(20'000).score, after.score);
}

// Who has no policy of its own takes one from the reserve where a search needs it, and only there.
TEST_F(PlayersTest, TheSystemHasAPolicyForSearchesThatNeedOne) {
    const auto visits = [&](const Settings& settings) {
        engine_ = std::move(*Engine::create());
        set(settings);
        EXPECT_EQ(refusal(), "");
        return play(300).root_distribution;
    };
    const auto own = visits({{"Search", "mcts"}});
    EXPECT_EQ(own, visits({{"Search", "mcts"}, {"PolicyFile", "<sparse-policy-4d852c0c>"}}));
    EXPECT_NE(own, visits({{"Search", "mcts"}, {"PolicyFile", "<random:1>"}}));
    // What is given counts, in whatever role.
    const auto random = visits({{"Search", "policy"}, {"EvalFile", "<random:1>"}});
    EXPECT_EQ(random, visits({{"Search", "policy"}, {"PolicyFile", "<random:1>"}}));
}

// What keeps answers by position cannot take the policy's own value, which depends on the last move.
TEST_F(PlayersTest, TheSystemHasAValueForSearchesThatGoByThePositionAlone) {
    const auto score = [&](const Settings& settings) {
        engine_ = std::move(*Engine::create());
        set({{"System", "convchess"}});
        set(settings);
        EXPECT_EQ(refusal(), "");
        engine_->set_line(chess::Line());
        search::Silence silent;
        return engine_->search({{search::DepthLimit{2}}, {}, {}}, silent).score;
    };
    EXPECT_EQ(score({{"Search", "naive-depth"}}),
              score({{"Search", "naive-depth"}, {"EvalFile", "<convchess-value-384845d6>"}}));
    EXPECT_EQ(score({{"Search", "value"}}),
              score({{"Search", "value"}, {"EvalFile", "<convchess-6a26a0a4>"}}));
}

// Games to learn from: other moves in other games, and the same ones in the same.
TEST_F(PlayersTest, ATreeSearchLeavesToChanceWhatItIsTold) {
    const auto moves = [&](const Settings& settings, std::uint64_t game) {
        engine_ = std::move(*Engine::create());
        set({{"Search", "mcts"}, {"Seed", "5"}});
        set(settings);
        engine_->new_game(game);
        search::Silence silent;
        chess::Line line;
        std::string text;
        for (int ply = 0; ply < 12; ++ply) {
            engine_->set_line(line);
            line.push(engine_->search({{search::NodeLimit{30}}, {}, {}}, silent).best);
            text += chess::to_fen(line.current());
        }
        return text;
    };
    EXPECT_EQ(moves({}, 1), moves({}, 2));
    for (const Settings& chance : {Settings{{"DirichletNoiseEpsilon", "0.5"}}, Settings{{"Temperature", "1"}},
                                   Settings{{"Temperature", "1"}, {"TempCutoffMove", "3"}}}) {
        EXPECT_EQ(moves(chance, 1), moves(chance, 1));
        EXPECT_NE(moves(chance, 1), moves(chance, 2));
    }
}

// A policy that was given puts alpha-beta's moves in order.
TEST_F(PlayersTest, APolicyChangesTheOrderOfMoves) {
    search::Silence silent;
    const auto nodes = [&] {
        engine_->new_game();
        engine_->set_line(chess::Line());
        return engine_->search({{search::DepthLimit{9}}, {}, {}}, silent).counters.nodes;
    };
    const auto plain = nodes();
    set({{"PolicyFile", "<random:2>"}});
    EXPECT_NE(nodes(), plain);
    set({{"PolicyFile", "<embedded>"}});
    EXPECT_EQ(nodes(), plain);
}

}  // namespace
}  // namespace scholar::engine
