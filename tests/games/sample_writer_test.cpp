#include "games/sample_writer.hpp"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "chess/epd.hpp"
#include "chess/fen.hpp"
#include "support/random_games.hpp"

namespace scholar::games {
namespace {

const std::vector<std::string> kProducers{"Stockfish", "A \"B\", C"};

Sample sample_of(const char* fen, const char* from_to) {
    Sample sample;
    sample.position = *chess::parse_fen(fen);
    const auto square = [](const char* name) { return chess::make_square(name[0] - 'a', name[1] - '1'); };
    sample.move = chess::Move(square(from_to), square(from_to + 2));
    sample.ply = 17;
    return sample;
}

std::string line(SampleFormat format, const Sample& sample) {
    std::string out;
    write_sample(out, format, sample, kProducers);
    return out;
}

Sample black_wins() {
    Sample sample = sample_of("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 3", "g8f6");
    sample.result = 1;
    sample.evaluation = Evaluation{.centipawns = -35, .mate = 0, .depth = 22};
    return sample;
}

TEST(SampleWriter, Epd) {
    EXPECT_EQ(line(SampleFormat::Epd, black_wins()),
              "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - hmvc 2; fmvn 3; ce -35; acd 22; "
              "sm Nf6; "
              "c0 \"ply 17\"; c9 \"0-1\";\n");
    Sample mates = sample_of("6k1/5ppp/8/8/8/8/8/3R3K w - - 0 40", "d1d8");
    mates.result = 1;
    mates.evaluation = Evaluation{.centipawns = 0, .mate = 1, .depth = 0};
    EXPECT_EQ(line(SampleFormat::Epd, mates),
              "6k1/5ppp/8/8/8/8/8/3R3K w - - hmvc 0; fmvn 40; dm 1; sm Rd8#; c0 \"ply 17\"; c9 \"1-0\";\n");
    mates.evaluation->mate = -4;
    mates.move = chess::Move::none();
    mates.result = 0.25F;
    EXPECT_EQ(
        line(SampleFormat::Epd, mates),
        "6k1/5ppp/8/8/8/8/8/3R3K w - - hmvc 0; fmvn 40; c1 \"mated in 4\"; c0 \"ply 17\"; c9 \"0.25\";\n");
}

TEST(SampleWriter, EpdIsReadBack) {
    const auto epd = chess::parse_epd(line(SampleFormat::Epd, black_wins()));
    ASSERT_TRUE(epd) << epd.error().message;
    EXPECT_EQ(chess::to_epd_fields(epd->position), chess::to_epd_fields(black_wins().position));
    ASSERT_NE(epd->find("c9"), nullptr);
    EXPECT_EQ(*epd->find("c9"), std::vector<std::string>{"0-1"});
    EXPECT_EQ(*epd->find("ce"), std::vector<std::string>{"-35"});
}

TEST(SampleWriter, JsonLines) {
    EXPECT_EQ(
        line(SampleFormat::JsonLines, black_wins()),
        R"({"fen":"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 3","result":1,"ply":17,)"
        R"("move":"g8f6","centipawns":-35,"depth":22,"producer":"Stockfish"})"
        "\n");
    Sample bare = black_wins();
    bare.evaluation.reset();
    bare.move = chess::Move::none();
    bare.result = 0.5F;
    EXPECT_EQ(
        line(SampleFormat::JsonLines, bare),
        R"({"fen":"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 3","result":0.5,"ply":17})"
        "\n");
    Sample quoted = black_wins();
    quoted.producer = 1;
    EXPECT_NE(line(SampleFormat::JsonLines, quoted).find(R"("producer":"A \"B\", C"})"), std::string::npos);
}

TEST(SampleWriter, Csv) {
    EXPECT_EQ(sample_header(SampleFormat::Csv), "fen,result,ply,move,centipawns,mate,depth,producer\n");
    EXPECT_EQ(
        line(SampleFormat::Csv, black_wins()),
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 3,1,17,g8f6,-35,,22,Stockfish\n");
    Sample mate = black_wins();
    mate.evaluation->mate = -2;
    mate.evaluation->depth = 0;
    mate.producer = 1;
    EXPECT_EQ(line(SampleFormat::Csv, mate),
              "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 3,1,17,g8f6,,-2,,\"A "
              "\"\"B\"\", C\"\n");
    mate.evaluation.reset();
    EXPECT_EQ(line(SampleFormat::Csv, mate),
              "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 3,1,17,g8f6,,,,\n");
}

TEST(SampleWriter, TextIsFromWhitesView) {
    EXPECT_EQ(line(SampleFormat::Text, black_wins()),
              "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 3 | 35 | 0.0\n");
    Sample mated = sample_of("6k1/5ppp/8/8/8/8/8/3R3K w - - 0 40", "d1d8");
    mated.result = 0.5F;
    EXPECT_EQ(line(SampleFormat::Text, mated), "6k1/5ppp/8/8/8/8/8/3R3K w - - 0 40 | 0 | 0.5\n");
    mated.evaluation = Evaluation{.centipawns = 0, .mate = -4, .depth = 0};
    EXPECT_EQ(line(SampleFormat::Text, mated), "6k1/5ppp/8/8/8/8/8/3R3K w - - 0 40 | -31996 | 0.5\n");
}

// What bulletformat's own reader makes of a line of text (src/chess.rs there, ChessBoard::from_str): from the
// eighth rank for Black and the first for White, so that men come in the order of the squares.
std::string by_bulletformat(const std::string& text) {
    std::array<std::uint8_t, 32> record{};
    std::uint64_t occupied = 0;
    const bool black = text.contains(" b ");
    std::vector<std::string> rows(1);
    for (const char c : text.substr(0, text.find(' '))) c == '/' ? rows.emplace_back() : rows.back() += c;
    std::size_t man = 0;
    for (std::size_t seen = 0; seen < 8; ++seen) {
        std::size_t file = 0;
        for (const char c : rows[black ? seen : 7 - seen]) {
            const auto piece = std::string_view("PNBRQKpnbrqk").find(c);
            if (piece == std::string_view::npos) {
                file += static_cast<std::size_t>(c - '0');
                continue;
            }
            const std::size_t code = (piece / 6 * 8 + piece % 6) ^ (black ? 8 : 0);
            const std::size_t square = 8 * seen + file++;
            if (code == 5) record[27] = static_cast<std::uint8_t>(square);
            if (code == 13) record[28] = static_cast<std::uint8_t>(square ^ 56);
            occupied |= std::uint64_t{1} << square;
            record[8 + man / 2] |= static_cast<std::uint8_t>(code << 4 * (man % 2));
            ++man;
        }
    }
    const auto bar = text.find('|');
    const int score = std::stoi(text.substr(bar + 1)) * (black ? -1 : 1);
    const int twice = static_cast<int>(2 * std::stof(text.substr(text.rfind('|') + 1)));
    for (std::size_t i = 0; i < 8; ++i) record[i] = static_cast<std::uint8_t>(occupied >> 8 * i);
    record[24] = static_cast<std::uint8_t>(score);
    record[25] = static_cast<std::uint8_t>(score >> 8);
    record[26] = static_cast<std::uint8_t>(black ? 2 - twice : twice);
    return {record.begin(), record.end()};
}

TEST(SampleWriter, BulletIsWhatItsOwnReaderMakesOfTheText) {
    base::Random random(11);
    int positions = 0;
    for (int game = 0; game < 20; ++game)
        tests::play_random_game(
            random, chess::Position(), 200, [&](const auto&, auto, const chess::Position& position) {
                Sample sample;
                sample.position = position;
                sample.result = static_cast<float>(random.below(3)) / 2;
                if (random.below(4) > 0)
                    sample.evaluation = Evaluation{
                        .centipawns =
                            static_cast<std::int16_t>(static_cast<int>(random.below(4'000)) - 2'000),
                        .mate = static_cast<std::int16_t>(
                            random.below(3) > 0 ? 0 : static_cast<int>(random.below(40)) - 20)};
                ASSERT_EQ(line(SampleFormat::Bullet, sample),
                          by_bulletformat(line(SampleFormat::Text, sample)))
                    << chess::to_fen(position);
                ++positions;
            });
    EXPECT_GT(positions, 1'000);
}

TEST(SampleWriter, FormatsByName) {
    EXPECT_EQ(parse_sample_format("jsonl"), SampleFormat::JsonLines);
    const auto unknown = parse_sample_format("fen");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().message, "format is 'fen', expected one of epd, jsonl, csv, text, bullet");
}

}  // namespace
}  // namespace scholar::games
