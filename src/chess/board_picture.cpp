#include "chess/board_picture.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

#include "base/plot.hpp"
#include "base/text.hpp"
#include "chess/fen.hpp"

namespace scholar::chess {

namespace {

// Of the drawing, in its own units, which are pixels if nobody scales it.
constexpr int kBoardMargin = 24;  // beside and below the board, for ranks and files
constexpr int kBareTop = 14;      // above a board without a title
constexpr int kTitledTop = 36;
constexpr int kPageTitle = 36;
constexpr int kNoteLine = 19;
constexpr int kAboveNotes = 20;
constexpr int kBelowNotes = 8;
constexpr int kTitleSize = 15;
constexpr int kPageTitleSize = 18;
constexpr int kNoteSize = 13;
constexpr double kLetterWidth = 0.58;  // about that of a letter, by its size
constexpr double kFullHeat = 0.9;      // opacity of the full colour: the board still shows through

// Men and squares look the same on all pages; all other texts and the page follow base/plot.cpp.
constexpr std::string_view kBoardStyle = R"(<style>
text { font-family: system-ui, "DejaVu Sans", Helvetica, Arial, sans-serif; font-size: 13px; fill: #333 }
.page-title { font-size: 18px; font-weight: 600 }
.title { font-size: 15px; font-weight: 600 }
.page { fill: #fff }
.coordinate { font-size: 11px; text-anchor: middle; fill: #777 }
.frame { fill: none; stroke: #857b6c }
.light { fill: #ece6da }
.dark { fill: #b9ae9b }
.pale .light { fill: #f6f3ed }
.pale .dark { fill: #dfd9ce }
.more { fill: #ee7f2d }
.less { fill: #3d93d8 }
.number { text-anchor: end; fill: #222; font-weight: 600 }
.number { stroke: #fff; stroke-width: 3px; stroke-opacity: 0.75; stroke-linejoin: round; paint-order: stroke }
.arrow { fill: #17824b; stroke: #fff; stroke-width: 0.6 }
.man { stroke-width: 3.5; stroke-linejoin: round; stroke-linecap: round }
.white { fill: #fffdf8; stroke: #2b2724; color: #2b2724 }
.black { fill: #3a3633; stroke: #191716; color: #f3eee6 }
.line { fill: none; stroke: currentColor; stroke-width: 3 }
.eye { fill: currentColor; stroke: none }
.mover { stroke: #857b6c; stroke-width: 1.5 }
@media (prefers-color-scheme: dark) {
text { fill: #d6d6d6 }
.page { fill: #16181d }
.coordinate { fill: #999 }
}
</style>
)";

struct Man {
    std::string_view name;
    std::string_view shape;  // in a square of 100 by 100
};

// Drawn for this project, by PieceKind. White and Black share them: lines inside take the colour that is to
// be seen on the man.
constexpr std::array<Man, 6> kMen{{
    {"pawn",
     R"(<path d="M42 47A14 14 0 1 1 58 47C59 60 68 66 71 77H29C32 66 41 60 42 47z"/>
<rect x="34" y="44" width="32" height="6" rx="3"/>
<path class="line" d="M34 70H66"/>
<rect x="25" y="76" width="50" height="12" rx="4"/>)"},
    {"knight",
     R"(<path d="M30 77C29 64 44 60 47 48C41 51 37 52 34 57C32 61 29 62 26 60
C19 58 16 53 17 48C20 41 27 35 30 28C33 22 39 18 44 17L45 8L55 17C75 23 81 48 74 77z"/>
<circle class="eye" cx="39" cy="31" r="3"/>
<path class="line" d="M22 50L25 48M56 24C67 34 69 52 66 70"/>
<rect x="22" y="76" width="56" height="12" rx="4"/>)"},
    {"bishop",
     R"(<path d="M50 21C68 33 72 48 62 60C62 66 68 70 71 77H29C32 70 38 66 38 60C28 48 32 33 50 21z"/>
<circle cx="50" cy="16" r="6"/>
<path class="line" d="M58 35L49 48M36 70H64"/>
<rect x="33" y="57" width="34" height="6" rx="3"/>
<rect x="23" y="76" width="54" height="12" rx="4"/>)"},
    {"rook",
     R"(<path d="M26 20H38V28H45V20H55V28H62V20H74V37L66 44C66 58 67 66 71 77H29C33 66 34 58 34 44L26 37z"/>
<path class="line" d="M30 37H70M35 70H65"/>
<rect x="23" y="76" width="54" height="12" rx="4"/>)"},
    {"queen",
     R"(<path d="M15 30L31 48L33 22L44 45L50 17L56 45L67 22L69 48L85 30
L71 66C71 70 73 73 75 77H25C27 73 29 70 29 66z"/>
<circle cx="14" cy="27" r="5"/>
<circle cx="32" cy="19" r="5"/>
<circle cx="50" cy="14" r="5"/>
<circle cx="68" cy="19" r="5"/>
<circle cx="86" cy="27" r="5"/>
<path class="line" d="M28 58Q50 52 72 58M30 67H70"/>
<rect x="22" y="76" width="56" height="12" rx="4"/>)"},
    {"king",
     R"(<path d="M46 6H54V13H61V21H54V30H46V21H39V13H46z"/>
<path d="M24 42C30 32 40 28 50 28S70 32 76 42z"/>
<path d="M19 42H81C79 52 71 58 71 66C71 70 73 73 75 77H25C27 73 29 70 29 66C29 58 21 52 19 42z"/>
<path class="line" d="M26 50H74M30 67H70"/>
<rect x="22" y="76" width="56" height="12" rx="4"/>)"},
}};

std::string picture_definitions() {
    std::string svg = "<defs>\n<symbol id=\"squares\" viewBox=\"0 0 8 8\"><path d=\"";
    for (int row = 0; row < 8; ++row)
        for (int column = 1 - row % 2; column < 8; column += 2)
            svg += fmt::format("M{} {}h1v1h-1z", column, row);
    svg += "\"/></symbol>\n";
    for (const Man& man : kMen)
        svg += fmt::format("<symbol id=\"{}\" viewBox=\"0 0 100 100\"><g class=\"man\">\n{}</g></symbol>\n",
                           man.name, man.shape);
    return svg + "</defs>\n";
}

// A line of text, smaller than its class says if it would not fit.
std::string text_line(std::string_view style, int x, int y, int size, int room, std::string_view text) {
    const double width = kLetterWidth * size * static_cast<double>(base::width_of(text));
    const std::string smaller =
        width > room ? fmt::format(" style=\"font-size: {:.1f}px\"", size * room / width) : "";
    return fmt::format("<text{} x=\"{}\" y=\"{}\"{}>{}</text>\n", style, x, y, smaller,
                       base::xml_escaped(base::utf8_text(text)));
}

// One board with its texts. `top` is where the board begins, its title stands above.
class BoardDrawing {
  public:
    BoardDrawing(std::string& svg, const BoardPicture& picture, int left, int top, int square)
        : svg_(svg), picture_(picture), left_(left), top_(top), square_(square) {}

    void draw() {
        svg_ += fmt::format("<g{}>\n<desc>{}</desc>\n", picture_.heat ? " class=\"pale\"" : "",
                            to_fen(picture_.position));
        if (!picture_.title.empty())
            svg_ += text_line(" class=\"title\"", left_, top_ - 13, kTitleSize, 8 * square_, picture_.title);
        draw_squares();
        if (picture_.heat) draw_heat(*picture_.heat);
        draw_coordinates();
        draw_men();
        if (picture_.heat && picture_.heat_numbers) draw_numbers(*picture_.heat);
        draw_arrows();
        int y = top_ + 8 * square_ + kAboveNotes;
        for (const std::string& note : picture_.notes)
            svg_ += text_line("", left_, y += kNoteLine, kNoteSize, 8 * square_, note);
        svg_ += "</g>\n";
    }

  private:
    // Of a square's corner at the left above.
    int x(Square square) const {
        return left_ + square_ * (picture_.below == White ? file_of(square) : 7 - file_of(square));
    }
    int y(Square square) const {
        return top_ + square_ * (picture_.below == White ? 7 - rank_of(square) : rank_of(square));
    }

    int number_size() const { return std::max(9, square_ / 5); }

    void draw_squares() {
        const int size = 8 * square_;
        svg_ += fmt::format("<rect class=\"light\" x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{2}\"/>\n",
                            left_, top_, size);
        svg_ += fmt::format(
            "<use class=\"dark\" href=\"#squares\" x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{2}\"/>\n",
            left_, top_, size);
    }

    void draw_heat(const std::array<double, 64>& heat) {
        double most = picture_.heat_most;
        if (!std::isfinite(most) || most <= 0) {
            most = 0;
            for (const double value : heat)
                if (std::isfinite(value)) most = std::max(most, std::abs(value));
        }
        for (const Square square : squares(~Bitboard{0})) {
            const double value = heat[square];
            const double opacity = kFullHeat * std::min(1.0, std::abs(value) / most);
            // Less would be written as 0.00; and 0 of 0 is no number.
            if (!std::isfinite(value) || !(opacity >= 0.005)) continue;
            svg_ += fmt::format(
                "<rect class=\"{0}\" x=\"{1}\" y=\"{2}\" width=\"{3}\" height=\"{3}\" "
                "opacity=\"{4:.2f}\"/>\n",
                value > 0 ? "more" : "less", x(square), y(square), square_, opacity);
        }
    }

    void draw_coordinates() {
        const int size = 8 * square_;
        svg_ += fmt::format("<rect class=\"frame\" x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{2}\"/>\n",
                            left_, top_, size);
        const auto write = [&](int at_x, int at_y, char letter) {
            svg_ +=
                fmt::format("<text class=\"coordinate\" x=\"{}\" y=\"{}\">{}</text>\n", at_x, at_y, letter);
        };
        for (int i = 0; i < 8; ++i) {
            const Square square = make_square(i, i);
            write(left_ - 11, y(square) + square_ / 2 + 4, static_cast<char>('1' + i));
            write(x(square) + square_ / 2, top_ + size + 15, static_cast<char>('a' + i));
        }
        const Color mover = picture_.position.side_to_move();
        svg_ += fmt::format("<circle class=\"mover {}\" cx=\"{}\" cy=\"{}\" r=\"5\"/>\n",
                            mover == White ? "white" : "black", left_ + size + 12,
                            mover == picture_.below ? top_ + size - 6 : top_ + 6);
    }

    void draw_men() {
        // Below numbers they are smaller, and stand lower, to leave room.
        const bool numbers = picture_.heat && picture_.heat_numbers;
        const int size = numbers ? square_ - number_size() : square_;
        const int down = numbers ? square_ - size + square_ / 20 : 0;
        for (const Square square : squares(picture_.position.occupied())) {
            const Piece piece = picture_.position.piece_on(square);
            svg_ += fmt::format(
                "<use class=\"{0}\" href=\"#{1}\" x=\"{2}\" y=\"{3}\" width=\"{4}\" height=\"{4}\"/>\n",
                color_of(piece) == White ? "white" : "black", kMen[kind_of(piece)].name,
                x(square) + (square_ - size) / 2, y(square) + down, size);
        }
    }

    void draw_numbers(const std::array<double, 64>& heat) {
        const int size = number_size();
        for (const Square square : squares(~Bitboard{0})) {
            const double percent = std::round(100 * heat[square]);
            if (!std::isfinite(percent) || percent == 0) continue;
            svg_ += fmt::format(
                "<text class=\"number\" x=\"{}\" y=\"{}\" style=\"font-size: {}px\">{}{}</text>\n",
                x(square) + square_ - 2, y(square) + size, size, percent < 0 ? "−" : "",
                base::tick_text(std::abs(percent)));
        }
    }

    void draw_arrows() {
        std::vector<BoardPicture::Arrow> arrows = picture_.arrows;
        std::erase_if(arrows, [](const BoardPicture::Arrow& arrow) {
            return !(arrow.weight > 0) || arrow.from >= NoSquare || arrow.to >= NoSquare ||
                   arrow.from == arrow.to;
        });
        // What matters most is above the rest.
        std::ranges::stable_sort(arrows, {}, &BoardPicture::Arrow::weight);
        for (const BoardPicture::Arrow& arrow : arrows) draw_arrow(arrow);
    }

    // From beside the middle of a square almost to the middle of another; as one shape, so that being
    // transparent does not show how it is put together.
    void draw_arrow(const BoardPicture::Arrow& arrow) {
        const double weight = std::min(1.0, arrow.weight);
        const double dx = x(arrow.to) - x(arrow.from);
        const double dy = y(arrow.to) - y(arrow.from);
        const double length = std::hypot(dx, dy);
        const double half = square_ * (0.035 + 0.055 * weight);
        const double head = square_ * (0.2 + 0.16 * weight);
        const double start = 0.28 * square_;
        const double tip = length - 0.06 * square_;
        const std::array<std::array<double, 2>, 7> outline{{{start, -half},
                                                            {tip - head, -half},
                                                            {tip - head, -head * 0.62},
                                                            {tip, 0},
                                                            {tip - head, head * 0.62},
                                                            {tip - head, half},
                                                            {start, half}}};
        std::string points;
        for (const auto& [along, across] : outline)
            points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ",
                                  x(arrow.from) + square_ / 2.0 + (along * dx - across * dy) / length,
                                  y(arrow.from) + square_ / 2.0 + (along * dy + across * dx) / length);
        svg_ += fmt::format("<polygon class=\"arrow\" points=\"{}\" opacity=\"{:.2f}\"/>\n", points,
                            0.45 + 0.4 * weight);
    }

    std::string& svg_;
    const BoardPicture& picture_;
    int left_;
    int top_;
    int square_;
};

}  // namespace

std::string to_svg(const BoardPicture& picture) {
    return to_svg(std::span(&picture, 1), 1, "");
}

std::string to_svg(std::span<const BoardPicture> pictures, int columns, const std::string& title) {
    const std::size_t across =
        std::clamp<std::size_t>(pictures.size(), 1, static_cast<std::size_t>(std::max(columns, 1)));
    const int square = across == 1 ? 60 : across == 2 ? 48 : across == 3 ? 40 : 36;
    const int cell = 8 * square + 2 * kBoardMargin;

    std::string boards;
    int height = title.empty() ? 0 : kPageTitle;
    for (std::size_t first = 0; first < pictures.size(); first += across) {
        const auto row = pictures.subspan(first, std::min(across, pictures.size() - first));
        std::size_t notes = 0;
        bool titled = false;
        for (const BoardPicture& picture : row) {
            notes = std::max(notes, picture.notes.size());
            titled = titled || !picture.title.empty();
        }
        height += titled ? kTitledTop : kBareTop;
        int left = kBoardMargin;
        for (const BoardPicture& picture : row) {
            BoardDrawing(boards, picture, left, height, square).draw();
            left += cell;
        }
        height += 8 * square + kBoardMargin + kNoteLine * static_cast<int>(notes) + (notes ? kBelowNotes : 0);
    }

    if (pictures.empty()) height += kBareTop;
    const int width = cell * static_cast<int>(across);
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n",
        width, height);
    const std::string& name = title.empty() && pictures.size() == 1 ? pictures.front().title : title;
    if (!name.empty()) svg += fmt::format("<title>{}</title>\n", base::xml_escaped(base::utf8_text(name)));
    svg += kBoardStyle;
    svg += picture_definitions();
    svg += fmt::format("<rect class=\"page\" width=\"{}\" height=\"{}\"/>\n", width, height);
    if (!title.empty())
        svg += text_line(" class=\"page-title\"", kBoardMargin, 27, kPageTitleSize, width - 2 * kBoardMargin,
                         title);
    return svg + boards + "</svg>\n";
}

}  // namespace scholar::chess
