#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "nets/container/any_network.hpp"
#include "search/alpha_beta/alpha_beta.hpp"

namespace scholar::engine {

// What a search can be made of. The table outlives the search.
struct Ingredients {
    nets::AnyNetwork network;
    search::Table& table;
    search::AlphaBetaOptions alpha_beta;
    std::uint64_t seed = 0;  // of whatever is left to chance
};

// A whole player by one name: the values of the option System.
struct Preset {
    std::string name;
    std::string help;
    bool by_chance = false;   // made anew for each game, with that game's seed
    bool has_levels = false;  // can be made to play worse (engine/strength.hpp)
    // Refused: a network that cannot give what the search needs.
    std::function<base::Result<std::unique_ptr<search::Search>>(const Ingredients&)> make;
};

// All of them; the first is the default.
std::vector<Preset> standard_presets();

}  // namespace scholar::engine
