#include "selfplay/labelled_games.hpp"

#include <filesystem>
#include <gtest/gtest.h>

#include "arena/in_process_engine.hpp"
#include "chess/fen.hpp"
#include "chess/uci_move.hpp"
#include "engine/engine.hpp"
#include "games/store.hpp"
#include "support/random_games.hpp"
#include "support/test_data.hpp"

namespace scholar::selfplay {
namespace {

base::Result<std::unique_ptr<arena::Player>> internal() {
    arena::EngineConfig config;
    config.protocol = arena::Protocol::Internal;
    config.options = {{"Hash", "1"}};
    return arena::start_player(config, {});
}

// Random games with evaluations that no engine would give, one of them of Chess960.
std::vector<games::Game> games_to_label(std::size_t count) {
    std::vector<games::Game> games;
    base::Random random(4);
    while (games.size() < count) {
        games::Game game;
        game.tags = {{"White", "A"}, {"Annotator", "somebody"}};
        game.result = games::GameResult::Draw;
        game.chess960 = games.size() == 5;
        game.start =
            game.chess960
                ? chess::parse_fen("rkbnqbnr/pppppppp/8/8/8/8/PPPPPPPP/RKBNQBNR w HAha - 0 1").value()
                : chess::Position();
        tests::play_random_game(random, game.start, 12,
                                [&](const chess::Position&, chess::Move move, const chess::Position&) {
                                    game.moves.push_back(move);
                                });
        game.evaluations.assign(game.moves.size(), games::Evaluation{.centipawns = 9'999});
        games.push_back(std::move(game));
    }
    return games;
}

FilledStore label(const std::filesystem::path& path, const LabelPlan& plan, int threads,
                  std::uint64_t stop_at = ~std::uint64_t{0}, bool resume = false) {
    LabelledGames how;
    how.plan = plan;
    how.threads = threads;
    how.store = path;
    how.resume = resume;
    std::stop_source stop;
    const auto made = label_games(
        how, internal,
        [&](std::uint64_t games) {
            if (games >= stop_at) stop.request_stop();
        },
        stop.get_token());
    EXPECT_TRUE(made) << made.error().message;
    return made ? *made : FilledStore{};
}

// The engine, asked by itself, says the same of each position, in its own centipawns of White's advantage.
TEST(LabelledGames, HaveTheStaticEvaluationOfEachPosition) {
    const tests::TemporaryFolder folder;
    const LabelPlan plan{.games = games_to_label(7), .nodes = {}, .annotator = "us"};
    ASSERT_TRUE(label(folder / "labelled.games", plan, 1).finished);
    const auto engine = engine::Engine::create().value();
    const auto found = games::read_all_games(folder / "labelled.games").value();
    ASSERT_EQ(found.size(), plan.games.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        const games::Game& game = found[i];
        EXPECT_EQ(game.moves, plan.games[i].moves);
        EXPECT_EQ(game.result, games::GameResult::Draw);
        EXPECT_EQ(game.tag("White"), "A");
        EXPECT_EQ(game.tag("Annotator"), "us");
        ASSERT_EQ(game.evaluations.size(), game.moves.size());
        chess::Position position = game.start;
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
            engine->set_line(chess::Line(position));
            const int value = engine->to_centipawns(engine->evaluate().value());
            ASSERT_TRUE(game.evaluations[ply]);
            EXPECT_EQ(game.evaluations[ply]->centipawns,
                      position.side_to_move() == chess::White ? value : -value);
            EXPECT_EQ(game.evaluations[ply]->depth, 0);
            position.make(game.moves[ply]);
        }
    }
}

// White is a queen ahead, whoever is to move, then mates; and is mated.
TEST(LabelledGames, HaveWhitesViewOfSearches) {
    const tests::TemporaryFolder folder;
    const auto game = [](std::string_view fen, std::initializer_list<std::string_view> moves) {
        games::Game made;
        made.start = chess::parse_fen(fen).value();
        made.result = games::GameResult::Draw;
        chess::Position position = made.start;
        for (const std::string_view move : moves) {
            made.moves.push_back(chess::parse_uci_move(position, move).value());
            position.make(made.moves.back());
        }
        return made;
    };
    const LabelPlan plan{.games = {game("4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 1", {"e1f1", "e8f8"}),
                                   game("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", {"g6g7"}),
                                   game("7K/8/5kq1/8/8/8/8/8 b - - 0 1", {"g6g7"})},
                         .nodes = 2'000,
                         .annotator = ""};
    ASSERT_TRUE(label(folder / "searched.games", plan, 1).finished);
    const auto found = games::read_all_games(folder / "searched.games").value();
    ASSERT_EQ(found.size(), 3U);
    for (const auto& evaluation : found[0].evaluations) {
        ASSERT_TRUE(evaluation);
        EXPECT_GT(evaluation->mate != 0 ? 1'000 * evaluation->mate : evaluation->centipawns, 300);
    }
    EXPECT_EQ(found[1].evaluations.at(0)->mate, 1);
    EXPECT_EQ(found[2].evaluations.at(0)->mate, -1);
}

TEST(LabelledGames, DependNeitherOnThreadsNorOnStops) {
    const tests::TemporaryFolder folder;
    for (const std::optional<std::uint64_t> nodes : {std::optional<std::uint64_t>{}, {20}}) {
        if (tests::kSanitized && !nodes) continue;
        // Two batches, or three.
        const LabelPlan plan{
            .games = games_to_label(tests::kSanitized ? 66 : 150), .nodes = nodes, .annotator = "us"};
        const std::string kind = nodes ? "searched" : "static";
        ASSERT_TRUE(label(folder / (kind + "-1.games"), plan, 1).finished);
        ASSERT_TRUE(label(folder / (kind + "-3.games"), plan, 3).finished);
        EXPECT_FALSE(label(folder / (kind + "-stopped.games"), plan, 1, 64).finished);
        ASSERT_TRUE(label(folder / (kind + "-stopped.games"), plan, 2, ~std::uint64_t{0}, true).finished);
        const auto hash = [&](const std::string& name) {
            return games::StoreReader::open(folder / (kind + name + ".games")).value().data_hash();
        };
        EXPECT_EQ(hash("-1"), hash("-3"));
        EXPECT_EQ(hash("-1"), hash("-stopped"));
        if (!nodes) continue;
        int deep = 0;
        const auto searched = games::read_all_games(folder / "searched-1.games").value();
        for (const games::Game& game : searched)
            for (const auto& evaluation : game.evaluations)
                deep += evaluation && evaluation->depth > 0 ? 1 : 0;
        EXPECT_GT(deep, tests::kSanitized ? 300 : 1'000);
    }
}

}  // namespace
}  // namespace scholar::selfplay
