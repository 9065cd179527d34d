#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "chess/position.hpp"

namespace scholar::protocols::ics {

// What the one who is told a board has to do with its game (help file "style12").
enum class Relation {
    Setup = -4,
    Isolated = -3,
    ObservingExamined = -2,
    OpponentToMove = -1,  // I play, and the other one is to move
    Observing = 0,
    MyMove = 1,  // I play, and am to move
    Examining = 2,
};

// A board as chess servers send it to programs. Source: the help file "style12" of FICS (freechess.org) and
// of ICC (chessclub.com/help/style12). Arrays are by colour.
struct Style12 {
    chess::Position position;  // with its move number and halfmove clock
    int game = 0;
    std::array<std::string, 2> names;
    Relation relation = Relation::Observing;
    std::chrono::minutes base{0};
    std::chrono::seconds increment{0};
    std::array<std::chrono::milliseconds, 2> clocks{};  // what is left; may be below zero
    std::string last_move;                              // in the server's SAN; "" if there was none

    bool is_mine() const { return relation == Relation::MyMove || relation == Relation::OpponentToMove; }
    // My colour, if the game is mine.
    chess::Color my_side() const {
        return relation == Relation::MyMove ? position.side_to_move() : ~position.side_to_move();
    }
};

// The line from its "<12>" on. Whole seconds and, after "iset ms 1", milliseconds are told apart by the time
// that the last move took: only with milliseconds has it decimals. Fields after the 31 are passed over.
// Castling rights that king and rook belie are dropped, as servers keep them too long. Refused: what is not
// such a line, and what is no legal position.
base::Result<Style12> parse_style12(std::string_view line);

// Whether pieces and side to move are the same: what a style 12 line is certain of.
bool same_board(const chess::Position& a, const chess::Position& b);
// Half-moves since the first move of a game that begins with White's move 1.
int ply_number(const chess::Position& position);

}  // namespace scholar::protocols::ics
