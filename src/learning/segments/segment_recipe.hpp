#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "learning/segments/material_start.hpp"
#include "learning/segments/segment_lessons.hpp"
#include "learning/segments/segment_player.hpp"
#include "learning/training/recipe.hpp"

namespace scholar::learning {

// A stretch of a run, and how it learns in it.
struct SegmentStage {
    std::uint64_t from = 0;  // iterations before it
    std::uint64_t nodes = 512;
    std::uint64_t window = 1;  // iterations that are remembered
    double recent = 1;         // but no more than this share of all so far
    double reuse = 1;          // how often a position is learnt from, on average
    double lambda = 0.7;
    double learning_rate = 0;  // 0: that of [optimiser]
};

// How a network learns by playing stretches of games against itself, from positions of games on: a TOML file,
// whose keys docs/giraffe.md explains.
struct SegmentRecipe {
    // [data], [sampler]: where roots come from. [network], [target], [optimiser]: the task's. [run]: seed,
    // batch, threads of libtorch, output. Its schedule is not looked at.
    Recipe training;

    MaterialStart start;               // [start]
    SegmentPlan play;                  // [play]; nodes are the stage's
    std::size_t roots = 256;           // of an iteration
    SegmentLessonPlan lessons;         // [lessons]; λ is the stage's
    std::vector<SegmentStage> stages;  // [course], at least one, the first from 0
    std::uint64_t iterations = 0;      // [run]; 0: only a limit of the command ends it

    const SegmentStage& stage_at(std::uint64_t iteration) const;
};

base::Result<SegmentRecipe> load_segment_recipe(const std::filesystem::path& path);
// `name` stands before errors.
base::Result<SegmentRecipe> parse_segment_recipe(std::string_view text, const std::string& name);
// recipes/giraffe.toml, which is part of the program.
std::string_view giraffe_recipe();

}  // namespace scholar::learning
