#include "chess/line.hpp"

#include "chess/movegen.hpp"

namespace scholar::chess {

Line::Line(const Position& start) {
    reserve_ahead(512);
    positions_.push_back(start);
    reversible_.push_back(0);
}

int Line::repetitions(int plies) const {
    const int reach = reversible_[reversible_.size() - 1 - static_cast<std::size_t>(plies)];
    const std::uint64_t key = ago(plies).key();
    int count = 0;
    for (int back = 4; back <= reach; back += 2)
        if (ago(plies + back).key() == key) ++count;
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

Terminal Line::terminal() const {
    const Position& position = current();
    if (!has_legal_move(position)) return position.in_check() ? Terminal::Checkmate : Terminal::Stalemate;
    if (position.has_insufficient_material()) return Terminal::InsufficientMaterial;
    if (repetitions() >= 2) return Terminal::ThreefoldRepetition;
    if (position.halfmove_clock() >= 100) return Terminal::FiftyMoves;
    return Terminal::None;
}

}  // namespace scholar::chess
