#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "chess/score.hpp"
#include "chess/uci_move.hpp"
#include "search/search.hpp"

// What a search reports, in the words that protocols share.

namespace scholar::protocols {

// Of a message that is told; it may quote a path of any length.
inline constexpr std::size_t kMostOfMessage = 1'000;

// The moves with one blank between each two.
std::string to_text(const std::vector<chess::Move>& variation, chess::CastlingNotation notation);
std::uint64_t nodes_per_second(const search::Counters& counters);

// Thousandths that sum to 1000.
struct PermilleWdl {
    int win;
    int draw;
    int loss;
};
PermilleWdl to_permille(const chess::Wdl& wdl);

}  // namespace scholar::protocols
