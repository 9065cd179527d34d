#include "games/store_columns.hpp"

#include <algorithm>
#include <limits>

#include "games/bytes.hpp"

namespace scholar::games {

namespace {

constexpr std::uint8_t kDifferences = 1;
constexpr std::array<std::uint64_t, 4> kUnits{1, 10, 100, 1'000};
constexpr std::size_t kSides = 2;

// The numbers that are there, in order, as they are or as differences.
std::string encode(const PlyNumbers& numbers, std::uint64_t unit, bool differences) {
    std::string out;
    std::array<std::uint64_t, kSides> last{};
    for (std::size_t ply = 0; ply < numbers.size(); ++ply) {
        if (!numbers[ply]) continue;
        const std::uint64_t number = *numbers[ply] / unit;
        std::uint64_t& before = last[ply % kSides];
        put_varint(out, differences ? zigzag_difference(number, before) : number);
        before = number;
    }
    return out;
}

}  // namespace

void PlyNumbersPacker::add(const PlyNumbers& numbers) {
    const bool any = std::ranges::any_of(numbers, [](const auto& number) { return number.has_value(); });
    games_.push_back(any);
    if (!any) return;

    const std::size_t first_byte = bits_.size();
    bits_.resize(first_byte + (numbers.size() + 7) / 8, '\0');
    std::size_t unit = kUnits.size() - 1;
    for (std::size_t ply = 0; ply < numbers.size(); ++ply) {
        if (!numbers[ply]) continue;
        bits_[first_byte + ply / 8] |= static_cast<char>(1 << ply % 8);
        while (*numbers[ply] % kUnits[unit] != 0) --unit;
    }
    const std::string plain = encode(numbers, kUnits[unit], false);
    const std::string differences = encode(numbers, kUnits[unit], true);
    const bool shorter = differences.size() < plain.size();
    values_ += static_cast<char>(unit << 1 | (shorter ? kDifferences : 0));
    values_ += shorter ? differences : plain;
}

std::string PlyNumbersPacker::mask() const {
    std::string out((games_.size() + 7) / 8, '\0');
    for (std::size_t game = 0; game < games_.size(); ++game)
        if (games_[game]) out[game / 8] |= static_cast<char>(1 << game % 8);
    return out + bits_;
}

base::Status PlyNumbersView::decode(const PlyColumn& column, std::string_view mask, std::string_view values,
                                    std::span<const std::uint32_t> plies) {
    const auto damaged = [&column](SectionId id) {
        return id == column.mask ? base::fail("sections {} and {} do not agree", name_of(column.mask),
                                              name_of(column.values))
                                 : base::fail("section {} is damaged", name_of(id));
    };
    ByteSource mask_source(mask);
    ByteSource source(values);
    const std::string_view has = mask_source.take((plies.size() + 7) / 8);
    if (!mask_source.ok()) return damaged(column.mask);

    games_.resize(plies.size());
    std::size_t total = 0;
    for (std::size_t game = 0; game < plies.size(); ++game) {
        if (!(has[game / 8] >> game % 8 & 1)) continue;
        games_[game] = {static_cast<std::uint32_t>(total), plies[game]};
        total += plies[game];
    }
    // A mask has a bit for each: what is not there need not be made room for.
    if (total > 8 * mask.size()) return damaged(column.mask);
    numbers_.resize(total);

    for (const Range& range : games_) {
        if (range.size == 0) continue;
        const std::string_view bits = mask_source.take((range.size + 7) / 8);
        const std::string_view how = source.take(1);
        if (!mask_source.ok() || !source.ok()) return damaged(column.mask);
        const auto mode = static_cast<std::uint8_t>(how.front());
        if (mode >> 1 >= kUnits.size()) return damaged(column.values);
        const std::uint64_t unit = kUnits[mode >> 1];
        std::array<std::uint64_t, kSides> last{};
        for (std::uint32_t ply = 0; ply < range.size; ++ply) {
            if (!(bits[ply / 8] >> ply % 8 & 1)) continue;
            std::uint64_t& before = last[ply % kSides];
            const std::uint64_t code = source.varint64();
            before = mode & kDifferences ? undo_difference(code, before) : code;
            if (before > std::numeric_limits<std::uint64_t>::max() / unit) return damaged(column.values);
            numbers_[range.first + ply] = before * unit;
        }
    }
    if (!mask_source.finished() || !source.finished()) return damaged(column.mask);
    return {};
}

std::span<const std::optional<std::uint64_t>> PlyNumbersView::of(std::size_t game) const {
    if (games_.empty()) return {};
    return std::span(numbers_).subspan(games_[game].first, games_[game].size);
}

}  // namespace scholar::games
