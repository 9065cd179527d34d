// What is asked of a pool of games as a whole: bounds, misfit, whether it hangs on one player, places.
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>

#include "arena/leave_one_out.hpp"
#include "arena/misfit.hpp"
#include "arena/pairing.hpp"
#include "arena/place.hpp"
#include "arena/placement.hpp"
#include "base/random.hpp"
#include "simulated_games.hpp"

namespace scholar::arena {
namespace {

void add(ResultPool& pool, const std::string& first, const std::string& second, const WinDrawLoss& games) {
    const auto number = pool.player(first);
    pool.add(number, pool.player(second), games);
}

// Every way in which up to three players can have played up to two games each pairing and colour.
TEST(Pool, OfEveryFewGamesSaysSomethingFiniteOfEverybody) {
    std::vector<WinDrawLoss> outcomes;
    for (std::uint64_t wins = 0; wins <= 2; ++wins)
        for (std::uint64_t draws = 0; wins + draws <= 2; ++draws)
            for (std::uint64_t losses = 0; wins + draws + losses <= 2; ++losses)
                outcomes.push_back({wins, draws, losses});
    int pools = 0;
    for (const auto& one : outcomes)
        for (const auto& two : outcomes)
            for (const auto& three : outcomes) {
                ResultPool pool;
                add(pool, "A", "B", one);
                add(pool, "B", "C", two);
                add(pool, "C", "A", three);
                if (pool.games() == 0) continue;
                ++pools;
                for (const bool anchored : {false, true}) {
                    RatingOptions options;
                    if (anchored) options.anchors["A"] = 2850;
                    const auto rated = rate_pool(pool, options);
                    ASSERT_TRUE(rated) << rated.error().message;
                    EXPECT_TRUE(std::isfinite(rated->white_advantage_error));
                    bool somebody = false;
                    for (std::size_t i = 0; i < rated->players.size(); ++i) {
                        const auto& player = rated->players[i];
                        ASSERT_TRUE(std::isfinite(player.elo) && std::isfinite(player.error));
                        somebody |= player.has_rating();
                        // Who has no rating has a bound, or met nobody who has one.
                        if (player.bound) {
                            ASSERT_TRUE(std::isfinite(*player.bound));
                        }
                        if (player.standing == Standing::Above || player.standing == Standing::Below) {
                            bool met = false;
                            for (const auto& [players, games] : pool.pairings())
                                met |= (players.first == i && rated->players[players.second].has_rating()) ||
                                       (players.second == i && rated->players[players.first].has_rating());
                            EXPECT_EQ(player.bound.has_value(), met);
                        } else {
                            EXPECT_FALSE(player.bound);
                        }
                    }
                    EXPECT_TRUE(somebody);
                }
            }
    EXPECT_GT(pools, 900);
}

TEST(Pool, BoundsWhoWonEverythingByOneChanceInTwenty) {
    ResultPool pool;
    add(pool, "Known", "Other", {5, 10, 5});
    add(pool, "Strong", "Known", {4, 0, 0});
    add(pool, "Weak", "Known", {0, 0, 6});
    RatingOptions options;
    options.anchors["Known"] = 2000;
    options.white_advantage = false;
    const auto rated = rate_pool(pool, options);
    ASSERT_TRUE(rated) << rated.error().message;
    const auto bound = [&](const char* name) { return *rated->players[*pool.find(name)].bound; };
    EXPECT_NEAR(std::pow(result_chances(bound("Strong") - 2000, rated->draw_rate).win, 4), 0.05, 1e-6);
    EXPECT_NEAR(std::pow(result_chances(bound("Weak") - 2000, rated->draw_rate).loss, 6), 0.05, 1e-6);
    EXPECT_LT(bound("Weak"), bound("Strong"));
}

struct PoolTruth {
    std::vector<double> elo;
    double draw_rate = 0.3;
};

// Each player against the next so many, each with White as often.
ResultPool simulated(const PoolTruth& truth, std::size_t distance, int games, base::Random& random) {
    ResultPool pool;
    for (std::size_t a = 0; a < truth.elo.size(); ++a)
        for (std::size_t b = a + 1; b < std::min(truth.elo.size(), a + 1 + distance); ++b)
            for (int game = 0; game < games; ++game) {
                const bool first = game % 2 == 0;
                const std::size_t white = first ? a : b, black = first ? b : a;
                play_by_chance(pool, fmt::format("player {}", white), fmt::format("player {}", black),
                               truth.elo[white] - truth.elo[black], truth.draw_rate, random);
            }
    return pool;
}

PoolTruth twenty_players() {
    PoolTruth truth;
    for (int i = 0; i < 20; ++i) truth.elo.push_back(1000 + 120 * i);
    return truth;
}

RatingOptions anchored() {
    RatingOptions options;
    options.anchors["player 9"] = 2080;
    return options;
}

// The chances of a misfit are uniform where there is none, whatever the seed; and one anchor is enough for
// all.
TEST(Pool, OfOneScaleFitsIt) {
    base::Random random(3);
    const PoolTruth truth = twenty_players();
    double unlikely = 0, runs = 0, inside = 0, ratings = 0;
    for (int run = 0; run < 100; ++run) {
        const ResultPool pool = simulated(truth, 3, 20, random);
        const auto rated = rate_pool(pool, anchored());
        ASSERT_TRUE(rated) << rated.error().message;
        const Misfit misfit = misfit_of(pool, *rated);
        // All but some of those far apart, whose games are nearly certain.
        ASSERT_GE(misfit.pairs.size(), 40U);
        ASSERT_LE(misfit.pairs.size(), 54U);
        EXPECT_EQ(misfit.freedom, static_cast<double>(misfit.pairs.size()) - 19);
        ASSERT_TRUE(misfit.chance);
        ++runs;
        unlikely += *misfit.chance < 0.1 ? 1 : 0;
        for (const auto& player : rated->players) {
            if (player.standing != Standing::Rated) continue;
            ++ratings;
            inside += std::abs(player.elo - truth.elo[std::stoul(player.name.substr(7))]) <= player.error;
        }
    }
    EXPECT_NEAR(unlikely / runs, 0.1, 0.09);
    EXPECT_NEAR(inside / ratings, 0.95, 0.02);
}

TEST(Pool, ThatGoesInCirclesDoesNotFit) {
    ResultPool pool;
    for (const char* other : {"A", "B", "C"}) add(pool, "D", other, {20, 20, 20});
    add(pool, "A", "B", {40, 20, 10});
    add(pool, "B", "C", {40, 20, 10});
    add(pool, "C", "A", {40, 20, 10});
    RatingOptions options;
    options.anchors["D"] = 2000;
    options.white_advantage = false;
    const auto rated = rate_pool(pool, options);
    ASSERT_TRUE(rated);
    const Misfit misfit = misfit_of(pool, *rated);
    ASSERT_EQ(misfit.pairs.size(), 6U);
    EXPECT_EQ(misfit.freedom, 3);
    EXPECT_LT(*misfit.chance, 0.001);
    for (std::size_t i = 0; i < 3; ++i) {
        const auto& pair = misfit.pairs[i];
        EXPECT_EQ(pair.games, 70);
        // All are as strong as each other: 50 points where 35 were expected, or the other way round.
        EXPECT_NEAR(std::abs(pair.points - pair.expected), 15, 0.01);
        EXPECT_GT(std::abs(pair.deviation), remarkable_deviation(misfit.pairs.size()));
    }
    EXPECT_NEAR(misfit.pairs[5].deviation, 0, 0.01);
    // Of two players alone nothing can be said.
    ResultPool two;
    add(two, "A", "B", {3, 4, 5});
    EXPECT_FALSE(misfit_of(two, *rate_pool(two, {})).chance);
    // The normal distribution's own table: 1.96 for one, 3.023 for twenty.
    EXPECT_NEAR(remarkable_deviation(1), 1.95996, 1e-4);
    EXPECT_NEAR(remarkable_deviation(20), 3.0233, 1e-3);
}

TEST(Pool, HangsOnNobodyWhereAllAreTiedToSeveral) {
    base::Random random(7);
    const ResultPool pool = simulated(twenty_players(), 4, 100, random);
    const auto moves = leave_one_out(pool, anchored());
    ASSERT_TRUE(moves) << moves.error().message;
    ASSERT_EQ(moves->size(), 20U);
    for (const auto& move : *moves) {
        EXPECT_NE(move.left_out, move.moved);
        EXPECT_LE(std::abs(move.moved_by), move.error) << move.left_out << " " << move.moved;
    }
    // Where the only way between two groups leads over one player, who scored against both what does not
    // agree with the few games beside him, it shows.
    ResultPool hinged;
    add(hinged, "A", "B", {100, 100, 100});
    add(hinged, "B", "Hinge", {100, 100, 100});
    add(hinged, "Hinge", "C", {100, 100, 100});
    add(hinged, "B", "C", {1, 0, 20});
    RatingOptions options;
    options.anchors["A"] = 2000;
    const auto far = leave_one_out(hinged, options);
    ASSERT_TRUE(far);
    bool seen = false;
    for (const auto& move : *far) seen |= move.left_out == "Hinge" && std::abs(move.moved_by) > move.error;
    EXPECT_TRUE(seen);
}

Ladder small_ladder(const ResultPool& pool) {
    Ladder ladder;
    for (const auto& name : pool.names()) {
        LadderPlayer player;
        player.config.name = name;
        if (name == "player 9") player.anchor = 2080;
        ladder.players.push_back(player);
    }
    return ladder;
}

TEST(Place, IsANumberOnlyBetweenTheEndsOfTheLadder) {
    base::Random random(9);
    const ResultPool pool = simulated(twenty_players(), 3, 40, random);
    const Ladder ladder = small_ladder(pool);
    const auto place = [&](const WinDrawLoss& games, const char* against) {
        ResultPool all = pool;
        add(all, "New", against, games);
        return place_of(ladder, *rate_pool(all, anchored()), "New");
    };
    const auto within = place({20, 20, 20}, "player 7");
    ASSERT_TRUE(within);
    EXPECT_EQ(within->kind, PlaceKind::Rated);
    EXPECT_NEAR(within->elo, 1840, 120);
    EXPECT_EQ(within->games, 60U);
    const auto above = place({20, 20, 2}, "player 19");
    EXPECT_EQ(above->kind, PlaceKind::MoreThan);
    EXPECT_EQ(above->player, "player 19");
    const auto below = place({2, 20, 20}, "player 0");
    EXPECT_EQ(below->kind, PlaceKind::LessThan);
    EXPECT_EQ(below->player, "player 0");
    // Who won everything is above a bound, which the ladder's end bounds in turn.
    const auto sweep = place({3, 0, 0}, "player 10");
    EXPECT_EQ(sweep->kind, PlaceKind::MoreThan);
    EXPECT_EQ(sweep->player, "");
    EXPECT_LT(sweep->elo, 2'400);
    EXPECT_EQ(place({300, 0, 0}, "player 19")->player, "player 19");
    EXPECT_EQ(describe_place(PlaceKind::MoreThan, 3280.4, 0), "more than 3280");
    ResultPool nobody = pool;
    add(nobody, "New", "Unknown", {1, 1, 1});
    EXPECT_FALSE(place_of(ladder, *rate_pool(nobody, anchored()), "New"));
}

// A peer that is not there plays no games, but those that it has played still hold the scale.
TEST(Place, DoesNotDependOnWhoIsInstalled) {
    base::Random random(13);
    const ResultPool pool = simulated(twenty_players(), 3, 40, random);
    Ladder ladder = small_ladder(pool);
    for (const auto& [players, games] : pool.pairings())
        for (std::uint64_t i = 0; i < games.games(); ++i)
            ladder.record.games.push_back({.white = pool.names()[players.first],
                                           .black = pool.names()[players.second],
                                           .result = i < games.wins ? games::GameResult::WhiteWins
                                                     : i < games.wins + games.draws
                                                         ? games::GameResult::Draw
                                                         : games::GameResult::BlackWins});
    ResultPool own;
    add(own, "New", "player 7", {10, 10, 10});
    const auto all = with_record(ladder, own);
    const auto full = place_of(ladder, *rate_pool(all, rating_options(ladder, all)), "New");
    // The anchor itself is not installed, nor are all but two.
    std::erase_if(ladder.players, [](const auto& player) {
        return player.config.name != "player 7" && player.config.name != "player 15" &&
               player.config.name != "player 2" && !player.anchor;
    });
    const auto few = place_of(ladder, *rate_pool(all, rating_options(ladder, all)), "New");
    ASSERT_TRUE(full && few);
    EXPECT_EQ(full->elo, few->elo);
    EXPECT_EQ(full->error, few->error);
}

// Without a focus whoever has fewest games plays next, against several.
TEST(Pairing, FillsAPoolEvenlyAndSpreadsIt) {
    base::Random random(17);
    const PoolTruth truth = twenty_players();
    PairingTask task;
    for (std::size_t i = 0; i < truth.elo.size(); ++i)
        task.candidates.push_back({fmt::format("player {}", i),
                                   i == 9 ? std::optional(truth.elo[i]) : std::nullopt, i < 10 ? 1.0 : 5.0});
    std::vector<std::set<std::size_t>> met(truth.elo.size());
    const auto fewest = [&] {
        std::uint64_t least = 1'000'000;
        for (const auto& candidate : task.candidates) {
            const auto number = task.played.find(candidate.name);
            least = std::min(least, number ? task.played.record(*number).games() : 0);
        }
        return least;
    };
    int games = 0;
    while (fewest() < 40) {
        const auto chosen = choose_pairing(task);
        ASSERT_TRUE(chosen);
        const auto [a, b] = *chosen;
        met[a].insert(b);
        met[b].insert(a);
        for (const bool swap : {false, true}) {
            const auto white = swap ? b : a, black = swap ? a : b;
            play_by_chance(task.played, task.candidates[white].name, task.candidates[black].name,
                           truth.elo[white] - truth.elo[black], 0.3, random);
        }
        games += 2;
        ASSERT_LT(games, 1'000);
    }
    for (const auto& others : met) EXPECT_GE(others.size(), 4U);
    // Not many more than were wanted.
    EXPECT_LT(games, 20 * 40 / 2 * 1.5);
    RatingOptions options;
    options.anchors["player 9"] = truth.elo[9];
    const auto rated = rate_pool(task.played, options);
    ASSERT_TRUE(rated);
    for (const auto& player : rated->players)
        EXPECT_NEAR(player.elo, truth.elo[std::stoul(player.name.substr(7))], 1.6 * player.error + 1);
}

}  // namespace
}  // namespace scholar::arena
