#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "chess/bitboard.hpp"
#include "chess/line.hpp"
#include "nets/container/abilities.hpp"

// What a convolutional network sees: planes of 8×8 numbers, from the side to move's viewpoint. For Black the
// board is turned over so that the own pieces stand below: a1 is where a8 was, files stay.
//
// Layout of all planes: [plane][rank][file], the own first rank and file a first, so that the square of an
// index is chess::relative_square(side to move, index).

namespace scholar::nets {

enum class PlanesLayout : std::uint8_t {
    // One board, 6 planes: pawns, knights, bishops, rooks, queens, kings, 1 where ours stand and −1 where
    // theirs do. Neither castling rights nor en passant (A. Singh 2015, section 2.2.2; its planes stand in
    // another order).
    Board6,
    // One board, 12 planes: the same men, ours and then theirs, 1 each.
    Board12,
    // One board, 13 planes: the same, and where nobody stands (J. Chu, S. Li and W. M. Loh, "Reinforcement
    // learning in chess", 2020).
    Board13,
    // One board, 18 planes, of which the position alone decides:
    //   0…5    own pawns, knights, bishops, rooks, queens, king: 1 on their squares
    //   6…11   the enemy's
    //   12, 13 whether we may castle on the king's side, the queen's: all squares 1
    //   14, 15 whether they may
    //   16     the square where we may take en passant, if that is legal
    //   17     1 everywhere, so that the edges of the board, beyond which is 0, can be seen
    Board18,
    // Eight boards, 112 planes: lc0's "classical" input. The position and the seven before it, the newest
    // first, each from the viewpoint of who is to move now, in 13 planes:
    //   0…11   pieces as above
    //   12     whether that position had stood on the board before: all squares 1
    // then
    //   104, 105 whether we may castle on the queen's side, the king's (sic)
    //   106, 107 whether they may
    //   108    whether we are Black
    //   109    the halfmove clock, everywhere
    //   110    0
    //   111    1 everywhere
    // Where the game did not begin with the start position, the first board known is repeated for those
    // before it (with its last pawn move taken back if that is known from en passant): lc0's history fill
    // "fen_only". Otherwise they are 0.
    Lc0Classical112,
};

constexpr std::size_t kPlaneSquares = 64;

// Planes that can stand behind those of a layout, in this order.
struct PlaneLayers {
    // Two: the squares that the enemy's last move left, and those that it reached (castling: two each). Empty
    // where no move is known.
    bool last_move = false;
    // Twelve: the squares that our pawns, knights, … king attack, then those that theirs do.
    bool attacks = false;
    // Eleven: the squares that two of our men or more attack, and theirs; from which a pawn, a knight, … a
    // queen of ours would check; our men that stand between our king and a slider, and theirs; our men that a
    // cheaper one attacks, or any where nobody defends them, and theirs.
    bool threats = false;
    // One: the mover's rating, all squares (rating − least) / (most − least), between −½ and 1½; −1 where it
    // is not known (A. Singh, "Convolutional neural networks learn to play chess", 2015, section 2.2.3).
    bool rating = false;
    // One: the result for the mover, all squares 1, ½ or 0, or between if it was discounted (the same).
    bool outcome = false;
    // One: the square of the man that moves (the same).
    bool piece = false;

    bool operator==(const PlaneLayers&) const = default;
};

// All that a network sees.
struct PlanesInput {
    PlanesLayout layout = PlanesLayout::Board18;
    PlaneLayers layers{};
    // What the plane of ratings counts from and to, 0 and 1 there; both 0 where there is none.
    int rating_least = 0;
    int rating_most = 0;

    constexpr PlanesInput() = default;
    constexpr PlanesInput(PlanesLayout of, PlaneLayers with = {}) : layout(of), layers(with) {}
    bool operator==(const PlanesInput&) const = default;
};

// "board-18", "lc0-112", "board-18+last-move+rating": as files name them.
std::string to_string(const PlanesInput& input);
// The layers of a name in any order, each once; without bounds of ratings, which no name has.
std::optional<PlanesInput> find_planes_input(std::string_view name);
// "board-6, board-12, … each with any of +last-move, …": for refusals.
std::string planes_input_names();

// Refuses bounds of ratings that are not 0 to kMostRating, the first below the second.
constexpr int kMostRating = 10'000;
base::Status check_input(const PlanesInput& input);
// What the plane of ratings shows of one; 0: not known.
float rating_plane(const PlanesInput& input, int rating);

int plane_count(const PlanesInput& input);
Reads reads_of(const PlanesInput& input);

// Which squares a move left, and which it reached.
struct MoveTraces {
    chess::Bitboard left = 0;
    chess::Bitboard reached = 0;
    bool operator==(const MoveTraces&) const = default;
};
MoveTraces traces_of(chess::Move move, chess::Color mover);
// Of the move between two positions; none across a null move.
MoveTraces traces_between(const chess::Position& before, const chess::Position& after);
// Of the line's last move; none where it has none.
MoveTraces last_traces(const chess::Line& line);

// What layers show that the position does not know.
struct PlaneContext {
    MoveTraces last_move{};
    float rating = -1;  // as the plane has it
    float outcome = 0.5F;
    chess::Square piece = chess::NoSquare;
};

// In play: the line's last move; the rating asked for, 0: the one whose plane is 1; and a win, since moves of
// those who won are asked for.
PlaneContext play_context(const PlanesInput& input, int asked_rating, const chess::Line& line);

// The planes of the line's current position, plane_count() · 64 numbers, all of which are written.
void encode_planes(const PlanesInput& input, const chess::Line& line, const PlaneContext& context,
                   std::span<float> out);

// A plane in short: a number on some squares, its negative on others, 0 on the rest. Bits are the squares as
// seen by the side to move.
struct Plane {
    std::uint64_t squares = 0;
    float value = 1;
    std::uint64_t negative = 0;

    float at(std::size_t square) const {
        return static_cast<float>(static_cast<int>(squares >> square & 1) -
                                  static_cast<int>(negative >> square & 1)) *
               value;
    }
};
// The same planes, plane_count() of them.
void encode_planes(const PlanesInput& input, const chess::Line& line, const PlaneContext& context,
                   std::span<Plane> out);

}  // namespace scholar::nets
