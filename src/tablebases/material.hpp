#pragma once

#include <array>

#include "chess/types.hpp"

namespace scholar::tablebases {

// The pieces of a table, kings included.
struct Material {
    // By colour and kind; White is the side named first.
    std::array<std::array<int, 6>, 2> count{};

    int pieces() const;
    int pawns(chess::Color color) const { return count[color][chess::Pawn]; }
};

}  // namespace scholar::tablebases
