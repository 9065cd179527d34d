#include "engine/presets.hpp"

#include "search/searchless/random_mover.hpp"
#include "search/searchless/value_player.hpp"

namespace scholar::engine {

std::vector<Preset> standard_presets() {
    return {
        {.name = "scholar",
         .help = "alpha-beta search",
         .has_levels = true,
         .make =
             [](const Ingredients& with) {
                 return search::make_alpha_beta(with.network, with.table, with.alpha_beta);
             }},
        {.name = "oneply",
         .help = "the best static value one half-move ahead",
         .make = [](const Ingredients& with) { return search::make_value_player(with.network); }},
        {.name = "random",
         .help = "any legal move",
         .by_chance = true,
         .make = [](const Ingredients& with) { return search::make_random_mover(with.seed); }},
    };
}

}  // namespace scholar::engine
