#include "games/sample_stages.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "chess/fen.hpp"
#include "chess/mirror.hpp"
#include "games/sample_plan.hpp"
#include "sampling_fixture.hpp"

namespace scholar::games {
namespace {

// Every stage against a loop over the games that asks in another way.
class SampleStagesTest : public SamplerTest {
  protected:
    using Names = std::multiset<std::uint64_t>;

    std::vector<Sample> through(const std::vector<SampleStage>& stages, std::uint64_t epoch = 0) {
        options_.sampling.shares = {.validation = 0, .test = 0};
        options_.sampling.stages = stages;
        return draw(options_, epoch);
    }
    // What the stage lets through, and whether that is some of all and not all.
    template <class Keep>
    void expect_keeps(const SampleStage& stage, Keep keep) {
        const auto all = through({});
        const auto kept = through({stage});
        EXPECT_LT(kept.size(), all.size());
        EXPECT_GT(kept.size(), 0U);
        EXPECT_EQ(names_of(kept), expected(options_.sampling, keep));
    }
    static int rating(const Game& game, const char* tag) {
        const std::string_view text = game.tag(tag);
        return text.empty() ? 0 : std::stoi(std::string(text));
    }
    static int men(const chess::Position& position) { return chess::popcount(position.occupied()); }
    static int pawns(const chess::Position& position) {
        return chess::popcount(position.pieces(chess::Pawn));
    }
    // Within five standard deviations of what chance would give.
    static void expect_share(std::size_t kept, std::size_t of, double share) {
        const auto count = static_cast<double>(of);
        EXPECT_NEAR(static_cast<double>(kept), count * share,
                    5 * std::sqrt(count * share * (1 - share)) + 1e-9);
    }
    // The samples of each game by itself, in order.
    std::vector<std::vector<Sample>> by_game(const std::vector<SampleStage>& stages) {
        std::vector<std::vector<Sample>> result;
        for (const Game& game : games_) {
            auto sampler = open_one(game, stages);
            sampler.start_epoch(0);
            result.push_back(drain(sampler));
        }
        return result;
    }
    // Calls use(sample) for all samples of many passes over the first game.
    template <class Use>
    void for_passes(int passes, const std::vector<SampleStage>& stages, Use use) {
        auto sampler = open_one(games_[0], stages);
        for (int pass = 0; pass < passes; ++pass) {
            sampler.start_epoch(static_cast<std::uint64_t>(pass));
            for (const Sample& sample : drain(sampler)) use(sample);
        }
    }
    Sampler open_one(const Game& game, const std::vector<SampleStage>& stages) {
        const auto path = folder_ / "one.games";
        auto writer = StoreWriter::create(path);
        EXPECT_TRUE(writer->add(game));
        EXPECT_TRUE(writer->finish());
        Sampler::Options one = options_;
        one.stores = {path.string()};
        one.shuffle_buffer = 1;
        one.sampling.shares = {.validation = 0, .test = 0};
        one.sampling.stages = stages;
        auto sampler = Sampler::open(one);
        EXPECT_TRUE(sampler);
        return std::move(*sampler);
    }
};

TEST_F(SampleStagesTest, Rating) {
    expect_keeps(stages::Rating{.min = 2'150}, [](const Game& game, auto&&...) {
        return rating(game, "WhiteElo") >= 2'150 && rating(game, "BlackElo") >= 2'150;
    });
    expect_keeps(stages::Rating{.max = 2'600}, [](const Game& game, auto&&...) {
        return rating(game, "BlackElo") != 0;  // not known is not low
    });
    expect_keeps(stages::Rating{.min = 2'010, .max = 2'500}, [](const Game& game, auto&&...) {
        return rating(game, "WhiteElo") >= 2'010 && rating(game, "BlackElo") != 0;
    });
}

TEST_F(SampleStagesTest, MeanRating) {
    expect_keeps(stages::MeanRating{.min = 2'320.5, .max = 2'350}, [](const Game& game, auto&&...) {
        const int both = rating(game, "WhiteElo") + rating(game, "BlackElo");
        return rating(game, "BlackElo") != 0 && both >= 4'641 && both <= 4'700;
    });
}

TEST_F(SampleStagesTest, MoverRating) {
    expect_keeps(stages::MoverRating{.min = 2'100, .max = 2'499},
                 [](const Game& game, const chess::Position& position, auto&&...) {
                     return position.side_to_move() == chess::White && rating(game, "WhiteElo") >= 2'100;
                 });
    expect_keeps(stages::MoverRating{.min = 2'500},
                 [](const Game& game, const chess::Position& position, auto&&...) {
                     return position.side_to_move() == chess::Black && rating(game, "BlackElo") != 0;
                 });
}

TEST_F(SampleStagesTest, Mover) {
    using Kind = stages::Mover::Kind;
    const auto white_moves = [](const chess::Position& position) {
        return position.side_to_move() == chess::White;
    };
    expect_keeps(stages::Mover{Kind::White},
                 [&](const auto&, const auto& position, auto&&...) { return white_moves(position); });
    expect_keeps(stages::Mover{Kind::Black},
                 [&](const auto&, const auto& position, auto&&...) { return !white_moves(position); });
    expect_keeps(stages::Mover{Kind::Winner}, [&](const Game& game, const auto& position, auto&&...) {
        return to_string(game.result) == (white_moves(position) ? "1-0" : "0-1");
    });
    expect_keeps(stages::Mover{Kind::Loser}, [&](const Game& game, const auto& position, auto&&...) {
        return to_string(game.result) == (white_moves(position) ? "0-1" : "1-0");
    });
    // White has 2000 to 2299, Black 2500 or nothing.
    expect_keeps(stages::Mover{Kind::HigherRated}, [&](const Game& game, const auto& position, auto&&...) {
        return !white_moves(position) && rating(game, "BlackElo") != 0;
    });
    expect_keeps(stages::Mover{Kind::LowerRated}, [&](const Game& game, const auto& position, auto&&...) {
        return white_moves(position) && rating(game, "BlackElo") != 0;
    });
    const auto one = names_of(through({stages::Mover{Kind::OneOfTwo}}, 0));
    EXPECT_EQ(one, names_of(through({stages::Mover{Kind::OneOfTwo}}, 5)));
    // Its choice has nothing to do with that of games.
    const stages::SomeGames half{.share = 0.5};
    const auto of_half = static_cast<double>(through({half}).size());
    const auto white = static_cast<double>(
        through({half, stages::Mover{Kind::OneOfTwo}, stages::Mover{Kind::White}}).size());
    EXPECT_NEAR(white / of_half, 0.25, 0.1);
}

TEST_F(SampleStagesTest, EndedBy) {
    games_.resize(40);
    for (std::size_t i = 0; i < games_.size(); ++i)
        games_[i].ending = i % 3 ? Ending::Resignation : Ending::TimeForfeit;
    const auto each = by_game({stages::EndedBy{Ending::TimeForfeit}});
    for (std::size_t i = 0; i < games_.size(); ++i) {
        const bool takes_part = games_[i].result != GameResult::Unknown && !games_[i].chess960;
        EXPECT_EQ(each[i].size(), takes_part && i % 3 == 0 ? games_[i].moves.size() : 0U) << i;
    }
}

// The same capture wins more or less by what the pieces are worth.
TEST_F(SampleStagesTest, QuietGoesByItsValues) {
    const auto position = chess::parse_fen("4k3/8/8/3b4/8/1N3p2/8/3RK3 w - - 0 1");
    ASSERT_TRUE(position);
    const GameFacts facts;
    const Candidate candidate{*position, chess::Move::none(), 0, facts};
    EXPECT_FALSE((stages::Quiet{}.accepts(candidate))) << "Rxd5 wins a bishop";
    EXPECT_FALSE((stages::Quiet{.gain = 300}.accepts(candidate)));
    EXPECT_TRUE((stages::Quiet{.gain = 300, .bishop = 299}.accepts(candidate)));
    EXPECT_FALSE((stages::Quiet{.gain = 500, .bishop = 501}.accepts(candidate)));
}

TEST_F(SampleStagesTest, MoverOfAGameThatBlackBegins) {
    Game game;
    game.start = *chess::parse_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1");
    base::Random random(3);
    tests::play_random_game(random, game.start, 20,
                            [&](const auto&, chess::Move move, const auto&) { game.moves.push_back(move); });
    game.result = GameResult::Draw;
    game.tags = {{"WhiteElo", "2000"}, {"BlackElo", "1000"}};
    games_ = {game};
    for (const auto& samples : by_game({stages::MoverRating{.min = 1'500}})) {
        EXPECT_EQ(samples.size(), 10U);
        for (const Sample& sample : samples) EXPECT_EQ(sample.position.side_to_move(), chess::White);
    }
}

TEST_F(SampleStagesTest, Result) {
    using Kind = stages::Result::Kind;
    expect_keeps(stages::Result{Kind::Decisive}, [](const Game& game, auto&&...) {
        return to_string(game.result) == "1-0" || to_string(game.result) == "0-1";
    });
    expect_keeps(stages::Result{Kind::Drawn},
                 [](const Game& game, auto&&...) { return to_string(game.result) == "1/2-1/2"; });
    expect_keeps(stages::Result{Kind::WhiteWins},
                 [](const Game& game, auto&&...) { return to_string(game.result) == "1-0"; });
    expect_keeps(stages::Result{Kind::BlackWins},
                 [](const Game& game, auto&&...) { return to_string(game.result) == "0-1"; });
}

TEST_F(SampleStagesTest, SomeGamesAreTheSameInEveryPass) {
    const auto half = names_of(through({stages::SomeGames{.share = 0.5}}, 0));
    EXPECT_EQ(half, names_of(through({stages::SomeGames{.share = 0.5}}, 1)));
    options_.seed = 77;
    EXPECT_EQ(half, names_of(through({stages::SomeGames{.share = 0.5}}, 0)));
    // Whole games, and about half of them.
    games_.resize(120);
    std::size_t games = 0;
    std::size_t taken = 0;
    const auto each = by_game({stages::SomeGames{.share = 0.5}});
    for (std::size_t i = 0; i < games_.size(); ++i) {
        if (games_[i].result == GameResult::Unknown || games_[i].chess960) continue;
        ++games;
        taken += !each[i].empty();
        EXPECT_TRUE(each[i].empty() || each[i].size() == games_[i].moves.size());
    }
    expect_share(taken, games, 0.5);
    EXPECT_TRUE(through({stages::SomeGames{.share = 0}}).empty());
}

// A choice of games that agreed with the split would leave one of the parts out.
TEST_F(SampleStagesTest, SomeGamesAreAnotherChoiceThanTheSplit) {
    options_.sampling.stages = {stages::SomeGames{.share = 0.5}};
    options_.sampling.shares = {.validation = 0.3, .test = 0.3};
    for (const Split split : {Split::Train, Split::Validation, Split::Test}) {
        options_.sampling.split = split;
        options_.sampling.stages = {};
        const auto all = static_cast<double>(draw(options_).size());
        options_.sampling.stages = {stages::SomeGames{.share = 0.5}};
        const auto some = static_cast<double>(draw(options_).size());
        EXPECT_NEAR(some / all, 0.5, 0.3);
    }
}

TEST_F(SampleStagesTest, Ply) {
    expect_keeps(stages::Ply{.min = 10, .max = 30},
                 [](const auto&, const auto&, chess::Move, int ply) { return ply >= 10 && ply <= 30; });
    expect_keeps(stages::Ply{.max = 0},
                 [](const auto&, const auto&, chess::Move, int ply) { return ply == 0; });
}

TEST_F(SampleStagesTest, ToEnd) {
    expect_keeps(stages::ToEnd{.max = 1}, [](const auto& game, const auto&, chess::Move, int ply) {
        return ply + 1 == static_cast<int>(game.moves.size());
    });
    expect_keeps(stages::ToEnd{.min = 3, .max = 12}, [](const auto& game, const auto&, chess::Move, int ply) {
        const int left = static_cast<int>(game.moves.size()) - ply;
        return left >= 3 && left <= 12;
    });
}

TEST_F(SampleStagesTest, QuietMove) {
    expect_keeps(stages::QuietMove{},
                 [](const auto&, const chess::Position& position, chess::Move move, int) {
                     const chess::Position after = position.after(move);
                     const bool promoted = men(after) == men(position) && pawns(after) != pawns(position);
                     return men(after) == men(position) && !promoted;
                 });
    const auto position = chess::parse_fen("8/P3k3/8/8/8/8/8/4K3 w - - 0 1");
    const GameFacts facts;
    const auto promotion =
        chess::Move::promotion(chess::make_square(0, 6), chess::make_square(0, 7), chess::Queen);
    EXPECT_FALSE(stages::QuietMove{}.accepts({*position, promotion, 0, facts}));
    EXPECT_TRUE(stages::NoCaptureNext{}.accepts({*position, promotion, 0, facts}));
}

TEST_F(SampleStagesTest, NoCaptureNext) {
    expect_keeps(stages::NoCaptureNext{}, [](const auto&, const chess::Position& position, chess::Move move,
                                             int) { return men(position.after(move)) == men(position); });
}

TEST_F(SampleStagesTest, Moved) {
    for (const chess::PieceKind kind : chess::kPieceKinds)
        expect_keeps(stages::Moved{.is = kind}, [kind](const auto&, const chess::Position& position,
                                                       chess::Move move, int) {
            return (position.pieces(position.side_to_move(), kind) & chess::bit(move.from())) != 0;
        });
}

TEST_F(SampleStagesTest, NotInCheck) {
    expect_keeps(stages::NotInCheck{}, [](const auto&, const chess::Position& position, chess::Move, int) {
        // If it were the opponent's move, could the king be taken?
        const chess::Color us = position.side_to_move();
        return !position.is_attacked(position.king(us), ~us, position.occupied());
    });
}

TEST_F(SampleStagesTest, NoCapturePossible) {
    expect_keeps(stages::NoCapturePossible{},
                 [](const auto&, const chess::Position& position, chess::Move, int) {
                     return std::ranges::all_of(chess::legal_moves(position), [&](chess::Move move) {
                         return men(position.after(move)) == men(position);
                     });
                 });
}

TEST_F(SampleStagesTest, Quiet) {
    const GameFacts facts;
    const auto quiet = [&facts](const char* fen, int gain) {
        const auto position = chess::parse_fen(fen);
        EXPECT_TRUE(position) << fen;
        return stages::Quiet{.gain = gain}.accepts({*position, chess::Move::none(), 0, facts});
    };
    EXPECT_TRUE(quiet("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 1));
    // A pawn for nothing.
    EXPECT_FALSE(quiet("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", 100));
    EXPECT_TRUE(quiet("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", 101));
    // The pawn is protected: an even exchange.
    EXPECT_TRUE(quiet("4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1", 1));
    // A rook for a protected bishop loses, a bishop for a protected rook wins two pawns' worth.
    EXPECT_TRUE(quiet("4k3/8/4p3/3b4/8/8/8/3RK3 w - - 0 1", 1));
    EXPECT_FALSE(quiet("4k3/8/4p3/3r4/4B3/8/8/4K3 w - - 0 1", 200));
    EXPECT_TRUE(quiet("4k3/8/4p3/3r4/4B3/8/8/4K3 w - - 0 1", 201));
    // In check, and about to promote.
    EXPECT_FALSE(quiet("4k3/8/8/8/8/8/r7/r3K3 w - - 0 1", 100));
    EXPECT_FALSE(quiet("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", 10'000));
    // Nothing that can be taken at all is quiet; all that is quiet is not in check.
    for (const Sample& sample : through({stages::NoCapturePossible{}, stages::NotInCheck{}})) {
        const bool promotes =
            std::ranges::any_of(chess::legal_moves(sample.position), &chess::Move::is_promotion);
        EXPECT_EQ((stages::Quiet{.gain = 1}.accepts({sample.position, sample.move, sample.ply, facts})),
                  !promotes);
    }
    for (const Sample& sample : through({stages::Quiet{}})) EXPECT_FALSE(sample.position.in_check());
}

TEST_F(SampleStagesTest, OneIn) {
    const std::size_t all = through({}).size();
    expect_share(through({stages::OneIn{.k = 4}}).size(), all, 0.25);
    expect_share(through({stages::OneIn{.k = 8}, stages::OneIn{.k = 2.5}}).size(), all, 0.05);
    EXPECT_NE(order_of(through({stages::OneIn{.k = 4}}, 0)), order_of(through({stages::OneIn{.k = 4}}, 1)));
    EXPECT_EQ(through({stages::OneIn{.k = 1}}).size(), all);
}

TEST_F(SampleStagesTest, ThinOpenings) {
    constexpr int passes = 60;
    std::map<int, std::size_t> all;
    for (const Sample& sample : through({})) all[sample.ply] += passes;
    std::map<int, std::size_t> kept;
    for (int pass = 0; pass < passes; ++pass)
        for (const Sample& sample :
             through({stages::ThinOpenings{.tau = 12}}, static_cast<std::uint64_t>(pass)))
            ++kept[sample.ply];
    EXPECT_EQ(kept[0], 0U);
    for (const int ply : {1, 2, 5, 12, 30, 59}) expect_share(kept[ply], all[ply], 1 - std::exp(-ply / 12.0));
}

TEST_F(SampleStagesTest, ThinFirst) {
    constexpr int passes = 60;
    std::map<int, std::size_t> all;
    for (const Sample& sample : through({})) all[sample.ply] += passes;
    std::map<int, std::size_t> kept;
    const stages::ThinFirst thin{.plies = 5, .first = 0.02, .growth = 3};
    for (int pass = 0; pass < passes; ++pass)
        for (const Sample& sample : through({thin}, static_cast<std::uint64_t>(pass))) ++kept[sample.ply];
    expect_share(kept[0], all[0], 0.02);
    expect_share(kept[1], all[1], 0.06);
    expect_share(kept[2], all[2], 0.18);
    expect_share(kept[3], all[3], 0.54);
    EXPECT_EQ(kept[4], all[4]) << "3^4 / 50 is more than 1";
    EXPECT_EQ(kept[5], all[5]);
}

TEST_F(SampleStagesTest, PerGame) {
    games_.resize(60);
    const auto all = by_game({});
    const auto ten = by_game({stages::PerGame{.k = 10}});
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(ten[i].size(), std::min<std::size_t>(10, all[i].size()));
        EXPECT_TRUE(std::ranges::is_sorted(ten[i], {}, &Sample::ply));
        std::set<int> plies;
        for (const Sample& sample : ten[i]) plies.insert(sample.ply);
        EXPECT_EQ(plies.size(), ten[i].size()) << "no position twice";
    }
    // Each position of one game equally often.
    std::map<int, std::size_t> times;
    constexpr int passes = 3'000;
    for_passes(passes, {stages::Ply{.max = 19}, stages::PerGame{.k = 5}},
               [&](const Sample& sample) { ++times[sample.ply]; });
    EXPECT_EQ(times.size(), 20U);
    for (const auto& [ply, count] : times) expect_share(count, passes, 0.25);
}

TEST_F(SampleStagesTest, StagesBehindALimitSeeOnlyWhatItLeft) {
    games_.resize(60);
    const auto before = by_game({stages::NoCaptureNext{}, stages::PerGame{.k = 5}});
    const auto behind = by_game({stages::PerGame{.k = 5}, stages::NoCaptureNext{}});
    const auto of_all = by_game({stages::PerGame{.k = 5}});
    for (std::size_t i = 0; i < games_.size(); ++i) {
        EXPECT_EQ(before[i].size(), of_all[i].size()) << "there are five quiet moves in each of these games";
        std::size_t captures = 0;
        for (const Sample& sample : of_all[i]) captures += sample.position.is_capture(sample.move);
        EXPECT_EQ(behind[i].size(), of_all[i].size() - captures);
    }
}

TEST_F(SampleStagesTest, Mirror) {
    options_.shuffle_buffer = 1;
    const auto plain = through({});
    const auto turned = through({stages::Mirror{}});
    ASSERT_EQ(plain.size(), turned.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
        const Sample& from = plain[i];
        const Sample& to = turned[i];
        EXPECT_EQ(to.position.side_to_move(), chess::White);
        EXPECT_EQ(to.result, from.result);
        EXPECT_EQ(to.evaluation, from.evaluation);
        EXPECT_EQ(to.ply, from.ply);
        // In the order of the games: what led here is what was played before.
        EXPECT_EQ(from.before, from.ply > 0 ? plain[i - 1].move : chess::Move());
        const bool is_black = from.position.side_to_move() == chess::Black;
        EXPECT_EQ(to.before, is_black ? mirrored(from.before) : from.before);
        if (!is_black) {
            EXPECT_EQ(to.position, from.position);
            EXPECT_EQ(to.move, from.move);
        } else {
            EXPECT_EQ(to.position, mirrored(from.position));
            // But for the number of the move, which only Black's moves raise.
            EXPECT_EQ(to.position.after(to.move).key(), mirrored(from.position.after(from.move)).key());
        }
    }
}

TEST_F(SampleStagesTest, RandomMove) {
    options_.shuffle_buffer = 1;
    std::map<std::uint64_t, const Sample*> at;  // by what can come of them
    const auto plain = through({});
    const auto name = [](std::uint64_t key, int ply, float result) {
        return key ^ static_cast<std::uint64_t>(ply) << 50 ^ static_cast<std::uint64_t>(2 * result);
    };
    for (const Sample& sample : plain)
        for (const chess::Move move : chess::legal_moves(sample.position))
            at[name(sample.position.after(move).key(), sample.ply + 1, 1 - sample.result)] = &sample;
    const auto moved = through({stages::RandomMove{}});
    EXPECT_LE(moved.size(), plain.size());
    EXPECT_GT(moved.size(), plain.size() * 99 / 100) << "few games are over after one random move";
    std::size_t as_played = 0;
    for (const Sample& sample : moved) {
        EXPECT_FALSE(sample.evaluation);
        EXPECT_EQ(sample.move, chess::Move::none());
        EXPECT_TRUE(chess::has_legal_move(sample.position));
        const auto from = at.find(name(sample.position.key(), sample.ply, sample.result));
        ASSERT_NE(from, at.end());
        as_played += from->second->position.after(from->second->move) == sample.position;
    }
    EXPECT_LT(as_played, moved.size() / 4);

    // All moves alike: the start position has twenty.
    std::map<std::uint64_t, std::size_t> times;
    constexpr int passes = 2'000;
    for_passes(passes, {stages::Ply{.max = 0}, stages::RandomMove{}},
               [&](const Sample& sample) { ++times[sample.position.key()]; });
    EXPECT_EQ(times.size(), 20U);
    for (const auto& [key, count] : times) expect_share(count, passes, 1.0 / 20);
}

TEST_F(SampleStagesTest, SeveralRandomMoves) {
    games_.resize(1);
    const auto one = by_game({})[0];
    const auto three = by_game({stages::RandomMove{.count = 3}})[0];
    ASSERT_EQ(one.size(), three.size()) << "no mate in this game's neighbourhood";
    for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(three[i].ply, one[i].ply + 3);
        EXPECT_EQ(three[i].position.side_to_move(), ~one[i].position.side_to_move());
        EXPECT_EQ(three[i].result, 1 - one[i].result);
    }
}

TEST_F(SampleStagesTest, RandomMoveLeavesNoFinishedGame) {
    const auto start = chess::parse_fen("k7/8/1K6/8/8/8/8/7R w - - 0 1");
    ASSERT_TRUE(start);
    int dropped = 0;
    int kept = 0;
    base::Random random(4);
    const GameFacts facts{.plies = 10};
    for (int i = 0; i < 500; ++i) {
        Sample sample;
        sample.position = *start;
        sample.result = 1;
        const bool goes_on = stages::RandomMove{}.apply(sample, facts, random);
        EXPECT_EQ(goes_on, chess::has_legal_move(sample.position));
        ++(goes_on ? kept : dropped);
    }
    EXPECT_GT(dropped, 0) << "Rh8 is mate";
    EXPECT_GT(kept, 0);
}

TEST_F(SampleStagesTest, Discount) {
    // 1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#: seven half-moves.
    const GameFacts mate{.result = GameResult::WhiteWins, .plies = 7};
    base::Random random(1);
    const auto discounted = [&](int ply, float result, double gamma) {
        Sample sample;
        sample.ply = static_cast<std::uint16_t>(ply);
        sample.result = result;
        EXPECT_TRUE((stages::Discount{.gamma = gamma}.apply(sample, mate, random)));
        return static_cast<double>(sample.result);
    };
    // On the paper's scale from -1 to 1: gamma one step before the end, -gamma^2 two steps before, for Black.
    EXPECT_NEAR(2 * discounted(6, 1, 0.7) - 1, 0.7, 1e-6);
    EXPECT_NEAR(2 * discounted(5, 0, 0.7) - 1, -0.49, 1e-6);
    EXPECT_NEAR(2 * discounted(0, 1, 0.7) - 1, 0.0823543, 1e-6);
    EXPECT_EQ(discounted(3, 0.5F, 0.7), 0.5);
    EXPECT_EQ(discounted(3, 1, 1), 1);
    EXPECT_EQ(discounted(3, 1, 0), 0.5);
}

// The sum as the books write it: (1 − λ) Σ λ^k v_{t+k}, and what is left of the weights on the end.
TEST_F(SampleStagesTest, ReturnsAreWhatLaterEvaluationsExpect) {
    base::Random random(7);
    for (const Ending ending : {Ending::Resignation, Ending::Adjudication}) {
        Game game = games_[0];
        game.result = GameResult::BlackWins;
        game.ending = ending;
        game.evaluations.assign(game.moves.size(), std::nullopt);
        for (auto& evaluation : game.evaluations)
            if (random.below(4) > 0)
                evaluation = Evaluation{
                    .centipawns = static_cast<std::int16_t>(static_cast<int>(random.below(1'200)) - 600),
                    .mate = static_cast<std::int16_t>(random.below(9) == 0 ? 3 : 0),
                    .depth = 5};
        std::vector<std::pair<int, double>> values;  // half-move and White's expected result
        for (std::size_t ply = 0; ply < game.evaluations.size(); ++ply)
            if (const auto& each = game.evaluations[ply])
                values.emplace_back(ply,
                                    each->mate > 0 ? 1.0 : 1 / (1 + std::exp(-each->centipawns / 250.0)));
        ASSERT_GT(values.size(), 10U);
        const double end = ending == Ending::Adjudication ? values.back().second : 0;
        auto sampler = open_one(game, {stages::Returns{.lambda = 0.8, .scale = 250}});
        sampler.start_epoch(0);
        std::size_t at = 0;
        for (const Sample& sample : drain(sampler)) {
            if (at == values.size() || sample.ply != values[at].first) {
                EXPECT_FALSE(sample.evaluation) << sample.ply;
                continue;
            }
            double sum = 0;
            double weight = 1;
            for (std::size_t later = at; later < values.size(); ++later, weight *= 0.8)
                sum += 0.2 * weight * values[later].second;
            sum += weight * end;
            const double white = 250 * std::log(sum / (1 - sum));
            ASSERT_TRUE(sample.evaluation);
            EXPECT_EQ(sample.evaluation->mate, 0);
            EXPECT_NEAR(sample.evaluation->centipawns,
                        sample.position.side_to_move() == chess::White ? white : -white, 0.51);
            ++at;
        }
        EXPECT_EQ(at, values.size());
    }
}

TEST_F(SampleStagesTest, ReturnsBetweenTheEvaluationsAndTheResult) {
    const std::vector<std::optional<Evaluation>> given{
        Evaluation{.centipawns = 120, .depth = 3}, std::nullopt, Evaluation{.centipawns = -40, .depth = 4},
        Evaluation{.mate = 2, .depth = 9}};
    const auto revised = [&](double lambda, GameResult result) {
        auto evaluations = given;
        stages::Returns{.lambda = lambda}.revise(evaluations, GameFacts{.result = result, .plies = 4});
        return evaluations;
    };
    EXPECT_EQ(revised(0, GameResult::Draw), given);
    for (const auto& each : revised(1, GameResult::Draw)) EXPECT_EQ(each ? each->centipawns : 0, 0);
    const auto won = revised(1, GameResult::WhiteWins);
    EXPECT_EQ(won[0]->centipawns, 32'000);
    EXPECT_EQ(won[3], given[3]) << "a forced mate that came about stays one";
    EXPECT_EQ(revised(1, GameResult::BlackWins)[3]->centipawns, -32'000);
    for (int hundredths = 1; hundredths < 100; ++hundredths)
        EXPECT_EQ(revised(hundredths / 100.0, GameResult::WhiteWins)[3], given[3])
            << "nor is it rounded away";
}

// Filters that follow one another are asked in the cheapest order, so the order they are written in is all
// one.
TEST_F(SampleStagesTest, NeighbouringFiltersCommute) {
    const std::vector<SampleStage> one{
        stages::NotInCheck{},  stages::OneIn{.k = 3},           stages::QuietMove{},
        stages::Ply{.min = 4}, stages::ThinOpenings{.tau = 20}, stages::Rating{.min = 2'050}};
    const auto forwards = order_of(through(one));
    EXPECT_GT(forwards.size(), 100U);
    EXPECT_EQ(forwards, order_of(through(std::vector<SampleStage>(one.rbegin(), one.rend()))));
}

TEST(SamplePlan, RefusesWhatMakesNoSense) {
    const auto error = [](const std::vector<SampleStage>& stages) {
        const auto plan = SamplePlan::make(stages);
        return plan ? "no error" : plan.error().message;
    };
    const auto place = [](const std::vector<SampleStage>& stages) {
        const auto plan = SamplePlan::make(stages);
        return plan ? stages.size() : plan.error().stage;
    };
    EXPECT_EQ(place({stages::Mirror{}, stages::NotInCheck{}, stages::PerGame{.k = 1}, stages::Quiet{}}), 2U);
    EXPECT_EQ(place({stages::Ply{.min = 50}, stages::Quiet{}, stages::Ply{.max = 20}, stages::Mirror{}}), 2U);
    EXPECT_EQ(error({stages::RandomMove{}, stages::NoCaptureNext{}}),
              "stage 'no_capture_next' stands behind 'random_move', where no move was played: put it before");
    EXPECT_EQ(error({stages::RandomMove{.count = 3}, stages::Discount{.gamma = 0.9}}),
              "stage 'discount gamma=0.9' stands behind 'random_move count=3', where the game no longer goes "
              "on to its end: put it before");
    EXPECT_EQ(error({stages::RandomMove{}, stages::Returns{.lambda = 0.9}}),
              "stage 'returns lambda=0.9' stands behind 'random_move', where no evaluation is left: put it "
              "before");
    EXPECT_EQ(error({stages::PerGame{.k = 2}, stages::PerGame{.k = 1}}),
              "stage 'per_game k=1' stands behind another 'per_game', expected it before transformations, "
              "and once");
    EXPECT_EQ(error({stages::Mirror{}, stages::PerGame{.k = 1}}),
              "stage 'per_game k=1' stands behind 'mirror', expected it before transformations, and once");
    EXPECT_EQ(error({stages::Ply{.min = 50}, stages::Ply{.max = 20}}),
              "the stages 'ply' leave nothing: from 50 to 20");
    EXPECT_EQ(error({stages::RandomMove{}, stages::NotInCheck{}, stages::Mirror{}}), "no error");
    EXPECT_EQ(error({}), "no error");
}

}  // namespace
}  // namespace scholar::games
