#include "chess/move_index.hpp"

#ifdef __BMI2__
#include <immintrin.h>
#endif

#include "chess/attacks.hpp"

namespace scholar::chess {

namespace {

// Square number `index` of a set, from 0, lowest first.
Square nth_square(Bitboard set, int index) {
#ifdef __BMI2__
    return lowest(_pdep_u64(1ULL << index, set));
#else
    for (; index > 0; --index) set &= set - 1;
    return lowest(set);
#endif
}

// All bits or none.
constexpr Bitboard all_if(bool condition) {
    return Bitboard{0} - static_cast<Bitboard>(condition);
}

// Counts legal moves by from-square, in the order of the index, and no further than asked. A replay of stored
// games spends its time here. What a piece is and how far it reaches is as good as random to a branch
// predictor, so knights, bishops, rooks and queens go one way without branches, and pawns are counted as
// sets of the squares they move from.
template <Color Us>
class MoveCounter {
  public:
    explicit MoveCounter(const Position& position) : position_(position) {
        find_checks_and_pins();
        find_pawn_moves();
    }

    Bitboard pawns() const { return position_.pieces(Us, Pawn); }
    Bitboard pieces() const { return us_ & ~pawns(); }

    // Where a piece other than a pawn can go. A castling king goes to its rook's square.
    Bitboard piece_targets(Square from) const {
        if (from == king_) return king_targets();
        const Bitboard own = bit(from);
        Bitboard found = (all_if(position_.pieces(Knight) & own) & knight_attacks(from)) |
                         (all_if(position_.diagonal_sliders(Us) & own) & bishop_attacks(from, occupied_)) |
                         (all_if(position_.straight_sliders(Us) & own) & rook_attacks(from, occupied_));
        found &= answers_ & ~us_;
        if (pinned_ & own) found &= line_through(king_, from);
        return found;
    }

    // Where a pawn can go: four squares at most. A promotion is one square.
    Bitboard pawn_targets(Square from) const {
        const Bitboard own = bit(from);
        return shift<kUp>(one_ & own) | shift<kUp>(shift<kUp>(two_ & own)) | shift<kUp - 1>(lower_ & own) |
               shift<kUp + 1>(upper_ & own);
    }

    // All moves of the pawns in `among`, each promotion counted.
    int pawn_moves(Bitboard among) const {
        int count = popcount(one_ & among) + popcount(two_ & among) + popcount(lower_ & among) +
                    popcount(upper_ & among);
        const Bitboard promoting = among & kSeventh;
        if (pawns() & promoting) {
            count += 3 * (popcount(one_ & promoting) + popcount(lower_ & promoting) +
                          popcount(upper_ & promoting));
        }
        return count;
    }
    Bitboard moving_pawns() const { return one_ | two_ | lower_ | upper_; }

    static bool promotes(Square pawn) { return bit(pawn) & kSeventh; }

  private:
    static constexpr Color Them = ~Us;
    static constexpr int kUp = forward(Us);
    static constexpr Bitboard kSeventh = relative_rank_bits(Us, 6);

    void find_checks_and_pins() {
        checkers_ = (knight_attacks(king_) & position_.pieces(Them, Knight)) |
                    (pawn_attacks(Us, king_) & position_.pieces(Them, Pawn));
        // Enemy sliders that see the king through nothing or through our own pieces only: with none between
        // it is check, with one between that one is pinned.
        const Bitboard snipers = (bishop_attacks(king_, them_) & position_.diagonal_sliders(Them)) |
                                 (rook_attacks(king_, them_) & position_.straight_sliders(Them));
        for (const Square sniper : squares(snipers)) {
            const Bitboard blockers = between(king_, sniper) & us_;
            if (!blockers)
                checkers_ |= bit(sniper);
            else if (!several(blockers))
                pinned_ |= blockers;
        }
        if (checkers_)
            answers_ = several(checkers_) ? Bitboard{0} : between(king_, lowest(checkers_)) | checkers_;
    }

    void find_pawn_moves() {
        add_pawn_moves(pawns() & ~pinned_, answers_);
        for (const Square from : squares(pawns() & pinned_))
            add_pawn_moves(bit(from), answers_ & line_through(king_, from));
        if (position_.en_passant() != NoSquare) add_en_passant(position_.en_passant());
    }

    void add_pawn_moves(Bitboard from, Bitboard allowed) {
        const Bitboard one = shift<kUp>(from) & ~occupied_;
        const Bitboard two = shift<kUp>(one & relative_rank_bits(Us, 2)) & ~occupied_;
        one_ |= shift<-kUp>(one & allowed);
        two_ |= shift<-kUp>(shift<-kUp>(two & allowed));
        lower_ |= shift<1 - kUp>(shift<kUp - 1>(from) & them_ & allowed);
        upper_ |= shift<-1 - kUp>(shift<kUp + 1>(from) & them_ & allowed);
    }

    // Two pawns leave one rank at once, which no pin mask foresees: look at the board as it would be.
    void add_en_passant(Square to) {
        const Bitboard captured = bit(to - kUp);
        // A check by a knight or by another pawn is not answered by taking this one.
        if (checkers_ & ~captured & (position_.pieces(Knight) | position_.pieces(Pawn))) return;
        for (const Square from : squares(pawn_attacks(Them, to) & pawns())) {
            const Bitboard after = (occupied_ ^ bit(from) ^ captured) | bit(to);
            const bool uncovered = (bishop_attacks(king_, after) & position_.diagonal_sliders(Them)) ||
                                   (rook_attacks(king_, after) & position_.straight_sliders(Them));
            if (!uncovered) (file_of(to) < file_of(from) ? lower_ : upper_) |= bit(from);
        }
    }

    // The king cannot hide behind itself: the enemy sees through where it stood.
    bool is_attacked(Square square) const {
        const Bitboard seen = occupied_ ^ bit(king_);
        const Bitboard attackers = (pawn_attacks(Us, square) & position_.pieces(Pawn)) |
                                   (knight_attacks(square) & position_.pieces(Knight)) |
                                   (king_attacks(square) & position_.pieces(King)) |
                                   (bishop_attacks(square, seen) & position_.diagonal_sliders(Them)) |
                                   (rook_attacks(square, seen) & position_.straight_sliders(Them));
        return attackers & them_;
    }

    Bitboard king_targets() const {
        Bitboard found = 0;
        for (const Square to : squares(king_attacks(king_) & ~us_))
            found |= all_if(!is_attacked(to)) & bit(to);
        if (!checkers_) {
            for (const CastlingSide side : {KingSide, QueenSide})
                if (position_.may_castle(Us, side)) found |= castling_target(side);
        }
        return found;
    }

    Bitboard castling_target(CastlingSide side) const {
        const Square rook = position_.castling_rook(Us, side);
        const Square king_to = castled_king(Us, side);
        const Square rook_to = castled_rook(Us, side);
        const Bitboard king_path = between(king_, king_to) | bit(king_to);
        const Bitboard rook_path = between(rook, rook_to) | bit(rook_to);
        const Bitboard others = occupied_ ^ bit(king_) ^ bit(rook);
        if (others & (king_path | rook_path | between(king_, rook))) return 0;
        // A rook pinned along the first rank (Chess960 only) would uncover the king as it leaves.
        if (pinned_ & bit(rook)) return 0;
        for (const Square square : squares(king_path))
            if (is_attacked(square)) return 0;
        return bit(rook);
    }

    const Position& position_;
    const Bitboard us_ = position_.pieces(Us);
    const Bitboard them_ = position_.pieces(Them);
    const Bitboard occupied_ = us_ | them_;
    const Square king_ = position_.king(Us);
    Bitboard checkers_ = 0;
    Bitboard pinned_ = 0;
    Bitboard answers_ = ~Bitboard{0};  // where a piece other than the king must go: answers a check
    // Pawns that can go one forward, two forward, and take towards the a-file and the h-file.
    Bitboard one_ = 0;
    Bitboard two_ = 0;
    Bitboard lower_ = 0;
    Bitboard upper_ = 0;
};

constexpr Bitboard below(Square square) {
    return bit(square) - 1;
}

template <Color Us>
std::optional<std::uint8_t> find_index(const Position& position, Move move) {
    const MoveCounter<Us> moves(position);
    const Square from = move.from();
    const Square to = move.to();
    int index = 0;
    if (moves.pawns() & bit(from)) {
        const Bitboard targets = moves.pawn_targets(from);
        if (!(targets & bit(to))) return std::nullopt;
        index = popcount(targets & below(to));
        if (moves.promotes(from)) {
            if (!move.is_promotion()) return std::nullopt;
            index = 4 * index + (move.promotion_kind() - Knight);
        } else if (move != Move(from, to, to == position.en_passant() ? Move::EnPassant : Move::Normal)) {
            return std::nullopt;
        }
    } else {
        if (!(moves.pieces() & bit(from))) return std::nullopt;
        const Bitboard targets = moves.piece_targets(from);
        const bool castles = position.pieces(Us) & bit(to);
        if (!(targets & bit(to)) || move != Move(from, to, castles ? Move::Castling : Move::Normal))
            return std::nullopt;
        index = popcount(targets & below(to));
    }
    index += moves.pawn_moves(below(from));
    for (const Square piece : squares(moves.pieces() & below(from)))
        index += popcount(moves.piece_targets(piece));
    return static_cast<std::uint8_t>(index);
}

template <Color Us>
std::optional<Move> find_move(const Position& position, int index) {
    const MoveCounter<Us> moves(position);
    for (const Square from : squares(moves.pieces())) {
        // `index` is less the moves of the pieces passed; if the pawns passed make up for it, it is theirs.
        const int rest = index - moves.pawn_moves(below(from));
        if (rest < 0) break;
        const Bitboard targets = moves.piece_targets(from);
        const int count = popcount(targets);
        if (rest < count) {
            const Square to = nth_square(targets, rest);
            const bool castles = position.pieces(Us) & bit(to);
            return Move(from, to, castles ? Move::Castling : Move::Normal);
        }
        index -= count;
    }
    for (const Square from : squares(moves.moving_pawns())) {
        const int count = moves.pawn_moves(bit(from));
        if (index >= count) {
            index -= count;
            continue;
        }
        const Bitboard targets = moves.pawn_targets(from);
        if (moves.promotes(from)) {
            return Move::promotion(from, nth_square(targets, index / 4),
                                   static_cast<PieceKind>(Knight + index % 4));
        }
        const Square to = nth_square(targets, index);
        return Move(from, to, to == position.en_passant() ? Move::EnPassant : Move::Normal);
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::uint8_t> move_to_index(const Position& position, Move move) {
    return position.side_to_move() == White ? find_index<White>(position, move)
                                            : find_index<Black>(position, move);
}

std::optional<Move> index_to_move(const Position& position, std::uint8_t index) {
    return position.side_to_move() == White ? find_move<White>(position, index)
                                            : find_move<Black>(position, index);
}

}  // namespace scholar::chess
