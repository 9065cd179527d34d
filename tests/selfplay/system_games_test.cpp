#include "selfplay/system_games.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <unistd.h>

#include "base/files.hpp"
#include "chess/fen.hpp"
#include "chess/legality.hpp"
#include "chess/line.hpp"
#include "chess/movegen.hpp"
#include "engine/players.hpp"
#include "support/test_data.hpp"

namespace scholar::selfplay {
namespace {

namespace fs = std::filesystem;
using games::Ending;
using games::GameResult;

// What the option chooses from.
std::vector<std::string> choices_of(std::string_view name) {
    const auto engine = engine::Engine::create().value();
    const engine::Option* option = engine::find_option(engine->options(), name);
    return option == nullptr ? std::vector<std::string>()
                             : std::get<engine::ComboOption>(option->kind).choices;
}

EngineMaker maker_of(std::vector<std::pair<std::string, std::string>> options) {
    return [options = std::move(options)]() -> base::Result<std::unique_ptr<engine::Engine>> {
        auto engine = engine::Engine::create();
        if (!engine) return engine;
        for (const auto& [name, value] : options)
            if (auto status = (*engine)->set_option(name, value); !status)
                return std::unexpected(status.error());
        return engine;
    };
}

EngineMaker system(const std::string& name) {
    return maker_of({{"System", name}, {"Hash", "1"}});
}

// Whether a search can do nothing without a network in this role.
bool needs(const std::string& search, evaluators::Role role) {
    const engine::Players players = engine::standard_players();
    const engine::SearchKind* kind = players.find_search(search);
    return kind != nullptr && std::ranges::any_of(kind->needs, [role](const evaluators::Need& need) {
               return need.role == role && !need.optional;
           });
}

chess::Position position_of(const char* fen) {
    return chess::parse_fen(fen).value();
}

class SystemGamesTest : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / fmt::format("scholar-system-games-{}", getpid());
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    SystemGames few(std::uint64_t games = tests::kSanitized ? 3 : 6) const {
        SystemGames how;
        how.plan.seed = 5;
        how.plan.limit = search::NodeLimit{50};
        how.plan.least_random_plies = 2;
        how.plan.most_random_plies = 6;
        how.plan.max_plies = tests::kSanitized ? 30 : 60;
        how.games = games;
        how.store = folder_ / "own.games";
        how.settings = {{"--nodes", "50"}, {"--depth", ""}};
        return how;
    }

    // Plays them anew; the store's bytes.
    std::string bytes(SystemGames how, const EngineMaker& make) const {
        fs::remove(how.store);
        const auto played = play_system_games(how, make, [](std::uint64_t) {}, {});
        EXPECT_TRUE(played) << played.error().message;
        EXPECT_TRUE(played && played->finished && played->finished->summary.games == how.games);
        expect_tidy();
        return base::read_text(how.store).value();
    }
    std::vector<games::Game> played(const SystemGames& how, const EngineMaker& make) const {
        bytes(how, make);
        return games::read_all_games(how.store).value();
    }
    // Nothing but the store is left.
    void expect_tidy() const {
        for (const auto& entry : fs::directory_iterator(folder_))
            EXPECT_EQ(entry.path().extension(), ".games");
    }
    // As played until so many games are there.
    void play_until(SystemGames how, const EngineMaker& make, std::uint64_t games) const {
        std::stop_source stop;
        const auto result = play_system_games(
            how, make,
            [&](std::uint64_t now) {
                if (now >= games) stop.request_stop();
            },
            stop.get_token());
        ASSERT_TRUE(result) << result.error().message;
        EXPECT_GE(result->games, games);
        EXPECT_FALSE(result->finished);
        EXPECT_FALSE(fs::exists(how.store));
    }
    std::string refusal(const SystemGames& how, const EngineMaker& make = system("random")) const {
        const auto result = play_system_games(how, make, [](std::uint64_t) {}, {});
        EXPECT_FALSE(result);
        return result ? "" : result.error().message;
    }

    fs::path folder_;
};

TEST_F(SystemGamesTest, TheStoreDoesNotDependOnThreads) {
    for (const std::string& name : choices_of("System")) {
        SystemGames how = few();
        const std::string alone = bytes(how, system(name));
        for (const int threads : {2, 3}) {
            if (tests::kSanitized && threads == 2) continue;
            how.threads = threads;
            EXPECT_EQ(bytes(how, system(name)), alone) << name << " in " << threads << " threads";
        }
        how.plan.seed = 6;
        EXPECT_NE(bytes(how, system(name)), alone) << name;
    }
    for (const std::string& name : choices_of("Search")) {
        SystemGames how = few(tests::kSanitized ? 3 : 4);
        const EngineMaker make = maker_of(
            {{"Search", name},
             {"Hash", "1"},
             {"PolicyFile", needs(name, evaluators::Role::Policy) ? "<random:1>" : "<embedded>"},
             {"OrderFile", needs(name, evaluators::Role::Order) ? "<order:<embedded>>" : "<embedded>"}});
        const std::string alone = bytes(how, make);
        for (const int threads : {2, 3}) {
            if (tests::kSanitized && threads == 2) continue;
            how.threads = threads;
            EXPECT_EQ(bytes(how, make), alone) << name << " in " << threads << " threads";
        }
    }
}

TEST_F(SystemGamesTest, AWeakenedPlayerIsTheSameAgain) {
    SystemGames how = few(4);
    const EngineMaker make = maker_of({{"UCI_LimitStrength", "true"}, {"UCI_Elo", "1000"}});
    const std::string alone = bytes(how, make);
    how.threads = 3;
    EXPECT_EQ(bytes(how, make), alone);
}

TEST_F(SystemGamesTest, StoppedAndResumedAreTheSameGames) {
    std::vector<std::pair<std::string, EngineMaker>> players;
    for (const std::string& name : choices_of("System")) players.emplace_back(name, system(name));
    players.emplace_back("mcts", maker_of({{"Search", "mcts"}, {"PolicyFile", "<random:1>"}, {"Hash", "1"}}));
    for (const auto& [name, make] : players) {
        SystemGames how = few(8);
        const std::string whole = bytes(how, make);
        fs::remove(how.store);
        play_until(how, make, 1);
        how.resume = true;
        play_until(how, make, 4);
        how.threads = 2;
        const auto result = play_system_games(how, make, [](std::uint64_t) {}, {});
        ASSERT_TRUE(result) << result.error().message;
        EXPECT_GE(result->before, 4U);
        EXPECT_EQ(base::read_text(how.store).value(), whole) << name;
        expect_tidy();
    }
}

TEST_F(SystemGamesTest, StoppedBeforeAGameIsOverLeavesNothingThatIsInTheWay) {
    SystemGames how = few(3);
    const std::string whole = bytes(how, system("random"));
    fs::remove(how.store);
    std::stop_source stop;
    stop.request_stop();
    const auto none = play_system_games(how, system("random"), [](std::uint64_t) {}, stop.get_token());
    ASSERT_TRUE(none);
    EXPECT_EQ(none->games, 0U);
    for (const bool resume : {false, true}) {
        how.resume = resume;
        EXPECT_EQ(bytes(how, system("random")), whole);
    }
}

// Whoever was killed when the store had just got its name finds it finished.
TEST_F(SystemGamesTest, KilledBeforeItWasTidiedAwayIsResumed) {
    SystemGames how = few(3);
    play_until(few(4), system("random"), 3);
    const fs::path growing = games::partial_path(how.store);
    const fs::path journal = games::journal_path(how.store);
    const fs::path kept = folder_ / "kept.games";  // as if it were another's store
    fs::create_directory(kept);
    fs::copy(growing, kept / "growing");
    fs::copy(journal, kept / "journal");
    how.resume = true;
    const auto whole = play_system_games(how, system("random"), [](std::uint64_t) {}, {});
    ASSERT_TRUE(whole && whole->finished);
    const std::string before = base::read_text(how.store).value();
    fs::copy(kept / "growing", growing);
    fs::copy(kept / "journal", journal);
    EXPECT_TRUE(play_system_games(how, system("random"), [](std::uint64_t) {}, {}));
    EXPECT_EQ(base::read_text(how.store).value(), before);
    expect_tidy();
    // And where only the last file is left.
    fs::copy(kept / "journal", journal);
    EXPECT_TRUE(refusal(how).ends_with("nothing of it to resume"));
    EXPECT_FALSE(fs::exists(journal));
}

TEST_F(SystemGamesTest, OtherSettingsAreRefusedByName) {
    SystemGames how = few(8);
    play_until(how, system("random"), 2);
    EXPECT_TRUE(refusal(how).contains("not finished, and can be resumed"));
    how.resume = true;
    how.settings = {{"--nodes", "60"}, {"--depth", ""}};
    EXPECT_TRUE(refusal(how).ends_with("cannot be resumed with --nodes 60: it was begun with --nodes 50"));
    how.settings = {{"--nodes", "50"}, {"--depth", "a\tb\\c\nd"}};
    EXPECT_TRUE(refusal(how).contains("it was begun without --depth"));
    how.settings = few().settings;
    const auto result = play_system_games(how, system("random"), [](std::uint64_t) {}, {});
    EXPECT_TRUE(result && result->finished);
    // Finished: nothing is replaced or gone on with unasked.
    EXPECT_TRUE(refusal(how).ends_with("nothing of it to resume"));
    how.resume = false;
    EXPECT_TRUE(refusal(how).contains("exists"));
    how.replace = true;
    EXPECT_TRUE(play_system_games(how, system("random"), [](std::uint64_t) {}, {}));
}

TEST_F(SystemGamesTest, WhatIsWrongWithAnEngineIsSaidBeforeTheFirstGame) {
    EXPECT_TRUE(refusal(few(), system("nobody")).contains("nobody"));
    EXPECT_TRUE(refusal(few(), maker_of({{"EvalFile", "none.safetensors"}})).contains("none.safetensors"));
    EXPECT_TRUE(fs::is_empty(folder_));
}

// The end that the rules give, of a game whose moves are all legal.
void expect_sound(const games::Game& game, const SystemPlan& plan) {
    chess::Line line(game.start);
    // Who has no scores leaves none.
    ASSERT_TRUE(game.evaluations.empty() || game.evaluations.size() == game.moves.size());
    ASSERT_EQ(game.nodes.size(), game.moves.size());
    for (const chess::Move move : game.moves) {
        EXPECT_EQ(line.terminal(), chess::Terminal::None);
        ASSERT_TRUE(chess::is_legal(line.current(), move));
        line.push(move);
    }
    const auto loser = line.current().side_to_move();
    switch (game.ending) {
        case Ending::Checkmate:
            EXPECT_EQ(line.terminal(), chess::Terminal::Checkmate);
            EXPECT_EQ(games::points(game.result, loser), 0.0);
            break;
        case Ending::Stalemate:
            EXPECT_EQ(line.terminal(), chess::Terminal::Stalemate);
            break;
        case Ending::InsufficientMaterial:
            EXPECT_EQ(line.terminal(), chess::Terminal::InsufficientMaterial);
            break;
        case Ending::Repetition:
            EXPECT_EQ(line.terminal(), chess::Terminal::ThreefoldRepetition);
            break;
        case Ending::FiftyMoves:
            EXPECT_EQ(line.terminal(), chess::Terminal::FiftyMoves);
            break;
        case Ending::Resignation:
            EXPECT_TRUE(plan.resign);
            EXPECT_NE(game.result, GameResult::Draw);
            EXPECT_EQ(line.terminal(), chess::Terminal::None);
            break;
        case Ending::Adjudication:
            EXPECT_EQ(line.terminal(), chess::Terminal::None);
            EXPECT_TRUE(plan.draw || line.ply() == plan.max_plies);
            break;
        default:
            ADD_FAILURE() << "ended as no game of an engine against itself does";
    }
    const bool decided = game.ending == Ending::Checkmate || game.ending == Ending::Resignation;
    EXPECT_EQ(game.result == GameResult::Draw, !decided);
}

TEST_F(SystemGamesTest, GamesAreLegalAndEndAsTheySay) {
    for (const std::string& name : choices_of("System")) {
        SystemGames how = few(12);
        how.plan.max_plies = 300;
        how.plan.name = "Scholar " + name;
        how.plan.tags = {{"Options", "System=" + name}};
        how.threads = 2;
        std::set<std::uint64_t> different;
        int number = 0;
        for (const games::Game& game : played(how, system(name))) {
            SCOPED_TRACE(fmt::format("{}, game {}", name, ++number));
            expect_sound(game, how.plan);
            different.insert(game.hash());
            EXPECT_EQ(game.tag("Round"), fmt::format("{}", number));
            EXPECT_EQ(game.tag("White"), how.plan.name);
            EXPECT_EQ(game.tag("Options"), "System=" + name);
            int by_lot = 0;
            while (!game.nodes[by_lot]) ++by_lot;
            EXPECT_GE(by_lot, 2);
            EXPECT_LE(by_lot, 6);
            for (std::size_t ply = 0; ply < game.moves.size(); ++ply)
                EXPECT_EQ(game.nodes[ply].has_value(), ply >= static_cast<std::size_t>(by_lot));
        }
        EXPECT_EQ(different.size(), 12U) << name;
    }
}

TEST_F(SystemGamesTest, OpeningsComeEquallyOftenWithTheirMoves) {
    SystemGames how = few(9);
    how.plan.least_random_plies = how.plan.most_random_plies = 1;
    const chess::Position start;
    for (const chess::Move move : chess::legal_moves(start))
        if (how.plan.openings.size() < 3) how.plan.openings.push_back({start, {move}});
    std::map<std::string, int> seen;
    for (const games::Game& game : played(how, system("random"))) {
        ++seen[chess::to_fen(start.after(game.moves.at(0)))];
        EXPECT_FALSE(game.nodes[1]);
        EXPECT_TRUE(game.nodes[2]);
    }
    EXPECT_EQ(seen.size(), 3U);
    for (const auto& [fen, count] : seen) EXPECT_EQ(count, 3) << fen;
}

// A queen ahead: the weaker side gives up, but for the games that are played out.
TEST_F(SystemGamesTest, WhoIsBehindResigns) {
    SystemGames how = few(4);
    how.plan.openings = {{position_of("4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1"), {}}};
    how.plan.least_random_plies = how.plan.most_random_plies = 0;
    how.plan.max_plies = 200;
    how.plan.resign = ResignTerms{.moves = 2, .score = 400, .played_out = 0};
    for (const games::Game& game : played(how, system("scholar"))) {
        expect_sound(game, how.plan);
        EXPECT_EQ(game.ending, Ending::Resignation);
        EXPECT_EQ(game.result, GameResult::WhiteWins);
        ASSERT_GE(game.moves.size(), 4U);
        for (std::size_t back = 1; back <= 4; ++back) {
            const auto& said = game.evaluations[game.moves.size() - back];
            ASSERT_TRUE(said);
            EXPECT_TRUE(said->centipawns >= 400 || said->mate > 0);
        }
    }
    how.plan.resign->played_out = 100;
    for (const games::Game& game : played(how, system("scholar"))) {
        expect_sound(game, how.plan);
        EXPECT_NE(game.ending, Ending::Resignation);
    }
}

TEST_F(SystemGamesTest, QuietGamesAreDrawn) {
    SystemGames how = few(4);
    // Any score is near enough.
    how.plan.draw = DrawTerms{.moves = 3, .score = 40'000, .after = 5};
    for (const games::Game& game : played(how, system("oneply"))) {
        expect_sound(game, how.plan);
        if (game.ending == Ending::Adjudication) {
            EXPECT_EQ(game.moves.size(), 16U);
        }
    }
}

TEST(EarlyEnd, WantsBothSidesToAgreeWithoutABreak) {
    using chess::Score;
    EarlyEnd early(ResignTerms{.moves = 2, .score = 500, .played_out = 0}, std::nullopt);
    const auto note = [&](int score, chess::Color side) { early.note(Score(score), side, 1); };
    note(500, chess::White);
    note(-600, chess::Black);
    note(700, chess::White);
    EXPECT_FALSE(early.resigned_to());
    note(-499, chess::Black);  // not so far behind
    for (int i = 0; i < 2; ++i) {
        EXPECT_FALSE(early.resigned_to());
        note(-500, chess::White);
        note(500, chess::Black);
    }
    EXPECT_EQ(early.resigned_to(), chess::Black);
    early.note(std::nullopt, chess::White, 1);
    EXPECT_FALSE(early.resigned_to());
    EXPECT_FALSE(early.is_drawn());
}

}  // namespace
}  // namespace scholar::selfplay
