#pragma once

#include "nets/linear/linear_counts.hpp"
#include "nets/linear/linear_view.hpp"

// The parts of count_rest(), one for each few groups of the table. `sign` is 1 for White's view and −1 for
// Black's.

namespace scholar::nets {

struct ViewCounter {
    const LinearView& view;
    const PawnSets& pawns;
    FeatureCounts& out;

    int sign() const { return view.color == chess::White ? 1 : -1; }
    chess::Bitboard passed() const { return pawns.passed[view.color]; }
    chess::Bitboard enemy_weak_pawns() const { return turned(pawns.weak[~view.color]); }

    void one(Block block, int i = 0, int j = 0) const { out.add(feature(block, i, j), sign()); }
    void some(int count, Block block, int i = 0, int j = 0) const {
        out.add_unless_zero(feature(block, i, j), sign() * count);
    }
    void on_squares(Block block, chess::Bitboard set) const {
        for (const chess::Square square : chess::squares(set)) out.add(square_feature(block, square), sign());
    }
    void on_files(Block block, chess::Bitboard set) const {
        for (const chess::Square square : chess::squares(set)) one(block, chess::file_of(square));
    }
    // 1 for a number, the last standing for all beyond.
    void number(Block block, int value) const {
        one(block,
            std::min(value, row(block).first.first + row(block).first.size - 1) - row(block).first.first);
    }
};

void count_control(const std::array<LinearView, 2>& views, FeatureCounts& out);

void count_material(const ViewCounter& counter);
void count_mobility(const ViewCounter& counter);
void count_attacks(const ViewCounter& counter);
void count_loose_pieces(const ViewCounter& counter);
void count_pins(const ViewCounter& counter);
void count_passed_pawns(const ViewCounter& counter);
void count_rooks(const ViewCounter& counter);
void count_minors(const ViewCounter& counter);
void count_shelter(const ViewCounter& counter);
void count_castling(const ViewCounter& counter);
void count_king_attack(const ViewCounter& counter);
void count_threats(const ViewCounter& counter);
void count_development(const ViewCounter& counter);
// Trade-down, drawish material and mating: of the side ahead.
void count_lead(const ViewCounter& counter);

}  // namespace scholar::nets
