#include "search/ordered/position_order.hpp"

#include <algorithm>
#include <utility>

#include "chess/mirror.hpp"

namespace scholar::search {

namespace {

constexpr std::uint64_t kComparisonsToATriple = 256;

// Of a position that is kept, as allocators round it; an estimate.
std::size_t bytes_of(const evaluators::Embedding& embedding) {
    constexpr std::size_t overhead = 64;
    return sizeof(EmbeddedPosition) + embedding.size() * sizeof(float) + overhead;
}

}  // namespace

PositionOrder::PositionOrder(std::unique_ptr<evaluators::Comparator> comparator, std::size_t bytes)
    : comparator_(std::move(comparator)) {
    evaluators::Embedding some;
    comparator_->embed(chess::Position(), some);
    kept_.resize(std::max<std::size_t>(1, bytes / (bytes_of(some) + sizeof(Kept))));
}

std::shared_ptr<const EmbeddedPosition> PositionOrder::embedded(const chess::Position& position) {
    Kept& place = kept_[position.key() % kept_.size()];
    if (place && place->position.key() == position.key()) return place;
    auto fresh = std::make_shared<EmbeddedPosition>();
    fresh->position = position;
    comparator_->embed(position, fresh->embedding);
    ++counts_.embeddings;
    place = std::move(fresh);
    return place;
}

bool PositionOrder::prefers(const EmbeddedPosition& a, const EmbeddedPosition& b) {
    ++counts_.comparisons;
    return comparator_->prefers(a.embedding, b.embedding);
}

bool PositionOrder::is_better(const Standing& a, const Standing& b) {
    if (a == b) return false;
    if (a.position() && b.position()) {
        if (counts_.comparisons % kComparisonsToATriple == 0) sample(a.position(), b.position());
        return prefers(*a.position(), *b.position());
    }
    if (a.position()) {
        if (!b.is_draw()) return b.decided() < chess::Score::draw();
        return prefers(*a.position(), *embedded(chess::mirrored(a.position()->position)));
    }
    if (b.position()) {
        if (!a.is_draw()) return a.decided() > chess::Score::draw();
        return prefers(*embedded(chess::mirrored(b.position()->position)), *b.position());
    }
    return a.decided() > b.decided();
}

void PositionOrder::sample(const Kept& a, const Kept& b) {
    if (third_ && third_ != a && third_ != b) {
        const auto is_preferred = [this](const Kept& x, const Kept& y) {
            return comparator_->prefers(x->embedding, y->embedding);
        };
        ++counts_.triples;
        counts_.cycles += (is_preferred(a, b) && is_preferred(b, third_) && is_preferred(third_, a)) ||
                          (is_preferred(b, a) && is_preferred(a, third_) && is_preferred(third_, b));
    }
    third_ = b;
}

void PositionOrder::clear() {
    std::ranges::fill(kept_, nullptr);
    third_ = nullptr;
}

}  // namespace scholar::search
