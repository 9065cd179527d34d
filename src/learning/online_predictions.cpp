#include "learning/online_predictions.hpp"

#include "nets/linear_network.hpp"

namespace scholar::learning {

namespace {

// −1 to 1, of a score in Score units: tanh(βJ) of the paper, as Score::expected() is (1 + tanh(βJ)) / 2.
double squashed(chess::Score score) {
    return 2 * score.expected() - 1;
}

}  // namespace

std::vector<OnlinePrediction> predictions(const std::vector<selfplay::Thought>& thoughts,
                                          const std::vector<chess::Move>& moves, chess::Color side,
                                          bool mated) {
    std::vector<OnlinePrediction> game;
    game.reserve(thoughts.size());
    for (const selfplay::Thought& thought : thoughts) {
        const search::SearchResult& result = thought.result;
        OnlinePrediction prediction;
        prediction.value = squashed(result.score);
        if (result.leaf_kind == search::LeafKind::Exact) {
            prediction.slopes = nets::gradient(result.leaf);
            if (result.leaf.side_to_move() != side)
                for (nets::Slope& slope : prediction.slopes) slope.slope = -slope.slope;
        }
        const auto reply = static_cast<std::size_t>(thought.ply) + 1;
        prediction.reply_expected = reply < moves.size() ? moves[reply] == result.ponder : mated;
        game.push_back(std::move(prediction));
    }
    return game;
}

}  // namespace scholar::learning
