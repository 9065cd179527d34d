#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "learning/optimise/adam.hpp"
#include "learning/perspective/model.hpp"
#include "learning/perspective/network_plan.hpp"
#include "learning/run/run_settings.hpp"
#include "learning/targets/lessons.hpp"
#include "selfplay/players.hpp"

namespace scholar::learning {

// How a run learns from the moment it has taken in so many lessons. A recipe says all of it: what the first
// stage leaves out is as in the first of the built-in recipe.
struct LearnStage {
    std::uint64_t from = 0;   // lessons
    selfplay::PlayPlan play;  // what [play] says, but for what the stage does
    std::size_t window = 0;   // lessons kept to draw from
    std::uint64_t games = 0;  // in a round, before it is trained on
    double learning_rate = 0;
    double result_weight = 0;  // LessonPlan
    double lambda = 0;
    double own_weight = 0;
    // What they have come to when the next stage begins, in a straight line, but the learning rate by equal
    // factors; below 0: they stay.
    double learning_rate_to = -1;
    double result_weight_to = -1;
    double lambda_to = -1;
    double weight_decay = -1;  // AdamW's; below 0: the optimiser and its decay are those of [optimiser]
    double reuse = 0;          // how often a lesson is drawn, on average, while it is in the window
    // The network grows to it: never narrower, of coarser features or of fewer output buckets than in the
    // stage before, and hidden layers, once there, stay as they are.
    nets::Architecture network;
};

// How `scholar learn` learns, as its TOML file says; docs/learning.md says what each key means.
struct LearnRecipe {
    std::string name;
    std::string text;      // of the file
    RunSettings settings;  // every one, defaults included

    NetworkPlan network;  // [network]

    bool keep_games = false;                       // [play]: in a store; all else of it is the stages'
    LessonPlan lessons;                            // [lessons]; weights and λ are the stage's
    std::optional<selfplay::TreeStrapPlan> nodes;  // [lessons]: where they are inside searches
    AdamOptions adam;                              // [optimiser]; a stage may have its own decay
    WeightClip clip;
    double averaging = 0;  // of the weights that play, by step; 0: the last ones play
    std::size_t batch = 0;
    std::vector<LearnStage> stages;  // [course], by `from`; the first from 0

    // [games]: what is learnt from other people's games, where there are any, before the first game is
    // played.
    struct Games {
        std::vector<std::string> stages;  // of the sampler
        double result_weight = 0.5;
        double passes = 6;
        double learning_rate = 0.001;
        double weight_decay = 10;  // AdamW's
        std::size_t batch = 4'096;
        double validation_share = 0.02;  // of few games more are held out
        double test_share = 0;
    };
    Games games;
    // [course]: lessons that a run counts as taken in before its first, when it begins with a network that
    // has learnt.
    std::uint64_t head_start = 0;
    // Such a run, and one that goes on without the window that it had, plays until so large a share of the
    // window is full before it trains: a few games would teach it these by heart, and let it forget the rest.
    double fill = 0;

    // [promotion]: the newest network plays only once it has won a short match against the one that plays.
    struct Promotion {
        int pairs = 0;            // of games; 0: the newest always plays
        double score = 0.5;       // points a game that it must make
        std::uint64_t every = 1;  // rounds between matches
    };
    Promotion promotion;

    // [rating]: games, in pairs, that the newest network plays against each of two kept before; 0: none.
    int rating_pairs = 0;

    // With what has changed since the stage began.
    LearnStage stage_at(std::uint64_t taken_in) const;
    // Nothing if it is the last.
    std::optional<std::uint64_t> next_stage_from(std::uint64_t taken_in) const;
    // Whether games begin, now or later, from positions of earlier ones.
    bool has_own_starts() const;
    // What the network has grown to with so many.
    nets::Architecture architecture_at(std::uint64_t taken_in) const;
};

// The one that is used where none is named, and for what another does not say: recipes/learn.toml.
std::string_view default_learn_recipe();

base::Result<LearnRecipe> load_learn_recipe(const std::filesystem::path& path);
// `name` stands before errors.
base::Result<LearnRecipe> parse_learn_recipe(std::string_view text, const std::string& name);

// The settings that a run can no longer change when so many lessons (those passed over included) have been
// taken in: all but the stages of the course that lie ahead, whether its games are kept, and how full a
// window must be.
RunSettings settled(RunSettings settings, std::uint64_t taken_in);

}  // namespace scholar::learning
