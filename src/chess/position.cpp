#include "chess/position.hpp"

#include <algorithm>

#include "chess/fen.hpp"
#include "chess/zobrist.hpp"

namespace scholar::chess {

namespace {

constexpr const char* name_of(Color color) {
    return color == White ? "White" : "Black";
}

// More pieces than a side can have: promotions are paid for with pawns.
bool material_is_reachable(const Position& position, Color color) {
    constexpr std::array<int, 6> at_start{8, 2, 2, 2, 1, 1};
    int promoted = 0;
    for (const PieceKind kind : {Knight, Bishop, Rook, Queen})
        promoted += std::max(0, popcount(position.pieces(color, kind)) - at_start[kind]);
    return popcount(position.pieces(color, Pawn)) + promoted <= 8;
}

}  // namespace

Position::Position() {
    constexpr std::array<PieceKind, 8> back{Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook};
    board_.fill(NoPiece);
    for (int file = 0; file < 8; ++file) {
        put(make_piece(White, back[file]), make_square(file, 0));
        put(make_piece(White, Pawn), make_square(file, 1));
        put(make_piece(Black, Pawn), make_square(file, 6));
        put(make_piece(Black, back[file]), make_square(file, 7));
    }
    castling_rights_ = 15;
    castling_rooks_ = {H1, A1, H8, A8};
    key_ ^= detail::kZobrist.castling[castling_rights_];
}

base::Result<Position> Position::from_setup(const Setup& setup) {
    Position p;
    p.by_kind_ = {};
    p.by_color_ = {};
    p.board_.fill(NoPiece);
    p.key_ = 0;
    p.castling_rights_ = 0;
    p.castling_rooks_.fill(NoSquare);

    for (int s = 0; s < 64; ++s)
        if (setup.board[s] != NoPiece) p.put(setup.board[s], static_cast<Square>(s));
    p.side_ = setup.side_to_move;
    if (p.side_ == Black) p.key_ ^= detail::kZobrist.black_to_move;

    for (const Color color : kColors) {
        const int kings = popcount(p.pieces(color, King));
        if (kings != 1) return base::fail("{} has {} kings, expected 1", name_of(color), kings);
        if (!material_is_reachable(p, color))
            return base::fail("{} has more pieces than eight pawns and their promotions allow",
                              name_of(color));
    }
    if (p.pieces(Pawn) & (rank_bits(0) | rank_bits(7)))
        return base::fail("a pawn stands on {}, expected none on the first or last rank",
                          to_string(lowest(p.pieces(Pawn) & (rank_bits(0) | rank_bits(7)))));
    if (p.is_attacked(p.king(~p.side_), p.side_, p.occupied()))
        return base::fail("{} is in check, but it is {}'s move", name_of(~p.side_), name_of(p.side_));
    if (popcount(p.checkers()) > 2)
        return base::fail("{} is in check by {} pieces, at most two can at once", name_of(p.side_),
                          popcount(p.checkers()));

    for (const Color color : kColors) {
        for (const CastlingSide side : {KingSide, QueenSide}) {
            if (!(setup.castling_rights & castling_bit(color, side))) continue;
            const Square king = p.king(color);
            const Square rook = setup.castling_rooks[castling_index(color, side)];
            const char* wing = side == KingSide ? "king's" : "queen's";
            if (relative_rank(color, king) != 0)
                return base::fail("castling: {}'s king stands on {}, expected the first rank", name_of(color),
                                  to_string(king));
            if (rook == NoSquare || relative_rank(color, rook) != 0 ||
                p.board_[rook] != make_piece(color, Rook) || (rook > king) != (side == KingSide))
                return base::fail("castling: {} has no rook to castle with on the {} side", name_of(color),
                                  wing);
            p.castling_rights_ |= castling_bit(color, side);
            p.castling_rooks_[castling_index(color, side)] = rook;
        }
    }
    p.key_ ^= detail::kZobrist.castling[p.castling_rights_];

    if (setup.en_passant != NoSquare) {
        const Square square = setup.en_passant;
        const Color mover = ~p.side_;
        if (relative_rank(mover, square) != 2)
            return base::fail("en-passant square {}, expected one on {}'s third rank", to_string(square),
                              name_of(mover));
        const Square pawn = square + forward(mover);
        const Square origin = square - forward(mover);
        if (p.board_[pawn] != make_piece(mover, Pawn) || p.board_[square] != NoPiece ||
            p.board_[origin] != NoPiece)
            return base::fail("en-passant square {}: no {} pawn can have just jumped over it",
                              to_string(square), name_of(mover));
        p.note_en_passant(square);
    }

    if (setup.halfmove_clock < 0 || setup.halfmove_clock > 10'000)
        return base::fail("half-move clock {}, expected 0 to 10000", setup.halfmove_clock);
    if (setup.fullmove_number < 0 || setup.fullmove_number > 30'000)
        return base::fail("move number {}, expected 0 to 30000", setup.fullmove_number);
    p.halfmove_clock_ = static_cast<std::uint16_t>(setup.halfmove_clock);
    p.fullmove_number_ = static_cast<std::uint16_t>(std::max(1, setup.fullmove_number));
    return p;
}

Setup Position::setup() const {
    Setup setup;
    setup.board = board_;
    setup.side_to_move = side_;
    setup.castling_rights = castling_rights_;
    setup.castling_rooks = castling_rooks_;
    setup.en_passant = en_passant_;
    setup.halfmove_clock = halfmove_clock_;
    setup.fullmove_number = fullmove_number_;
    return setup;
}

std::uint64_t Position::fresh_key() const {
    std::uint64_t key = detail::kZobrist.castling[castling_rights_];
    for (const Square square : squares(occupied())) key ^= detail::kZobrist.piece[board_[square]][square];
    if (side_ == Black) key ^= detail::kZobrist.black_to_move;
    if (en_passant_ != NoSquare && some_en_passant_is_legal())
        key ^= detail::kZobrist.en_passant[file_of(en_passant_)];
    return key;
}

Bitboard Position::attackers(Square square, Bitboard occupied) const {
    return (pawn_attacks(White, square) & pieces(Black, Pawn)) |
           (pawn_attacks(Black, square) & pieces(White, Pawn)) | (knight_attacks(square) & pieces(Knight)) |
           (king_attacks(square) & pieces(King)) |
           (bishop_attacks(square, occupied) & (pieces(Bishop) | pieces(Queen))) |
           (rook_attacks(square, occupied) & (pieces(Rook) | pieces(Queen)));
}

bool Position::is_attacked(Square square, Color by, Bitboard occupied) const {
    return (pawn_attacks(~by, square) & pieces(by, Pawn)) || (knight_attacks(square) & pieces(by, Knight)) ||
           (king_attacks(square) & pieces(by, King)) ||
           (bishop_attacks(square, occupied) & diagonal_sliders(by)) ||
           (rook_attacks(square, occupied) & straight_sliders(by));
}

Bitboard Position::checkers() const {
    const Square square = king(side_);
    const Color them = ~side_;
    const Bitboard all = occupied();
    return (pawn_attacks(side_, square) & pieces(them, Pawn)) |
           (knight_attacks(square) & pieces(them, Knight)) |
           (bishop_attacks(square, all) & diagonal_sliders(them)) |
           (rook_attacks(square, all) & straight_sliders(them));
}

inline void Position::put(Piece piece, Square square) {
    by_kind_[kind_of(piece)] |= bit(square);
    by_color_[color_of(piece)] |= bit(square);
    board_[square] = piece;
    key_ ^= detail::kZobrist.piece[piece][square];
}

inline void Position::remove(Square square) {
    const Piece piece = board_[square];
    by_kind_[kind_of(piece)] ^= bit(square);
    by_color_[color_of(piece)] ^= bit(square);
    board_[square] = NoPiece;
    key_ ^= detail::kZobrist.piece[piece][square];
}

inline void Position::forget_castling(std::uint8_t rights) {
    const std::uint8_t lost = castling_rights_ & rights;
    if (!lost) return;
    castling_rights_ ^= lost;
    key_ ^= detail::kZobrist.castling[lost];
    for (int index = 0; index < 4; ++index)
        if (lost >> index & 1) castling_rooks_[index] = NoSquare;
}

std::uint64_t Position::nearly_key_after(Move move) const {
    const Square to = move.to();
    const auto& numbers = detail::kZobrist.piece;
    std::uint64_t key = key_ ^ detail::kZobrist.black_to_move;
    if (en_passant_is_legal_) key ^= detail::kZobrist.en_passant[file_of(en_passant_)];
    if (board_[to] != NoPiece) key ^= numbers[board_[to]][to];
    const Piece piece = board_[move.from()];
    return key ^ numbers[piece][move.from()] ^
           numbers[move.is_promotion() ? make_piece(side_, move.promotion_kind()) : piece][to];
}

void Position::make(Move move) {
    if (side_ == White)
        make_as<White>(move);
    else
        make_as<Black>(move);
}

template <Color Us>
void Position::make_as(Move move) {
    constexpr Color Them = ~Us;
    const Square from = move.from();
    const Square to = move.to();
    const Piece piece = board_[from];
    assert(piece != NoPiece && color_of(piece) == Us);

    key_ ^= detail::kZobrist.black_to_move;
    if (en_passant_is_legal_) key_ ^= detail::kZobrist.en_passant[file_of(en_passant_)];
    en_passant_ = NoSquare;
    en_passant_is_legal_ = false;
    ++halfmove_clock_;
    if constexpr (Us == Black) ++fullmove_number_;
    side_ = Them;

    if (move.is_castling()) {
        const CastlingSide side = to > from ? KingSide : QueenSide;
        remove(from);
        remove(to);
        put(make_piece(Us, King), castled_king(Us, side));
        put(make_piece(Us, Rook), castled_rook(Us, side));
        forget_castling(castling_bit(Us, KingSide) | castling_bit(Us, QueenSide));
        return;
    }

    if (board_[to] != NoPiece) {
        remove(to);
        halfmove_clock_ = 0;
    }
    remove(from);
    put(move.is_promotion() ? make_piece(Us, move.promotion_kind()) : piece, to);

    if (kind_of(piece) == Pawn) {
        halfmove_clock_ = 0;
        if ((from ^ to) == 16)
            note_en_passant(from + forward(Us));
        else if (move.is_en_passant())
            remove(to - forward(Us));
    }

    if (castling_rights_) {
        if (kind_of(piece) == King) forget_castling(castling_bit(Us, KingSide) | castling_bit(Us, QueenSide));
        for (const CastlingSide side : {KingSide, QueenSide}) {
            if (castling_rooks_[castling_index(Us, side)] == from) forget_castling(castling_bit(Us, side));
            if (castling_rooks_[castling_index(Them, side)] == to) forget_castling(castling_bit(Them, side));
        }
    }
}

void Position::make_null() {
    assert(!in_check());
    key_ ^= detail::kZobrist.black_to_move;
    if (en_passant_is_legal_) key_ ^= detail::kZobrist.en_passant[file_of(en_passant_)];
    en_passant_ = NoSquare;
    en_passant_is_legal_ = false;
    ++halfmove_clock_;
    if (side_ == Black) ++fullmove_number_;
    side_ = ~side_;
}

void Position::note_en_passant(Square square) {
    if (!(pawn_attacks(~side_, square) & pieces(side_, Pawn))) return;
    en_passant_ = square;
    en_passant_is_legal_ = some_en_passant_is_legal();
    if (en_passant_is_legal_) key_ ^= detail::kZobrist.en_passant[file_of(square)];
}

bool Position::some_en_passant_is_legal() const {
    const Color them = ~side_;
    const Square our_king = king(side_);
    const Bitboard captured = bit(en_passant_ - forward(side_));
    for (const Square from : squares(pawn_attacks(them, en_passant_) & pieces(side_, Pawn))) {
        const Bitboard after = (occupied() ^ bit(from) ^ captured) | bit(en_passant_);
        if (!(attackers(our_king, after) & pieces(them) & ~captured)) return true;
    }
    return false;
}

bool Position::has_insufficient_material() const {
    if (pieces(Pawn) | pieces(Rook) | pieces(Queen)) return false;
    if (popcount(occupied()) <= 3) return true;
    if (pieces(Knight)) return false;
    constexpr Bitboard dark = 0xAA55AA55AA55AA55ULL;
    return !(pieces(Bishop) & dark) || !(pieces(Bishop) & ~dark);
}

}  // namespace scholar::chess
