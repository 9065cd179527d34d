#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "games/sampler.hpp"

namespace scholar::games {

// Where a recipe's positions come from: its sections [data] and [sampler].
struct RecipeSampling {
    std::vector<std::string> stores;
    Sampling sampling;
    std::size_t shuffle_buffer = 0;  // positions
};

// Of a recipe for training; its other sections may have anything in them, but no others may be there.
base::Result<RecipeSampling> load_recipe_sampling(const std::filesystem::path& path);

}  // namespace scholar::games
