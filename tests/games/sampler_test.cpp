#include "games/sampler.hpp"

#include <cmath>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "base/files.hpp"
#include "chess/move_index.hpp"
#include "chess/movegen.hpp"
#include "games/store.hpp"
#include "support/random_games.hpp"
#include "support/test_data.hpp"

namespace scholar::games {
namespace {

using tests::TemporaryFolder;

// Games with a number in their ratings and evaluations that tell ply and player.
std::vector<Game> make_games(std::size_t count) {
    std::vector<Game> games;
    base::Random random(31);
    for (std::size_t i = 0; i < count; ++i) {
        Game game;
        tests::play_random_game(random, game.start, 60, [&](const auto&, chess::Move move, const auto&) {
            game.moves.push_back(move);
        });
        game.result = static_cast<GameResult>(i % 4);
        game.chess960 = i % 10 == 9;
        game.tags = {{"White", i % 2 ? "Stockfish 15.1" : "LCZero 0.30-dev+_783162"},
                     {"Black", "Toga II 3.0"},
                     {"WhiteElo", std::to_string(2'000 + i)},
                     {"BlackElo", std::to_string(2'500)}};
        if (i % 3 == 0) {
            game.evaluations.resize(game.moves.size());
            for (std::size_t ply = 0; ply < game.evaluations.size(); ++ply)
                game.evaluations[ply] = Evaluation{static_cast<std::int16_t>(ply % 7 == 0 ? 0 : 100 + ply),
                                                   static_cast<std::int16_t>(ply % 7 == 0 ? 3 : 0), 9};
        }
        games.push_back(std::move(game));
    }
    return games;
}

class SamplerTest : public testing::Test {
  protected:
    static constexpr std::size_t kGames = 300;

    SamplerTest() : games_(make_games(kGames)) {
        auto writer = StoreWriter::create(path_, {.games_per_block = 25});
        for (const Game& game : games_) EXPECT_TRUE(writer->add(game));
        EXPECT_TRUE(writer->finish());
        options_.stores = {path_.string()};
        options_.shuffle_buffer = 700;
    }

    static std::vector<Sample> drain(Sampler& sampler, std::size_t step = 1'000) {
        std::vector<Sample> samples;
        while (true) {
            const auto got = sampler.next(step, samples);
            EXPECT_TRUE(got);
            if (!got || *got < step) return samples;
        }
    }
    std::vector<Sample> draw(const Sampler::Options& options, std::uint64_t epoch = 0) {
        auto sampler = Sampler::open(options);
        EXPECT_TRUE(sampler);
        sampler->start_epoch(epoch);
        return drain(*sampler);
    }

    // What the filter alone should leave, by playing the games over.
    template <class Keep>
    std::multiset<std::uint64_t> expected(const SampleFilter& filter, Keep keep) {
        std::multiset<std::uint64_t> names;
        for (const Game& game : games_) {
            if (game.result == GameResult::Unknown || (game.chess960 && !filter.chess960)) continue;
            if (split_of(game.hash(), filter.shares) != filter.split) continue;
            chess::Position position = game.start;
            for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
                if (keep(game, position, game.moves[ply], static_cast<int>(ply)))
                    names.insert(name_of(position, game.moves[ply], ply));
                position.make(game.moves[ply]);
            }
        }
        return names;
    }
    static std::uint64_t name_of(const chess::Position& position, chess::Move move, std::size_t ply) {
        return position.key() ^ move.bits() * 0x9E3779B97F4A7C15ULL ^ ply << 40;
    }
    static std::multiset<std::uint64_t> names_of(const std::vector<Sample>& samples) {
        std::multiset<std::uint64_t> names;
        for (const Sample& sample : samples) names.insert(name_of(sample.position, sample.move, sample.ply));
        return names;
    }
    static std::vector<std::uint64_t> order_of(const std::vector<Sample>& samples) {
        std::vector<std::uint64_t> names;
        for (const Sample& sample : samples)
            names.push_back(name_of(sample.position, sample.move, sample.ply));
        return names;
    }

    TemporaryFolder folder_;
    std::filesystem::path path_ = folder_ / "a.games";
    std::vector<Game> games_;
    Sampler::Options options_;
};

TEST_F(SamplerTest, EveryPositionOnce) {
    const auto all = [](auto&&...) { return true; };
    for (const Split split : {Split::Train, Split::Validation, Split::Test}) {
        options_.filter.split = split;
        options_.filter.shares = {.validation = 0.2, .test = 0.2};
        const auto samples = draw(options_);
        EXPECT_GT(samples.size(), 500U);
        EXPECT_EQ(names_of(samples), expected(options_.filter, all));
    }
    options_.filter.chess960 = true;
    EXPECT_EQ(names_of(draw(options_)), expected(options_.filter, all));
    options_.shuffle_buffer = 1'000'000;  // more than there is
    EXPECT_EQ(names_of(draw(options_)), expected(options_.filter, all));
}

TEST_F(SamplerTest, Filters) {
    options_.filter.min_ply = 10;
    options_.filter.max_ply = 30;
    EXPECT_EQ(names_of(draw(options_)),
              expected(options_.filter, [](const auto&, const auto&, chess::Move, int ply) {
                  return ply >= 10 && ply <= 30;
              }));
    options_.filter = {.skip_in_check = true, .skip_noisy = true};
    EXPECT_EQ(
        names_of(draw(options_)),
        expected(options_.filter, [](const auto&, const chess::Position& position, chess::Move move, int) {
            return !position.in_check() && !position.is_noisy(move);
        }));
    options_.filter = {.min_rating = 2'200};
    EXPECT_EQ(names_of(draw(options_)),
              expected(options_.filter, [](const Game& game, const auto&, chess::Move, int) {
                  return std::stoi(std::string(game.tag("WhiteElo"))) >= 2'200;
              }));
}

TEST_F(SamplerTest, KeepsAShare) {
    const auto all = static_cast<double>(draw(options_).size());
    options_.filter.keep = 0.25;
    const auto kept = static_cast<double>(draw(options_).size());
    EXPECT_NEAR(kept, all / 4, 5 * std::sqrt(all * 0.25 * 0.75));
    EXPECT_NE(order_of(draw(options_, 0)), order_of(draw(options_, 1)));
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
    options_.filter.shares = {.validation = 0, .test = 0};
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
    options_.filter.shares = {.validation = 0, .test = 0};
    options_.shuffle_buffer = 1'000'000;
    options_.filter.keep = 1;
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
