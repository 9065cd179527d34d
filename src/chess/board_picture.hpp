#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "chess/position.hpp"
#include "chess/types.hpp"

// Boards as drawings (SVG): the men, and what a network or a search has to say about squares and moves.

namespace scholar::chess {

struct BoardPicture {
    // Drawn over the men, from square to square (castling as in Move: to the rook's square).
    struct Arrow {
        Square from = NoSquare;
        Square to = NoSquare;
        double weight = 1;  // 0 to 1: how thick and how opaque; not above 0, or not a number: not drawn
    };

    Position position{};
    std::string title{};               // above the board; "": none
    std::vector<std::string> notes{};  // a line each below it: "d2d8 22.5 %"
    // Numbers of squares (by Square) as colour below the men: orange above 0, blue below, stronger the
    // further from 0. One that is not finite counts as 0. The board itself is paler then.
    std::optional<std::array<double, 64>> heat{};
    double heat_most = 0;  // the number from which on the colour is full; 0: the largest that there is
    // Also written in the corners of the squares, as percentages, where they round to 1 or more.
    bool heat_numbers = false;
    std::vector<Arrow> arrows{};
    Color below = White;  // whose side of the board is below
};

// The picture as a drawing of its own, to be read on light and on dark pages, with nothing outside it but the
// fonts of its texts. A dot beside the board is on the side and has the colour of who is to move.
std::string to_svg(const BoardPicture& picture);

// Several in one drawing, `columns` (at least one) beside each other, below a title ("": none). Boards are
// the smaller the more are beside each other, texts are not.
std::string to_svg(std::span<const BoardPicture> pictures, int columns, const std::string& title);

}  // namespace scholar::chess
