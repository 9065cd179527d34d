#include "learning/linear/online_predictions.hpp"

#include <algorithm>
#include <cmath>

namespace scholar::learning {

namespace {

// −1 to 1, of a score in Score units: tanh(βJ) of the paper, as Score::expected() is (1 + tanh(βJ)) / 2.
double squashed(chess::Score score) {
    return 2 * score.expected() - 1;
}

// The same before it is rounded.
double squashed(double value) {
    return std::tanh(value / (2 * chess::Score::kScale));
}

OnlineLesson lesson(double value, const chess::Position& position, chess::Color side) {
    OnlineLesson lesson{.value = value, .slopes = nets::gradient(position)};
    if (position.side_to_move() != side)
        for (nets::Slope& slope : lesson.slopes) slope.slope = -slope.slope;
    return lesson;
}

bool is_quiet(const chess::Position& position, chess::Move next) {
    return !position.in_check() && !position.is_noisy(next);
}

// Of a search whose score is exactly the static value of its leaf.
std::vector<OnlineLesson> lessons_of(const search::SearchResult& result, const chess::Position& root,
                                     chess::Color side, OnlineWhere where,
                                     const nets::FloatLinearNetwork& network) {
    std::vector<OnlineLesson> lessons;
    if (where != OnlineWhere::Leaf) {
        chess::Position position = root;
        for (const chess::Move move : result.principal_variation) {
            if (is_quiet(position, move)) {
                const double value = network.value(position);
                lessons.push_back(
                    lesson(squashed(position.side_to_move() == side ? value : -value), position, side));
            }
            if (where == OnlineWhere::Root) break;
            position.make(move);
        }
    }
    if (where != OnlineWhere::Root) lessons.push_back(lesson(squashed(*result.score), result.leaf, side));
    return lessons;
}

// Of the nodes inside a search, those that it teaches something.
std::vector<OnlineLesson> lessons_inside(std::span<const selfplay::TreeStrapNode> nodes, chess::Color side,
                                         const nets::FloatLinearNetwork& network) {
    std::vector<OnlineLesson> lessons;
    for (const selfplay::TreeStrapNode& node : nodes) {
        const bool own = node.position.side_to_move() == side;
        const double value = network.value(node.position);
        const double said = squashed(own ? value : -value);
        const selfplay::Interval found = own ? node.expected : node.expected.turned();
        if (const double expected = (1 + said) / 2; found.nearest(expected) == expected) continue;
        lessons.push_back(lesson(said, node.position, side));
        lessons.back().found = found;
    }
    return lessons;
}

}  // namespace

std::vector<OnlinePrediction> predictions(std::span<const selfplay::Thought> thoughts, const OnlineGame& game,
                                          chess::Color side, OnlineWhere where,
                                          const nets::FloatLinearNetwork& network) {
    std::vector<OnlinePrediction> said;
    said.reserve(thoughts.size());
    chess::Position position = game.start;
    std::size_t played = 0;
    for (const selfplay::Thought& thought : thoughts) {
        const auto ply = static_cast<std::size_t>(thought.ply);
        for (; played < std::min(ply, game.moves.size()); ++played) position.make(game.moves[played]);
        OnlinePrediction prediction;
        prediction.value = squashed(*thought.result.score);
        if (where == OnlineWhere::Tree)
            prediction.lessons = lessons_inside(thought.nodes, side, network);
        else if (thought.result.leaf_kind == search::LeafKind::Exact)
            prediction.lessons = lessons_of(thought.result, position, side, where, network);
        const std::size_t reply = ply + 1;
        prediction.reply_expected =
            reply < game.moves.size() ? game.moves[reply] == thought.result.ponder : game.mated;
        said.push_back(std::move(prediction));
    }
    return said;
}

}  // namespace scholar::learning
