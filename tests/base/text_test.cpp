#include "base/text.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iconv.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/strict_toml.hpp"

namespace scholar::base {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Bytes of every kind: those that formats treat in their own ways, and parts of characters.
std::string any_text() {
    return *rc::gen::container<std::string>(
        rc::gen::oneOf(rc::gen::arbitrary<char>(),
                       rc::gen::elementOf(std::string("ab \t\r\n\"'\\,;#\x1b\x7f\xc3\xa9\xe2\x80\xa6\xff"))));
}

// The C library's opinion.
bool iconv_takes(std::string text) {
    const iconv_t converter = iconv_open("UTF-32", "UTF-8");
    std::array<char, 256> out{};
    char* from = text.data();
    char* to = out.data();
    std::size_t left = text.size();
    std::size_t room = out.size();
    const bool good = iconv(converter, &from, &left, &to, &room) != static_cast<std::size_t>(-1) && left == 0;
    iconv_close(converter);
    return good;
}

TEST(Text, LettersOfEitherCaseAreTheSame) {
    EXPECT_TRUE(same_ignoring_case("EvalFile", "evalfile"));
    EXPECT_FALSE(same_ignoring_case("EvalFile", "evalfiles"));
    EXPECT_FALSE(same_ignoring_case("[", "{"));
    EXPECT_TRUE(same_ignoring_case("", ""));
    EXPECT_EQ(lower_case("ÀB[Z]"), "Àb[z]");
}

TEST(Text, WordsStandBetweenBlanks) {
    EXPECT_THAT(split_words("  go\tdepth 5\r\n"), ElementsAre("go", "depth", "5"));
    EXPECT_THAT(split_words(" \t\r\n"), IsEmpty());
    EXPECT_THAT(split_words(""), IsEmpty());
    std::string_view text = " a  b ";
    EXPECT_EQ(next_word(text), "a");
    EXPECT_EQ(next_word(text), "b");
    EXPECT_EQ(next_word(text), "");
    EXPECT_EQ(without_blanks(" \ta b\r\n"), "a b");
    EXPECT_EQ(without_blanks(" \t"), "");
}

TEST(Text, WordsAreSplitAsAShellDoes) {
    EXPECT_THAT(split_shell_words(R"(./engine -x "two words" it\'s 'a\b' a'b c'd "")").value(),
                ElementsAre("./engine", "-x", "two words", "it's", R"(a\b)", "ab cd", ""));
    EXPECT_THAT(split_shell_words(R"(cmd="gnuchess --uci" name='two words' x=\"y)").value(),
                ElementsAre("cmd=gnuchess --uci", "name=two words", "x=\"y"));
    EXPECT_THAT(split_shell_words(R"('a\b' "a\\b" '')").value(), ElementsAre("a\\b", "a\\b", ""));
    EXPECT_THAT(split_shell_words(" ").value(), IsEmpty());
    EXPECT_EQ(split_shell_words("a 'b").error().message, "'a 'b': a ' is not closed");
    EXPECT_EQ(split_shell_words("a\\").error().message, "'a\\': nothing follows the last backslash");
}

TEST(Text, BytesAreUtf8WhereTheCLibrarySaysSo) {
    // The ends of all ranges in the Unicode Standard's table 3-7, and a byte beside each.
    constexpr std::array<std::uint8_t, 22> kEnds{0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF,
                                                 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED,
                                                 0xEE, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5};
    std::vector<std::string> texts{""};
    for (std::size_t begin = 0, size = 0; size < 4; ++size) {
        const std::size_t end = texts.size();
        for (; begin < end; ++begin) {
            // Behind a character anything may begin, which has been seen.
            if (begin > 0 && is_utf8(texts[begin])) continue;
            for (const std::uint8_t last : kEnds) texts.push_back(texts[begin] + static_cast<char>(last));
        }
    }
    for (const std::string& text : texts)
        ASSERT_EQ(is_utf8(text), iconv_takes(text)) << testing::PrintToString(text);
}

RC_GTEST_PROP(Text, IsUtf8WhenItHasBeenMade, ()) {
    const std::string text = any_text();
    RC_ASSERT(is_utf8(utf8_text(text)));
    RC_ASSERT((utf8_text(text) == text) == is_utf8(text));
    RC_ASSERT(utf8_text(utf8_text(text)) == utf8_text(text));
}

RC_GTEST_PROP(Text, QuotedForJsonIsReadAsItWas, ()) {
    const std::string text = any_text();
    RC_ASSERT(nlohmann::json::parse(quoted(text, Quoting::Json)).get<std::string>() == utf8_text(text));
}

// Whatever an engine, a file or a server sends, as a key too.
RC_GTEST_PROP(Text, JsonOfAnyTextIsWrittenAndRead, ()) {
    const std::string text = any_text();
    const nlohmann::ordered_json any{{text, text}};
    for (const std::string& written : {json_line(any), json_text(any)}) {
        RC_ASSERT(is_utf8(written));
        RC_ASSERT(!nlohmann::json::parse(written, nullptr, false).is_discarded());
    }
    RC_ASSERT(json_line(any).find('\n') == std::string::npos);
    const std::string mended = utf8_text(text);
    const nlohmann::ordered_json same{{mended, mended}};
    RC_ASSERT(nlohmann::ordered_json::parse(json_line(same)) == same);
    RC_ASSERT(nlohmann::ordered_json::parse(json_text(same)) == same);
}

RC_GTEST_PROP(Text, QuotedForJsonIsReadByTomlAsItWas, ()) {
    const std::string text = any_text();
    auto toml = StrictToml::parse("[a]\nb = " + quoted(text, Quoting::Json) + "\n", "test");
    RC_ASSERT(toml.has_value());
    std::string read;
    toml->section("a", [&](StrictToml::Section& section) { read = section.text("b", std::nullopt); });
    RC_ASSERT(read == utf8_text(text));
}

RC_GTEST_PROP(Text, QuotedForAShellIsOneWordOfIt, ()) {
    std::string text = any_text();
    std::erase(text, '\0');
    RC_ASSERT(split_shell_words("a " + quoted(text, Quoting::Shell) + " b").value() ==
              (std::vector<std::string>{"a", text, "b"}));
}

TEST(Text, QuotedForAShellIsReadByOne) {
    const std::string text = "it's \"$HOME\" `id` \\ * \n\xff";
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> shell(
        popen(("printf %s " + quoted(text, Quoting::Shell)).c_str(), "r"), pclose);
    std::string said(100, '\0');
    said.resize(std::fread(said.data(), 1, said.size(), shell.get()));
    EXPECT_EQ(said, text);
    EXPECT_EQ(quoted("nets/a-b_1.net", Quoting::Shell), "nets/a-b_1.net");
    EXPECT_EQ(quoted("", Quoting::Shell), "''");
}

TEST(Text, IsQuotedByTheFormatsRules) {
    EXPECT_EQ(quoted("a \"b\"\\\n\x1b", Quoting::Json), R"("a \"b\"\\\n\u001b")");
    EXPECT_EQ(quoted("a \"b\"\\\n\x1b", Quoting::Epd), "\"a \\\"b\\\"\\\\\\n\x1b\"");
    EXPECT_EQ(quoted("a \"b\"\\\n\x1b", Quoting::Pgn), R"("a \"b\"\\  ")");
    EXPECT_EQ(quoted("a,\"b\"", Quoting::Csv), R"("a,""b""")");
    EXPECT_EQ(quoted("a b", Quoting::Csv), "a b");
}

TEST(Text, ExcerptsAreShortAndOnOneLine) {
    EXPECT_EQ(excerpt("bestmove e2e4"), "bestmove e2e4");
    EXPECT_EQ(excerpt("a\nb\x1b[2J\x7f"), "a\\x0ab\\x1b[2J\\x7f");
    EXPECT_EQ(excerpt("é\xff\xc2\x9b"), "é\\xff\\xc2\\x9b");
    EXPECT_EQ(excerpt("abcd", 4), "abcd");
    EXPECT_EQ(excerpt("abcde", 4), "abcd…");
    // Not in the middle of a character.
    EXPECT_EQ(excerpt("abcé", 4), "abc…");
}

RC_GTEST_PROP(Text, ExcerptsArePrintable, ()) {
    const std::string shown = excerpt(any_text(), 10);
    RC_ASSERT(is_utf8(shown));
    RC_ASSERT(shown.size() <= 10 * 4 + std::string_view("…").size());
    for (const char c : shown) RC_ASSERT(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
}

TEST(Text, NounsAgreeWithTheirNumbers) {
    EXPECT_EQ(counted(0, "game"), "0 games");
    EXPECT_EQ(counted(1, "game"), "1 game");
    EXPECT_EQ(counted(2U, "try", "tries"), "2 tries");
    EXPECT_EQ(counted(1, "try", "tries"), "1 try");
    EXPECT_EQ(counted(-1, "point"), "-1 points");
    EXPECT_EQ(counted(std::size_t{12'345'678}, "byte"), "12,345,678 bytes");
    EXPECT_EQ(grouped(-123'456), "-123,456");
    EXPECT_EQ(grouped(-123), "-123");
    EXPECT_EQ(grouped(1'000), "1,000");
}

TEST(Text, NumbersAreWholeTextsAndFinite) {
    EXPECT_EQ(parse_number<int>("-12"), -12);
    EXPECT_EQ(parse_number<double>("0.5"), 0.5);
    for (const char* text : {"", " 1", "1 ", "1x", "+1", "99999999999"})
        EXPECT_EQ(parse_number<int>(text), std::nullopt) << text;
    for (const char* text : {"nan", "-nan", "inf", "-inf", "infinity", "1e999", "NaN(1)"})
        EXPECT_EQ(parse_number<double>(text), std::nullopt) << text;
}

}  // namespace
}  // namespace scholar::base
