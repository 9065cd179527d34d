#include "learning/papers/deepchess_paper.hpp"

#include <array>

#include "learning/papers/deepchess_experiment.hpp"

namespace scholar::learning {

namespace {

constexpr std::array kDeepChessExperiments{
    Experiment{.name = "pos2vec",
               .about = "Learns what positions are, layer by layer, and draws a map of them",
               .paper = "773–600–400–200–100, without figures (section 3.1)",
               .size = "18,000 batches of 512 positions; 10,000 on the map",
               .time = "35 minutes",
               .run = learn_positions},
    Experiment{
        .name = "pairs",
        .about = "Learns which of two positions is better, in five networks, and asks them of games not seen",
        .paper = "98.2 % in training, 98.0 held out (the original); 90 to 91 and 86 to 87 (the rebuilding)",
        .size = "the networks of the paper, 8 to 12 million pairs each; 50,000 held-out pairs",
        .time = "2 hours",
        .run = compare_pairs},
    Experiment{.name = "shares",
               .about = "Learns from a hundredth of the games, a tenth and all, with Pos2Vec and without",
               .paper = "it has no such figure",
               .size = "six runs of 4,000 batches",
               .time = "40 minutes",
               .run = compare_shares},
    Experiment{
        .name = "distilled",
        .about =
            "Plays the distilled network against its teacher and against the small one without a teacher",
        .paper = "as accurate and much faster (section 4.2)",
        .size = "four matches of 200 games",
        .time = "an hour",
        .run = compare_distilled},
    Experiment{
        .name = "search",
        .about = "Counts comparisons and cycles, and plays searches with numbers and without by one network",
        .paper = "it has no such figure; it played at depth 4",
        .size = "200 positions, five matches of 200 games",
        .time = "an hour",
        .run = search_by_order},
    Experiment{.name = "strength",
               .about = "Places each form on the ladder, the number under other searches too",
               .paper = "novice to amateur",
               .size = "seven places of 200 games",
               .time = "3 hours",
               .run = place_forms},
};

}  // namespace

Paper deepchess_paper() {
    return {.name = "deepchess",
            .title = "Garita and others, after David and others (2016): which of two positions is better",
            .experiments = kDeepChessExperiments,
            .learns_from_games = true,
            .is_tested_on_others = true};
}

}  // namespace scholar::learning
