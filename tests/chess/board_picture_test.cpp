#include "chess/board_picture.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <regex>
#include <set>

#include "chess/fen.hpp"

namespace scholar::chess {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct SvgElement {
    std::string name;
    std::map<std::string, std::string> attributes;
    std::string text;

    std::string operator[](const std::string& attribute) const {
        const auto found = attributes.find(attribute);
        return found == attributes.end() ? "" : found->second;
    }
    double number(const std::string& attribute) const { return std::stod((*this)[attribute]); }
};

// In the order of their tags. Fails if a tag is not closed in its turn or not as XML has it, if an attribute
// is there twice, or if a text has a bare '&' or '>'.
std::vector<SvgElement> svg_elements(const std::string& svg) {
    static const std::regex kTag(R"re(<(/?)([a-z]+)((?: [A-Za-z-]+="[^"<]*")*)(/?)>)re");
    static const std::regex kAttribute(R"re( ([A-Za-z-]+)="([^"]*)")re");
    static const std::regex kGoodText(R"re((?:[^&>]|&(?:amp|lt|gt|quot|#39);)*)re");
    std::vector<SvgElement> elements;
    std::vector<std::size_t> open;
    for (auto at = svg.begin(); at != svg.end();) {
        const auto text_end = std::find(at, svg.end(), '<');
        // Long texts would be deep recursions of the regex; the style is such a text.
        for (auto from = at; from != text_end;) {
            const auto to = std::find(from, text_end, '\n');
            EXPECT_TRUE(std::regex_match(from, to, kGoodText)) << std::string(from, to);
            from = to == text_end ? to : to + 1;
        }
        if (!open.empty()) elements[open.back()].text.append(at, text_end);
        if (text_end == svg.end()) break;
        std::smatch tag;
        if (!std::regex_search(text_end, svg.end(), tag, kTag, std::regex_constants::match_continuous)) {
            ADD_FAILURE() << "no tag: " << std::string(text_end, svg.end()).substr(0, 80);
            return elements;
        }
        at = tag.suffix().first;
        if (tag[1].length()) {
            if (open.empty() || elements[open.back()].name != tag[2]) {
                ADD_FAILURE() << tag[0] << " closes what is not open";
                return elements;
            }
            open.pop_back();
            continue;
        }
        SvgElement element{tag[2], {}, {}};
        const std::string attributes = tag[3];
        EXPECT_TRUE(std::regex_match(attributes.begin(), attributes.end(), kGoodText)) << attributes;
        for (std::sregex_iterator each(attributes.begin(), attributes.end(), kAttribute), end; each != end;
             ++each)
            EXPECT_TRUE(element.attributes.emplace((*each)[1], (*each)[2]).second) << attributes;
        if (!tag[4].length()) open.push_back(elements.size());
        elements.push_back(std::move(element));
    }
    EXPECT_TRUE(open.empty());
    return elements;
}

std::vector<SvgElement> elements_with(const std::vector<SvgElement>& all, const std::string& name,
                                      const std::string& css_class) {
    std::vector<SvgElement> found;
    for (const SvgElement& element : all)
        if (element.name == name && element["class"] == css_class) found.push_back(element);
    return found;
}

// What lies on a board, read off the drawing as somebody sees it who sits at the side of `below`.
class SeenBoard {
  public:
    SeenBoard(const std::vector<SvgElement>& all, Color below) : all_(all), below_(below) {
        const auto boards = elements_with(all, "rect", "light");
        EXPECT_EQ(boards.size(), 1U);
        left_ = boards.at(0).number("x");
        top_ = boards.at(0).number("y");
        size_ = boards.at(0).number("width");
    }

    Square square_at(double x, double y) const {
        const int across = static_cast<int>(std::floor((x - left_) / size_ * 8));
        const int down = static_cast<int>(std::floor((y - top_) / size_ * 8));
        if (across < 0 || across > 7 || down < 0 || down > 7) return NoSquare;
        const Square from_white = make_square(across, 7 - down);
        return below_ == White ? from_white : static_cast<Square>(63 - from_white);
    }
    Square square_of(const SvgElement& element) const {
        return square_at(element.number("x") + element.number("width") / 2,
                         element.number("y") + element.number("height") / 2);
    }
    // What is not there twice: elements of a class by their squares.
    std::map<Square, double> opacities(const std::string& css_class) const {
        std::map<Square, double> found;
        for (const SvgElement& element : elements_with(all_, "rect", css_class))
            EXPECT_TRUE(found.emplace(square_of(element), element.number("opacity")).second);
        return found;
    }
    std::map<Square, std::string> numbers() const {
        std::map<Square, std::string> found;
        for (const SvgElement& text : elements_with(all_, "text", "number"))
            EXPECT_TRUE(found.emplace(square_at(text.number("x") - 1, text.number("y")), text.text).second);
        return found;
    }
    std::array<Piece, 64> men() const {
        static const std::map<std::string, PieceKind> kKinds{{"#pawn", Pawn},     {"#knight", Knight},
                                                             {"#bishop", Bishop}, {"#rook", Rook},
                                                             {"#queen", Queen},   {"#king", King}};
        std::array<Piece, 64> board;
        board.fill(NoPiece);
        for (const Color color : kColors)
            for (const SvgElement& use : elements_with(all_, "use", color == White ? "white" : "black")) {
                const Square square = square_of(use);
                EXPECT_NE(square, NoSquare);
                EXPECT_EQ(board.at(square), NoPiece) << to_string(square);
                board.at(square) = make_piece(color, kKinds.at(use["href"]));
            }
        return board;
    }

  private:
    const std::vector<SvgElement>& all_;
    Color below_;
    double left_ = 0;
    double top_ = 0;
    double size_ = 0;
};

std::array<double, 64> heat_of(const std::map<Square, double>& numbers) {
    std::array<double, 64> heat{};
    for (const auto& [square, number] : numbers) heat[square] = number;
    return heat;
}

TEST(BoardPicture, MenStandWhereThePositionHasThem) {
    for (const char* fen : {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
                            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"})
        for (const Color below : kColors)
            for (const bool numbers : {false, true}) {
                BoardPicture picture{
                    .position = parse_fen(fen).value(), .heat_numbers = numbers, .below = below};
                if (numbers) picture.heat = heat_of({{E4, 1}});
                const auto all = svg_elements(to_svg(picture));
                EXPECT_EQ(SeenBoard(all, below).men(), picture.position.setup().board) << fen;
                const Color mover = picture.position.side_to_move();
                const auto dots =
                    elements_with(all, "circle", mover == White ? "mover white" : "mover black");
                ASSERT_EQ(dots.size(), 1U);
                EXPECT_EQ(dots[0].number("cy") > 200, mover == below);
            }
}

TEST(BoardPicture, SquaresAreNamedAtTheEdge) {
    for (const Color below : kColors) {
        const auto all = svg_elements(to_svg(BoardPicture{.below = below}));
        const SeenBoard board(all, below);
        std::string files;
        std::string ranks;
        for (const SvgElement& text : elements_with(all, "text", "coordinate")) {
            // From the left edge into the board, or up from the lower one.
            const Square beside = board.square_at(text.number("x") + 30, text.number("y"));
            const Square above = board.square_at(text.number("x"), text.number("y") - 30);
            const std::string name = to_string(std::isdigit(text.text.at(0)) ? beside : above);
            EXPECT_NE(name.find(text.text), std::string::npos) << text.text << " at " << name;
            (std::isdigit(text.text.at(0)) ? ranks : files) += text.text;
        }
        EXPECT_EQ(files, "abcdefgh");
        EXPECT_EQ(ranks, "12345678");
    }
}

TEST(BoardPicture, DarkSquaresAreDark) {
    const auto all = svg_elements(to_svg(BoardPicture{}));
    const auto symbol = std::ranges::find_if(all, [](const SvgElement& e) { return e["id"] == "squares"; });
    ASSERT_NE(symbol, all.end());
    const std::string shape = (*(symbol + 1))["d"];
    // Counted from the corner above at the left, which is a8.
    std::set<Square> dark;
    static const std::regex kSquare("M([0-7]) ([0-7])h1v1h-1z");
    for (std::sregex_iterator at(shape.begin(), shape.end(), kSquare), end; at != end; ++at)
        dark.insert(make_square(std::stoi((*at)[1]), 7 - std::stoi((*at)[2])));
    EXPECT_EQ(dark.size(), 32U);
    for (const Square square : {A1, C1, H8, D8, E5, G7, B2}) EXPECT_TRUE(dark.contains(square));
}

TEST(BoardPicture, HeatIsOnItsSquareFromBothSides) {
    for (const Color below : kColors) {
        BoardPicture picture{.heat = heat_of({{B1, 0.5}, {H7, -0.25}, {E4, -1}}), .below = below};
        const auto all = svg_elements(to_svg(picture));
        const auto more = SeenBoard(all, below).opacities("more");
        const auto less = SeenBoard(all, below).opacities("less");
        ASSERT_EQ(more.size(), 1U);
        ASSERT_EQ(less.size(), 2U);
        ASSERT_TRUE(less.contains(E4));
        const double full = less.at(E4);
        EXPECT_GT(full, 0.5);
        EXPECT_NEAR(more.at(B1), full / 2, 0.006);
        EXPECT_NEAR(less.at(H7), full / 4, 0.006);
    }
}

TEST(BoardPicture, HeatIsBelowTheMen) {
    const std::string svg = to_svg(BoardPicture{.heat = heat_of({{E1, 1}})});
    EXPECT_LT(svg.find("class=\"more\""), svg.find("<use class=\"white\""));
    EXPECT_LT(svg.find("href=\"#squares\""), svg.find("class=\"more\""));
}

TEST(BoardPicture, FullColourIsThatOfTheMostHeat) {
    BoardPicture picture{.heat = heat_of({{A1, 0.2}, {A2, 0.4}, {A3, 0.8}})};
    const auto seen = [&](double most) {
        picture.heat_most = most;
        return SeenBoard(svg_elements(to_svg(picture)), White).opacities("more");
    };
    const double full = seen(0).at(A3);
    EXPECT_NEAR(seen(0).at(A1), full / 4, 0.006);
    EXPECT_NEAR(seen(0.4).at(A1), full / 2, 0.006);
    EXPECT_EQ(seen(0.4).at(A2), full);
    EXPECT_EQ(seen(0.4).at(A3), full);
    EXPECT_NEAR(seen(1.6).at(A3), full / 2, 0.006);
    for (const double none : {-1.0, kNaN, kInfinity}) EXPECT_EQ(seen(none), seen(0));
}

TEST(BoardPicture, NumbersThatAreNoneAreNotShown) {
    BoardPicture picture{
        .heat = heat_of({{A1, kNaN}, {B1, kInfinity}, {C1, -kInfinity}, {D1, 0.0}, {E1, 0.5}}),
        .heat_numbers = true};
    const auto all = svg_elements(to_svg(picture));
    EXPECT_EQ(SeenBoard(all, White).opacities("more").size(), 1U);
    EXPECT_TRUE(SeenBoard(all, White).opacities("more").contains(E1));
    EXPECT_TRUE(SeenBoard(all, White).opacities("less").empty());
    EXPECT_EQ(SeenBoard(all, White).numbers(), (std::map<Square, std::string>{{E1, "50"}}));

    picture.heat = heat_of({{A1, kNaN}});
    const auto cold = svg_elements(to_svg(picture));
    EXPECT_TRUE(SeenBoard(cold, White).opacities("more").empty());
    EXPECT_TRUE(SeenBoard(cold, White).numbers().empty());
}

TEST(BoardPicture, NumbersArePercentages) {
    const std::map<Square, std::string> expected{
        {A1, "1"}, {H8, "−1"}, {D4, "23"}, {E5, "−100"}, {F6, "250"}};
    for (const Color below : kColors) {
        BoardPicture picture{.heat = heat_of({{A1, 0.0051},
                                              {B1, 0.0049},
                                              {G8, -0.0049},
                                              {H8, -0.0051},
                                              {D4, 0.2251 + 0.005},
                                              {E5, -1},
                                              {F6, 2.5}}),
                             .heat_numbers = true,
                             .below = below};
        EXPECT_EQ(SeenBoard(svg_elements(to_svg(picture)), below).numbers(), expected);
        picture.heat_numbers = false;
        EXPECT_TRUE(SeenBoard(svg_elements(to_svg(picture)), below).numbers().empty());
    }
}

TEST(BoardPicture, ArrowsLeadFromSquareToSquare) {
    for (const Color below : kColors) {
        // The heaviest is last, above the others.
        BoardPicture picture{.arrows = {{G1, F3, 1}, {A7, A6, 0.1}, {A1, H8, 0.5}}, .below = below};
        const auto all = svg_elements(to_svg(picture));
        const auto arrows = elements_with(all, "polygon", "arrow");
        const std::vector<std::pair<Square, Square>> expected{{A7, A6}, {A1, H8}, {G1, F3}};
        ASSERT_EQ(arrows.size(), expected.size());
        double opacity = 0;
        for (std::size_t i = 0; i < arrows.size(); ++i) {
            std::vector<double> at;
            static const std::regex kNumber("[0-9.]+");
            const std::string points = arrows[i]["points"];
            for (std::sregex_iterator each(points.begin(), points.end(), kNumber), end; each != end; ++each)
                at.push_back(std::stod(each->str()));
            ASSERT_EQ(at.size(), 14U);
            const SeenBoard board(all, below);
            EXPECT_EQ(board.square_at((at[0] + at[12]) / 2, (at[1] + at[13]) / 2), expected[i].first);
            EXPECT_EQ(board.square_at(at[6], at[7]), expected[i].second);
            EXPECT_GT(arrows[i].number("opacity"), opacity);
            opacity = arrows[i].number("opacity");
        }
        EXPECT_LE(opacity, 1);
    }
}

TEST(BoardPicture, ArrowsOfNothingAreNotDrawn) {
    const auto count = [](BoardPicture::Arrow arrow) {
        return elements_with(svg_elements(to_svg(BoardPicture{.arrows = {arrow}})), "polygon", "arrow")
            .size();
    };
    EXPECT_EQ(count({E2, E4}), 1U);
    EXPECT_EQ(count({E2, E4, 0}), 0U);
    EXPECT_EQ(count({E2, E4, -1}), 0U);
    EXPECT_EQ(count({E2, E4, kNaN}), 0U);
    EXPECT_EQ(count({E2, E2, 1}), 0U);
    EXPECT_EQ(count({E2, NoSquare, 1}), 0U);
    EXPECT_EQ(count({}), 0U);
    EXPECT_EQ(to_svg(BoardPicture{.arrows = {{E2, E4, kInfinity}}}),
              to_svg(BoardPicture{.arrows = {{E2, E4, 1}}}));
}

TEST(BoardPicture, TextIsEscaped) {
    BoardPicture picture{.title = "a < b & \"c\"", .notes = {"</svg>", "e2e4 22.5 %", "broken \xFF\n"}};
    for (const std::string& svg : {to_svg(picture), to_svg(std::vector{picture, picture}, 2, "<2> & more")}) {
        const auto all = svg_elements(svg);
        const auto titles = elements_with(all, "text", "title");
        ASSERT_FALSE(titles.empty());
        EXPECT_EQ(titles[0].text, "a &lt; b &amp; &quot;c&quot;");
        EXPECT_EQ(elements_with(all, "text", "").at(0).text, "&lt;/svg&gt;");
        EXPECT_EQ(elements_with(all, "text", "").at(2).text, "broken \uFFFD ");
    }
    EXPECT_EQ(elements_with(svg_elements(to_svg(picture)), "title", "").at(0).text,
              "a &lt; b &amp; &quot;c&quot;");
    EXPECT_TRUE(elements_with(svg_elements(to_svg(BoardPicture{})), "title", "").empty());
}

TEST(BoardPicture, LongLinesAreSmaller) {
    const auto size = [](const std::string& title) {
        return elements_with(svg_elements(to_svg(BoardPicture{.title = title})), "text", "title")
            .at(0)["style"];
    };
    EXPECT_EQ(size("short"), "");
    EXPECT_NE(size(std::string(200, 'x')), "");
    // Letters count, not bytes.
    std::string umlauts;
    for (int i = 0; i < 40; ++i) umlauts += "ä";
    EXPECT_EQ(size(umlauts), "");
}

TEST(BoardPicture, NeedsNothingFromOutside) {
    BoardPicture picture{.heat = heat_of({{E4, 0.3}}), .heat_numbers = true, .arrows = {{E2, E4, 0.5}}};
    const std::string svg = to_svg(picture);
    EXPECT_EQ(svg, to_svg(picture));
    std::set<std::string> defined;
    for (const SvgElement& element : svg_elements(svg)) {
        if (element.attributes.contains("id")) {
            EXPECT_TRUE(defined.insert('#' + element["id"]).second);
        }
        if (element.name == "use") {
            EXPECT_TRUE(defined.contains(element["href"])) << element["href"];
        }
    }
    EXPECT_EQ(svg.find("http", svg.find('>')), std::string::npos);
    EXPECT_EQ(svg.find("url("), std::string::npos);
}

TEST(BoardPicture, SeveralAreBesideEachOther) {
    const std::vector<BoardPicture> five(5, BoardPicture{.title = "one", .notes = {"note"}});
    for (const auto& [columns, across] :
         std::map<int, int>{{-1, 1}, {0, 1}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {9, 5}}) {
        const auto all = svg_elements(to_svg(five, columns, "all"));
        const auto boards = elements_with(all, "rect", "light");
        const auto titles = elements_with(all, "text", "title");
        ASSERT_EQ(boards.size(), 5U);
        ASSERT_EQ(titles.size(), 5U);
        EXPECT_EQ(elements_with(all, "use", "white").size(), 80U);
        std::set<double> xs;
        for (std::size_t i = 0; i < boards.size(); ++i) {
            const double right = boards[i].number("x") + boards[i].number("width");
            const double bottom = boards[i].number("y") + boards[i].number("height");
            xs.insert(boards[i].number("x"));
            EXPECT_EQ(titles[i].number("x"), boards[i].number("x"));
            EXPECT_LT(titles[i].number("y"), boards[i].number("y"));
            EXPECT_LE(right, all[0].number("width"));
            EXPECT_LE(bottom, all[0].number("height"));
            if (i + 1 == boards.size()) continue;
            if (boards[i + 1].number("y") == boards[i].number("y"))
                EXPECT_LT(right, boards[i + 1].number("x"));
            else
                EXPECT_LT(bottom, titles[i + 1].number("y"));
        }
        EXPECT_EQ(xs.size(), static_cast<std::size_t>(across)) << columns;
        for (const SvgElement& note : elements_with(all, "text", ""))
            EXPECT_LT(note.number("y"), all[0].number("height"));
    }
    const auto none = svg_elements(to_svg(std::span<const BoardPicture>{}, 3, ""));
    EXPECT_GT(none.at(0).number("height"), 0);
}

}  // namespace
}  // namespace scholar::chess
