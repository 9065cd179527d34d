#include "games/held_out.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "base/random.hpp"
#include "chess/fen.hpp"
#include "chess/san.hpp"
#include "games/move_habits.hpp"
#include "sampling_fixture.hpp"

namespace scholar::games {
namespace {

using testing::HasSubstr;

// (game's hash, ply)
using Places = std::set<std::pair<std::uint64_t, int>>;

Places places_of(const HeldOutSet& set) {
    Places places;
    for (const HeldOutPosition& position : set.positions)
        places.emplace(set.game_of(position).hash, position.ply);
    EXPECT_EQ(places.size(), set.positions.size());
    return places;
}

class HeldOut : public testing::Test {
  protected:
    // White is rated 2000 to 2299, Black 2500 or not at all.
    HeldOut() : games_(make_games(300)) {
        rule_.shares = {.validation = 0.2, .test = 0.4};
        rule_.min_ply = 4;
    }

    std::vector<StoreReader> write(const std::vector<std::vector<Game>>& stores) {
        std::vector<StoreReader> readers;
        for (const auto& games : stores) {
            const auto path = folder_ / fmt::format("{}.games", ++written_);
            auto writer = StoreWriter::create(path, {.games_per_block = 25});
            for (const Game& game : games) EXPECT_TRUE(writer->add(game));
            EXPECT_TRUE(writer->finish());
            readers.push_back(StoreReader::open(path).value());
        }
        return readers;
    }

    base::Result<HeldOutSet> draw(const std::vector<std::vector<Game>>& stores) {
        return draw_held_out(write(stores), rule_, {});
    }

    // The rule, as its comment says it, over whole lists.
    Places by_hand(const std::vector<Game>& games) const {
        struct Candidate {
            std::uint64_t draw;
            std::string board;  // without clocks
            std::uint64_t hash;
            int ply;
        };
        const auto mix = [](std::uint64_t x) { return base::split_mix(x); };
        std::map<int, std::vector<Candidate>> bands;
        std::set<std::uint64_t> seen;
        for (const Game& game : games) {
            if (game.chess960 || split_of(game.hash(), rule_.shares) != Split::Test) continue;
            if (!seen.insert(game.hash()).second) continue;
            std::vector<std::pair<int, Candidate>> own;
            chess::Position position = game.start;
            for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
                const std::string tag(
                    game.tag(position.side_to_move() == chess::White ? "WhiteElo" : "BlackElo"));
                const int rating = tag.empty() ? 0 : std::stoi(tag);
                const std::string fen = chess::to_fen(position);
                if (static_cast<int>(ply) >= rule_.min_ply && chess::legal_moves(position).size() >= 2 &&
                    (rule_.band == 0 || rating > 0))
                    own.emplace_back(rule_.band == 0 ? 0 : rating / rule_.band,
                                     Candidate{mix(mix(mix(rule_.seed) ^ game.hash()) + ply),
                                               fen.substr(0, fen.rfind(' ', fen.rfind(' ') - 1)), game.hash(),
                                               static_cast<int>(ply)});
                position.make(game.moves[ply]);
            }
            std::ranges::sort(own, {}, [](const auto& one) { return one.second.draw; });
            if (rule_.per_game > 0)
                own.resize(std::min(own.size(), static_cast<std::size_t>(rule_.per_game)));
            for (auto& [band, candidate] : own) bands[band].push_back(candidate);
        }
        Places places;
        for (auto& [band, candidates] : bands) {
            std::ranges::sort(candidates, {}, &Candidate::draw);
            std::set<std::string> boards;
            std::uint64_t places_of_band = 0;
            for (const Candidate& candidate : candidates)
                if (places_of_band < rule_.positions &&
                    (boards.insert(candidate.board).second || !rule_.distinct)) {
                    places.emplace(candidate.hash, candidate.ply);
                    ++places_of_band;
                }
        }
        return places;
    }

    tests::TemporaryFolder folder_;
    std::vector<Game> games_;
    HeldOutRule rule_;
    int written_ = 0;
};

TEST_F(HeldOut, TakesThePositionsThatTheRuleSays) {
    // Many games that begin alike, so that positions occur again.
    std::vector<Game> games = games_;
    for (std::size_t i = 0; i < 60; ++i) {
        Game game = games_[i % 3];
        game.moves.resize(std::min(game.moves.size(), 8 + i / 3));
        game.evaluations.clear();
        games.push_back(std::move(game));
    }
    for (const auto& [positions, per_game, band, seed, distinct] :
         {std::tuple(10'000, 0, 0, 1, true), std::tuple(500, 0, 0, 1, true), std::tuple(500, 0, 0, 2, true),
          std::tuple(200, 3, 0, 1, true), std::tuple(10'000, 5, 0, 1, true), std::tuple(40, 0, 100, 1, true),
          std::tuple(40, 2, 50, 7, true), std::tuple(10'000, 0, 0, 1, false),
          std::tuple(500, 0, 0, 1, false)}) {
        rule_.distinct = distinct;
        rule_.positions = static_cast<std::uint64_t>(positions);
        rule_.per_game = per_game;
        rule_.band = band;
        rule_.seed = static_cast<std::uint64_t>(seed);
        const auto set = draw({games});
        ASSERT_TRUE(set) << set.error().message;
        EXPECT_EQ(places_of(*set), by_hand(games)) << to_string(rule_);
        if (band == 0 && per_game == 0 && positions < 1'000) {
            EXPECT_EQ(set->positions.size(), static_cast<std::size_t>(positions));
        }
    }
}

TEST_F(HeldOut, PositionsStandWhereTheirGamesLead) {
    const auto set = draw({games_});
    ASSERT_TRUE(set);
    ASSERT_GT(set->positions.size(), 2'000U);
    std::map<std::uint64_t, const Game*> by_hash;
    for (const Game& game : games_) by_hash[game.hash()] = &game;
    for (const HeldOutPosition& held : set->positions) {
        const Game& game = *by_hash.at(set->game_of(held).hash);
        EXPECT_EQ(split_of(game.hash(), rule_.shares), Split::Test);
        EXPECT_FALSE(game.chess960);
        EXPECT_GE(held.ply, rule_.min_ply);
        EXPECT_EQ(held.played, game.moves[static_cast<std::size_t>(held.ply)]);
        chess::Position position = set->game_of(held).start;
        for (const chess::Move move : set->past(held)) position.make(move);
        EXPECT_EQ(chess::to_fen(position), chess::to_fen(held.position));
        const std::string tag(game.tag(position.side_to_move() == chess::White ? "WhiteElo" : "BlackElo"));
        EXPECT_EQ(held.rating, tag.empty() ? 0 : std::stoi(tag));
    }
}

TEST_F(HeldOut, IsOfTheGamesAloneHoweverTheyAreStored) {
    rule_.positions = 300;
    const auto set = draw({games_});
    std::vector<Game> reversed(games_.rbegin(), games_.rend());
    const std::vector<Game> first(reversed.begin(), reversed.begin() + 170);
    const std::vector<Game> second(reversed.begin() + 90, reversed.end());  // some games twice
    const auto other = draw({first, second});
    ASSERT_TRUE(set && other);
    EXPECT_EQ(set->hash(), other->hash());
    EXPECT_NE(set->data_hash, other->data_hash);
    EXPECT_EQ(set->test_games, other->test_games);
    rule_.seed = 2;
    EXPECT_NE(draw({games_})->hash(), set->hash());
}

TEST_F(HeldOut, SaysWhyThereIsNone) {
    const auto refusal = [&](const std::vector<Game>& games) {
        const auto set = draw({games});
        return set ? "" : set.error().message;
    };
    EXPECT_THAT(refusal({}), HasSubstr("no games"));
    std::vector<Game> unrated = games_;
    for (Game& game : unrated) game.tags.clear();
    EXPECT_EQ(refusal(unrated), "");
    rule_.band = 100;
    EXPECT_THAT(refusal(unrated), HasSubstr("has a rating, expected the tags WhiteElo and BlackElo"));
    rule_.min_ply = 1'000;
    EXPECT_THAT(refusal(games_), HasSubstr("without a position from half-move 1000 on"));
    rule_.shares.test = 0;
    EXPECT_THAT(refusal(games_), HasSubstr("none of 300 games is a test game"));
}

// By hand: of White e4 twice; of Black e5, c5 and d5, which are e4, c4 and d4 from its side; of White d4.
TEST(MoveHabits, AreCountedFromTheMoversSide) {
    MoveHabits habits;
    for (const auto& moves : {std::array{"e4", "e5"}, std::array{"e4", "c5"}, std::array{"d4", "d5"}}) {
        chess::Position position;
        for (const char* san : moves) {
            const auto move = chess::parse_san(position, san).value();
            habits.add(position, move);
            position.make(move);
        }
    }
    EXPECT_EQ(habits.moves(), 6U);
    const chess::Position start;
    const chess::MoveList legal = chess::legal_moves(start);
    std::vector<double> shares(static_cast<std::size_t>(legal.size()));
    habits.judge(start, legal, shares);
    const std::map<std::string, double> counts{{"e4", 3}, {"d4", 2}, {"c4", 1}};
    double sum = 0;
    for (int i = 0; i < legal.size(); ++i) {
        const auto known = counts.find(chess::to_san(start, legal[i]));
        const double count = known == counts.end() ? 0 : known->second;
        EXPECT_DOUBLE_EQ(shares[static_cast<std::size_t>(i)], (count + 1) / (20 + 6));
        sum += shares[static_cast<std::size_t>(i)];
    }
    EXPECT_NEAR(sum, 1, 1e-12);
}

// A king on g1 goes to h1 whenever it can, which is once; to f1 once of two times.
TEST(MoveHabits, AreOfTheTimesThatAMoveWasLegal) {
    const auto free = chess::parse_fen("7k/8/8/8/8/8/5PPP/6K1 w - - 0 1").value();  // Kf1, Kh1 and pawns
    const auto narrow =
        chess::parse_fen("7k/8/8/8/8/8/5PPP/6KN w - - 0 1").value();  // Kf1 and others, no Kh1
    const chess::Move f1 = chess::parse_san(free, "Kf1").value();
    const chess::Move h1 = chess::parse_san(free, "Kh1").value();
    MoveHabits habits;
    habits.add(free, h1);
    habits.add(narrow, f1);
    const chess::MoveList legal = chess::legal_moves(free);
    std::vector<double> shares(static_cast<std::size_t>(legal.size()));
    habits.judge(free, legal, shares);
    double rate = 0;
    double sum = 0;
    for (int i = 0; i < legal.size(); ++i) {
        sum += shares[static_cast<std::size_t>(i)];
        if (legal[i] == h1) rate = shares[static_cast<std::size_t>(i)];
    }
    for (int i = 0; i < legal.size(); ++i)
        if (legal[i] == f1) {
            EXPECT_NEAR(rate / shares[static_cast<std::size_t>(i)], (2.0 / 31) / (2.0 / 32), 1e-12);
        }
    EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(MoveHabits, TellWhatAPawnBecomes) {
    const auto position = chess::parse_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1").value();
    MoveHabits habits;
    habits.add(position, chess::parse_san(position, "a8=N").value());
    const chess::MoveList legal = chess::legal_moves(position);
    std::vector<double> shares(static_cast<std::size_t>(legal.size()));
    habits.judge(position, legal, shares);
    for (int i = 0; i < legal.size(); ++i)
        EXPECT_DOUBLE_EQ(shares[static_cast<std::size_t>(i)],
                         (chess::to_san(position, legal[i]) == "a8=N" ? 2.0 : 1.0) / (legal.size() + 1));
}

TEST_F(HeldOut, HabitsAreLearntFromTrainingGamesAlone) {
    const auto stores = write({games_});
    std::uint64_t moves = 0;
    for (const Game& game : games_)
        if (!game.chess960 && split_of(game.hash(), rule_.shares) == Split::Train) moves += game.moves.size();
    const auto all = learn_move_habits(stores, rule_.shares, 1'000'000, {});
    ASSERT_TRUE(all);
    EXPECT_EQ(all->moves(), moves);
    const auto some = learn_move_habits(stores, rule_.shares, 150, {});
    ASSERT_TRUE(some);
    EXPECT_NEAR(static_cast<double>(some->moves()) / static_cast<double>(moves), 0.5, 0.15);
}

}  // namespace
}  // namespace scholar::games
