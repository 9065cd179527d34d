#include "learning/papers/rl_in_chess_paper.hpp"

#include <array>

#include "learning/papers/rl_in_chess_experiment.hpp"

namespace scholar::learning {

namespace {

constexpr std::array kRlInChessExperiments{
    Experiment{.name = "folds",
               .about = "Learns source and target from four fifths of the games, five times",
               .paper = "50 % of sources, 35 % of targets, by (12,10)",
               .size = "(3,2), a million positions a fold",
               .time = "2 hours",
               .run = cross_validate},
    Experiment{.name = "sizes",
               .about = "Learns by networks of five sizes",
               .paper = "figures 3 and 4: (4,14), (6,8), (10,4), (12,10)",
               .size = "a million positions each",
               .time = "6 hours",
               .run = compare_sizes},
    Experiment{.name = "largest",
               .about = "Learns by the paper's network, as long as there",
               .paper = "50 % of sources, 35 % of targets",
               .size = "(12,10), 22 epochs of 400 batches of 512",
               .time = "9 hours",
               .run = learn_largest},
    Experiment{.name = "heads",
               .about = "Learns by the paper's heads and by others, on one trunk",
               .paper = "it has no such figure",
               .size = "(3,2), a million positions each",
               .time = "an hour",
               .run = compare_heads},
    Experiment{.name = "mates",
               .about = "Plays games that were given up out to mate, and learns from these",
               .paper = "5,000 states in 16 hours; better from move 40 on (figure 5)",
               .size = "3,000 games; three arms of 400,000 positions, two matches of 200 games, three places",
               .time = "4 hours, the network that it begins with counted in",
               .run = learn_from_mates},
    Experiment{.name = "retraining",
               .about = "Learns anew after every 50,000 states that lead to mates",
               .paper = "a million states, learning anew after every 50,000; it had 5,000",
               .size = "100,000 states by the default network and the sparse policy, 400,000 positions of "
                       "learning twice, and 800,000 without them; four matches of 200 games, two places",
               .time = "an hour and a half, once the network that it begins with has learnt",
               .run = learn_anew_from_mates},
    Experiment{.name = "visits",
               .about = "Plays with more visits a move against fewer",
               .paper = "named as further work",
               .size = "(3,2) to 3,000 visits, the sparse pair to 100,000; 100 games a step",
               .time = "some hours",
               .run = compare_visits},
    Experiment{
        .name = "curves",
        .about = "Follows games against many opponents move by move, with Stockfish as judge",
        .paper = "figures 5 and 6, plots",
        .size =
            "the policy with and without states from mates, a random mover, the weakest opponent itself; 17 "
            "matches of 50 games at 0.1 s a move",
        .time = "2 hours, once the networks of mates have learnt",
        .run = draw_curves},
    Experiment{.name = "self-play",
               .about = "Learns from nothing by games of its own tree search",
               .paper = "the beginning of AlphaZero, for which it had no computer",
               .size = "20 rounds of 200 games at 48 visits a move, 60,000 positions each; four places",
               .time = "2 hours",
               .run = learn_by_tree},
    Experiment{.name = "strength",
               .about = "Places the policy alone and the tree search on the ladder",
               .paper = "about 1,100, without a search",
               .size = "five places of 200 games, a match against alpha-beta with the same networks",
               .time = "3 hours",
               .run = place_policies},
};

}  // namespace

Paper rl_in_chess_paper() {
    return {.name = "rl-in-chess",
            .title = "Chu, Li and Loh (2020): a residual network of source and target, and a tree search",
            .experiments = kRlInChessExperiments,
            .learns_from_games = true};
}

}  // namespace scholar::learning
