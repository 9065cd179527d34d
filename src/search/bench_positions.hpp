#pragma once

#include <cstddef>
#include <span>
#include <string_view>

// Positions on which a search is measured: nodes to a depth, nodes a second.

namespace scholar::search {

// FENs: first those of the Bratko–Kopec test (1982), then some of other kinds.
std::span<const std::string_view> bench_positions();
inline constexpr std::size_t kBratkoKopec = 24;  // how many those are

}  // namespace scholar::search
