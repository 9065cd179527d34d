#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "learning/adam.hpp"
#include "learning/lessons.hpp"
#include "learning/model.hpp"
#include "selfplay/players.hpp"

namespace scholar::learning {

// How a run learns from the moment it has taken in so many lessons.
struct LearnStage {
    std::uint64_t from = 0;     // lessons
    std::uint64_t nodes = 400;  // a move of self-play
    std::size_t window = 0;     // lessons kept to draw from
    std::uint64_t games = 0;    // in a round, before it is trained on
    double learning_rate = 0;
    double result_weight = 0.3;  // LessonPlan
    double lambda = 0.7;
};

// How `scholar learn` learns, as its TOML file says; docs/learning.md says what each key means.
struct LearnRecipe {
    std::string name;
    std::vector<std::pair<std::string, std::string>> settings;  // every one, defaults included

    // [network]
    std::string feature_set;
    int width = 0;
    bool factorise = false;
    std::string initial;  // a float network to go on from; "": a random one

    selfplay::PlayPlan play;  // [play]; nodes are the stage's
    LessonPlan lessons;       // [lessons]; weight and λ are the stage's
    double reuse = 4;         // how often a lesson is drawn, on average, while it is in the window
    AdamOptions adam;         // [optimiser]
    WeightClip clip;
    double averaging = 0;  // of the weights that play, by step; 0: the last ones play
    std::size_t batch = 0;
    std::vector<LearnStage> stages;  // [stages], by `from`; the first from 0

    // [rating]: games, in pairs, that the newest network plays against each of two kept before; 0: none.
    int rating_pairs = 25;

    const LearnStage& stage_at(std::uint64_t taken_in) const;
};

// The one that is used where none is named: recipes/learn.toml.
std::string_view default_learn_recipe();

base::Result<LearnRecipe> load_learn_recipe(const std::filesystem::path& path);
// `name` stands before errors.
base::Result<LearnRecipe> parse_learn_recipe(std::string_view text, const std::string& name);

}  // namespace scholar::learning
