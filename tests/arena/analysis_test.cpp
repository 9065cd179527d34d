#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "arena/analysis/analyst.hpp"
#include "arena/analysis/explanation.hpp"
#include "arena/analysis/game_analysis.hpp"
#include "arena/analysis/report.hpp"
#include "chess/fen.hpp"
#include "chess/san.hpp"
#include "games/pgn.hpp"
#include "support/mirror.hpp"
#include "support/random_games.hpp"

namespace scholar::arena {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

chess::Position at(const char* fen) {
    return chess::parse_fen(fen).value();
}

std::vector<chess::Move> moves_of(chess::Position position, const std::vector<std::string>& sans) {
    std::vector<chess::Move> moves;
    for (const std::string& san : sans) {
        moves.push_back(chess::parse_san(position, san).value());
        position.make(moves.back());
    }
    return moves;
}

games::Game game_of(const chess::Position& start, std::vector<chess::Move> moves) {
    games::Game game;
    game.start = start;
    game.moves = std::move(moves);
    return game;
}

EngineConfig system_of(const std::string& name,
                       std::vector<std::pair<std::string, std::string>> options = {}) {
    EngineConfig config;
    config.name = name;
    config.protocol = Protocol::Internal;
    config.options = {{"System", name}, {"Seed", "1"}};
    config.options.insert(config.options.end(), options.begin(), options.end());
    return config;
}

GameAnalysis analyse(const games::Game& game, const std::vector<EngineConfig>& systems, std::uint64_t nodes,
                     const AnalysisThresholds& thresholds = {}) {
    GameAnalysis analysis{.game = game, .systems = {}, .by_system = {}, .thresholds = thresholds};
    for (const EngineConfig& config : systems) {
        auto analyst = Analyst::start(config);
        EXPECT_TRUE(analyst) << analyst.error().message;
        auto seen = analyse_game(*analyst, game, 1, search::NodeLimit{nodes}, thresholds, [] {}, {});
        EXPECT_TRUE(seen && *seen);
        analysis.systems.push_back(config.name);
        analysis.by_system.push_back(std::move(**seen));
    }
    return analysis;
}

TEST(Explanation, CountsMenAtTheEndsOfBothLines) {
    // White to move: Qxe5 loses the queen for a rook and a pawn... by hand: the pawn is guarded by the rook.
    const auto before = at("4r1k1/5ppp/8/4p3/8/8/4QPPP/6K1 w - - 0 1");
    const auto played = moves_of(before, {"Qxe5", "Rxe5"});
    const auto better = moves_of(before, {"h3", "h6"});
    const Explanation why = explain(before, played, better, std::nullopt, std::nullopt);
    EXPECT_THAT(why.cost, ElementsAre(-1, 0, 0, 0, 1));
    EXPECT_EQ(why.words(), "costs a queen for a pawn");
    EXPECT_EQ(explain(before, better, better, std::nullopt, std::nullopt).words(),
              "costs no men in these lines");
    EXPECT_EQ(explain(before, better, played, std::nullopt, std::nullopt).words(),
              "costs a pawn for a queen");
    EXPECT_EQ(explain(before, played, better, -2, std::nullopt).words(), "allows mate in 2");
    EXPECT_EQ(explain(before, played, better, -2, 3).words(), "misses mate in 3; allows mate in 2");
    EXPECT_EQ(explain(before, played, better, -2, -4).words(), "costs a queen for a pawn");
}

TEST(Explanation, LeavesOutAnExchangeThatALineDoesNotFinish) {
    const auto before = at("4r1k1/5ppp/8/4p3/8/8/4QPPP/6K1 w - - 0 1");
    // The queen that has just taken can be taken: the pawn is not won.
    EXPECT_EQ(settled_end(before, moves_of(before, {"Qxe5"})), before);
    // A recapture ends it.
    const auto all = moves_of(before, {"Qxe5", "Rxe5"});
    EXPECT_EQ(settled_end(before, all), before.after(all[0]).after(all[1]));
    // So does a capture that nobody answers.
    const auto free = at("6k1/5ppp/8/4p3/8/8/4QPPP/6K1 w - - 0 1");
    const auto taken = moves_of(free, {"Qxe5"});
    EXPECT_EQ(settled_end(free, taken), free.after(taken[0]));
}

// Published: the fool's mate, the shortest game there is.
TEST(GameAnalysis, FindsWhatTheFoolsMateWasLostBy) {
    auto game = game_of(chess::Position(), moves_of(chess::Position(), {"f3", "e5", "g4", "Qh4#"}));
    game.result = games::GameResult::BlackWins;
    const GameAnalysis analysis = analyse(game, {system_of("scholar"), system_of("knightcap")}, 2'000);
    ASSERT_EQ(analysis.judge(), 0U);
    EXPECT_EQ(analysis.verdict(2), Verdict::Blunder);
    EXPECT_EQ(analysis.verdict(3), Verdict::Fine);
    EXPECT_EQ(analysis.by_system[0].views[4].expected, 0.0);  // mated
    for (std::size_t system = 0; system < 2; ++system) {
        const auto why = analysis.explanation(system, 2);
        ASSERT_TRUE(why) << analysis.systems[system];
        EXPECT_EQ(why->words(), "allows mate in 1");
        EXPECT_EQ(
            line_text(at("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2"), why->played, 9),
            "2. g4 Qh4#");
    }
    const std::string pgn = to_annotated_pgn(analysis, "Scholar");
    EXPECT_THAT(pgn, HasSubstr("2. g4 $4 {[%eval #-1,"));
    EXPECT_THAT(pgn, HasSubstr("allows mate in 1."));
    EXPECT_THAT(pgn, HasSubstr("2... Qh4# 0-1"));
    const AnalysisSummary summary = summary_of(analysis, {.file = "", .number = 7});
    EXPECT_EQ(summary.sides[chess::White].blunders, 1);
    EXPECT_EQ(summary.sides[chess::Black].blunders, 0);
    ASSERT_EQ(summary.findings.size(), 1U);
    EXPECT_EQ(summary.findings[0].move, "2. g4??");
}

// A mate that was not given; and the game goes on after a third repetition, which nobody claimed.
TEST(GameAnalysis, SeesAMateThatWasMissed) {
    const auto start = at("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    const GameAnalysis analysis =
        analyse(game_of(start, moves_of(start, {"h3", "h6", "Ra8+", "Kh7"})), {system_of("scholar")}, 3'000,
                {.inaccuracy = 0.001, .mistake = 0.002, .blunder = 0.003});
    const auto why = analysis.explanation(0, 0);
    ASSERT_TRUE(why);
    EXPECT_EQ(why->misses_mate, 1);
    EXPECT_EQ(why->better, moves_of(start, {"Ra8#"}));
}

TEST(GameAnalysis, ARepetitionIsADrawOnlyWhereTheGameEnds) {
    const auto start = at("6k1/5ppp/8/8/8/8/5PPP/Q5K1 w - - 0 1");
    std::vector<std::string> sans;
    for (int i = 0; i < 2; ++i) sans.insert(sans.end(), {"Qb1", "Kf8", "Qa1", "Kg8"});
    const GameAnalysis ended = analyse(game_of(start, moves_of(start, sans)), {system_of("scholar")}, 500);
    EXPECT_EQ(ended.by_system[0].views.back().expected, 0.5);
    EXPECT_TRUE(ended.by_system[0].views.back().lines.empty());
    sans.push_back("Qa8#");
    const GameAnalysis went_on = analyse(game_of(start, moves_of(start, sans)), {system_of("scholar")}, 500);
    EXPECT_GT(went_on.by_system[0].views[8].expected, 0.9);
}

// White's and Black's are two names for the same thing: a player without a tree, whose answers nothing before
// could change, sees the mirrored game as the mirror of what it saw.
TEST(GameAnalysis, TheMirroredGameIsSeenAsTheMirrorOfTheGame) {
    base::Random random(3);
    std::vector<chess::Move> moves, mirrored_moves;
    tests::play_random_game(random, chess::Position(), 60, [&](const auto&, chess::Move move, const auto&) {
        moves.push_back(move);
        mirrored_moves.push_back(tests::mirrored(move));
    });
    const auto game = game_of(chess::Position(), moves);
    const auto other = game_of(tests::mirrored(chess::Position()), mirrored_moves);
    const std::vector<EngineConfig> systems{system_of("oneply"), system_of("convchess")};
    const GameAnalysis seen = analyse(game, systems, 1), turned = analyse(other, systems, 1);
    int losses = 0;
    for (std::size_t ply = 0; ply < moves.size(); ++ply) {
        const View &view = seen.by_system[0].views[ply], &image = turned.by_system[0].views[ply];
        EXPECT_NEAR(*view.expected, 1 - *image.expected, 1e-9) << ply;
        EXPECT_EQ(view.shown->centipawns, -image.shown->centipawns) << ply;
        // Which of equal moves comes first is no matter.
        if (seen.by_system[0].views[ply].best() != tests::mirrored(turned.by_system[0].views[ply].best()))
            continue;
        EXPECT_NEAR(*seen.by_system[0].moves[ply].loss, *turned.by_system[0].moves[ply].loss, 1e-9) << ply;
        losses += *seen.by_system[0].moves[ply].loss > 0.1;
        EXPECT_NEAR(*seen.by_system[1].moves[ply].likelihood, *turned.by_system[1].moves[ply].likelihood,
                    1e-3)
            << ply;
        EXPECT_EQ(seen.by_system[1].moves[ply].loss, std::nullopt);
    }
    EXPECT_GT(losses, 5);  // random moves are bad ones
}

// What is written is read as the same game, however much is said about it.
TEST(GameAnalysis, AnnotatedGamesAreReadBack) {
    const AnalysisThresholds strict{
        .inaccuracy = 0.001, .mistake = 0.01, .blunder = 0.1, .disagreement = 0.01, .unlikely = 0.2};
    base::Random random(5);
    int variations = 0;
    for (const char* fen : {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                            "r3k2r/1P4p1/8/3pP3/8/2n5/5P2/R3K2R b KQkq - 3 17"}) {
        games::Game game = game_of(at(fen), {});
        game.tags = {{"White", "A \"quoted\" {name}"}, {"Annotator", "somebody"}};
        tests::play_random_game(random, game.start, 50, [&](const auto&, chess::Move move, const auto&) {
            game.moves.push_back(move);
        });
        game.clocks.assign(game.moves.size(), 61'500);
        game.evaluations.assign(game.moves.size(), games::Evaluation{.centipawns = 1'234});
        const GameAnalysis analysis =
            analyse(game, {system_of("oneply"), system_of("knightcap"), system_of("convchess")}, 60, strict);
        const std::string text = to_annotated_pgn(analysis, "Scholar");
        EXPECT_THAT(text, testing::Not(HasSubstr("12.34")));
        EXPECT_THAT(text, testing::Not(HasSubstr("somebody")));
        variations += static_cast<int>(std::ranges::count(text, '('));
        games::PgnText input{.buffer = {text.begin(), text.end()}, .size = text.size(), .rest = nullptr};
        input.buffer.resize(text.size() + games::PgnText::kPadding);
        games::PgnReader reader("text", std::move(input));
        const auto item = reader.next();
        ASSERT_TRUE(item);
        ASSERT_EQ(*item, games::PgnItem::Game) << reader.problem().to_string() << text;
        EXPECT_EQ(reader.game().moves, game.moves);
        EXPECT_EQ(reader.game().start, game.start);
        EXPECT_EQ(reader.game().clocks, game.clocks);
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
            const auto& shown = analysis.by_system[0].views[ply + 1].shown;
            if (!shown) continue;
            ASSERT_TRUE(reader.game().evaluations[ply]);
            EXPECT_EQ(*reader.game().evaluations[ply], *shown) << ply;
        }
    }
    EXPECT_GT(variations, 30);
}

// What moves cost is a sum that can be done again from what was seen.
TEST(GameAnalysis, WhoObjectsFollowsFromLosses) {
    GameAnalysis analysis{.game = game_of(chess::Position(), moves_of(chess::Position(), {"e4"})),
                          .systems = {"a", "b", "c"},
                          .by_system = {},
                          .thresholds = {}};
    for (const double loss : {0.05, 0.25, 0.4}) {
        SystemGame seen;
        seen.views.resize(2);
        seen.views[0].expected = 0.5 + loss / 2;
        seen.moves.push_back({.loss = loss, .likelihood = {}, .better = {}});
        analysis.by_system.push_back(std::move(seen));
    }
    EXPECT_EQ(analysis.disagreement(0), "all but a object");
    EXPECT_EQ(analysis.verdict(0), Verdict::Fine);  // the first judges
    analysis.by_system[1].moves[0].loss = 0.1999;
    EXPECT_EQ(analysis.disagreement(0), "only c objects");
    analysis.by_system[0].views[0].expected = 0.31;
    EXPECT_EQ(analysis.disagreement(0), "only c objects; a 31 %, c 70 %");
    analysis.by_system[0].moves[0].loss = analysis.by_system[1].moves[0].loss = 0.9;
    EXPECT_EQ(analysis.disagreement(0), "a 31 %, c 70 %");  // all object
}

TEST(Analyst, NamesTheSystemsThatHaveNetworksOfTheirOwn) {
    const auto systems = systems_of_their_own();
    const std::set<std::string> names(systems.begin(), systems.end());
    for (const char* own : {"scholar", "knightcap", "giraffe", "convchess", "rl-in-chess", "deepchess"})
        EXPECT_TRUE(names.contains(own)) << own;
    for (const char* not_own : {"oneply", "random"}) EXPECT_FALSE(names.contains(not_own)) << not_own;
    EXPECT_THAT(Analyst::start(system_of("scholar", {{"Hash", "0"}})).error().message,
                HasSubstr("system scholar: option Hash"));
}

}  // namespace
}  // namespace scholar::arena
