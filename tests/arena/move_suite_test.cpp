#include "arena/move_suite.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "arena/engine_trace.hpp"
#include "base/files.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "chess/uci_move.hpp"
#include "scripted_programs.hpp"
#include "set_maker.hpp"
#include "support/random_games.hpp"
#include "support/test_data.hpp"

namespace scholar::arena {
namespace {

using testing::HasSubstr;
using testing::Not;

using Options = std::vector<std::pair<std::string, std::string>>;

AskedEngine internal(Options options, std::uint64_t nodes = 100) {
    AskedEngine engine{.config = {}, .limit = NodeLimit{nodes}};
    engine.config.protocol = Protocol::Internal;
    engine.config.options = std::move(options);
    return engine;
}

AskedEngine scripted(std::vector<std::string> arguments) {
    AskedEngine engine{.config = {}, .limit = NodeLimit{100}};
    engine.config.command = {scripted_engine()};
    engine.config.command.insert(engine.config.command.end(), arguments.begin(), arguments.end());
    return engine;
}

MoveSuiteResult measure(const games::HeldOutSet& set, std::vector<AskedEngine> engines, int threads = 1) {
    AskingOptions options;
    options.engines = std::move(engines);
    options.concurrency = threads;
    options.patience.quit = std::chrono::milliseconds(50);
    auto result = run_move_suite(set, {}, options, {}, {});
    EXPECT_TRUE(result) << result.error().message;
    return result ? std::move(*result) : MoveSuiteResult{};
}

MoveGroup all_of(const games::HeldOutSet& set, const MoveSuiteResult& result) {
    return move_groups(set, result, 100).front();
}

constexpr chess::Move kA(chess::A2, chess::A3);
constexpr chess::Move kB(chess::B2, chess::B3);
constexpr chess::Move kC(chess::C2, chess::C3);
constexpr chess::Move kD(chess::D2, chess::D3);

TEST(MoveOpinion, RankedMovesTellAsFarAsTheyGo) {
    const MoveOpinion one{.ranked = {kA}, .shares = {}, .are_probabilities = false, .trouble = {}};
    EXPECT_EQ(share_within(one, kA, 1, 20), 1);
    EXPECT_EQ(share_within(one, kA, 3, 20), 1);
    EXPECT_EQ(share_within(one, kB, 1, 20), 0);
    EXPECT_EQ(share_within(one, kB, 3, 20), std::nullopt);
    EXPECT_EQ(probability_of(one, kA), std::nullopt);
    const MoveOpinion three{.ranked = {kA, kB, kC}, .shares = {}, .are_probabilities = false, .trouble = {}};
    EXPECT_EQ(share_within(three, kC, 1, 20), 0);
    EXPECT_EQ(share_within(three, kC, 3, 20), 1);
    EXPECT_EQ(share_within(three, kD, 3, 20), 0);
    EXPECT_EQ(share_within(three, kD, 5, 20), std::nullopt);
    EXPECT_EQ(share_within(three, kC, 10, 3), 1);  // there are no more
}

TEST(MoveOpinion, EqualSharesShareTheirPlaces) {
    MoveOpinion opinion{.ranked = {},
                        .shares = {{kD, 0.5}, {kA, 0.2}, {kB, 0.2}, {kC, 0.1}},
                        .are_probabilities = true,
                        .trouble = {}};
    EXPECT_EQ(share_within(opinion, kD, 1, 4), 1);
    EXPECT_EQ(share_within(opinion, kA, 1, 4), 0);
    EXPECT_EQ(share_within(opinion, kA, 2, 4), 0.5);
    EXPECT_EQ(share_within(opinion, kB, 2, 4), 0.5);
    EXPECT_EQ(share_within(opinion, kB, 3, 4), 1);
    EXPECT_EQ(share_within(opinion, kC, 3, 4), 0);
    EXPECT_EQ(probability_of(opinion, kB), 0.2);
    // What it plays comes first, whatever the shares say.
    opinion.ranked = {kC};
    EXPECT_EQ(share_within(opinion, kC, 1, 4), 1);
    EXPECT_EQ(share_within(opinion, kD, 1, 4), 0);
    EXPECT_EQ(share_within(opinion, kD, 2, 4), 1);
    EXPECT_EQ(share_within(opinion, kA, 3, 4), 0.5);
}

// As a tree search may leave out what it has not visited.
TEST(MoveOpinion, MovesWithoutASharePutUpWithTheLastPlaces) {
    const MoveOpinion opinion{
        .ranked = {kA}, .shares = {{kA, 3}, {kB, 1}}, .are_probabilities = false, .trouble = {}};
    EXPECT_EQ(share_within(opinion, kB, 3, 10), 1);
    EXPECT_EQ(share_within(opinion, kC, 1, 10), 0);
    EXPECT_EQ(share_within(opinion, kC, 3, 10), 1.0 / 8);
    EXPECT_EQ(share_within(opinion, kC, 10, 10), 1);
}

// Intervals as R's binom::binom.confint(…, methods = "wilson") prints them.
TEST(MoveSuite, IntervalsAreWilsons) {
    EXPECT_NEAR(wilson(0.5, 10).low, 0.2365931, 1e-7);
    EXPECT_NEAR(wilson(0.5, 10).high, 0.7634069, 1e-7);
    EXPECT_NEAR(wilson(0, 10).low, 0, 1e-12);
    EXPECT_NEAR(wilson(0, 10).high, 0.2775328, 1e-7);
}

// An engine that always plays e2e4, on three games worked out by hand.
TEST(MoveSuite, CountsWhatWasPlayed) {
    SetMaker maker;
    for (const char* first : {"e4", "d4", "e4", "Nf3"}) maker.add({first});
    const auto result = measure(maker.set(), {scripted({"fixed", "1", "e2e4"})});
    const MoveScore score = score_moves(result.engines.front(), all_of(maker.set(), result));
    EXPECT_EQ(score.positions, 4U);
    EXPECT_EQ(score.failures, 0U);
    ASSERT_TRUE(score.within[0]);
    EXPECT_DOUBLE_EQ(score.within[0]->mean, 0.5);
    for (std::size_t i = 1; i < score.within.size(); ++i)
        EXPECT_FALSE(score.within.at(i)) << "another program tells one move";
    EXPECT_FALSE(score.log_loss);
    // Twenty legal moves each time.
    const MoveScore chance = score_moves(result.constants.back(), all_of(maker.set(), result));
    for (std::size_t i = 0; i < kWithin.size(); ++i)
        EXPECT_DOUBLE_EQ(chance.within.at(i).value().mean, std::min(1.0, (static_cast<double>(i) + 1) / 20));
    EXPECT_NEAR(chance.log_loss.value().mean, std::log(20), 1e-12);
    EXPECT_EQ(chance.log_loss->error(), 0);
    const std::string text = describe(maker.set(), result, 100);
    EXPECT_THAT(text, HasSubstr("50.0 ±"));
    EXPECT_THAT(text, HasSubstr("–"));
    EXPECT_THAT(text, HasSubstr("no training games"));
    EXPECT_THAT(text, Not(HasSubstr("rated")));
}

TEST(MoveSuite, KnowsTheMostFrequentMoves) {
    SetMaker maker;
    for (const char* first : {"e4", "d4", "Nf3"}) maker.add({first});
    games::MoveHabits habits;
    const chess::Position start;
    for (const char* san : {"e4", "e4", "e4", "d4"}) habits.add(start, chess::parse_san(start, san).value());
    AskingOptions options;
    options.engines = {internal({{"Search", "random"}, {"Seed", "1"}})};
    const auto result = run_move_suite(maker.set(), habits, options, {}, {});
    ASSERT_TRUE(result);
    ASSERT_EQ(result->constants.size(), 2U);
    const MoveScore score = score_moves(result->constants.front(), all_of(maker.set(), *result));
    // e4 is first, d4 second; Nf3 is one of 18 that share the places from 3 on.
    EXPECT_DOUBLE_EQ(score.within[0]->mean, 1.0 / 3);
    EXPECT_NEAR(score.within[2]->mean, (2 + 1.0 / 18) / 3, 1e-12);
    EXPECT_NEAR(score.within[9]->mean, (2 + 8.0 / 18) / 3, 1e-12);
    EXPECT_NEAR(score.log_loss->mean, -(std::log(4.0 / 24) + std::log(2.0 / 24) + std::log(1.0 / 24)) / 3,
                1e-12);
}

TEST(MoveSuite, GroupsByPlyRatingAndKindOfMove) {
    SetMaker maker;
    // A check (Qh5+), captures (exd5 and Qxd5), quiet moves.
    maker.add({"e4", "d5", "exd5", "Qxd5", "Nc3", "Qe5+"}, {1510, 1499});
    maker.add({"e4", "e5"}, {0, 1520});
    const auto result = measure(maker.set(), {internal({{"Search", "random"}, {"Seed", "1"}})});
    std::map<std::string, std::size_t> sizes;
    for (const MoveGroup& group : move_groups(maker.set(), result, 100))
        sizes[group.name] = group.positions.size();
    EXPECT_THAT(sizes,
                testing::UnorderedElementsAre(std::pair("all", 8), std::pair("opening, to move 10", 8),
                                              std::pair("not rated", 1), std::pair("rated 1400 to 1499", 3),
                                              std::pair("rated 1500 to 1599", 4), std::pair("quiet moves", 5),
                                              std::pair("captures, checks, promotions", 3),
                                              // Qxd5 wins a pawn; exd5 changes one for another.
                                              std::pair("no winning captures", 7)));
}

TEST(MoveSuite, ARandomPolicyIsChance) {
    SetMaker maker;
    base::Random random(5);
    while (maker.set().positions.size() < 2'000) maker.add_random(random, 100);
    const auto result = measure(maker.set(), {internal({{"Search", "policy"}, {"PolicyFile", "<random:7>"}}),
                                              internal({{"Search", "random"}, {"Seed", "3"}})});
    const MoveGroup all = all_of(maker.set(), result);
    const MoveScore policy = score_moves(result.engines[0], all);
    const MoveScore mover = score_moves(result.engines[1], all);
    const MoveScore chance = score_moves(result.constants.back(), all);
    for (std::size_t i = 0; i < kWithin.size(); ++i) {
        const double wanted = chance.within.at(i)->mean;
        // Three standard errors.
        EXPECT_NEAR(policy.within.at(i)->mean, wanted, 1.6 * policy.within.at(i)->error());
        EXPECT_NEAR(mover.within.at(i)->mean, wanted, 1.6 * mover.within.at(i)->error());
    }
    // A random mover plays each move with the same probability, and says so.
    EXPECT_NEAR(mover.log_loss->mean, chance.log_loss->mean, 1e-9);
    EXPECT_GT(policy.log_loss->mean, chance.log_loss->mean);
    EXPECT_EQ(policy.failures, 0U);
}

// Opinions of a policy that knows each move that was played, and of one that knows some.
TEST(MoveSuite, WhoKnowsTheGamesMissesNothing) {
    SetMaker maker;
    base::Random random(6);
    // Without the moves that begin them, in which one position has several answers.
    for (int i = 0; i < 3; ++i) maker.add_random(random, 34, 4);
    const auto& set = maker.set();
    const tests::TemporaryFolder folder;
    const std::string file = folder / "opinions.jsonl";
    measure(set, {internal({{"Search", "policy"}, {"PolicyFile", "<record:" + file + ",<random:1>>"}})});

    std::map<std::string, std::string> played;
    for (const auto& position : set.positions)
        played[chess::to_fen(position.position)] =
            chess::to_uci(position.played, chess::CastlingNotation::Chess960);
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    std::string known = line + '\n';
    std::string half = known;
    int number = 0;
    while (std::getline(in, line)) {
        auto opinion = nlohmann::json::parse(line);
        const std::string& move = played.at(opinion.at("fen").get<std::string>());
        for (auto& [name, probability] : opinion.at("probabilities").items())
            probability = name == move ? 1 : 0;
        known += opinion.dump() + '\n';
        if (++number % 2 == 0) half += opinion.dump() + '\n';
    }
    std::ofstream(folder / "known.jsonl") << known;
    std::ofstream(folder / "half.jsonl") << half;

    const auto replayed = [&](const std::string& name) {
        return internal({{"Search", "policy"}, {"PolicyFile", "<replay:" + (folder / name).string() + ">"}});
    };
    const auto result = measure(set, {replayed("known.jsonl"), replayed("half.jsonl")});
    const MoveScore knows = score_moves(result.engines[0], all_of(set, result));
    for (const auto& share : knows.within) EXPECT_DOUBLE_EQ(share.value().mean, 1);
    EXPECT_EQ(knows.log_loss.value().mean, 0);
    EXPECT_FALSE(std::signbit(knows.log_loss->mean));
    EXPECT_EQ(knows.failures, 0U);
    // Where a policy has no answer it is not taken to have guessed.
    const MoveScore partly = score_moves(result.engines[1], all_of(set, result));
    EXPECT_GT(partly.failures, 0U);
    for (const auto& share : partly.within)
        EXPECT_DOUBLE_EQ(share.value().mean,
                         1 - static_cast<double>(partly.failures) / static_cast<double>(partly.positions));
    EXPECT_THAT(describe(set, result, 100), HasSubstr("not among the recorded opinions"));
}

TEST(MoveSuite, ASearchTellsItsBestMovesAlone) {
    SetMaker maker;
    maker.add({"e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"});
    const auto result =
        measure(maker.set(), {internal({}), internal({{"MultiPV", "5"}}, 3'000),
                              internal({{"Search", "value"}, {"MultiPV", "250"}}),
                              internal({{"Search", "mcts"}, {"PolicyFile", "<random:1>"}}, 20)});
    const MoveGroup all = all_of(maker.set(), result);
    const auto known = [&](std::size_t engine) {
        const MoveScore score = score_moves(result.engines[engine], all);
        EXPECT_FALSE(score.log_loss);
        return std::ranges::count_if(score.within, [](const auto& share) { return share.has_value(); });
    };
    EXPECT_EQ(known(0), 1);
    EXPECT_EQ(known(1), 5);
    EXPECT_EQ(known(2), std::ssize(kWithin));
    EXPECT_EQ(known(3), std::ssize(kWithin));
}

TEST(MoveSuite, IsTheSameWithAnyNumberOfThreads) {
    SetMaker maker;
    base::Random random(8);
    for (int i = 0; i < 4; ++i) maker.add_random(random, tests::kSanitized ? 8 : 25);
    std::string first;
    for (const int threads : {1, 2, 3}) {
        if (tests::kSanitized && threads == 2) continue;
        const auto result =
            measure(maker.set(),
                    {internal({{"Search", "random"}, {"Seed", "9"}}), internal({}, 300),
                     internal({{"Search", "policy"}, {"PolicyFile", "<random:2>"}}),
                     internal({{"UCI_LimitStrength", "true"}, {"UCI_Elo", "1500"}, {"Seed", "9"}})},
                    threads);
        const std::string text = to_json_lines(maker.set(), result, 100);
        if (threads == 1) first = text;
        EXPECT_EQ(text, first) << threads << " threads";
    }
    EXPECT_GT(std::ranges::count(first, '\n'), tests::kSanitized ? 100 : 400);
}

TEST(MoveSuite, EnginesAreToldTheGameSoFar) {
    SetMaker maker;
    maker.add({"e4", "e5", "Nf3", "Nc6"}, {}, 3);
    const tests::TemporaryFolder folder;
    const std::string file = folder / "trace";
    std::vector<AskedEngine> engines{internal({}), scripted({"fixed", "1", "b8c6"})};
    const auto trace = EngineTrace::open(file);
    ASSERT_TRUE(trace);
    for (auto& engine : engines) engine.config.trace = *trace;
    measure(maker.set(), engines);
    ASSERT_TRUE((*trace)->status());
    const std::string text = base::read_text(file).value_or("");
    std::size_t told = 0;
    const std::string wanted = "position startpos moves e2e4 e7e5 g1f3\n";
    for (auto at = text.find(wanted); at != std::string::npos; at = text.find(wanted, at + 1)) ++told;
    EXPECT_EQ(told, 2U) << text;
}

TEST(MoveSuite, IsInterruptedWithWhatIsKnown) {
    SetMaker maker;
    base::Random random(8);
    for (int i = 0; i < 4; ++i) maker.add_random(random, 50);
    AskingOptions options;
    options.engines = {internal({{"Search", "random"}, {"Seed", "9"}}), internal({{"Search", "value"}})};
    std::stop_source stop;
    const auto result = run_move_suite(
        maker.set(), {}, options,
        [&](std::size_t done) {
            if (done == 21) stop.request_stop();
        },
        stop.get_token());
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->interrupted);
    const MoveScore score = score_moves(result->constants.back(), all_of(maker.set(), *result));
    EXPECT_EQ(score.positions, 10U);
    EXPECT_THAT(describe(maker.set(), *result, 100), HasSubstr("interrupted"));
}

// In nats too, of who gives probabilities; a move without one that did not fail leaves no mean.
TEST(MoveSuite, CountsFailuresInLogLoss) {
    MovePredictor predictor{"policy", false, std::vector<MoveAnswer>(2)};
    predictor.answers[0].probability = 0.5;
    predictor.answers[1].failure = "no opinion";
    const MoveGroup both{"all", "all", {0, 1}};
    const MoveScore score = score_moves(predictor, both);
    ASSERT_TRUE(score.log_loss);
    EXPECT_NEAR(score.log_loss->mean, (std::log(2) - std::log(kLeastProbability)) / 2, 1e-9);
    predictor.answers[1].failure.clear();
    EXPECT_FALSE(score_moves(predictor, both).log_loss);
}

TEST(MoveSuite, CountsFailuresAsMissed) {
    SetMaker maker;
    for (const char* first : {"e4", "d4"}) maker.add({first});
    const auto result = measure(maker.set(), {scripted({"fixed", "1", "e2e5"})});
    const MoveScore score = score_moves(result.engines.front(), all_of(maker.set(), result));
    EXPECT_EQ(score.failures, 2U);
    EXPECT_EQ(score.within[0]->mean, 0);
    EXPECT_THAT(describe(maker.set(), result, 100),
                HasSubstr("counted as missed: 2; the first: illegal move"));
}

}  // namespace
}  // namespace scholar::arena
