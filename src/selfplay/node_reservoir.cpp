#include "selfplay/node_reservoir.hpp"

#include "chess/movegen.hpp"

namespace scholar::selfplay {

void NodeReservoir::begin(base::Random random) {
    random_ = random;
    seen_.clear();
    kept_.clear();
    passed_over_ = 0;
    listens_ = true;
}

void NodeReservoir::on_node(const search::TappedNode& node) {
    if (!listens_) return;
    const chess::Position& position = node.line.current();
    if (!seen_.insert(position.key()).second) return;
    if (chess::count_legal_moves(position) < 2) {
        ++passed_over_;
        return;
    }
    if (kept_.size() < capacity_) {
        kept_.push_back(position);
        return;
    }
    if (const std::uint64_t place = random_.below(met()); place < capacity_) kept_[place] = position;
}

}  // namespace scholar::selfplay
