#include "arena/in_process_engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

#include "base/files.hpp"
#include "chess/fen.hpp"
#include "chess/uci_move.hpp"
#include "support/test_data.hpp"

namespace scholar::arena {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

EngineConfig internal() {
    EngineConfig config;
    config.protocol = Protocol::Internal;
    return config;
}

TEST(InProcessEngine, PlaysWhatTheSameEngineBehindPipesWould) {
    const chess::Position start;
    auto engine = InProcessEngine::start(internal());
    ASSERT_TRUE(engine) << engine.error().message;
    ASSERT_TRUE(engine->new_game({}));
    const Reply reply = engine->go(start, {}, start, DepthLimit{6}, 1min);
    EXPECT_EQ(reply.answer, Answer::Move);
    EXPECT_EQ(reply.info.depth, 6);
    EXPECT_GT(reply.info.nodes, 0U);
    EXPECT_TRUE(reply.info.has_score());
    ASSERT_FALSE(reply.info.principal_variation.empty());
    EXPECT_EQ(reply.info.principal_variation.front(), chess::to_uci(reply.move));
    // A new game begins anew.
    ASSERT_TRUE(engine->new_game({}));
    EXPECT_EQ(engine->go(start, {}, start, DepthLimit{6}, 1min).info.nodes, reply.info.nodes);
}

TEST(InProcessEngine, SpeaksOfItsBestMoveOfSeveral) {
    auto config = internal();
    config.options = {{"MultiPV", "3"}};
    auto engine = InProcessEngine::start(config);
    ASSERT_TRUE(engine) << engine.error().message;
    // Ra8 mates; nothing else does.
    const auto position = chess::parse_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1").value();
    const Reply reply = engine->go(position, {}, position, DepthLimit{4}, 1min);
    EXPECT_EQ(chess::to_uci(reply.move), "a1a8");
    EXPECT_EQ(reply.info.mate, 1);
    EXPECT_EQ(reply.info.principal_variation, std::vector<std::string>{"a1a8"});
}

TEST(InProcessEngine, AnnouncesMatesInMoves) {
    auto engine = InProcessEngine::start(internal());
    ASSERT_TRUE(engine);
    const auto position = chess::parse_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1").value();
    const Reply reply = engine->go(position, {}, position, DepthLimit{4}, 1min);
    EXPECT_EQ(chess::to_uci(reply.move), "a1a8");
    EXPECT_EQ(reply.info.mate, 1);
}

TEST(InProcessEngine, ChecksItsOptions) {
    auto config = internal();
    config.name = "Me";
    config.options = {{"hash", "2"}};
    EXPECT_TRUE(InProcessEngine::start(config));
    config.options = {{"Hash", "0"}};
    EXPECT_THAT(InProcessEngine::start(config).error().message,
                HasSubstr("engine Me: option Hash is '0', expected a whole number from 1"));
    config.options = {{"Speed", "1"}};
    EXPECT_THAT(InProcessEngine::start(config).error().message,
                HasSubstr("engine Me: no option 'Speed', it has: Hash"));
    config.options = {{"EvalFile", "/no/such.safetensors"}};
    EXPECT_THAT(InProcessEngine::start(config).error().message,
                HasSubstr("engine Me: option EvalFile: /no/such.safetensors"));
    config.options.clear();
    config.command = {"cat"};
    EXPECT_EQ(InProcessEngine::start(config).error().message,
              "engine Me: has a command, expected none of an engine in this process");
}

TEST(InProcessEngine, StopsAtTheTokenAndAtTheEndOfOurPatience) {
    auto engine = InProcessEngine::start(internal());
    ASSERT_TRUE(engine);
    const chess::Position start;
    std::stop_source stop;
    const std::jthread later([&stop] {
        std::this_thread::sleep_for(50ms);
        stop.request_stop();
    });
    EXPECT_EQ(engine->go(start, {}, start, MoveTimeLimit{1h}, 2h, stop.get_token()).answer, Answer::Stopped);
    EXPECT_EQ(engine->go(start, {}, start, MoveTimeLimit{1h}, 50ms).answer, Answer::Stall);
}

// Its learnt book hears how games end, its own last move included, and not of games in which it did not move.
TEST(InProcessEngine, LearnsFromItsGames) {
    const tests::TemporaryFolder folder;
    const std::string path = (folder / "a.book").string();
    auto config = internal();
    config.options = {{"LearntBook", path}, {"UCI_Opponent", "none none computer Other"}};
    auto engine = InProcessEngine::start(config);
    ASSERT_TRUE(engine) << engine.error().message;
    const chess::Position start;
    ASSERT_TRUE(engine->new_game({}));
    const Reply reply = engine->go(start, {}, start, DepthLimit{3}, 1min);
    engine->game_over(games::GameResult::WhiteWins, "");
    ASSERT_TRUE(engine->new_game({}));
    engine->game_over(games::GameResult::BlackWins, "");
    const std::string journal = base::read_text(path).value();
    EXPECT_THAT(journal, HasSubstr("game 1 white 1-0 startpos " + chess::to_uci(reply.move) + ":"));
    EXPECT_THAT(journal, HasSubstr(" Other\n"));
    EXPECT_THAT(journal, testing::Not(HasSubstr("game 2")));
}

}  // namespace
}  // namespace scholar::arena
