#include "arena/match.hpp"

#include <algorithm>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "arena/match_output.hpp"
#include "chess/fen.hpp"
#include "chess/uci_move.hpp"
#include "games/pgn.hpp"
#include "scripted_programs.hpp"
#include "support/test_data.hpp"

namespace scholar::arena {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

EngineConfig scripted(std::vector<std::string> arguments, std::string name) {
    EngineConfig config;
    config.name = std::move(name);
    config.command = {scripted_engine()};
    config.command.insert(config.command.end(), arguments.begin(), arguments.end());
    return config;
}

games::Opening opening(const std::string& fen, const std::vector<std::string>& moves = {}) {
    games::Opening result;
    result.start = fen.empty() ? chess::Position() : chess::parse_fen(fen).value();
    chess::Position position = result.start;
    for (const auto& move : moves) {
        result.moves.push_back(chess::parse_uci_move(position, move).value());
        position.make(result.moves.back());
    }
    return result;
}

class Recorder : public MatchObserver {
  public:
    base::Status game_finished(const MatchGame& game, const MatchResult&) override {
        games.push_back(game);
        return {};
    }
    std::vector<MatchGame> games;
};

MatchOptions options_for(EngineConfig first, EngineConfig second) {
    MatchOptions options;
    options.engines = {std::move(first), std::move(second)};
    // Longer than any machine is busy: where time must run out, a test says so for the engine that lets it.
    options.time_controls.assign(2, parse_time_control("movetime=600").value());
    options.openings = {opening("", {"e2e4", "e7e5"}), opening("", {"d2d4"}), opening("", {"c2c4", "g8f6"}),
                        opening("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1")};
    options.games = 8;
    options.max_plies = 12;
    options.stall_after = 10min;
    options.patience = {.start = 10min, .ready = 10min, .quit = 50ms};
    return options;
}

TEST(Match, PlaysEachOpeningWithBothColours) {
    auto options = options_for(scripted({"ok"}, "A"), scripted({"ok"}, "B"));
    options.concurrency = 2;
    Recorder recorder;
    const auto result = play_match(options, {&recorder}, {});
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_EQ(recorder.games.size(), 8U);
    std::map<int, std::set<int>> whites;
    for (const auto& game : recorder.games) {
        whites[game.opening].insert(game.white);
        EXPECT_EQ(game.result, games::GameResult::Draw);
        EXPECT_EQ(game.ending, games::Ending::Adjudication);
        EXPECT_EQ(game.moves.size(), 12U);
        EXPECT_EQ(game.chess960, game.opening == 3);
    }
    EXPECT_EQ(whites.size(), 4U);
    for (const auto& [index, engines] : whites) EXPECT_EQ(engines.size(), 2U) << index;
    EXPECT_EQ(result->score().draws, 8U);
    EXPECT_EQ(result->pairs(), (Pentanomial{0, 0, 4, 0, 0}));
    EXPECT_EQ(result->engines[0].moves, 48U);
    EXPECT_FALSE(result->interrupted);
}

TEST(Match, OrderOfOpeningsDependsOnTheSeedAlone) {
    const auto order = opening_order(50, 120, 7);
    EXPECT_EQ(order, opening_order(50, 120, 7));
    EXPECT_NE(order, opening_order(50, 120, 8));
    ASSERT_EQ(order.size(), 120U);
    for (int pass = 0; pass < 2; ++pass)
        EXPECT_EQ(std::set<int>(order.begin() + 50 * pass, order.begin() + 50 * (pass + 1)).size(), 50U);
    EXPECT_FALSE(std::equal(order.begin(), order.begin() + 50, order.begin() + 50));
    // A shorter match has the same beginning.
    const auto part = opening_order(50, 10, 7);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), order.begin()));
}

struct BadEngine {
    std::vector<std::string> arguments;
    Failure failure;
    games::Ending ending;
    std::string reason;
};

class MatchFailures : public testing::TestWithParam<BadEngine> {};

TEST_P(MatchFailures, LoseTheGameAreNamedAndTheMatchGoesOn) {
    const auto& bad = GetParam();
    auto options = options_for(scripted({"ok"}, "Good"), scripted(bad.arguments, "Bad"));
    options.games = 8;
    options.concurrency = 4;
    if (bad.failure == Failure::Stall || bad.failure == Failure::TimeLoss) {
        options.time_controls[1] = parse_time_control("movetime=0.1").value();
        options.time_margin = 0ms;
        if (bad.failure == Failure::Stall) options.stall_after = 500ms;
    }
    Recorder recorder;
    const auto result = play_match(options, {&recorder}, {});
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_EQ(recorder.games.size(), 8U);
    // It fails at its second search, at its first where time is short, and after each restart again.
    for (const auto& game : recorder.games) {
        EXPECT_EQ(game.failure, bad.failure) << game.reason;
        EXPECT_EQ(game.failed, 1);
        EXPECT_EQ(game.points(0), 1);
        EXPECT_EQ(game.ending, bad.ending);
        EXPECT_THAT(game.reason, HasSubstr(bad.reason));
        EXPECT_THAT(game.reason, HasSubstr(game.white == 1 ? "White" : "Black"));
    }
    EXPECT_EQ(result->score().wins, 8U);
    EXPECT_EQ(result->pairs(), (Pentanomial{0, 0, 0, 0, 4}));
    for (const auto failure : kFailures)
        EXPECT_EQ(result->engines[1].count(failure), failure == bad.failure ? 8U : 0U);
    for (const auto failure : kFailures) EXPECT_EQ(result->engines[0].count(failure), 0U);
    EXPECT_EQ(result->engines[1].restarts, 8);
    EXPECT_THAT(describe(*result), HasSubstr(fmt::format("{}: 8", to_string(bad.failure))));
}

INSTANTIATE_TEST_SUITE_P(
    Engines, MatchFailures,
    testing::Values(
        BadEngine{{"crash", "2"}, Failure::Crash, games::Ending::Forfeit, "killed by signal 11"},
        BadEngine{{"exit", "2"}, Failure::Crash, games::Ending::Forfeit, "ended with exit status 3"},
        BadEngine{{"close", "2"}, Failure::Crash, games::Ending::Forfeit, "closed its output"},
        BadEngine{{"hang", "1"}, Failure::Stall, games::Ending::Forfeit, "no bestmove within 0.6 s"},
        BadEngine{{"chatter", "1"}, Failure::Stall, games::Ending::Forfeit, "connection stalls"},
        BadEngine{{"illegal", "2"}, Failure::IllegalMove, games::Ending::Forfeit, "illegal move: a1a1"},
        BadEngine{{"garbage", "2"}, Failure::Garbage, games::Ending::Forfeit, "banana"},
        BadEngine{{"slow", "1"}, Failure::TimeLoss, games::Ending::TimeForfeit, "loses on time"}),
    [](const auto& instance) { return instance.param.arguments.front(); });

TEST(Match, AnEngineThatDiesBetweenGamesIsStartedAgain) {
    auto options = options_for(scripted({"ok"}, "A"), scripted({"dies-between-games"}, "B"));
    options.games = 4;
    const auto result = play_match(options, {}, {});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->score().draws, 4U);
    EXPECT_EQ(result->engines[1].restarts, 3);
}

TEST(Match, AnEngineThatFloodsIsCutOff) {
    auto options = options_for(scripted({"ok"}, "A"), scripted({"floods-in-go", "2"}, "B"));
    options.games = 2;
    Recorder recorder;
    const auto result = play_match(options, {&recorder}, {});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->engines[1].count(Failure::Flood), 2U);
    EXPECT_THAT(recorder.games[0].reason, HasSubstr("Black floods us: "));
}

TEST(Match, AnEngineThatDoesNotStartAtOnceGetsAnotherChance) {
    const tests::TemporaryFolder folder;
    const std::string flag = folder / "broken";
    auto options = options_for(scripted({"ok"}, "A"), scripted({"breaks", "1", flag}, "B"));
    options.games = 3;
    const auto result = play_match(options, {}, {});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->score().games(), 3U);
    EXPECT_TRUE(result->problem.empty()) << result->problem;
    // Twice it died at ucinewgame, and did not start at first after it.
    EXPECT_EQ(result->engines[1].unready, 4);
    EXPECT_THAT(describe(*result), HasSubstr("not ready: 4"));

    options.start_attempts = 1;
    const auto impatient = play_match(options, {}, {});
    ASSERT_TRUE(impatient) << impatient.error().message;
    EXPECT_EQ(impatient->score().games(), 1U);
    EXPECT_THAT(impatient->problem, HasSubstr("engine B: ended with exit status 9"));
}

TEST(Match, CountsMatesThatDoNotCome) {
    auto options = options_for(scripted({"mate", "1", "2"}, "Liar"), scripted({"ok"}, "B"));
    options.games = 2;
    Recorder recorder;
    const auto result = play_match(options, {&recorder}, {});
    ASSERT_TRUE(result) << result.error().message;
    // Twelve half-moves, six of them the liar's, each claim good for two. The last of six may have had time.
    EXPECT_EQ(recorder.games[0].false_mates.size(), 3U);
    EXPECT_GE(result->engines[0].false_mates, 5);
    EXPECT_EQ(result->engines[1].false_mates, 0);
    EXPECT_THAT(to_pgn(recorder.games[0], options, "Test", "2024.01.01"), HasSubstr("false mate"));
    EXPECT_EQ(nlohmann::json::parse(to_json(recorder.games[0], *result))["false_mates"][0]["engine"], "Liar");
}

TEST(Match, ATwoSidedResignationNeedsBoth) {
    auto options =
        options_for(scripted({"score", "1", "-700"}, "Gloomy"), scripted({"score", "1", "5"}, "Calm"));
    options.games = 2;
    options.resign = ResignRule{.moves = 3, .score = 600, .two_sided = true};
    auto result = play_match(options, {}, {});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->score().draws, 2U);  // the limit of half-moves
    options.engines[1] = scripted({"score", "1", "650"}, "Happy");
    result = play_match(options, {}, {});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->score().losses, 2U);
}

TEST(Match, ClocksHavePeriods) {
    // One move in a long period, then hardly any time: the slow engine's second search is then too late, on a
    // busy machine perhaps its first.
    auto options = options_for(scripted({"ok"}, "A"), scripted({"slow", "2"}, "B"));
    options.games = 1;
    options.time_controls.assign(2, parse_time_control("1/300,40/600").value());
    auto result = play_match(options, {}, {});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->engines[1].count(Failure::TimeLoss), 0U);
    options.time_controls[1] = parse_time_control("1/0.3,40/0.01").value();
    options.time_margin = 1s;
    result = play_match(options, {}, {});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->engines[1].count(Failure::TimeLoss), 1U);
}

TEST(Match, TablebasesEndGamesWhoseResultIsCertain) {
    auto options = options_for(scripted({"ok"}, "A"), scripted({"ok"}, "B"));
    options.games = 1;
    options.max_plies = 40;
    options.tablebases = tablebases::Tablebases::open(tests::test_data("syzygy").string()).value();
    const auto end_of = [&](const std::string& fen) {
        options.openings = {opening(fen)};
        Recorder recorder;
        EXPECT_TRUE(play_match(options, {&recorder}, {}));
        return recorder.games.at(0);
    };
    // Rook against king, clock running: far from fifty moves it is certain at once, close to it never.
    auto game = end_of("8/8/8/4k3/8/8/8/R3K3 w - - 2 1");
    EXPECT_EQ(game.reason, "White wins by adjudication: tablebases");
    EXPECT_EQ(game.result, games::GameResult::WhiteWins);
    EXPECT_EQ(game.moves.size(), 1U);
    options.max_plies = 1;
    game = end_of("8/8/8/4k3/8/8/8/R3K3 w - - 90 1");
    EXPECT_EQ(game.reason, "Draw by adjudication: the game is too long");
    options.max_plies = 40;
    // A rook's pawn with the king in its corner: a draw, whatever is played.
    game = end_of("k7/8/8/8/8/8/P7/K7 w - - 0 1");
    EXPECT_EQ(game.reason, "Draw by adjudication: tablebases");
}

TEST(Match, AnEngineThatDoesNotStartIsOneError) {
    // Neither does the other, which would have as little time.
    auto options = options_for(scripted({"silent"}, "B"), scripted({"silent"}, "B"));
    options.concurrency = 2;
    options.patience.start = 200ms;
    const auto result = play_match(options, {}, {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message, "engine B: no uciok within 0.2 s, expected a UCI engine");
    options.openings.clear();
    EXPECT_FALSE(play_match(options, {}, {}));
}

TEST(Match, AStopKeepsTheResultSoFar) {
    auto options = options_for(scripted({"ok"}, "A"), scripted({"ok"}, "B"));
    options.games = 1'000'000;
    struct Stopper : MatchObserver {
        std::stop_source stop;
        base::Status game_finished(const MatchGame& game, const MatchResult&) override {
            if (game.number == 3) stop.request_stop();
            return {};
        }
    } stopper;
    const auto result = play_match(options, {&stopper}, stopper.stop.get_token());
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->interrupted);
    EXPECT_EQ(result->score().games(), 4U);
}

// Those who come after the error would know of games that the failed one does not.
TEST(Match, NobodyHearsOfAGameAfterAnObserversError) {
    const tests::TemporaryFolder folder;
    EngineConfig writes_down = scripted({}, "B");
    writes_down.protocol = Protocol::Xboard;
    writes_down.command = {scripted_xboard(), "ok", "0", folder / "told"};
    auto options = options_for(scripted({"ok"}, "A"), writes_down);
    options.games = 40;
    options.max_plies = 2;
    options.concurrency = 4;
    struct Full : MatchObserver {
        std::filesystem::path told;
        int calls = 0;
        // How often B was asked for a move, or told one.
        int moves() const {
            std::ifstream file(told);
            int count = 0;
            for (std::string line; std::getline(file, line);)
                count += line == "go" || line.starts_with("usermove");
            return count;
        }
        base::Status game_finished(const MatchGame&, const MatchResult&) override {
            ++calls;
            // The other workers finish games of theirs, too.
            while (moves() < 4) std::this_thread::sleep_for(1ms);
            return base::fail("the disk is full");
        }
    } full;
    full.told = folder / "told";
    const auto result = play_match(options, {&full}, {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message, "the disk is full");
    EXPECT_EQ(full.calls, 1);
}

TEST(Match, AdjudicatesByTheEnginesScores) {
    auto options =
        options_for(scripted({"score", "1", "-700"}, "Gloomy"), scripted({"score", "1", "5"}, "Calm"));
    options.max_plies = 60;
    options.games = 2;
    options.resign = ResignRule{.moves = 3, .score = 600};
    Recorder resigned;
    auto result = play_match(options, {&resigned}, {});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->score().losses, 2U);
    for (const auto& game : resigned.games) {
        EXPECT_EQ(game.ending, games::Ending::Resignation);
        // Its third move is ply 5 of the game where it begins, 6 where it does not; after the opening.
        EXPECT_TRUE(game.moves.size() == 5 || game.moves.size() == 6);
    }

    options.engines[0] = scripted({"score", "1", "-10"}, "Calm too");
    options.draw = DrawRule{.moves = 4, .score = 10, .after = 5};
    Recorder drawn;
    result = play_match(options, {&drawn}, {});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->score().draws, 2U);
    for (const auto& game : drawn.games) {
        EXPECT_EQ(game.ending, games::Ending::Adjudication);
        chess::Position position = game.start;
        for (const auto move : game.opening_moves) position.make(move);
        for (const auto& played : game.moves) position.make(played.move);
        EXPECT_EQ(position.fullmove_number(), 6);
    }
}

TEST(Match, RulesEndGames) {
    // White mates with the first move of the alphabet: Ra8. Stalemate with b6b7? is not needed: one line
    // each.
    auto options = options_for(scripted({"fixed", "1", "a1a8"}, "A"), scripted({"fixed", "1", "a1a8"}, "B"));
    options.openings = {opening("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")};
    options.games = 2;
    Recorder mates;
    const auto result = play_match(options, {&mates}, {});
    ASSERT_TRUE(result);
    for (const auto& game : mates.games) {
        EXPECT_EQ(game.result, games::GameResult::WhiteWins);
        EXPECT_EQ(game.ending, games::Ending::Checkmate);
        EXPECT_EQ(game.reason, "White mates");
    }
    // Each won with White.
    EXPECT_EQ(result->score().wins, 1U);
    EXPECT_EQ(result->score().losses, 1U);
    EXPECT_EQ(result->pairs(), (Pentanomial{0, 0, 1, 0, 0}));
}

TEST(MatchOutput, PgnIsReadBackAsItWasPlayed) {
    const tests::TemporaryFolder folder;
    const std::string pgn_path = folder / "games.pgn";
    const std::string json_path = folder / "games.jsonl";
    auto options = options_for(scripted({"ok"}, "The \"A\" team"), scripted({"illegal", "5"}, "B"));
    options.games = 8;
    Recorder recorder;
    {
        PgnOutput pgn(LineAppender::open(pgn_path).value(), options, "Test");
        JsonOutput json(LineAppender::open(json_path).value());
        ASSERT_TRUE(play_match(options, {&recorder, &pgn, &json}, {}));
    }
    auto reader = games::PgnReader::open(pgn_path);
    ASSERT_TRUE(reader);
    for (const auto& played : recorder.games) {
        const auto item = reader->next();
        ASSERT_TRUE(item) << item.error().message;
        ASSERT_EQ(*item, games::PgnItem::Game) << reader->problem().to_string();
        const games::Game& game = reader->game();
        EXPECT_EQ(game.start, played.start);
        std::vector<chess::Move> moves = played.opening_moves;
        for (const auto& move : played.moves) moves.push_back(move.move);
        EXPECT_EQ(game.moves, moves);
        const std::size_t first = played.opening_moves.size();
        for (std::size_t i = 0; i < played.moves.size(); ++i) {
            // Both always say 13 centipawns for themselves, at depth 2.
            const bool white = (played.start.side_to_move() == chess::White) == ((first + i) % 2 == 0);
            const auto centipawns = static_cast<std::int16_t>(white ? 13 : -13);
            EXPECT_EQ(game.evaluations.at(first + i), (games::Evaluation{centipawns, 0, 2}));
        }
        EXPECT_EQ(game.result, played.result);
        EXPECT_EQ(game.ending, played.ending);
        EXPECT_EQ(game.chess960, played.chess960);
        EXPECT_EQ(game.tag("White"), played.names[played.white]);
    }
    EXPECT_EQ(reader->next(), games::PgnItem::End);

    std::ifstream text(pgn_path);
    std::string line;
    while (std::getline(text, line)) EXPECT_TRUE(line.starts_with('[') || line.size() <= 79) << line;

    std::ifstream records(json_path);
    for (const auto& played : recorder.games) {
        ASSERT_TRUE(std::getline(records, line));
        const auto record = nlohmann::json::parse(line);
        EXPECT_EQ(record["game"], played.number + 1);
        EXPECT_EQ(record["moves"].size(), played.moves.size());
        EXPECT_EQ(record["failure"], "illegal move");
        EXPECT_EQ(record["moves"][0]["cp"], 13);
    }
}

TEST(MatchOutput, CommentsAreFromTheMoversView) {
    MatchGame game;
    game.names = {"A", "B"};
    game.white = 1;
    SearchInfo info;
    info.centipawns = 35;
    info.depth = 12;
    const chess::Position start;
    const auto e4 = chess::parse_uci_move(start, "e2e4").value();
    const auto e5 = chess::parse_uci_move(start.after(e4), "e7e5").value();
    game.moves.push_back({e4, info, 100ms});
    info = {};
    info.mate = -3;
    info.depth = 9;
    game.moves.push_back({e5, info, 1234ms});
    game.result = games::GameResult::WhiteWins;
    game.reason = "Black resigns";
    MatchOptions options;
    options.time_controls.assign(2, parse_time_control("10+0.1").value());
    const std::string pgn = to_pgn(game, options, "Test", "2024.02.29");
    EXPECT_THAT(pgn, HasSubstr("\n1. e4 {+0.35/12 0.10s} 1... e5 {-M6/9 1.23s, Black resigns} 1-0\n\n"));
    EXPECT_THAT(pgn, HasSubstr("[White \"B\"]\n[Black \"A\"]\n[Result \"1-0\"]\n"));
    EXPECT_THAT(pgn, HasSubstr("[TimeControl \"10+0.1\"]\n"));
    EXPECT_THAT(pgn, HasSubstr("[Date \"2024.02.29\"]\n"));
}

}  // namespace
}  // namespace scholar::arena
