#pragma once

#include <cstdint>
#include <memory>

#include "search/search.hpp"

namespace scholar::search {

// Plays any legal move, each as likely as the others: the lowest rung of every ladder. The same seed gives
// the same moves after each new game. There are no scores.
std::unique_ptr<Search> make_random_mover(std::uint64_t seed);

}  // namespace scholar::search
