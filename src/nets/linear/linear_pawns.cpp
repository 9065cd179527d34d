#include "nets/linear/linear_counts.hpp"
#include "nets/linear/linear_view.hpp"

// The features that pawns decide alone.

namespace scholar::nets {

using namespace chess;

namespace {

void count_set(Block block, Bitboard set, int sign, FeatureCounts& out) {
    for (const Square square : squares(set)) out.add(square_feature(block, square), sign);
}

void count_number(Block block, Bitboard set, int sign, FeatureCounts& out) {
    if (set) out.add(feature(block), sign * popcount(set));
}

// Pawns of one side, from its own view.
struct Pawns {
    Bitboard own;
    Bitboard enemy;
    int sign;
    FeatureCounts& out;

    Bitboard own_attacks() const { return pawn_attacks_of<White>(own); }

    Bitboard doubled() const { return own & fill_down(own >> 8); }
    Bitboard isolated() const { return own & ~beside(whole_files(own)); }
    // No own pawn beside or behind on the files beside.
    Bitboard without_support() const { return own & ~beside(fill_up(own)); }
    Bitboard passed() const {
        const Bitboard guarded = fill_down(enemy >> 8);
        return own & ~(guarded | beside(guarded)) & ~doubled();
    }

    void structure() const {
        const Bitboard alone = isolated();
        const Bitboard weak = without_support() & ~alone;
        const Bitboard enemy_ahead = fill_down(enemy >> 8);
        count_number(Block::DoubledPawn, doubled(), sign, out);
        for (const Square square : squares(doubled()))
            out.add(feature(Block::DoubledFile, file_of(square)), sign);
        count_number(Block::IsolatedPawn, alone, sign, out);
        count_set(Block::IsolatedSquare, alone, sign, out);
        count_number(Block::IsolatedOpen, alone & ~enemy_ahead, sign, out);
        count_number(Block::WeakPawn, weak, sign, out);
        count_set(Block::WeakSquare, weak, sign, out);
        count_number(Block::BackwardPawn, weak & pawn_attacks_of<Black>(enemy) >> 8, sign, out);
        count_set(Block::DefendedPawn, own & own_attacks(), sign, out);
        count_set(Block::PawnDuo, own & beside(own), sign, out);
    }

    void candidates() const {
        const Bitboard open = own & ~doubled() & ~fill_down(enemy >> 8) & ~passed();
        for (const Square square : squares(open)) {
            const Bitboard files = beside(file_bits(file_of(square)));
            const Bitboard higher = ~Bitboard{0} << 8 * (rank_of(square) + 1);
            if (popcount(own & files & ~higher) >= popcount(enemy & files & higher))
                out.add(feature(Block::CandidatePawn, rank_of(square) - 1), sign);
        }
    }

    void whole() const {
        const Bitboard files = fill_down(own) & kRank1;
        out.add(feature(Block::PawnIslands, popcount(files & ~(files << 1))), sign);
        constexpr std::array wings{kFileA * 7, kFileA * 24, kFileA * 224};
        for (int wing = 0; wing < 3; ++wing)
            if (popcount(own & wings[static_cast<std::size_t>(wing)]) >
                popcount(enemy & wings[static_cast<std::size_t>(wing)]))
                out.add(feature(Block::PawnMajority, wing), sign);
    }

    void passers() const {
        const Bitboard all = passed();
        const Bitboard connected = all & beside(all | all << 8 | all >> 8);
        for (const Square square : squares(all)) {
            const int rank = rank_of(square) - 1;
            out.add(feature(Block::PassedPawn, rank), sign);
            out.add(square_feature(Block::PassedSquare, square), sign);
            if (bit(square) & own_attacks()) out.add(feature(Block::PassedDefended, rank - 1), sign);
            if (bit(square) & connected) out.add(feature(Block::PassedConnected, rank), sign);
        }
    }
};

}  // namespace

PawnSets count_pawns(Bitboard white, Bitboard black, FeatureCounts& out) {
    PawnSets sets;
    for (const Color color : kColors) {
        const Pawns pawns =
            color == White ? Pawns{white, black, 1, out} : Pawns{turned(black), turned(white), -1, out};
        pawns.structure();
        pawns.candidates();
        pawns.whole();
        pawns.passers();
        sets.passed[color] = pawns.passed();
        sets.weak[color] = pawns.without_support();
    }
    return sets;
}

}  // namespace scholar::nets
