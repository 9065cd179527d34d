#pragma once

#include "base/strict_toml.hpp"
#include "games/recipe_sampling.hpp"

// The parts of a recipe that say where its positions come from, for whoever reads recipes. Includes toml++:
// games/recipe_sampling.hpp does not.

namespace scholar::games {

// [data]: stores and shares.
void read_data_section(base::StrictToml::Section& data, RecipeSampling& into);
// [sampler]: all the rest.
void read_sampler_section(base::StrictToml::Section& sampler, RecipeSampling& into);

}  // namespace scholar::games
