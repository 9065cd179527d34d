#include "search/table.hpp"

#include <algorithm>

namespace scholar::search {

Table::Table(std::size_t megabytes) {
    resize(megabytes);
}

void Table::resize(std::size_t megabytes) {
    std::vector<Cluster> fresh(megabytes * 1024 * 1024 / sizeof(Cluster));
    clusters_.swap(fresh);
    generation_ = 0;
}

void Table::clear() {
    std::ranges::fill(clusters_, Cluster{});
    generation_ = 0;
}

std::optional<TableEntry> Table::probe(std::uint64_t key) const {
    const auto check = static_cast<std::uint32_t>(key);
    for (const Slot& slot : clusters_[index_of(key)].slots) {
        if (slot.key != check || slot.bound == Bound::None) continue;
        TableEntry entry;
        entry.move = chess::Move::from_bits(slot.move);
        entry.score = chess::Score(slot.score);
        if (slot.evaluation != kNoEvaluation) entry.evaluation = chess::Score(slot.evaluation);
        entry.draft = slot.draft;
        entry.bound = slot.bound;
        return entry;
    }
    return std::nullopt;
}

void Table::store(std::uint64_t key, const TableEntry& entry) {
    const auto check = static_cast<std::uint32_t>(key);
    Slot* victim = nullptr;
    int lowest_worth = 0;
    for (Slot& slot : clusters_[index_of(key)].slots) {
        if (slot.bound == Bound::None || slot.key == check) {
            victim = &slot;
            break;
        }
        const int age = (generation_ - slot.generation) & kGenerationMask;
        const int worth = slot.draft - 8 * age;
        if (!victim || worth < lowest_worth) {
            victim = &slot;
            lowest_worth = worth;
        }
    }
    const bool same = victim->key == check && victim->bound != Bound::None;
    // A much shallower bound does not push out what a deeper search of the same position found.
    if (same && entry.bound != Bound::Exact && victim->generation == generation_ &&
        entry.draft + 3 < victim->draft)
        return;
    if (entry.move || !same) victim->move = entry.move.bits();
    victim->key = check;
    victim->score = static_cast<std::int16_t>(entry.score.value());
    victim->evaluation =
        entry.evaluation ? static_cast<std::int16_t>(entry.evaluation->value()) : kNoEvaluation;
    victim->draft = entry.draft;
    victim->bound = entry.bound;
    victim->generation = generation_;
}

int Table::permille_full() const {
    const std::size_t sample = std::min<std::size_t>(clusters_.size(), 250);
    int used = 0;
    for (std::size_t i = 0; i < sample; ++i)
        for (const Slot& slot : clusters_[i].slots)
            used += slot.bound != Bound::None && slot.generation == generation_;
    return sample == 0 ? 0 : static_cast<int>(static_cast<std::size_t>(used) * 250 / sample);
}

}  // namespace scholar::search
