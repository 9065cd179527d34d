#pragma once

#include <memory>

#include "nets/network.hpp"
#include "search/search.hpp"
#include "search/table.hpp"
#include "search/tunables.hpp"

namespace scholar::search {

// Principal-variation alpha-beta with a quantised network at its leaves. The table is the caller's and
// outlives the search; it may be resized between runs. Tunables are heeded in the tuning preset only.
std::unique_ptr<Search> make_alpha_beta(std::shared_ptr<const nets::Network> network, Table& table,
                                        const Tunables& tunables = {});

}  // namespace scholar::search
