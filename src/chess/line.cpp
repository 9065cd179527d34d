#include "chess/line.hpp"

#include "chess/cycle.hpp"
#include "chess/movegen.hpp"
#include "chess/zobrist.hpp"

namespace scholar::chess {

Line::Line(const Position& start) {
    reserve_ahead(512);
    positions_.push_back(start);
    reversible_.push_back(0);
}

int Line::repetitions() const {
    const int reach = reversible_.back();
    int count = 0;
    for (int back = 4; back <= reach; back += 2)
        if (ago(back).key() == current().key()) ++count;
    return count;
}

bool Line::is_repetition_in_search(int root) const {
    const int reach = reversible_.back();
    int before_root = 0;
    for (int back = 4; back <= reach; back += 2) {
        if (ago(back).key() != current().key()) continue;
        if (ply() - back >= root) return true;
        if (++before_root == 2) return true;
    }
    return false;
}

bool Line::has_upcoming_repetition(int root) const {
    const int reach = reversible_.back();
    if (reach < 3) return false;
    const auto step = [this](int back) {
        return ago(back).key() ^ ago(back + 1).key() ^ detail::kZobrist.black_to_move;
    };
    // The other side's moves, added up: 0 where they cancel, so that only one of ours is missing.
    std::uint64_t theirs = step(0);
    for (int back = 3; back <= reach; back += 2) {
        theirs ^= step(back - 1);
        if (theirs != 0) continue;
        const auto move = detail::find_reversible_move(current().key() ^ ago(back).key());
        if (!move || (between(move->a, move->b) & current().occupied())) continue;
        if (ply() - back >= root) return true;
        // Before the root one recurrence is no draw yet; two are.
        for (int earlier = back + 4; earlier <= reach; earlier += 2)
            if (ago(earlier).key() == ago(back).key()) return true;
    }
    return false;
}

Terminal Line::terminal() const {
    const Position& position = current();
    if (!has_legal_move(position)) return position.in_check() ? Terminal::Checkmate : Terminal::Stalemate;
    if (position.has_insufficient_material()) return Terminal::InsufficientMaterial;
    if (repetitions() >= 2) return Terminal::ThreefoldRepetition;
    if (position.halfmove_clock() >= 100) return Terminal::FiftyMoves;
    return Terminal::None;
}

}  // namespace scholar::chess
