#include "games/pgn_writer.hpp"

#include <gtest/gtest.h>
#include <utility>
#include <vector>

#include "chess/san.hpp"
#include "games/pgn.hpp"

namespace scholar::games {
namespace {

std::vector<chess::Move> moves_of(chess::Position position, const std::vector<const char*>& sans) {
    std::vector<chess::Move> moves;
    for (const char* san : sans) {
        moves.push_back(chess::parse_san(position, san).value());
        position.make(moves.back());
    }
    return moves;
}

// By hand, as the standard's section 8.2 has it: glyph, comment, variation, and a number wherever the text
// was interrupted.
TEST(PgnWriter, AnnotatesAsTheStandardSays) {
    PgnWriter writer;
    writer.start(chess::Position(), "");
    const auto moves = moves_of(chess::Position(), {"f3", "e5", "g4", "Qh4#"});
    writer.move(moves[0]);
    writer.move(moves[1], "[%eval -0.50]");
    writer.move(moves[2]);
    writer.glyph(4);
    writer.comment("allows mate {in 1}");
    const chess::Position before = chess::Position().after(moves[0]).after(moves[1]);
    writer.variation(moves_of(before, {"e4", "Nf6", "Nc3"}), "45 %");
    writer.variation(moves_of(before, {"d3"}));
    writer.move(moves[3]);
    EXPECT_EQ(writer.finish(GameResult::BlackWins),
              "\n1. f3 e5 {[%eval -0.50]} 2. g4 $4 {allows mate in 1} (2. e4 Nf6 3. Nc3 {45 %})\n"
              "(2. d3) 2... Qh4# 0-1\n\n");
}

TEST(PgnWriter, ReadsBackAVariationOfBlack) {
    PgnWriter writer;
    writer.tag("Event", "?");
    const auto moves = moves_of(chess::Position(), {"e4", "e5", "Nf3", "Nc6"});
    writer.start(chess::Position(), "");
    for (std::size_t i = 0; i < moves.size(); ++i) {
        writer.move(moves[i]);
        if (i != 1) continue;
        writer.variation(moves_of(chess::Position().after(moves[0]), {"c5", "Nf3", "d6"}));
    }
    const std::string text = writer.finish(GameResult::Draw);
    EXPECT_NE(text.find("1. e4 e5 (1... c5 2. Nf3 d6) 2. Nf3 Nc6"), std::string::npos) << text;
    PgnText read{.buffer = {text.begin(), text.end()}, .size = text.size(), .rest = nullptr};
    read.buffer.resize(text.size() + PgnText::kPadding);
    PgnReader reader("text", std::move(read));
    const auto item = reader.next();
    ASSERT_TRUE(item);
    ASSERT_EQ(*item, PgnItem::Game);
    EXPECT_EQ(reader.game().moves, moves);
    EXPECT_EQ(reader.remark(), nullptr);
}

}  // namespace
}  // namespace scholar::games
