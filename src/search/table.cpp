#include "search/table.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <thread>
#include <type_traits>
#include <vector>

namespace scholar::search {

namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::uint64_t kKeyMask = (std::uint64_t{1} << 48) - 1;
// An entry of the search before counts as so much shallower, one of two before as twice that…
constexpr Effort kDraftPerGeneration = Effort::of_half_moves(8);

}  // namespace

// Two words, as they lie in a slot but for the key, which is no longer combined with the data: fields are
// taken out when they are asked for, which of most slots is the key alone.
struct Table::Unpacked {
    std::uint64_t data;
    std::uint64_t check;

    bool is_empty() const { return data == 0; }
    bool is_of(std::uint64_t key) const { return (check >> 16) == (key & kKeyMask) && !is_empty(); }
    chess::Move move() const { return chess::Move::from_bits(static_cast<std::uint16_t>(data)); }
    chess::Score score() const { return chess::Score(static_cast<std::int16_t>(data >> 16)); }
    std::int16_t evaluation() const { return static_cast<std::int16_t>(data >> 32); }
    Effort draft() const { return Effort::of_units(static_cast<std::int16_t>(data >> 48)); }
    Bound bound() const { return static_cast<Bound>(check & 3); }
    bool was_principal() const { return (check >> 2 & 1) != 0; }
    std::uint8_t generation() const { return static_cast<std::uint8_t>(check >> 3 & kGenerationMask); }
    // That it is no slower a mate than that is not proved by a bound that is only from above.
    bool proves_mate() const {
        return score().is_mate() && bound() != (score().is_win() ? Bound::Upper : Bound::Lower);
    }
};

inline Table::Unpacked Table::unpack(const Slot& slot) {
    const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
    return {data, slot.check.load(std::memory_order_relaxed) ^ data};
}

void Table::Free::operator()(Cluster* clusters) const {
    std::free(clusters);
}

Table::Table(std::size_t megabytes) {
    resize(megabytes);
}

Table Table::of_entries(std::size_t entries) {
    constexpr std::size_t kPerCluster = std::extent_v<decltype(Cluster::slots)>;
    Table table;
    table.allocate(std::max<std::size_t>(1, (entries + kPerCluster - 1) / kPerCluster));
    return table;
}

void Table::resize(std::size_t megabytes) {
    allocate(megabytes * 1024 * 1024 / sizeof(Cluster));
}

void Table::allocate(std::size_t clusters) {
    const std::size_t bytes = clusters * sizeof(Cluster);
    // Large tables begin on a huge page and ask for such: random look-ups then miss the address cache less.
    const std::size_t alignment = bytes >= kHugePage ? kHugePage : alignof(Cluster);
    void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (memory == nullptr) throw std::bad_alloc();
    if (bytes >= kHugePage) static_cast<void>(madvise(memory, bytes, MADV_HUGEPAGE));
    // A byte pattern of zeros is a cluster of empty slots: nothing else needs to be constructed.
    static_assert(std::is_trivially_destructible_v<Cluster>);
    clusters_.reset(static_cast<Cluster*>(memory));
    cluster_count_ = clusters;
    clear();
}

void Table::clear(int threads) {
    const auto parts = static_cast<std::size_t>(std::max(1, threads));
    const auto clear_part = [this, parts](std::size_t part) {
        const std::size_t begin = cluster_count_ * part / parts;
        const std::size_t end = cluster_count_ * (part + 1) / parts;
        std::memset(static_cast<void*>(clusters_.get() + begin), 0, (end - begin) * sizeof(Cluster));
    };
    std::vector<std::jthread> others;
    for (std::size_t part = 1; part < parts; ++part) others.emplace_back(clear_part, part);
    clear_part(0);
    others.clear();
    generation_ = 0;
}

std::optional<TableEntry> Table::probe(std::uint64_t key) const {
    std::optional<TableEntry> entry;  // filled where it is returned: copied, it would wait for its own fields
    for (const Slot& slot : clusters_[index_of(key)].slots) {
        const Unpacked found = unpack(slot);
        if (!found.is_of(key)) continue;
        entry.emplace();
        entry->move = found.move();
        entry->score = found.score();
        if (found.evaluation() != kNoEvaluation) entry->evaluation = chess::Score(found.evaluation());
        entry->draft = found.draft();
        entry->bound = found.bound();
        entry->was_principal = found.was_principal();
        break;
    }
    return entry;
}

void Table::store(std::uint64_t key, const TableEntry& entry) {
    Slot* victim = nullptr;
    Unpacked old{};
    int lowest_worth = 0;
    for (Slot& slot : clusters_[index_of(key)].slots) {
        const Unpacked found = unpack(slot);
        if (found.is_empty() || found.is_of(key)) {
            victim = &slot;
            old = found;
            break;
        }
        const int age = (generation_ - found.generation()) & kGenerationMask;
        const int worth = found.draft().units() - kDraftPerGeneration.units() * age;
        if (!victim || worth < lowest_worth) {
            victim = &slot;
            old = found;
            lowest_worth = worth;
        }
    }
    const bool same = old.is_of(key);
    // A much shallower bound does not push out what a deeper search of the same position found.
    if (same && entry.bound != Bound::Exact && old.generation() == generation_ &&
        entry.draft + Effort::of_half_moves(3 + 2 * entry.was_principal) < old.draft())
        return;
    // Nor does any push out a mate that a deeper one proved, as the first iterations of the next search
    // would.
    if (same && entry.draft < old.draft() && old.proves_mate() && !entry.score.is_mate()) return;
    // What null windows prove of a mate, one from below and one from above, is one exact score where they
    // meet: else the second would push out the first, which is the proof.
    const Bound other_side = entry.score.is_win() ? Bound::Upper : Bound::Lower;
    const bool meets = same && old.proves_mate() && entry.score == old.score() && entry.bound == other_side;
    const Bound bound = meets ? Bound::Exact : entry.bound;
    const chess::Move move = entry.move || !same ? entry.move : old.move();
    const std::int16_t evaluation =
        entry.evaluation ? static_cast<std::int16_t>(entry.evaluation->value()) : kNoEvaluation;
    const auto field = [](std::int16_t value) { return std::uint64_t{static_cast<std::uint16_t>(value)}; };
    const std::uint64_t data =
        std::uint64_t{move.bits()} | field(static_cast<std::int16_t>(entry.score.value())) << 16 |
        field(evaluation) << 32 | field(static_cast<std::int16_t>(entry.draft.units())) << 48;
    const std::uint64_t check = static_cast<std::uint64_t>(bound) | std::uint64_t{entry.was_principal} << 2 |
                                std::uint64_t{generation_} << 3 | (key & kKeyMask) << 16;
    victim->check.store(check ^ data, std::memory_order_relaxed);
    victim->data.store(data, std::memory_order_relaxed);
}

int Table::permille_full() const {
    const std::size_t sample = std::min<std::size_t>(cluster_count_, 250);
    int used = 0;
    for (std::size_t i = 0; i < sample; ++i)
        for (const Slot& slot : clusters_[i].slots) {
            const Unpacked found = unpack(slot);
            used += !found.is_empty() && found.generation() == generation_;
        }
    return sample == 0 ? 0 : static_cast<int>(static_cast<std::size_t>(used) * 250 / sample);
}

}  // namespace scholar::search
