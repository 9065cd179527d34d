#include "chess/movegen.hpp"

#include <type_traits>
#include <variant>

#include "chess/checks.hpp"

namespace scholar::chess {

namespace {

// What the generator reports moves to. Pawns come as sets of target squares with one step back to their
// origin.

class ListSink {
  public:
    explicit ListSink(MoveList& list) : list_(list) {}
    void piece(Square from, Bitboard targets) {
        for (const Square to : squares(targets)) list_.push(Move(from, to));
    }
    template <int Step>
    void pawns(Bitboard targets) {
        for (const Square to : squares(targets)) list_.push(Move(to - Step, to));
    }
    template <int Step>
    void promotions(Bitboard targets) {
        for (const Square to : squares(targets))
            for (const PieceKind kind : {Queen, Knight, Rook, Bishop})
                list_.push(Move::promotion(to - Step, to, kind));
    }
    void en_passant(Square from, Square to) { list_.push(Move(from, to, Move::EnPassant)); }
    void castling(Square king, Square rook) { list_.push(Move(king, rook, Move::Castling)); }

  private:
    MoveList& list_;
};

class CountSink {
  public:
    void piece(Square, Bitboard targets) { count_ += popcount(targets); }
    template <int>
    void pawns(Bitboard targets) {
        count_ += popcount(targets);
    }
    template <int>
    void promotions(Bitboard targets) {
        count_ += 4 * popcount(targets);
    }
    void en_passant(Square, Square) { ++count_; }
    void castling(Square, Square) { ++count_; }
    int count() const { return count_; }

  private:
    int count_ = 0;
};

// The generator proper. Everything that can make a move illegal is a mask worked out first: the squares that
// answer a check, the pieces pinned along a diagonal or a rank or file, the squares the king may not enter.
template <Color Us, MoveSet Which, class Sink>
class Generator {
  public:
    Generator(const Position& position, Sink& sink) : position_(position), sink_(sink) {}

    void run() {
        find_checks_and_pins();
        if constexpr (kChecks) check_squares_ = find_check_squares(position_);
        king_moves();
        if (several(checkers_)) return;
        evasions_ = checkers_ ? between(king_, lowest(checkers_)) | checkers_ : ~Bitboard{0};
        wanted_ = targets() & evasions_;
        pawn_moves();
        piece_moves();
        if constexpr (kQuiets)
            if (!checkers_) castling_moves();
    }

  private:
    static constexpr Color Them = ~Us;
    static constexpr int kUp = forward(Us);
    static constexpr bool kChecks = Which == MoveSet::QuietChecks;
    static constexpr bool kQuiets = Which == MoveSet::All || Which == MoveSet::Quiet || kChecks;
    static constexpr bool kCaptures = !kQuiets || Which == MoveSet::All;
    static constexpr bool kQuietPromotions = Which == MoveSet::All || Which == MoveSet::Noisy;

    // Where a piece may go as far as the set goes.
    Bitboard targets() const {
        if constexpr (!kQuiets) return them_;
        if constexpr (!kCaptures) return ~occupied_;
        return ~us_;
    }

    // Where a piece going from there would give check; everywhere if that was not asked for.
    Bitboard checking(PieceKind kind, Square from) const {
        if constexpr (kChecks) {
            const Bitboard direct = check_squares_.by_kind[kind];
            if (!(check_squares_.discoverers & bit(from))) return direct;
            return direct | ~line_through(check_squares_.king, from);
        } else {
            return ~Bitboard{0};
        }
    }
    // The same for pawns that advance by Step from one of `ranks`.
    template <int Step>
    Bitboard checking_pawns(Bitboard ranks) const {
        if constexpr (kChecks) {
            Bitboard set = check_squares_.by_kind[Pawn];
            for (const Square from : squares(check_squares_.discoverers & position_.pieces(Us, Pawn) & ranks))
                set |= bit(from + Step) & ~line_through(check_squares_.king, from);
            return set;
        } else {
            return ~Bitboard{0};
        }
    }

    void find_checks_and_pins() {
        checkers_ = (knight_attacks(king_) & position_.pieces(Them, Knight)) |
                    (pawn_attacks(Us, king_) & position_.pieces(Them, Pawn));
        // Enemy sliders that would see the king through our own pieces: one of ours between is pinned, none
        // is check.
        const auto look = [this](Bitboard sliders, Bitboard& pinned) {
            for (const Square slider : squares(sliders)) {
                const Bitboard blockers = between(king_, slider) & us_;
                if (!blockers)
                    checkers_ |= bit(slider);
                else if (!several(blockers))
                    pinned |= blockers;
            }
        };
        look(bishop_attacks(king_, them_) & position_.diagonal_sliders(Them), pinned_diagonally_);
        look(rook_attacks(king_, them_) & position_.straight_sliders(Them), pinned_straight_);
    }

    // Squares that the enemy attacks when our king is lifted off the board (it cannot hide behind itself).
    Bitboard danger() const {
        const Bitboard seen = occupied_ ^ bit(king_);
        Bitboard attacked =
            pawn_attacks_of<Them>(position_.pieces(Them, Pawn)) | king_attacks(position_.king(Them));
        for (const Square square : squares(position_.pieces(Them, Knight)))
            attacked |= knight_attacks(square);
        for (const Square square : squares(position_.diagonal_sliders(Them)))
            attacked |= bishop_attacks(square, seen);
        for (const Square square : squares(position_.straight_sliders(Them)))
            attacked |= rook_attacks(square, seen);
        return attacked;
    }

    void king_moves() {
        const Bitboard wanted = king_attacks(king_) & targets() & checking(King, king_);
        const bool may_castle =
            kQuiets && !checkers_ &&
            (position_.castling_rights() & (castling_bit(Us, KingSide) | castling_bit(Us, QueenSide)));
        if (!wanted && !may_castle) return;
        danger_ = danger();
        sink_.piece(king_, wanted & ~danger_);
    }

    void castling_moves() {
        for (const CastlingSide side : {KingSide, QueenSide}) {
            if (!position_.may_castle(Us, side)) continue;
            const Square rook = position_.castling_rook(Us, side);
            const Square king_to = castled_king(Us, side);
            const Square rook_to = castled_rook(Us, side);
            const Bitboard king_path = between(king_, king_to) | bit(king_to);
            const Bitboard rook_path = between(rook, rook_to) | bit(rook_to);
            const Bitboard others = occupied_ ^ bit(king_) ^ bit(rook);
            // A rook pinned along the first rank (Chess960 only) would uncover the king as it leaves.
            if ((others & (king_path | rook_path | between(king_, rook))) || (danger_ & king_path) ||
                (pinned_straight_ & bit(rook)))
                continue;
            if constexpr (kChecks)
                if (!gives_check(position_, Move(king_, rook, Move::Castling))) continue;
            sink_.castling(king_, rook);
        }
    }

    void pawn_moves() {
        constexpr Bitboard last = relative_rank_bits(Us, 7);
        const Bitboard pawns = position_.pieces(Us, Pawn);
        const Bitboard empty = ~occupied_;

        // A pawn pinned along its own file may still advance; along a rank it may not.
        const Bitboard pushers =
            pawns & ~pinned_diagonally_ & (~pinned_straight_ | file_bits(file_of(king_)));
        const Bitboard one = shift<kUp>(pushers) & empty;
        if constexpr (kQuiets) {
            const Bitboard two = shift<kUp>(one & relative_rank_bits(Us, 2)) & empty;
            sink_.template pawns<kUp>(one & evasions_ & ~last & checking_pawns<kUp>(~Bitboard{0}));
            sink_.template pawns<2 * kUp>(two & evasions_ &
                                          checking_pawns<2 * kUp>(relative_rank_bits(Us, 1)));
        }
        if constexpr (kQuietPromotions) {
            const Bitboard promoting = one & evasions_ & last;
            if (promoting) sink_.template promotions<kUp>(promoting);
        }
        if constexpr (kCaptures) {
            pawn_captures<kUp + 1>(pawns);
            pawn_captures<kUp - 1>(pawns);
            if (position_.en_passant() != NoSquare) en_passant_moves();
        }
    }

    template <int Step>
    void pawn_captures(Bitboard pawns) {
        constexpr Bitboard last = relative_rank_bits(Us, 7);
        Bitboard targets = shift<Step>(pawns & ~pinned_straight_ & ~pinned_diagonally_);
        for (const Square from : squares(pawns & pinned_diagonally_))
            targets |= shift<Step>(bit(from)) & line_through(king_, from);
        targets &= them_ & evasions_;
        sink_.template pawns<Step>(targets & ~last);
        if (targets & last) sink_.template promotions<Step>(targets & last);
    }

    // Two pawns leave one rank at once, which no pin mask foresees: look at the board as it would be.
    void en_passant_moves() {
        const Square to = position_.en_passant();
        const Bitboard captured = bit(to - kUp);
        for (const Square from : squares(pawn_attacks(Them, to) & position_.pieces(Us, Pawn))) {
            const Bitboard after = (occupied_ ^ bit(from) ^ captured) | bit(to);
            const bool uncovered = (bishop_attacks(king_, after) & position_.diagonal_sliders(Them)) ||
                                   (rook_attacks(king_, after) & position_.straight_sliders(Them));
            // A check by a knight or by another pawn is not answered by taking this one.
            const Bitboard leapers =
                checkers_ & ~captured & (position_.pieces(Knight) | position_.pieces(Pawn));
            if (!uncovered && !leapers) sink_.en_passant(from, to);
        }
    }

    void piece_moves() {
        const Bitboard pinned = pinned_diagonally_ | pinned_straight_;
        for (const Square from : squares(position_.pieces(Us, Knight) & ~pinned))
            sink_.piece(from, knight_attacks(from) & wanted(Knight, from));
        const Bitboard diagonal = position_.diagonal_sliders(Us);
        const Bitboard straight = position_.straight_sliders(Us);
        for (const Square from : squares(position_.pieces(Us, Bishop) & ~pinned))
            sink_.piece(from, bishop_attacks(from, occupied_) & wanted(Bishop, from));
        for (const Square from : squares(position_.pieces(Us, Rook) & ~pinned))
            sink_.piece(from, rook_attacks(from, occupied_) & wanted(Rook, from));
        for (const Square from : squares(position_.pieces(Us, Queen) & ~pinned))
            sink_.piece(from, queen_attacks(from, occupied_) & wanted(Queen, from));
        for (const Square from : squares(diagonal & pinned_diagonally_))
            sink_.piece(from, bishop_attacks(from, occupied_) & wanted_on_pin(from));
        for (const Square from : squares(straight & pinned_straight_))
            sink_.piece(from, rook_attacks(from, occupied_) & wanted_on_pin(from));
    }

    Bitboard wanted(PieceKind kind, Square from) const { return wanted_ & checking(kind, from); }
    Bitboard wanted_on_pin(Square from) const {
        return wanted(kind_of(position_.piece_on(from)), from) & line_through(king_, from);
    }

    const Position& position_;
    Sink& sink_;
    const Bitboard us_ = position_.pieces(Us);
    const Bitboard them_ = position_.pieces(Them);
    const Bitboard occupied_ = us_ | them_;
    const Square king_ = position_.king(Us);
    Bitboard checkers_ = 0;
    Bitboard pinned_diagonally_ = 0;
    Bitboard pinned_straight_ = 0;
    Bitboard danger_ = 0;
    Bitboard evasions_ = 0;  // where a piece other than the king must go: answers a check
    Bitboard wanted_ = 0;    // evasions_ of the kind asked for; not for pawns
    std::conditional_t<kChecks, CheckSquares, std::monostate> check_squares_;
};

// Inlined as a whole: the masks of the generator stay in registers.
template <MoveSet Which, class Sink>
[[gnu::flatten]] void generate(const Position& position, Sink& sink) {
    if (position.side_to_move() == White)
        Generator<White, Which, Sink>(position, sink).run();
    else
        Generator<Black, Which, Sink>(position, sink).run();
}

}  // namespace

MoveList legal_moves(const Position& position, MoveSet which) {
    MoveList list;
    ListSink sink(list);
    switch (which) {
        case MoveSet::All:
            generate<MoveSet::All>(position, sink);
            break;
        case MoveSet::Noisy:
            generate<MoveSet::Noisy>(position, sink);
            break;
        case MoveSet::Quiet:
            generate<MoveSet::Quiet>(position, sink);
            break;
        case MoveSet::Captures:
            generate<MoveSet::Captures>(position, sink);
            break;
        case MoveSet::QuietChecks:
            generate<MoveSet::QuietChecks>(position, sink);
            break;
    }
    return list;
}

bool has_legal_move(const Position& position) {
    return count_legal_moves(position) > 0;
}

int count_legal_moves(const Position& position) {
    CountSink sink;
    generate<MoveSet::All>(position, sink);
    return sink.count();
}

}  // namespace scholar::chess
