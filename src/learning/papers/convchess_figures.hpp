#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "learning/papers/store_experiment.hpp"
#include "nets/conv/chess_nets.hpp"

// What the paper of ConvChess has in its tables.

namespace scholar::learning {

// As it prints them; bishops are missing in its table 3.1.
struct PaperSquares {
    nets::ChessNetRole role;
    std::array<const char*, 4> within;    // table 3.1: at 1, 3, 5, 10
    std::array<const char*, 5> learning;  // 3.2: both distances, illegal %, mean places
    std::array<const char*, 2> masking;   // 3.3: before and after
};
inline constexpr std::array kPaperSquares{PaperSquares{nets::ChessNetRole::Piece,
                                                       {"56.0", "87.9", "95.8", "99.5"},
                                                       {"3.09e-08", "4.28e-05", "0.0", "2.063", "2.063"},
                                                       {"56.11", "56.11"}},
                                          PaperSquares{nets::ChessNetRole::Pawn,
                                                       {"94.8", "100.0", "100.0", "100.0"},
                                                       {"1.72e-04", "5.82e-04", "0.0045", "1.080", "1.080"},
                                                       {"53.60", "53.60"}},
                                          PaperSquares{nets::ChessNetRole::Knight,
                                                       {"77.3", "96.6", "99.3", "100.0"},
                                                       {"1.74e-05", "4.80e-04", "0.0", "1.444", "1.444"},
                                                       {"72.77", "72.77"}},
                                          PaperSquares{nets::ChessNetRole::Bishop,
                                                       {"–", "–", "–", "–"},
                                                       {"3.94e-03", "1.15e-02", "0.47", "1.840", "1.826"},
                                                       {"59.89", "60.13"}},
                                          PaperSquares{nets::ChessNetRole::Rook,
                                                       {"58.0", "85.2", "93.5", "99.6"},
                                                       {"3.74e-03", "1.37e-02", "0.72", "2.315", "2.290"},
                                                       {"50.98", "51.26"}},
                                          PaperSquares{nets::ChessNetRole::Queen,
                                                       {"54.2", "81.3", "90.4", "98.2"},
                                                       {"5.49e-03", "1.89e-02", "1.23", "2.526", "2.475"},
                                                       {"47.99", "48.42"}},
                                          PaperSquares{nets::ChessNetRole::King,
                                                       {"71.7", "95.6", "99.6", "100.0"},
                                                       {"3.35e-03", "3.82e-03", "0.33", "1.591", "1.587"},
                                                       {"64.49", "64.76"}}};

// Ours, and what the paper has there.
inline std::string beside(const std::string& ours, const char* paper) {
    return fmt::format("{} ({})", ours, paper);
}

// A row of table 3.1: the network, its positions, and the shares of them among the first 1, 3, 5 and 10.
inline std::vector<std::string> row_of_squares(const PaperSquares& paper, std::uint64_t positions,
                                               const std::array<double, 4>& within) {
    std::vector<std::string> row{std::string(nets::to_string(paper.role)),
                                 base::grouped(static_cast<std::int64_t>(positions))};
    for (std::size_t i = 0; i < within.size(); ++i)
        row.push_back(beside(in_per_cent(within.at(i)), paper.within.at(i)));
    return row;
}

}  // namespace scholar::learning
