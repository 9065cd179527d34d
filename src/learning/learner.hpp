#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>

#include "base/error.hpp"
#include "learning/learn_recipe.hpp"

// Learning from self-play: rounds of games by the newest network, each followed by training on the lessons of
// the most recent games.

namespace scholar::learning {

struct LearnOptions {
    std::filesystem::path output;
    std::uint64_t seed = 1;
    int threads = 0;          // 0: one a core
    double core_minutes = 0;  // to spend, earlier runs that this one resumes included; 0: no end
    bool overwrite = false;
    bool json = false;
};

struct LearnOutcome {
    std::uint64_t rounds = 0;
    std::uint64_t games = 0;
    std::uint64_t lessons = 0;
    double core_seconds = 0;
};

base::Result<LearnOutcome> learn(const LearnRecipe& recipe, const LearnOptions& options,
                                 std::stop_token stop);

}  // namespace scholar::learning
