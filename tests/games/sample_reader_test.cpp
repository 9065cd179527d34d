#include "games/sample_reader.hpp"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

#include "base/random.hpp"
#include "chess/fen.hpp"
#include "games/sampler.hpp"
#include "games/store.hpp"
#include "support/random_games.hpp"
#include "support/test_data.hpp"

namespace scholar::games {
namespace {

using testing::HasSubstr;
using tests::TemporaryFolder;

std::string written(SampleFormat format, const Sample& sample) {
    std::string out;
    write_sample(out, format, sample, {});
    return out;
}

// Positions of random games with made-up scores and results.
std::vector<Sample> made_up() {
    base::Random random(5);
    std::vector<Sample> samples;
    for (int game = 0; game < 15; ++game)
        tests::play_random_game(
            random, chess::Position(), 150, [&](const auto&, auto, const chess::Position& position) {
                Sample sample;
                sample.position = position;
                sample.result = static_cast<float>(random.below(3)) / 2;
                const auto mate = static_cast<std::int16_t>(static_cast<int>(random.below(80)) - 40);
                sample.evaluation = Evaluation{};
                if (random.below(4) == 0 && mate != 0)
                    sample.evaluation->mate = mate;
                else
                    sample.evaluation->centipawns =
                        static_cast<std::int16_t>(static_cast<int>(random.below(4'000)) - 2'000);
                samples.push_back(sample);
            });
    return samples;
}

std::vector<Sample> drain(const Sampler::Options& options) {
    auto sampler = Sampler::open(options);
    EXPECT_TRUE(sampler) << sampler.error().message;
    std::vector<Sample> samples;
    EXPECT_TRUE(sampler->next(1'000'000, samples));
    return samples;
}

class SampleReading : public testing::TestWithParam<SampleFormat> {
  protected:
    std::string file_of(const std::string& bytes) const {
        const std::string name = (folder_.path() / "positions").string();
        std::ofstream(name, std::ios::binary) << bytes;
        return name;
    }

    const TemporaryFolder folder_;
};

// Into a store and, as samples, out of it again: the bytes are those that were read. (What the bytes mean is
// sample_writer_test.cpp's affair, which has bulletformat's own reader beside ours.)
TEST_P(SampleReading, GoesThroughAStoreUnchanged) {
    std::string bytes;
    for (const Sample& sample : made_up()) bytes += written(GetParam(), sample);
    ASSERT_GT(bytes.size(), std::size_t{1} << 14);

    auto reader = SampleReader::open(file_of(bytes), GetParam());
    ASSERT_TRUE(reader);
    const std::string path = (folder_.path() / "positions.games").string();
    auto writer = StoreWriter::create(path, {.games_per_block = 100});
    std::uint64_t number = 0;
    for (auto item = reader->next(); item && *item; item = reader->next()) {
        EXPECT_EQ((*item)->number, ++number);
        ASSERT_TRUE((*item)->game) << (*item)->game.error().message;
        EXPECT_TRUE(writer->add(*(*item)->game));
    }
    ASSERT_TRUE(writer->finish());

    Sampler::Options options;
    options.stores = {path};
    options.shuffle_buffer = 1;
    options.sampling.shares = {.validation = 0, .test = 0};
    EXPECT_TRUE(drain(options).empty()) << "who needs a move is not given a position without one";
    options.sampling.bare_positions = true;
    std::string again;
    for (const Sample& sample : drain(options)) {
        EXPECT_FALSE(sample.move);
        again += written(GetParam(), sample);
    }
    EXPECT_EQ(again, bytes);

    // A game that was not played is no position.
    const std::string forfeit = (folder_.path() / "forfeit.games").string();
    auto empty = StoreWriter::create(forfeit, {});
    Game game;
    game.result = GameResult::WhiteWins;
    EXPECT_TRUE(empty->add(game));
    EXPECT_TRUE(empty->finish());
    Sampler::Options not_played = options;
    not_played.stores = {forfeit};
    EXPECT_TRUE(drain(not_played).empty());

    options.sampling.stages = {stages::NoCaptureNext{}};
    EXPECT_TRUE(drain(options).empty());
    options.sampling.stages = {stages::NotInCheck{}, stages::Ply{.max = 0}};
    EXPECT_GT(drain(options).size(), number / 2);
    options.sampling.stages = {stages::Ply{.min = 1}};
    EXPECT_TRUE(drain(options).empty());
}

TEST_P(SampleReading, SaysWhereAFileEndsTooSoon) {
    std::string bytes;
    for (const Sample& sample : made_up()) bytes += written(GetParam(), sample);
    bytes.resize(GetParam() == SampleFormat::Bullet ? 10 * kBulletRecord + 7 : bytes.size() - 4);
    auto reader = SampleReader::open(file_of(bytes), GetParam());
    ASSERT_TRUE(reader);
    std::string wrong;
    while (true) {
        const auto item = reader->next();
        if (!item) wrong = item.error().message;
        if (!item || !*item) break;
        if (!(*item)->game) wrong = (*item)->game.error().message;
    }
    EXPECT_THAT(wrong, HasSubstr(GetParam() == SampleFormat::Bullet ? "has only 7 bytes, expected 32"
                                                                    : "expected White's 1.0, 0.5 or 0.0"));
}

INSTANTIATE_TEST_SUITE_P(Formats, SampleReading, testing::Values(SampleFormat::Text, SampleFormat::Bullet));

constexpr const char* kMated = "6k1/5ppp/8/8/8/8/8/3R3K w - - 0 40";

TEST(SampleLine, TakesWhatOthersWrite) {
    const auto line = [](const char* rest) { return parse_sample_line(std::string(kMated) + rest); };
    for (const char* won : {"| 10 | 1.0", " |10|1", "| 10 | [1.0] \r", "|\t10 | 1-0"})
        EXPECT_EQ(line(won).value().result, GameResult::WhiteWins) << won;
    EXPECT_EQ(line("| 0 | 0.5").value().result, GameResult::Draw);
    EXPECT_EQ(line("| 0 | 1/2-1/2").value().result, GameResult::Draw);
    EXPECT_EQ(line("| 0 | 0").value().result, GameResult::BlackWins);
    const Game game = line("| -31996 | 0.0").value();
    ASSERT_EQ(game.evaluations.size(), 1U);
    EXPECT_EQ(*game.evaluations[0], (Evaluation{.centipawns = 0, .mate = -4}));
    EXPECT_EQ(line("| 32767 | 1.0").value().evaluations[0]->mate, 1);
    EXPECT_TRUE(parse_sample_line("8/8/8/8/8/8/8/K1k5 w - - | 0 | 0.5")) << "four fields";
}

TEST(SampleLine, SaysWhatItExpected) {
    const auto refused = [](const std::string& text) {
        const auto game = parse_sample_line(text);
        return game ? std::string() : game.error().message;
    };
    const std::string fen(kMated);
    EXPECT_THAT(refused(fen), HasSubstr("expected 'FEN | score | result'"));
    EXPECT_THAT(refused(fen + " | 1 | 1.0 | 3"), HasSubstr("expected 'FEN | score | result'"));
    EXPECT_THAT(refused(fen + " | 1.5 | 1.0"), HasSubstr("score '1.5', expected a whole number"));
    EXPECT_THAT(refused(fen + " | 40000 | 1.0"), HasSubstr("score '40000'"));
    EXPECT_THAT(refused(fen + " | 1 | *"), HasSubstr("result '*', expected"));
    EXPECT_THAT(refused("8/8/8/8/8/8/8/K7 w - - 0 1 | 0 | 0.5"), HasSubstr("king"));
}

// A line that has no end for long is passed over, and the next is read.
TEST(SampleFile, PassesOverLinesWithoutAnEnd) {
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "long.txt").string();
    const std::string sound = std::string(kMated) + " | 5 | 1.0\n";
    std::ofstream(file) << sound << std::string(1 << 20, 'x') << "\n" << sound << std::string(1 << 18, 'y');
    auto reader = SampleReader::open(file, SampleFormat::Text);
    ASSERT_TRUE(reader);
    std::vector<std::string> said;
    for (auto item = reader->next(); item && *item; item = reader->next())
        said.push_back((*item)->game ? "sound" : (*item)->game.error().message);
    ASSERT_EQ(said.size(), 4U);
    EXPECT_EQ(said[0], "sound");
    EXPECT_THAT(said[1], HasSubstr("is longer than 65536 bytes"));
    EXPECT_EQ(said[2], "sound");
    EXPECT_THAT(said[3], HasSubstr("is longer than 65536 bytes"));
}

TEST(BulletRecord, SaysWhatItExpected) {
    const std::string sound = written(SampleFormat::Bullet, made_up()[20]);
    const auto refused = [&sound](std::size_t at, char byte) {
        std::string bytes = sound;
        bytes[at] = byte;
        const auto game = parse_bullet_record(std::span(bytes).first<kBulletRecord>());
        return game ? std::string() : game.error().message;
    };
    EXPECT_THAT(refused(26, 3), HasSubstr("result 3, expected 0 (lost), 1 (drawn) or 2 (won)"));
    EXPECT_THAT(refused(8, '\x77'), HasSubstr("man 1 of the board is 7, expected a kind from 0 to 5"));
    EXPECT_NE(refused(8, '\x55'), "") << "kings";
    EXPECT_THAT(refused(27, 63), HasSubstr("the kings are said to stand on squares 63 and"));
    EXPECT_NE(refused(4, '\xFF'), "") << "men that are nowhere";
}

}  // namespace
}  // namespace scholar::games
