#include "games/learnt_book_beliefs.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>
#include <set>

#include "chess/fen.hpp"
#include "learnt_book_fixture.hpp"
#include "support/test_data.hpp"

// What a learnt book believes of its games: figures worked by hand, and a plain reckoning from the games
// themselves.

namespace scholar::games {
namespace {

using tests::game_of;

const MoveBelief* find_move(const PositionBelief& belief, std::string_view san) {
    const chess::Position start;
    for (const MoveBelief& move : belief.moves)
        if (chess::to_san(start, move.move) == san) return &move;
    return nullptr;
}

double value_of(const BookGraph& graph, std::string_view san, std::string_view opponent = "nobody") {
    const BookBeliefs beliefs(graph, {}, book_opponent(graph, opponent, chess::White));
    const auto belief = beliefs.find({});
    return find_move(*belief, san)->value;
}

TEST(LearntBookBeliefs, ByHand) {
    BookGraph graph{BookState{}};
    graph.add(game_of("e4", GameResult::BlackWins, "Ann"));
    // One game counts 1 / (1 + 1/3) = 3/4 beside a search's 4: (4 · 1/2 + 0) / 4 3/4 = 8/19.
    EXPECT_NEAR(value_of(graph, "e4"), 8.0 / 19, 1e-12);
    // Against Ann it counts in full: 2 / 5.
    EXPECT_NEAR(value_of(graph, "e4", "Ann"), 0.4, 1e-12);
    // Another move: (4 · 0.48 + 1/2 · 3/4 · 8/19) / (4 + 1/2 · 3/4).
    const BookBeliefs beliefs(graph, {}, std::nullopt);
    const double otherwise = (4 * 0.48 + 0.375 * 8 / 19) / 4.375;
    EXPECT_NEAR(beliefs.find({})->otherwise, otherwise, 1e-12);
    EXPECT_NEAR(beliefs.find({})->value, otherwise, 1e-12);
    // A second opponent: (2 + 3/4) / (4 + 3/2) = 1/2. The first again: 4 + 2/(1 + 2/3) + 3/4.
    graph.add(game_of("e4", GameResult::WhiteWins, "Bob"));
    EXPECT_NEAR(value_of(graph, "e4"), 0.5, 1e-12);
    graph.add(game_of("e4", GameResult::BlackWins, "Ann"));
    EXPECT_NEAR(value_of(graph, "e4"), 2.75 / (4 + 1.2 + 0.75), 1e-12);
}

TEST(LearntBookBeliefs, WhatWasSearchedStandsForGames) {
    BookGraph graph{BookState{}};
    BookGame game = game_of("e4", GameResult::Draw, "Ann");
    // 400 · ln 3: an expected result of 3/4.
    game.moves.front().opinion = tests::opinion(439);
    graph.add(game);
    EXPECT_NEAR(value_of(graph, "e4"), (4 * 0.75 + 0.75 * 0.5) / 4.75, 1e-3);
}

TEST(LearntBookBeliefs, TwoPliesByHand) {
    BookGraph graph{BookState{}};
    graph.add(game_of("e4 e5", GameResult::BlackWins, "Ann"));
    // 1... e5 for Black: (2 + 3/4) / 4 3/4; no other reply is better than 0.48 or so. 1. e4 is a fifth its
    // own record and four fifths what Black has after it.
    const double reply = 2.75 / 4.75;
    EXPECT_NEAR(value_of(graph, "e4"), 0.2 * 8 / 19 + 0.8 * (1 - reply), 1e-12);
}

// What an opponent lost with against us, we may still win with.
TEST(LearntBookBeliefs, WhoPlayedAMoveMatters) {
    BookGraph graph{BookState{}};
    for (int i = 0; i < 10; ++i) {
        graph.add(game_of("e4", GameResult::WhiteWins, "Ann", chess::White));
        graph.add(game_of("e4", GameResult::BlackWins, "Ann", chess::Black));
    }
    // Ten of ours in full, ten of Ann's as 10 / (1 + 10/3).
    const double theirs = 30.0 / 13;
    EXPECT_NEAR(value_of(graph, "e4", "Ann"), 12 / (14 + theirs), 1e-12);
    EXPECT_NEAR(value_of(graph, "e4"), 0.5, 1e-12);
}

TEST(LearntBookBeliefs, WithoutAnotherMoveThereIsNoOtherwise) {
    BookGraph graph{BookState{}};
    const auto start = chess::parse_fen("7k/8/8/8/8/8/6q1/7K w - - 0 1").value();
    ASSERT_EQ(chess::count_legal_moves(start), 1);
    BookGame game = game_of("", GameResult::BlackWins, "Ann");
    game.start = start;
    game.moves = {{chess::legal_moves(start)[0], std::nullopt}};
    for (int i = 0; i < 5; ++i) graph.add(game);
    const BookBeliefs beliefs(graph, {}, book_opponent(graph, "Ann", chess::White));
    EXPECT_EQ(beliefs.find(start)->otherwise, 0);
    base::Random random(1);
    const BookAdvice advice = beliefs.advise(start, random);
    EXPECT_EQ(advice.play, game.moves.front().move);
    EXPECT_TRUE(advice.avoid.empty());
}

// ---- a plain reckoning ----

// From a list of games alone: positions by their EPD, everything counted anew at every step, all values
// revised at once until they stay.
class Reckoning {
  public:
    Reckoning(std::vector<BookGame> games, BeliefOptions options, std::string opponent)
        : games_(std::move(games)), options_(options), opponent_(std::move(opponent)) {
        for (const BookGame& game : games_) {
            chess::Position position = game.start;
            for (const JudgedMove& move : game.moves) {
                positions_.emplace(chess::to_epd_fields(position), position);
                position.make(move.move);
            }
        }
        for (const auto& [name, position] : positions_) values_[name] = 0.5;
        for (int round = 0; round < 150; ++round) {
            std::map<std::string, double> next;
            for (const auto& [name, position] : positions_) next[name] = value_of(position);
            values_ = next;
        }
    }

    double value(const chess::Position& position) const { return values_.at(chess::to_epd_fields(position)); }
    const std::map<std::string, chess::Position>& positions() const { return positions_; }

    std::map<std::string, double> moves(const chess::Position& position) const {
        std::map<std::string, double> found;
        for (const chess::Move move : chess::legal_moves(position))
            if (const auto known = move_value(position, move))
                found[chess::to_san(position, move)] = known->first;
        return found;
    }

  private:
    static bool has(const BookGame& game, const chess::Position& at, std::optional<chess::Move> move) {
        chess::Position position = game.start;
        for (const JudgedMove& played : game.moves) {
            if (chess::to_epd_fields(position) == chess::to_epd_fields(at) && (!move || played.move == *move))
                return true;
            position.make(played.move);
        }
        return false;
    }

    // Value and weight.
    std::optional<std::pair<double, double>> move_value(const chess::Position& at, chess::Move move) const {
        // Games and points, by opponent and whether we played the move.
        std::map<std::pair<std::string, bool>, std::pair<double, double>> by_opponent;
        double all = 0;
        for (const BookGame& game : games_) {
            if (!has(game, at, move)) continue;
            ++all;
            auto& record = by_opponent[{game.opponent, game.color == at.side_to_move()}];
            record.first += 1;
            record.second += *points(game.result, at.side_to_move());
        }
        if (all == 0) return std::nullopt;
        double weight = 0;
        double sum = 0;
        // Against the opponent we have White.
        const std::pair now(opponent_, at.side_to_move() == chess::White);
        for (const auto& [who, record] : by_opponent) {
            const double most = options_.opponent_games;
            const double counts = who == now ? record.first : record.first * most / (most + record.first);
            weight += counts;
            sum += counts * record.second / record.first;
        }
        const double own = (options_.search_games * 0.5 + sum) / (options_.search_games + weight);
        const auto after = values_.find(chess::to_epd_fields(at.after(move)));
        if (after == values_.end()) return std::pair(own, weight);
        double beyond = 0;
        for (const BookGame& game : games_) beyond += has(game, at.after(move), std::nullopt);
        const double share = options_.continuation * std::min(1.0, beyond / all);
        return std::pair((1 - share) * own + share * (1 - after->second), weight);
    }

    double value_of(const chess::Position& at) const {
        double best = 0;
        double sum = options_.search_games * (0.5 - options_.gap);
        double weights = options_.search_games;
        int known = 0;
        const chess::MoveList legal = chess::legal_moves(at);
        for (const chess::Move move : legal) {
            const auto found = move_value(at, move);
            if (!found) continue;
            ++known;
            best = std::max(best, found->first);
            sum += options_.sibling * found->second * found->first;
            weights += options_.sibling * found->second;
        }
        return known == legal.size() ? best : std::max(best, sum / weights);
    }

    std::vector<BookGame> games_;
    BeliefOptions options_;
    std::string opponent_;
    std::map<std::string, chess::Position> positions_;
    std::map<std::string, double> values_;
};

TEST(LearntBookBeliefs, AgreeWithAPlainReckoning) {
    // An ending of few moves, so that games meet, transpose and come back to where they were.
    const auto start = chess::parse_fen("8/8/8/p6k/P6P/7K/8/8 w - - 0 1").value();
    for (std::uint64_t seed = 1; seed <= (tests::kSanitized ? 1U : 3U); ++seed) {
        base::Random random(seed);
        std::vector<BookGame> games;
        BookGraph graph{BookState{}};
        for (int i = 0; i < 9; ++i) {
            BookGame game = tests::random_book_game(random, 5, 3, start);
            for (JudgedMove& move : game.moves) move.opinion.reset();
            games.push_back(game);
            graph.add(game);
        }
        for (const char* opponent : {"nobody", "Opponent 1"}) {
            const BookBeliefs beliefs(graph, {}, book_opponent(graph, opponent, chess::White));
            const Reckoning reckoning(games, {}, opponent);
            ASSERT_EQ(reckoning.positions().size(), graph.state().positions.size());
            for (const auto& [name, position] : reckoning.positions()) {
                const auto belief = beliefs.find(position);
                ASSERT_TRUE(belief);
                ASSERT_NEAR(belief->value, reckoning.value(position), 1e-9) << name;
                const auto moves = reckoning.moves(position);
                ASSERT_EQ(belief->moves.size(), moves.size());
                for (const MoveBelief& move : belief->moves)
                    ASSERT_NEAR(move.value, moves.at(chess::to_san(position, move.move)), 1e-9) << name;
            }
        }
    }
}

// ---- advice ----

TEST(LearntBookAdvice, BlamesTheMoveAfterWhichTheSearchesSawTheLoss) {
    BookGraph graph{BookState{}};
    BookGame game =
        game_of("e4 e5 Nf3 Nc6 Bc4 Nf6 Ng5 d5 exd5 Nxd5 Nxf7 Kxf7 Qf3", GameResult::BlackWins, "Ann");
    for (std::size_t ply = 0; ply < game.moves.size(); ply += 2)
        game.moves[ply].opinion = tests::opinion(ply <= 6 ? 20 : -400);  // seen two moves too late
    graph.add(game);
    const BookBeliefs beliefs(graph, {}, book_opponent(graph, "Ann", chess::White));
    base::Random random(1);
    chess::Position position;
    for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
        if (ply % 2 == 0 && ply <= 6) {
            const BookAdvice advice = beliefs.advise(position, random);
            if (ply < 6) {
                EXPECT_EQ(advice.play, game.moves[ply].move) << ply;
                EXPECT_TRUE(advice.avoid.empty());
            } else {
                EXPECT_FALSE(advice.play);
                EXPECT_THAT(advice.avoid, testing::ElementsAre(game.moves[ply].move));  // Ng5
            }
        }
        position.make(game.moves[ply].move);
    }
}

TEST(LearntBookAdvice, KeepsToWhatIsGoodEnough) {
    // Three moves of 60, 57 and 20 percent against many opponents.
    BookGraph graph{BookState{}};
    const std::map<std::string, int> wins{{"e4", 60}, {"d4", 57}, {"a4", 20}};
    for (const auto& [san, count] : wins)
        for (int i = 0; i < 100; ++i)
            graph.add(game_of(san, i < count ? GameResult::WhiteWins : GameResult::BlackWins,
                              "Opponent " + std::to_string(i)));
    graph.add(game_of("h4", GameResult::WhiteWins, "Ann"));  // not enough is known of it
    base::Random random(1);
    std::map<std::string, int> played;
    const BookBeliefs beliefs(graph, {}, std::nullopt);
    for (int i = 0; i < 1'000; ++i) {
        const BookAdvice advice = beliefs.advise({}, random);
        ASSERT_TRUE(advice.play);
        ++played[chess::to_san({}, *advice.play)];
        ASSERT_THAT(advice.avoid, testing::Contains(chess::parse_san({}, "a4").value()));
    }
    EXPECT_EQ(played.size(), 2U);
    EXPECT_GT(played["e4"], played["d4"]);
    EXPECT_GT(played["d4"], 20);
    BeliefOptions best;
    best.exploration = 0;
    const BookBeliefs sure(graph, best, std::nullopt);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(chess::to_san({}, *sure.advise({}, random).play), "e4");
    // Where the book ends.
    const auto after = chess::Position().after(chess::parse_san({}, "e4").value());
    EXPECT_FALSE(sure.advise(after, random).play);
    EXPECT_FALSE(sure.find(after));
}

// One opponent who throws a hundred games in a line, against as many opponents who lose one each.
TEST(LearntBookAdvice, OneOpponentsHundredGamesAreNotAHundredOpponents) {
    BookGraph thrown{BookState{}};
    BookGraph earned{BookState{}};
    BookGraph before{BookState{}};
    for (BookGraph* graph : {&thrown, &earned, &before})
        for (int i = 0; i < 20; ++i) {
            const std::string name = "Opponent " + std::to_string(i);
            // The true strength of the lines: 35 and 55 percent.
            graph->add(game_of("a4 e5 h4 d5", i < 7 ? GameResult::WhiteWins : GameResult::BlackWins, name));
            graph->add(
                game_of("e4 e5 Nf3 Nc6", i < 11 ? GameResult::WhiteWins : GameResult::BlackWins, name));
        }
    for (int i = 0; i < 100; ++i) {
        thrown.add(game_of("a4 a6 h4 h6", GameResult::WhiteWins, "Thrower"));
        earned.add(game_of("a4 a6 h4 h6", GameResult::WhiteWins, "Loser " + std::to_string(i)));
    }
    const double rise = value_of(earned, "a4") - value_of(before, "a4");
    EXPECT_GT(rise, 0.08);
    EXPECT_LT(value_of(thrown, "a4") - value_of(before, "a4"), rise / 2);
    EXPECT_GT(value_of(thrown, "a4", "Thrower"), value_of(thrown, "a4") + 0.02);
    base::Random random(5);
    const BookBeliefs beliefs(thrown, {}, std::nullopt);
    int believed = 0;
    for (int i = 0; i < 1'000; ++i)
        believed += beliefs.advise({}, random).play == chess::parse_san({}, "a4").value();
    EXPECT_EQ(believed, 0);
}

}  // namespace
}  // namespace scholar::games
