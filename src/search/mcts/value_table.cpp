#include "search/mcts/value_table.hpp"

namespace scholar::search::mcts {

namespace {

// One bit, which tells an outcome from an empty slot; half-moves left; the share of draws; the value, with a
// sign.
constexpr int kShareBits = kOneBits + 1;
constexpr int kValueBits = kOneBits + 2;
constexpr std::uint64_t kThere = std::uint64_t{1} << 63;
static_assert(kMovesLeftBits + kShareBits + kValueBits == 63);

constexpr std::uint64_t low(std::uint64_t word, int bits) {
    return word & ((std::uint64_t{1} << bits) - 1);
}

std::uint64_t pack(Outcome outcome) {
    return kThere | static_cast<std::uint64_t>(outcome.moves_left) << (kShareBits + kValueBits) |
           static_cast<std::uint64_t>(outcome.draw) << kValueBits |
           low(static_cast<std::uint64_t>(outcome.value), kValueBits);
}

Outcome unpack(std::uint64_t packed) {
    // From −kOne to kOne.
    const auto value = static_cast<std::int32_t>(low(packed + kOne, kValueBits)) - kOne;
    return {value, static_cast<std::int32_t>(low(packed >> kValueBits, kShareBits)),
            static_cast<std::uint16_t>(low(packed >> (kShareBits + kValueBits), kMovesLeftBits))};
}

}  // namespace

ValueTable::ValueTable(std::size_t bytes)
    : size_(bytes / sizeof(Slot)), slots_(std::make_unique<Slot[]>(size_)) {}

void ValueTable::clear() {
    for (std::size_t i = 0; i < size_; ++i) {
        slots_[i].key_and_outcome.store(0, std::memory_order_relaxed);
        slots_[i].outcome.store(0, std::memory_order_relaxed);
    }
}

ValueTable::Slot& ValueTable::slot(std::uint64_t key) const {
    // There are fewer than 2³² of them.
    return slots_[(key >> 32) * size_ >> 32];
}

std::optional<Outcome> ValueTable::find(std::uint64_t key) const {
    if (size_ == 0) return std::nullopt;
    const Slot& there = slot(key);
    const std::uint64_t outcome = there.outcome.load(std::memory_order_relaxed);
    if (outcome == 0 || (there.key_and_outcome.load(std::memory_order_relaxed) ^ outcome) != key)
        return std::nullopt;
    return unpack(outcome);
}

void ValueTable::store(std::uint64_t key, Outcome outcome) {
    if (size_ == 0) return;
    Slot& there = slot(key);
    const std::uint64_t packed = pack(outcome);
    there.key_and_outcome.store(key ^ packed, std::memory_order_relaxed);
    there.outcome.store(packed, std::memory_order_relaxed);
}

}  // namespace scholar::search::mcts
