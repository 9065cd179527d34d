#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/error.hpp"
#include "chess/position.hpp"
#include "nets/board_change.hpp"

// A feature set says which inputs of a network are 1 in a position; all others are 0. It is defined once,
// here: trainers and engine call the same code. Each position has two sets of active features, one from each
// side's viewpoint: the board is turned so that the viewpoint's own pieces move up it.

namespace scholar::nets {

// Indices of active features. Room for the largest feature set's maximum.
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

    chess::Piece piece_on(chess::Square square) const { return board[square]; }
};

// "768": piece, colour and square: 2 (own, enemy) × 6 kinds × 64 squares.
struct Features768 {
    static constexpr std::string_view kName = "768";
    static constexpr int kSize = 768;
    static constexpr int kMaxActive = 32;

    static constexpr int index(chess::Color viewpoint, chess::Piece piece, chess::Square square) {
        const int enemy = chess::color_of(piece) != viewpoint;
        return enemy * 384 + chess::kind_of(piece) * 64 + chess::relative_square(viewpoint, square);
    }

    static void encode(const chess::Position& position, chess::Color viewpoint, ActiveFeatures& out) {
        encode_board(position.occupied(), position, viewpoint, out);
    }
    static void encode(const Placement& placement, chess::Color viewpoint, ActiveFeatures& out) {
        encode_board(placement.occupied, placement, viewpoint, out);
    }
    template <class Board>
    static void encode_board(chess::Bitboard occupied, const Board& board, chess::Color viewpoint,
                             ActiveFeatures& out) {
        out.count = 0;
        for (const chess::Square square : chess::squares(occupied))
            out.push(index(viewpoint, board.piece_on(square), square));
    }

    // The features that a move turns on and off.
    struct Update {
        std::array<std::uint16_t, 2> added;
        std::array<std::uint16_t, 2> removed;
        int added_count;
        int removed_count;
    };
    static Update update(const BoardChange& change, chess::Color viewpoint) {
        Update update{{}, {}, change.added_count, change.removed_count};
        for (int i = 0; i < change.added_count; ++i)
            update.added[i] =
                static_cast<std::uint16_t>(index(viewpoint, change.added[i].piece, change.added[i].square));
        for (int i = 0; i < change.removed_count; ++i)
            update.removed[i] = static_cast<std::uint16_t>(
                index(viewpoint, change.removed[i].piece, change.removed[i].square));
        return update;
    }
};

// The same by name, for trainers and file checks.
struct FeatureSet {
    std::string_view name;
    int size;
    int max_active;
    void (*encode)(const chess::Position& position, chess::Color viewpoint, ActiveFeatures& out);
    void (*encode_placement)(const Placement& placement, chess::Color viewpoint, ActiveFeatures& out);
};

// Refuses an unknown name and lists the known ones.
base::Result<FeatureSet> find_feature_set(std::string_view name);

}  // namespace scholar::nets
