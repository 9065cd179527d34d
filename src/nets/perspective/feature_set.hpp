#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "chess/position.hpp"
#include "nets/board_change.hpp"

// A feature set says which inputs of a network are 1 in a position; all others are 0. It is defined once,
// here: trainers and engine call the same code. Each position has two sets of active features, one from each
// side's viewpoint: the board is turned so that the viewpoint's own pieces move up it.
//
// Each piece on the board is one active feature: which one depends on piece and square and, by the feature
// set, on where the viewpoint's own king stands, and on whether the other side attacks the piece and its own
// side defends it:
//
//   [king bucket][no, defended, attacked, both][own, enemy][pawn, knight, bishop, rook, queen, king][a1, …
//   h8]

namespace scholar::nets {

// Indices of active features. Room for more than any legal board has.
struct ActiveFeatures {
    static constexpr int kCapacity = 64;
    std::array<std::uint16_t, kCapacity> indices;
    int count = 0;

    void push(int index) { indices[count++] = static_cast<std::uint16_t>(index); }
    const std::uint16_t* begin() const { return indices.data(); }
    const std::uint16_t* end() const { return indices.data() + count; }
};

// What stands where, all that a feature set may read: for those who keep no whole positions.
struct Placement {
    chess::Bitboard occupied = 0;
    std::array<chess::Piece, 64> board;  // meaningful on occupied squares only
    std::array<chess::Square, 2> kings;  // by colour

    chess::Piece piece_on(chess::Square square) const { return board[square]; }
    chess::Square king(chess::Color color) const { return kings[color]; }
};

// How a side sees the board while its king stands where it stands.
struct View {
    std::uint8_t bucket = 0;
    std::uint8_t flip = 0;  // 7: files are mirrored; else 0

    bool operator==(const View&) const = default;
};

// The features that a move turns on and off in a view.
struct FeatureUpdate {
    std::array<std::uint16_t, 2> added;
    std::array<std::uint16_t, 2> removed;
    int added_count;
    int removed_count;
};

// All that decides the features of a board, but for the views: to be compared with another.
struct BoardState {
    std::array<chess::Bitboard, 2> by_color{};
    std::array<chess::Bitboard, chess::kPieceKinds.size()> by_kind{};
    std::array<chess::Bitboard, 2>
        attacked{};  // by the men of a colour, own men among them; where it is read
};

// What stands on one board and not, or not so, on another.
struct BoardDifference {
    struct Man {
        chess::Piece piece;
        chess::Square square;
        std::uint8_t state;  // FeatureSet::state()
    };
    struct Men {
        std::array<Man, 32> men;
        int count = 0;

        void push(const Man& man) { men[static_cast<std::size_t>(count++)] = man; }
        const Man* begin() const { return men.data(); }
        const Man* end() const { return men.data() + count; }
    };
    Men added;
    Men removed;
};

struct FeatureSet {
    static constexpr int kPieces = 12;  // own pawn to enemy king
    static constexpr int kSquares = 64;
    static constexpr int kBoard = kPieces * kSquares;  // features of one king bucket and state
    static constexpr int kMaxActive = 32;
    static constexpr int kThreatStates = 4;

    std::string_view name;
    int buckets;
    int states;                  // of a piece: kThreatStates, or 1 where attacks are not read
    std::array<View, 64> views;  // by the square of the own king, from its own side

    constexpr int size() const { return buckets * states * kBoard; }
    constexpr bool reads_attacks() const { return states > 1; }
    View view(chess::Color viewpoint, chess::Square king) const {
        return views[chess::relative_square(viewpoint, king)];
    }

    int index(View view, chess::Color viewpoint, const BoardDifference::Man& man) const {
        return index(view, viewpoint, man.piece, man.square, man.state);
    }
    int index(View view, chess::Color viewpoint, chess::Piece piece, chess::Square square, int state) const {
        const int enemy = chess::color_of(piece) != viewpoint;
        return (view.bucket * states + state) * kBoard + (enemy * 6 + chess::kind_of(piece)) * kSquares +
               (chess::relative_square(viewpoint, square) ^ view.flip);
    }
    // Of a piece among those that attack and defend it; 0 where attacks are not read.
    int state(chess::Color color, chess::Square square, const BoardState& board) const {
        if (states == 1) return 0;
        const auto has = [&](chess::Color by) { return static_cast<int>(board.attacked[by] >> square & 1); };
        return 2 * has(~color) + has(color);
    }
    BoardState state_of(const chess::Position& position) const;
    // From one board to another: in each view that both have, these men's features.
    BoardDifference difference(const BoardState& from, const BoardState& to) const;

    void encode(const chess::Position& position, chess::Color viewpoint, ActiveFeatures& out) const;
    // Both viewpoints at once, as the batches of a trainer have them: the features of `us` to `own`, those of
    // the other side to `enemy`, each with room for kMaxActive. Returns how many, which is the same for both.
    int encode(const chess::Position& position, chess::Color us, std::uint16_t* own,
               std::uint16_t* enemy) const;
    int encode(const Placement& placement, chess::Color us, std::uint16_t* own, std::uint16_t* enemy) const;

    // Of a change that leaves the viewpoint its view, where attacks are not read.
    FeatureUpdate update(View view, const BoardChange& change, chess::Color viewpoint) const {
        FeatureUpdate update{{}, {}, change.added_count, change.removed_count};
        for (int i = 0; i < change.added_count; ++i)
            update.added[i] = static_cast<std::uint16_t>(
                index(view, viewpoint, change.added[i].piece, change.added[i].square, 0));
        for (int i = 0; i < change.removed_count; ++i)
            update.removed[i] = static_cast<std::uint16_t>(
                index(view, viewpoint, change.removed[i].piece, change.removed[i].square, 0));
        return update;
    }
};

// "768": one view for all.
const FeatureSet& plain_features();

// "768, 768-mirrored, …", for people.
std::string feature_set_names();
// Refuses an unknown name and lists the known ones.
base::Result<const FeatureSet*> find_feature_set(std::string_view name);

}  // namespace scholar::nets
