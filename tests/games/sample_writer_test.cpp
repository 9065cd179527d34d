#include "games/sample_writer.hpp"

#include <gtest/gtest.h>

#include "chess/epd.hpp"
#include "chess/fen.hpp"

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

TEST(SampleWriter, FormatsByName) {
    EXPECT_EQ(parse_sample_format("jsonl"), SampleFormat::JsonLines);
    const auto unknown = parse_sample_format("fen");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().message, "format is 'fen', expected epd, jsonl or csv");
}

}  // namespace
}  // namespace scholar::games
