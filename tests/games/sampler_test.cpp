#include "games/sampler.hpp"

#include <cmath>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "base/files.hpp"
#include "chess/fen.hpp"
#include "sampling_fixture.hpp"

namespace scholar::games {
namespace {

TEST_F(SamplerTest, EveryPositionOnce) {
    const auto all = [](auto&&...) { return true; };
    for (const Split split : {Split::Train, Split::Validation, Split::Test}) {
        options_.sampling.split = split;
        options_.sampling.shares = {.validation = 0.2, .test = 0.2};
        const auto samples = draw(options_);
        EXPECT_GT(samples.size(), 500U);
        EXPECT_EQ(names_of(samples), expected(options_.sampling, all));
    }
    options_.sampling.chess960 = true;
    EXPECT_EQ(names_of(draw(options_)), expected(options_.sampling, all));
    options_.shuffle_buffer = 1'000'000;  // more than there is
    EXPECT_EQ(names_of(draw(options_)), expected(options_.sampling, all));
}

// What the papers need of a position, by playing the games over: its castling rights and en passant square
// (its FEN), the move, how far it is from either end, and who played.
TEST_F(SamplerTest, SamplesSayWhatTheGamesDo) {
    struct Said {
        int to_end;
        std::array<int, 2> ratings;
        bool operator==(const Said&) const = default;
    };
    std::map<std::string, std::multiset<std::string>> wanted;
    const auto name = [](const chess::Position& position, chess::Move move, std::size_t ply) {
        return fmt::format("{} {} {}", chess::to_fen(position), move.bits(), ply);
    };
    const auto text = [](const Said& said) {
        return fmt::format("{} {} {}", said.to_end, said.ratings[0], said.ratings[1]);
    };
    std::size_t en_passant = 0;
    std::size_t castled = 0;
    for (std::size_t number = 0; number < games_.size(); ++number) {
        const Game& game = games_[number];
        // make_games() has these tags; the last is missing where it takes it away again.
        const std::array<int, 2> ratings{2'000 + static_cast<int>(number), number % 11 == 5 ? 0 : 2'500};
        chess::Position position = game.start;
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
            wanted[name(position, game.moves[ply], ply)].insert(
                text({static_cast<int>(game.moves.size() - ply), ratings}));
            position.make(game.moves[ply]);
        }
    }
    for (const bool asked : {true, false}) {
        options_.sampling.ratings = asked;
        const auto samples = draw(options_);
        ASSERT_GT(samples.size(), 500U);
        for (const Sample& sample : samples) {
            const auto found = wanted.find(name(sample.position, sample.move, sample.ply));
            ASSERT_NE(found, wanted.end());
            if (asked) {
                EXPECT_TRUE(found->second.contains(
                    text({sample.to_end, {sample.ratings[chess::White], sample.ratings[chess::Black]}})))
                    << found->first;
            } else {
                EXPECT_EQ(sample.ratings, (std::array<std::uint16_t, 2>{}));
            }
            const std::string fen = chess::to_fen(sample.position);
            castled += fen.contains(" KQkq ") ? 0 : 1;
            en_passant += sample.position.en_passant() != chess::NoSquare ? 1 : 0;
        }
    }
    // There was something to be wrong about.
    EXPECT_GT(castled, 100U);
    EXPECT_GT(en_passant, 0U);
}

// Where a board is turned over its players change places; a random move leaves the game.
TEST_F(SamplerTest, TransformationsKeepWhatIsSaidTrue) {
    options_.sampling.ratings = true;
    options_.sampling.stages = {stages::Mirror{}};
    std::size_t known = 0;
    for (const Sample& sample : draw(options_)) {
        ASSERT_EQ(sample.position.side_to_move(), chess::White);
        // It lies right behind the position that was replaced.
        ASSERT_TRUE(sample.result == 0 || sample.result == 0.5F || sample.result == 1) << sample.result;
        // Black's rating is 2,500 in these games, White's less: who moves at an odd ply was Black, as all
        // games begin with White to move.
        const int mover = sample.ratings[chess::White];
        if (sample.ratings[chess::Black] == 0 || mover == 0) continue;
        EXPECT_EQ(mover == 2'500, sample.ply % 2 == 1);
        ++known;
    }
    EXPECT_GT(known, 500U);
    options_.sampling.stages = {stages::RandomMove{}};
    for (const Sample& sample : draw(options_)) ASSERT_EQ(sample.to_end, 0);
}

TEST_F(SamplerTest, SeedAndEpochFixTheOrder) {
    const auto first = order_of(draw(options_, 3));
    EXPECT_EQ(first, order_of(draw(options_, 3)));
    EXPECT_NE(first, order_of(draw(options_, 4)));
    options_.seed = 2;
    EXPECT_NE(first, order_of(draw(options_, 3)));
}

TEST_F(SamplerTest, AnEpochCanBeginAgainAtAnyTime) {
    auto sampler = Sampler::open(options_);
    ASSERT_TRUE(sampler);
    sampler->start_epoch(3);
    std::vector<Sample> some;
    ASSERT_TRUE(sampler->next(100, some));
    sampler->start_epoch(3);
    EXPECT_EQ(order_of(drain(*sampler, 777)), order_of(draw(options_, 3)));
    std::vector<Sample> none;
    EXPECT_EQ(sampler->next(10, none).value(), 0U) << "the end stays the end";
}

TEST_F(SamplerTest, SkipIsNextWithoutLooking) {
    const auto whole = order_of(draw(options_, 1));
    for (const std::size_t count : {std::size_t{1}, std::size_t{4'095}, std::size_t{5'000}, whole.size()}) {
        auto sampler = Sampler::open(options_);
        ASSERT_TRUE(sampler);
        sampler->start_epoch(1);
        ASSERT_TRUE(sampler->skip(count));
        EXPECT_EQ(order_of(drain(*sampler)),
                  std::vector(whole.begin() + static_cast<std::ptrdiff_t>(count), whole.end()));
    }
}

TEST_F(SamplerTest, WithoutShufflingInFileOrder) {
    options_.shuffle_buffer = 1;
    options_.sampling.shares = {.validation = 0, .test = 0};
    const auto samples = draw(options_, 9);
    std::size_t at = 0;
    for (const Game& game : games_) {
        if (game.result == GameResult::Unknown || game.chess960) continue;
        chess::Position position = game.start;
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply, ++at) {
            const Sample& sample = samples.at(at);
            EXPECT_EQ(sample.position, position);
            EXPECT_EQ(sample.move, game.moves[ply]);
            EXPECT_EQ(sample.ply, ply);
            EXPECT_EQ(sample.result,
                      static_cast<float>(points(game.result, position.side_to_move()).value()));
            position.make(game.moves[ply]);
        }
    }
    EXPECT_EQ(at, samples.size());
}

TEST_F(SamplerTest, EvaluationsAreFromTheSideToMove) {
    auto sampler = Sampler::open(options_);
    ASSERT_TRUE(sampler);
    EXPECT_THAT(sampler->producers(), testing::ElementsAre("LCZero", "Stockfish", "Toga II"));
    sampler->start_epoch(0);
    int seen = 0;
    for (const Sample& sample : drain(*sampler)) {
        if (!sample.evaluation) continue;
        ++seen;
        const bool white = sample.position.side_to_move() == chess::White;
        const int sign = white ? 1 : -1;
        const bool mate = sample.ply % 7 == 0;
        EXPECT_EQ(sample.evaluation->centipawns, mate ? 0 : sign * (100 + sample.ply));
        EXPECT_EQ(sample.evaluation->mate, mate ? sign * 3 : 0);
        EXPECT_EQ(sample.evaluation->depth, 9);
        const std::string& producer = sampler->producers().at(sample.producer);
        EXPECT_EQ(producer == "Toga II", !white) << producer;
    }
    EXPECT_GT(seen, 1'000);
}

// Whether a position comes in the first half of the stream must not depend on where its game stands in the
// file, and neighbours in a game must not stay neighbours.
TEST_F(SamplerTest, ShuffleMixes) {
    options_.sampling.shares = {.validation = 0, .test = 0};
    options_.shuffle_buffer = 1'000'000;
    double sum = 0;
    double count = 0;
    for (std::uint64_t epoch = 0; epoch < 20; ++epoch) {
        const auto samples = draw(options_, epoch);
        int neighbours = 0;
        for (std::size_t i = 0; i + 1 < samples.size(); ++i)
            neighbours += samples[i].position.after(samples[i].move) == samples[i + 1].position;
        EXPECT_LT(neighbours, 60);
        for (std::size_t i = 0; i < samples.size(); ++i) {
            if (samples[i].ply != 0) continue;
            sum += static_cast<double>(i) / static_cast<double>(samples.size());
            ++count;
        }
    }
    // Uniform on [0, 1): mean ½, standard deviation 1/√12.
    EXPECT_NEAR(sum / count, 0.5, 5 / std::sqrt(12 * count));
}

TEST_F(SamplerTest, DamagedBlockIsAnErrorInItsPlace) {
    std::string bytes = base::read_text(path_).value();
    const auto store = StoreReader::open(path_);
    ASSERT_TRUE(store);
    const auto header = store->read_block_header(4);
    ASSERT_TRUE(header);
    std::size_t at = store->blocks()[4].offset + header->header_size;
    for (const auto& section : header->sections) {
        if (section.id == "MOVE") bytes[at + 3] = static_cast<char>(bytes[at + 3] ^ 1);
        at += section.stored_size;
    }
    std::ofstream(path_, std::ios::binary) << bytes;
    options_.shuffle_buffer = 1;
    auto sampler = Sampler::open(options_);
    ASSERT_TRUE(sampler) << sampler.error().message;
    sampler->start_epoch(0);
    std::vector<Sample> samples;
    const auto got = sampler->next(1'000'000, samples);
    ASSERT_FALSE(got);
    EXPECT_THAT(got.error().message, testing::HasSubstr("a.games: block 5: section MOVE"));
    EXPECT_GT(samples.size(), 1'000U) << "the blocks before it";
    EXPECT_FALSE(sampler->next(1, samples)) << "an error stays";
}

TEST_F(SamplerTest, SaysWhichGamesTakePart) {
    options_.sampling.shares = {.validation = 0.2, .test = 0.2};
    Sampler::Participation wanted;
    for (const Game& game : games_) {
        if (game.result == GameResult::Unknown)
            ++wanted.unknown_result;
        else if (game.chess960)
            ++wanted.chess960;
        else
            ++(split_of(game.hash(), options_.sampling.shares) == Split::Train ? wanted.games
                                                                               : wanted.other_split);
    }
    const auto counts = Sampler::open(options_)->participation();
    ASSERT_TRUE(counts);
    EXPECT_EQ(counts->games, wanted.games);
    EXPECT_EQ(counts->unknown_result, wanted.unknown_result);
    EXPECT_EQ(counts->chess960, wanted.chess960);
    EXPECT_EQ(counts->other_split, wanted.other_split);
    options_.sampling.chess960 = true;
    EXPECT_EQ(Sampler::open(options_)->participation()->chess960, 0U);
}

// Else its games, and the hash of the data, would depend on how often somebody wrote its name.
TEST_F(SamplerTest, AStoreThatIsNamedTwiceCountsOnce) {
    namespace fs = std::filesystem;
    const auto link = folder_ / "link.games";
    const auto hard_link = folder_ / "hard-link.games";
    fs::create_symlink(path_, link);
    fs::create_hard_link(path_, hard_link);
    const auto once = Sampler::open(options_);
    ASSERT_TRUE(once);
    const auto order = order_of(draw(options_));
    for (const fs::path& again :
         {path_, path_.parent_path() / "." / path_.filename(), fs::path(link), fs::path(hard_link)}) {
        options_.stores = {path_.string(), again.string()};
        const auto twice = Sampler::open(options_);
        ASSERT_TRUE(twice) << again;
        EXPECT_EQ(twice->total_games(), once->total_games()) << again;
        EXPECT_EQ(twice->data_hash(), once->data_hash()) << again;
        EXPECT_EQ(order_of(draw(options_)), order) << again;
    }
}

TEST_F(SamplerTest, StoresAreAddedUp) {
    const auto second = folder_ / "b.games";
    auto writer = StoreWriter::create(second);
    ASSERT_TRUE(writer->add(games_[0]));
    ASSERT_TRUE(writer->finish());
    const auto one = Sampler::open(options_);
    options_.stores.push_back(second.string());
    const auto both = Sampler::open(options_);
    ASSERT_TRUE(one && both);
    EXPECT_EQ(one->total_games(), kGames);
    EXPECT_EQ(both->total_games(), kGames + 1);
    EXPECT_EQ(both->total_plies(), one->total_plies() + games_[0].moves.size());
    EXPECT_NE(one->data_hash(), both->data_hash());
    EXPECT_EQ(one->data_hash(), StoreReader::open(path_)->data_hash());

    options_.stores = {(folder_ / "missing.games").string()};
    EXPECT_FALSE(Sampler::open(options_));
    options_.stores.clear();
    EXPECT_FALSE(Sampler::open(options_));
}

}  // namespace
}  // namespace scholar::games
