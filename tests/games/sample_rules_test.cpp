#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>

#include "games/sample_text.hpp"
#include "sampling_fixture.hpp"

// The papers' sampling rules, each against what its paper says.

namespace scholar::games {
namespace {

class SampleRulesTest : public SamplerTest {
  protected:
    SampleRulesTest() {
        options_.sampling.shares = {.validation = 0, .test = 0};
        options_.shuffle_buffer = 1;
    }
    // Of one game, in the game's order.
    std::vector<Sample> of(const Game& game, const std::string& rule, std::uint64_t epoch = 0) {
        Sampler::Options options = options_;
        options.stores = {(folder_ / "one.games").string()};
        auto writer = StoreWriter::create(options.stores[0]);
        EXPECT_TRUE(writer->add(game));
        EXPECT_TRUE(writer->finish());
        options.sampling.stages = *parse_rule(rule);
        return draw(options, epoch);
    }
    // 1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#.
    static Game scholars_mate(const std::string& white, const std::string& black) {
        Game game;
        chess::Position position;
        for (const auto& [from, to] : {std::pair{"e2", "e4"},
                                       {"e7", "e5"},
                                       {"d1", "h5"},
                                       {"b8", "c6"},
                                       {"f1", "c4"},
                                       {"g8", "f6"},
                                       {"h5", "f7"}}) {
            const auto square = [](const char* name) {
                return chess::make_square(name[0] - 'a', name[1] - '1');
            };
            game.moves.emplace_back(square(from), square(to));
            position.make(game.moves.back());
        }
        game.result = GameResult::WhiteWins;
        game.tags = {{"WhiteElo", white}, {"BlackElo", black}};
        return game;
    }
    static std::vector<int> plies(const std::vector<Sample>& samples) {
        std::vector<int> result;
        for (const Sample& sample : samples) result.push_back(sample.ply);
        return result;
    }
};

// Every position of a game with the learner to move, in order, drawn games too: from one to the next a move
// and the reply.
TEST_F(SampleRulesTest, KnightCap) {
    const Game mate = scholars_mate("2000", "2100");
    const std::vector<int> white{0, 2, 4, 6};
    const std::vector<int> black{1, 3, 5};
    for (const char* learner : {"white", "winner", "lower_rated"})
        EXPECT_EQ(plies(of(mate, fmt::format("knightcap learner={}", learner))), white) << learner;
    for (const char* learner : {"black", "loser", "higher_rated"})
        EXPECT_EQ(plies(of(mate, fmt::format("knightcap learner={}", learner))), black) << learner;
    int as_white = 0;
    int games = 0;
    for (const Game& game : games_) {
        if (game.result == GameResult::Unknown || game.chess960 || game.moves.size() < 2) continue;
        const auto samples = of(game, "knightcap");
        ++games;
        const std::size_t first = samples.at(0).ply;
        as_white += first == 0;
        for (std::size_t i = 0; i < samples.size(); ++i) EXPECT_EQ(samples[i].ply, first + 2 * i);
        EXPECT_EQ(samples.size(), (game.moves.size() + 1 - first) / 2);
        EXPECT_EQ(plies(of(game, "knightcap", 7)), plies(samples)) << "another pass has the same learner";
    }
    EXPECT_NEAR(as_white, games / 2.0, 5 * std::sqrt(games) / 2);
}

// Positions of all kinds, each with one legal move applied at random: after the mating position none is left.
TEST_F(SampleRulesTest, Giraffe) {
    const Game game = scholars_mate("", "");
    bool other = false;
    for (std::uint64_t pass = 0; pass < 20; ++pass) {
        chess::Position position;
        std::size_t at = 0;
        const auto samples = of(game, "giraffe", pass);
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
            if (at < samples.size() && samples[at].ply == ply + 1) {
                int ways = 0;
                for (const chess::Move move : chess::legal_moves(position))
                    ways += position.after(move) == samples[at].position;
                EXPECT_EQ(ways, 1);
                EXPECT_FALSE(samples[at].evaluation);
                EXPECT_EQ(samples[at].result, samples[at].position.side_to_move() == chess::White ? 1 : 0);
                other |= samples[at].position != position.after(game.moves[ply]);
                ++at;
            }
            position.make(game.moves[ply]);
        }
        EXPECT_EQ(at, samples.size());
        EXPECT_GE(at, 6U) << "only the move that mates ends the game";
    }
    EXPECT_TRUE(other);
}

// Average rating greater than 2000, no moves of players under 2000, Black's boards turned over.
TEST_F(SampleRulesTest, ConvChess) {
    const std::vector<int> all{0, 1, 2, 3, 4, 5, 6};
    const std::vector<int> white{0, 2, 4, 6};
    const std::vector<int> black{1, 3, 5};
    EXPECT_EQ(plies(of(scholars_mate("2001", "2000"), "convchess")), all);
    EXPECT_EQ(plies(of(scholars_mate("2000", "2000"), "convchess")), std::vector<int>{});
    EXPECT_EQ(plies(of(scholars_mate("2100", "1950"), "convchess")), white);
    EXPECT_EQ(plies(of(scholars_mate("1999", "2002"), "convchess")), black);
    EXPECT_EQ(plies(of(scholars_mate("2400", "1500"), "convchess")), std::vector<int>{});
    EXPECT_EQ(plies(of(scholars_mate("2400", ""), "convchess")), std::vector<int>{});
    const auto samples = of(scholars_mate("2500", "2500"), "convchess");
    for (const Sample& sample : samples) EXPECT_EQ(sample.position.side_to_move(), chess::White);
    // Black's ...e5 is White's e4 on the board turned over.
    EXPECT_EQ(samples[1].move, chess::Move(chess::make_square(4, 1), chess::make_square(4, 3)));
    EXPECT_EQ(samples[1].result, 0);
}

// V = gamma^i for the winner and -gamma^i for the loser, i half-moves before the end; 0.7 unless said.
TEST_F(SampleRulesTest, ConvChessEvaluation) {
    const auto samples = of(scholars_mate("2500", "2500"), "convchess_evaluation");
    ASSERT_EQ(samples.size(), 7U);
    for (std::size_t ply = 0; ply < 7; ++ply) {
        const double value = (ply % 2 == 0 ? 1 : -1) * std::pow(0.7, 7 - static_cast<double>(ply));
        EXPECT_NEAR(2 * static_cast<double>(samples[ply].result) - 1, value, 1e-6);
        EXPECT_EQ(samples[ply].position.side_to_move(), chess::White);
    }
    const auto slow = of(scholars_mate("2500", "2500"), "convchess_evaluation gamma=0.99");
    EXPECT_NEAR(2 * static_cast<double>(slow[6].result) - 1, 0.99, 1e-6);
}

// 0.001325 · 2^i for the first six states, 0.25 (or what is asked for) for the others, White always to move.
TEST_F(SampleRulesTest, RlInChess) {
    for (const double share : {0.25, 0.2}) {
        auto stages = parse_rule(share == 0.25 ? "rl_in_chess" : "rl_in_chess share=0.2");
        ASSERT_TRUE(stages);
        std::map<int, double> all;
        for (const Sample& sample : draw(options_)) ++all[sample.ply];
        options_.sampling.stages = *stages;
        constexpr int passes = 100;
        std::map<int, double> drawn;
        for (std::uint64_t pass = 0; pass < passes; ++pass)
            for (const Sample& sample : draw(options_, pass)) {
                ++drawn[sample.ply];
                EXPECT_EQ(sample.position.side_to_move(), chess::White);
            }
        for (const auto& [ply, count] : all) {
            const double chance = ply < 6 ? 0.001325 * (1 << ply) : share;
            const double times = count * passes;
            EXPECT_NEAR(drawn[ply], times * chance, 5 * std::sqrt(times * chance * (1 - chance))) << ply;
        }
        options_.sampling.stages.clear();
    }
}

// Half of the won games; of each ten positions, after the fifth move, whose move played is not a capture.
TEST_F(SampleRulesTest, DeepChess) {
    games_.resize(120);
    int games = 0;
    int drawn_from = 0;
    for (const Game& game : games_) {
        const auto samples = of(game, "deepchess");
        if (game.result == GameResult::Draw || game.result == GameResult::Unknown || game.chess960) {
            EXPECT_TRUE(samples.empty());
            continue;
        }
        ++games;
        if (samples.empty()) continue;
        ++drawn_from;
        std::size_t eligible = 0;
        chess::Position position = game.start;
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
            const chess::Position after = position.after(game.moves[ply]);
            const bool capture = chess::popcount(after.occupied()) < chess::popcount(position.occupied());
            eligible += position.fullmove_number() > 5 && !capture;
            position = after;
        }
        EXPECT_EQ(samples.size(), std::min<std::size_t>(10, eligible));
        for (const Sample& sample : samples) {
            EXPECT_GT(sample.position.fullmove_number(), 5);
            EXPECT_FALSE(sample.position.is_capture(sample.move));
        }
    }
    EXPECT_NEAR(drawn_from, games / 2.0, 5 * std::sqrt(games) / 2);
}

// Whatever the stages: seed and pass fix the stream, and going on in the middle is exact.
TEST_F(SampleRulesTest, EachRuleIsRepeatableAndResumable) {
    options_.shuffle_buffer = 500;
    const auto order = [](const std::vector<Sample>& samples) {
        std::vector<std::pair<std::uint64_t, float>> names;
        for (const Sample& sample : samples)
            names.emplace_back(name_of(sample.position, sample.move, sample.ply), sample.result);
        return names;
    };
    for (const char* rule :
         {"knightcap", "giraffe", "convchess", "convchess_evaluation", "rl_in_chess", "deepchess"}) {
        options_.sampling.stages = *parse_rule(rule);
        const auto whole = order(draw(options_, 2));
        ASSERT_GT(whole.size(), 100U) << rule;
        EXPECT_EQ(order(draw(options_, 2)), whole) << rule;
        EXPECT_NE(order(draw(options_, 3)), whole) << rule;
        auto sampler = Sampler::open(options_);
        ASSERT_TRUE(sampler);
        sampler->start_epoch(2);
        ASSERT_TRUE(sampler->skip(whole.size() / 3));
        EXPECT_EQ(order(drain(*sampler)),
                  std::vector(whole.begin() + static_cast<std::ptrdiff_t>(whole.size() / 3), whole.end()))
            << rule;
    }
}

}  // namespace
}  // namespace scholar::games
