#include "chess/uci_move.hpp"

#include "base/text.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"

namespace scholar::chess {

std::string to_uci(Move move, CastlingNotation notation) {
    if (!move) return "0000";
    Square to = move.to();
    const bool as_in_standard_chess = file_of(move.from()) == 4 && (file_of(to) == 0 || file_of(to) == 7);
    if (move.is_castling() && notation == CastlingNotation::Standard && as_in_standard_chess)
        to = make_square(to > move.from() ? 6 : 2, rank_of(to));
    std::string text = to_string(move.from()) + to_string(to);
    if (move.is_promotion()) text += static_cast<char>(kind_letter(move.promotion_kind()) - 'A' + 'a');
    return text;
}

base::Result<Move> parse_uci_move(const Position& position, std::string_view text) {
    const Square from = text.size() >= 4 ? parse_square(text.substr(0, 2)) : NoSquare;
    const Square to = text.size() >= 4 ? parse_square(text.substr(2, 2)) : NoSquare;
    const bool well_formed = from != NoSquare && to != NoSquare && text.size() <= 5;
    if (!well_formed)
        return base::fail("move '{}', expected a move such as e2e4 or e7e8q", base::excerpt(text));
    for (const Move move : legal_moves(position)) {
        if (move.from() != from) continue;
        const bool same_target =
            move.to() == to ||
            // e1g1: only where the king really goes two files, or it would be an ordinary king move.
            (move.is_castling() && file_of(from) == 4 &&
             to == make_square(move.to() > from ? 6 : 2, rank_of(from)));
        if (!same_target) continue;
        if (!move.is_promotion() && text.size() == 4) return move;
        if (move.is_promotion() && text.size() == 5 &&
            text[4] == static_cast<char>(kind_letter(move.promotion_kind()) - 'A' + 'a'))
            return move;
    }
    return base::fail("move '{}' is not legal in {}", base::excerpt(text), to_fen(position));
}

}  // namespace scholar::chess
