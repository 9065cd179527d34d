#include "learning/papers/convchess_paper.hpp"

#include <array>

#include "learning/papers/convchess_experiment.hpp"

namespace scholar::learning {

namespace {

constexpr std::array kConvChessExperiments{
    Experiment{.name = "squares",
               .about = "Learns which man moves and where each kind goes, and what of that is legal",
               .paper = "the man 56.0 % at first, pawns 94.8, rooks 58.0, … (tables 3.1 to 3.3)",
               .size =
                   "seven networks of a laptop's size, 10 million positions, six of them with the piece's "
                   "layer too; 50,000 held out",
               .time = "2 hours",
               .run = learn_squares},
    Experiment{.name = "piece",
               .about = "Learns for an hour which man moves, at the paper's size",
               .paper = "56.0 % at first (table 3.1)",
               .size = "64, 96 and 256 filters, 1,024 units, 2.4 million positions; 50,000 held out",
               .time = "an hour",
               .run = learn_piece},
    Experiment{.name = "modern",
               .about = "Learns with one residual trunk which man moves and to which square",
               .paper = "the man 56.0 % at first, pawns 94.8, rooks 58.0, … (table 3.1)",
               .size = "64 filters, 6 blocks, 8 million positions; 50,000 held out",
               .time = "some hours",
               .run = learn_modern},
    Experiment{.name = "moves",
               .about = "Foretells whole moves with these networks, by k and by the move's number",
               .paper = "33.6 % at first, 87.6 in 10 (its program); figures 3.3 and 3.4 are plots",
               .size = "the networks of squares and of modern, 20,000 held-out positions",
               .time = "a minute, once these have learnt",
               .run = foretell_moves},
    Experiment{.name = "cases",
               .about = "Looks at what these networks make of single positions",
               .paper = "the start, a mate, a check, en passant, castling, a middle game (section 3.4)",
               .size = "the networks of squares; other positions than the paper's, from test games",
               .time = "a minute",
               .run = look_at_cases},
    Experiment{.name = "values",
               .about = "Learns what positions are worth from results that fade by γ",
               .paper = "0.8194 correlated with material at γ = 0.7 (section 3.5)",
               .size = "five networks, 9 million positions in all; 100,000 held out",
               .time = "40 minutes",
               .run = learn_values},
    Experiment{.name = "layers",
               .about = "Learns PIECE and ROOK from boards with more or less on them",
               .paper = "the layers of section 2.2.3, without figures",
               .size = "six runs of a million positions",
               .time = "20 minutes",
               .run = compare_layers},
    Experiment{
        .name = "opponents",
        .about = "Plays an MTD(f) that counts pieces with 10 to 1,000 nodes a move, drawn anew for each",
        .paper = "7 of 73 games won and 20 drawn without a search (table 3.7)",
        .size = "the networks of squares, values and modern; thirteen matches of 200 games, 50 or 10 with a "
                "search; five places",
        .time = "an hour, once these have learnt",
        .run = play_opponents},
    Experiment{.name = "ratings",
               .about = "Asks the modern network for the moves of weaker and stronger players",
               .paper = "a layer of ratings, without figures (section 2.2.3)",
               .size = "the network of modern; 2,000 held-out positions for each 200 points; 200 games; two "
                       "small networks, one without the layer",
               .time = "an hour",
               .run = ask_ratings},
    Experiment{.name = "further",
               .about = "Teaches the policy the moves that likely-move negamax with the value chooses",
               .paper = "named as further work (section 4.3.1)",
               .size = "those of squares and values, 1,500 games of the search, 200,000 positions, 200 games",
               .time = "20 minutes",
               .run = learn_from_search},
};

}  // namespace

Paper convchess_paper() {
    return {.name = "convchess",
            .title = "Singh (2015): networks that say which man moves and to which square",
            .experiments = kConvChessExperiments,
            .learns_from_games = true,
            .asks_other_policies = true};
}

}  // namespace scholar::learning
