// The client against a server in this process, over TCP, with everything that can go wrong on the way.
// Nothing may be lost but by play: each game that ends has the result and the moves that the server's board
// had.

#include "protocols/ics_client.hpp"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mutex>
#include <optional>
#include <sstream>
#include <thread>
#include <unistd.h>

#include "base/random.hpp"
#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "engine/engine_contestant.hpp"
#include "protocols/ics_server.hpp"

namespace scholar::protocols::ics {
namespace {

using tests::IcsServer;
using tests::ServerGame;
using tests::ServerRecord;
using tests::ServerSettings;
using namespace std::chrono_literals;

// Plays at random, and says now and then what can be said.
class RandomContestant : public engine::Contestant {
  public:
    explicit RandomContestant(std::uint64_t seed) : random_(seed) {}

    void game_starts(const engine::GameHeader& header) override {
        EXPECT_FALSE(playing_ && !header.resumed) << "a game began before the last was looked back at";
        playing_ = true;
    }
    engine::Decision decide(const engine::Turn& turn, std::stop_token stop) override {
        EXPECT_EQ(turn.line.current().side_to_move(), turn.game.side);
        if (random_.unit() < slowness) {
            // Longer than the server's patience with an echo, now and then; ends when it is told to.
            for (int i = 0; i < 20 && !stop.stop_requested(); ++i) std::this_thread::sleep_for(1ms);
        }
        const auto moves = chess::legal_moves(turn.line.current());
        engine::Decision decision;
        decision.move = moves[static_cast<int>(random_.below(static_cast<std::uint64_t>(moves.size())))];
        decision.resigns = random_.unit() < resigns;
        decision.accepts_draw = random_.unit() < 0.3;
        decision.offers_draw = random_.unit() < 0.05;
        decision.evaluation = games::Evaluation{.centipawns = 12, .mate = 0, .depth = 1};
        return decision;
    }
    base::Status game_ends(const engine::PlayedGame& game) override {
        playing_ = false;
        games.push_back(game);
        return {};
    }

    std::vector<engine::PlayedGame> games;
    double resigns = 0.003;
    double slowness = 0.02;

  private:
    base::Random random_;
    bool playing_ = false;
};

class Recorder : public ClientObserver {
  public:
    base::Status game_over(const engine::PlayedGame& game) override {
        games.push_back(game);
        return {};
    }
    void note(std::string_view what) override { notes += std::string(what) + '\n'; }

    std::vector<engine::PlayedGame> games;
    std::string notes;
};

// Patience and pace for a server in this process.
ClientSettings settings_for(const IcsServer& server, int games) {
    ClientSettings settings;
    settings.host = "127.0.0.1";
    settings.port = server.port();
    settings.session.credentials = {"Scholar", "secret word"};
    settings.session.site = "test";
    settings.session.games = games;
    settings.session.policy.seeks = {{3, 0}};
    settings.session.policy.rated = false;
    settings.session.throttle = {.burst = 40, .interval = 2ms, .most_waiting = 64};
    settings.session.patience = {.login = 3s,
                                 .answer = 400ms,
                                 .silence = 2s,
                                 .resume = 10s,
                                 .retry = 100ms,
                                 .seek = 500ms,
                                 .flag = 30ms,
                                 .settle = 50ms,
                                 .leave = 300ms};
    settings.backoff = {.first = 2ms, .most = 30ms, .tries = 60, .steady = 20ms, .connect = 3s};
    return settings;
}

// A stop after so long: a test fails rather than hangs.
class Watchdog {
  public:
    explicit Watchdog(std::chrono::milliseconds limit)
        : thread_([this, limit](const std::stop_token& done) {
              const auto end = std::chrono::steady_clock::now() + limit;
              while (!done.stop_requested()) {
                  if (std::chrono::steady_clock::now() > end) {
                      bit = true;
                      source.request_stop();
                      return;
                  }
                  std::this_thread::sleep_for(10ms);
              }
          }) {}

    std::stop_source source;
    std::atomic<bool> bit{false};

  private:
    std::jthread thread_;
};

struct Outcome {
    base::Status status;
    std::vector<engine::PlayedGame> games;
    std::vector<engine::PlayedGame> reviewed;
    std::string notes;
    ServerRecord server;
    bool hung = false;
};

Outcome play(const ServerSettings& server_settings, int games, std::chrono::milliseconds limit = 60s,
             const std::function<void(ClientSettings&)>& change = {}) {
    IcsServer server(server_settings);
    ClientSettings settings = settings_for(server, games);
    if (change) change(settings);
    Outcome outcome;
    RandomContestant contestant(server_settings.seed + 1'000);
    Recorder recorder;
    {
        Watchdog watchdog(limit);
        outcome.status = run_client(settings, contestant, recorder, watchdog.source.get_token());
        outcome.hung = watchdog.bit;
    }
    outcome.games = std::move(recorder.games);
    outcome.reviewed = std::move(contestant.games);
    outcome.notes = std::move(recorder.notes);
    outcome.server = server.close();
    return outcome;
}

// The heart of it: what the server has as a game is what the client and its contestant have.
void expect_the_same_games(const Outcome& outcome) {
    EXPECT_TRUE(outcome.status.has_value()) << outcome.status.error().message;
    EXPECT_FALSE(outcome.hung) << outcome.notes;
    EXPECT_EQ(outcome.server.illegal_moves, 0);
    EXPECT_EQ(outcome.server.wrong_accepts, 0);
    EXPECT_EQ(outcome.server.unknown_commands, 0);
    EXPECT_EQ(outcome.games.size(), outcome.reviewed.size());
    for (const ServerGame& game : outcome.server.games) {
        // The last word on it: it may have been adjourned before.
        const engine::PlayedGame* ours = nullptr;
        for (const auto& candidate : outcome.games)
            if (candidate.header.opponent() == game.opponent) ours = &candidate;
        const bool aborted = game.result == games::GameResult::Unknown;
        if (ours == nullptr) {
            EXPECT_TRUE(aborted) << "nothing is known of the game with " << game.opponent;
            continue;
        }
        EXPECT_EQ(ours->header.names[chess::White], game.white);
        EXPECT_EQ(ours->header.names[chess::Black], game.black);
        EXPECT_EQ(ours->result, game.result) << game.opponent << ": " << game.reason << "; " << ours->reason;
        EXPECT_EQ(ours->end, classify_end(game.reason, game.result)) << game.reason;
        if (ours->is_whole) {
            ASSERT_EQ(ours->moves.size(), game.moves.size()) << game.opponent << ": " << game.reason;
            for (std::size_t ply = 0; ply < game.moves.size(); ++ply)
                EXPECT_EQ(ours->moves[ply].move, game.moves[ply]) << game.opponent << ", ply " << ply;
        }
        // A game lost was lost by play.
        if (ours->points() == 0.0) {
            const chess::Color side = ours->header.side;
            EXPECT_TRUE(game.reason == ours->header.names[side] + " checkmated" ||
                        game.reason == ours->header.names[side] + " resigns")
                << game.reason;
        }
    }
}

int number_from_environment(const char* name, int fallback) {
    const char* text = std::getenv(name);
    return text == nullptr ? fallback : std::atoi(text);
}

TEST(IcsClient, PlaysOnAServerWhereNothingGoesWrong) {
    const Outcome outcome = play(ServerSettings{}, 4);
    expect_the_same_games(outcome);
    EXPECT_EQ(outcome.games.size(), 4U);
    EXPECT_EQ(outcome.server.logins, 1);
    EXPECT_EQ(outcome.server.moves_out_of_turn, 0);
    EXPECT_EQ(outcome.server.commands.back(), "quit");
    for (const auto& game : outcome.games) {
        EXPECT_TRUE(game.is_whole);
        EXPECT_EQ(game.header.kind, "blitz");
        EXPECT_EQ(game.header.base, 3min);
        EXPECT_EQ(game.header.opponent_rating(), 1500);
        EXPECT_EQ(game.header.ratings[game.header.side], 1612);
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
            const bool ours = (ply % 2 == 0) == (game.header.side == chess::White);
            EXPECT_EQ(game.moves[ply].evaluation.has_value(), ours) << ply;
            EXPECT_TRUE(game.moves[ply].clock.has_value()) << ply;
        }
    }
}

// SCHOLAR_ICS_GAMES=200 plays as many; SCHOLAR_ICS_SEED begins elsewhere.
TEST(IcsClient, LosesNothingButByPlayWhateverGoesWrong) {
    const int games = number_from_environment("SCHOLAR_ICS_GAMES", 12);
    ServerSettings server;
    server.seed = static_cast<std::uint64_t>(number_from_environment("SCHOLAR_ICS_SEED", 1));
    server.faults = {.garbage = 0.1,
                     .cut = 0.004,
                     .slow = 0.2,
                     .bogus_board = 0.05,
                     .false_board = 0.03,
                     .twice = 0.1,
                     .late = 0.1,
                     .lost_move = 0.004};
    server.opponent_leaves = 0.003;
    server.opponent_sleeps = 0.002;
    server.opponent_asks = 0.05;
    // Once more with other luck where the connection held throughout, as it does once in some forty times.
    Outcome outcome;
    for (int luck = 0; luck < 5 && outcome.server.cuts == 0; ++luck, ++server.seed) {
        outcome = play(server, games, 20s + games * 5s);
        expect_the_same_games(outcome);
        if (HasFailure()) break;
    }
    int with_result = 0, whole = 0;
    for (const auto& game : outcome.games) {
        with_result += game.result != games::GameResult::Unknown;
        whole += game.is_whole;
    }
    EXPECT_EQ(with_result, games);
    // Things did go wrong, and most games were followed all the same.
    EXPECT_GT(outcome.server.cuts, 0);
    EXPECT_GT(2 * whole, games);
    std::printf(
        "%d games with a result, %zu records (%d whole), %d cuts, %d logins, %d resumed, %d declined, "
        "%d moves out of turn, %d without a game\n",
        with_result, outcome.games.size(), whole, outcome.server.cuts, outcome.server.logins,
        outcome.server.resumed, outcome.server.declined, outcome.server.moves_out_of_turn,
        outcome.server.moves_without_game);
    if (HasFailure()) std::printf("%s\n", outcome.notes.c_str());
}

TEST(IcsClient, PlaysAsAGuest) {
    ServerSettings server;
    server.guests = true;
    server.seed = 3;
    const Outcome outcome =
        play(server, 2, 30s, [](ClientSettings& settings) { settings.session.credentials = {}; });
    expect_the_same_games(outcome);
    ASSERT_EQ(outcome.games.size(), 2U);
    const auto& header = outcome.games[0].header;
    EXPECT_EQ(header.names[header.side], "GuestXYZW");
    EXPECT_EQ(header.ratings[header.side], std::nullopt);
}

TEST(IcsClient, PlaysWithAnEngine) {
    ServerSettings server_settings;
    server_settings.seed = 5;
    server_settings.most_plies = 60;
    server_settings.opponent_resigns = 0;
    IcsServer server(server_settings);
    auto engine = engine::Engine::create();
    ASSERT_TRUE(engine.has_value());
    ASSERT_TRUE((*engine)->set_option("Hash", "1").has_value());
    engine::ContestantRules rules;
    rules.accept_draw = -100'000;
    engine::EngineContestant contestant(std::move(*engine), rules, search::NodeLimit{200});
    Recorder recorder;
    Watchdog watchdog(60s);
    const auto status =
        run_client(settings_for(server, 2), contestant, recorder, watchdog.source.get_token());
    EXPECT_TRUE(status.has_value()) << status.error().message;
    const ServerRecord& record = server.close();
    EXPECT_EQ(record.illegal_moves, 0);
    ASSERT_EQ(recorder.games.size(), 2U);
    for (const auto& game : recorder.games) {
        // Who moves at random does not beat it.
        EXPECT_EQ(game.points(), 1.0) << game.reason;
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
            const bool ours = (ply % 2 == 0) == (game.header.side == chess::White);
            EXPECT_EQ(game.moves[ply].search.has_value(), ours) << ply;
            if (ours && game.moves[ply].search) {
                EXPECT_EQ(game.moves[ply].search->best, game.moves[ply].move);
            }
        }
        const games::Game kept = engine::to_game(game);
        EXPECT_EQ(kept.moves.size(), game.moves.size());
        EXPECT_EQ(kept.evaluations.size(), game.moves.size());
        EXPECT_EQ(kept.tag("TimeControl"), "180");
        EXPECT_EQ(kept.tag(game.header.side == chess::White ? "White" : "Black"), "Scholar");
        EXPECT_EQ(kept.result, game.result);
    }
}

TEST(IcsClient, ResignsAndLeavesWhenToldTo) {
    ServerSettings server_settings;
    server_settings.opponent_resigns = 0;
    server_settings.opponent_asks = 0;
    IcsServer server(server_settings);
    auto settings = settings_for(server, 0);
    settings.session.on_stop = OnStop::Resign;
    RandomContestant contestant(1);
    contestant.resigns = 0;
    contestant.slowness = 1;  // there is always a thought to stop
    std::stop_source stop;
    struct : Recorder {
        void game_starts(const engine::GameHeader&) override { stop->request_stop(); }
        std::stop_source* stop = nullptr;
    } recorder;
    recorder.stop = &stop;
    const auto status = run_client(settings, contestant, recorder, stop.get_token());
    EXPECT_TRUE(status.has_value());
    const ServerRecord& record = server.close();
    ASSERT_EQ(recorder.games.size(), 1U);
    EXPECT_EQ(contestant.games.size(), 1U);
    EXPECT_EQ(recorder.games[0].end, engine::GameEnd::Resignation);
    EXPECT_EQ(recorder.games[0].points(), 0.0);
    EXPECT_EQ(record.games.at(0).reason, "Scholar resigns");
    EXPECT_EQ(record.commands.back(), "quit");
}

TEST(IcsClient, SaysWhyItCannotPlay) {
    const auto refused = [](const ServerSettings& server,
                            const std::function<void(ClientSettings&)>& change) {
        const Outcome outcome = play(server, 1, 30s, change);
        EXPECT_FALSE(outcome.hung);
        EXPECT_FALSE(outcome.status.has_value());
        const std::string message = outcome.status ? "" : outcome.status.error().message;
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
        EXPECT_EQ(message.find("secret word"), std::string::npos) << message;
        return message;
    };
    EXPECT_THAT(
        refused(ServerSettings(), [](ClientSettings& s) { s.session.credentials.password = "wrong"; }),
        testing::HasSubstr("Invalid password"));
    EXPECT_THAT(refused(ServerSettings(), [](ClientSettings& s) { s.session.credentials.name = "Nobody"; }),
                testing::HasSubstr("not a registered name"));
    const auto few_tries = [](ClientSettings& s) {
        s.backoff.tries = 2;
        s.backoff.steady = 10s;
        s.session.patience.login = 50ms;
    };
    ServerSettings silent;
    silent.silent = true;
    EXPECT_THAT(refused(silent, few_tries), testing::HasSubstr("2 tries"));
    ServerSettings fleeting;
    fleeting.stays = false;
    EXPECT_THAT(refused(fleeting, few_tries), testing::HasSubstr("2 tries"));
    // A port that nobody listens at: tcpmux's, which only root may open. (One that a server has just given
    // back can be given to the next server.)
    EXPECT_THAT(refused(ServerSettings(),
                        [&](ClientSettings& s) {
                            few_tries(s);
                            s.port = "1";
                        }),
                testing::HasSubstr("2 tries"));
}

TEST(IcsClient, KeepsThePasswordOutOfTheTranscript) {
    const auto path = std::filesystem::temp_directory_path() / fmt::format("scholar-ics-{}", ::getpid());
    const Outcome outcome =
        play(ServerSettings(), 1, 30s, [&](ClientSettings& s) { s.transcript = path.string(); });
    EXPECT_TRUE(outcome.status.has_value());
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    std::filesystem::remove(path);
    EXPECT_THAT(text.str(), testing::HasSubstr("> ********"));
    EXPECT_THAT(text.str(), testing::HasSubstr("< <12> "));
    EXPECT_EQ(text.str().find("secret word"), std::string::npos);
    EXPECT_EQ(outcome.notes.find("secret word"), std::string::npos);
}

}  // namespace
}  // namespace scholar::protocols::ics
