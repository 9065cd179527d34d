#include "base/hint.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <numeric>
#include <vector>

namespace scholar::base {

namespace {

// Levenshtein's distance.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
            diagonal = above;
        }
    }
    return row[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view name, std::span<const std::string> known) {
    // No word is that long; and the time is a product of both lengths.
    constexpr std::size_t kLongest = 200;
    if (name.size() > kLongest) return std::nullopt;
    const auto found = std::ranges::min_element(
        known, {}, [name](const std::string& candidate) { return edit_distance(name, candidate); });
    if (found == known.end() || 2 * edit_distance(name, *found) > std::max<std::size_t>(2, name.size()))
        return std::nullopt;
    return *found;
}

std::string hint(std::string_view name, std::span<const std::string> known) {
    if (const auto meant = nearest(name, known)) return fmt::format("did you mean '{}'?", *meant);
    return fmt::format("expected one of {}", fmt::join(known, ", "));
}

}  // namespace scholar::base
