#include "learning/targets/lessons.hpp"

#include <cmath>

#include "learning/targets/td.hpp"

namespace scholar::learning {

namespace {

double for_side(double white, chess::Color side) {
    return side == chess::White ? white : 1 - white;
}

// Bounds of a search know nothing of the game's end.
std::vector<Lesson> lessons_inside(const selfplay::Record& record, double result) {
    std::vector<Lesson> lessons;
    lessons.reserve(record.nodes.size());
    for (const auto& [position, expected, effort] : record.nodes)
        lessons.push_back({position, static_cast<float>(expected.low),
                           static_cast<float>(for_side(result, position.side_to_move())),
                           static_cast<float>(expected.high - expected.low)});
    return lessons;
}

}  // namespace

std::vector<Lesson> lessons_of(const selfplay::Record& record, const LessonPlan& plan) {
    const auto result = games::points(record.game.result, chess::White);
    if (!result) return {};
    if (plan.where == LessonPlan::Where::Tree) return lessons_inside(record, *result);
    const auto teaches = [&plan](const selfplay::Judgement& judgement) {
        return !judgement.quick && (!plan.only_exact || judgement.bound == search::Bound::Exact);
    };
    struct Searched {
        chess::Position position;
        const selfplay::Judgement* judgement;
        chess::Move move;
    };
    std::vector<Searched> searched;
    std::vector<double> values;  // White's expected result
    std::vector<char> cut;
    chess::Position position = record.game.start;
    for (std::size_t ply = 0; ply < record.game.moves.size(); ++ply) {
        const selfplay::Judgement& judgement = record.judgements[ply];
        if (judgement.searched && teaches(judgement)) {
            searched.push_back({position, &judgement, record.game.moves[ply]});
            values.push_back(for_side(judgement.score.expected(), position.side_to_move()));
            cut.push_back(0);
        } else if (!judgement.searched && !cut.empty()) {
            cut.back() = 1;
        }
        position.make(record.game.moves[ply]);
    }
    // Where the game was cut off at its last move nobody knows its end, and the last search says what to
    // expect: a beginner who has a queen more and cannot mate with it has not drawn.
    const bool cut_off = record.game.ending == games::Ending::Adjudication && !values.empty();
    const double outcome = cut_off ? values.back() : *result;
    const std::vector<double> returns = lambda_returns(values, outcome, plan.lambda, cut);
    std::size_t own_end = 0;  // from here on the result is the play's own
    for (std::size_t t = 0; t < cut.size(); ++t)
        if (cut[t]) own_end = t + 1;

    std::vector<Lesson> lessons;
    for (std::size_t t = 0; t < searched.size(); ++t) {
        chess::Position at = searched[t].position;
        if (plan.where == LessonPlan::Where::Leaf) {
            if (searched[t].judgement->leaf != search::LeafKind::Exact) continue;
            for (const chess::Move move : searched[t].judgement->variation) at.make(move);
        } else if (at.in_check() || at.is_noisy(searched[t].move) || searched[t].judgement->score.is_mate()) {
            continue;
        }
        const double weight = t >= own_end ? plan.result_weight : 0;
        const double found = std::lerp(returns[t], values[t], plan.own_weight);
        const double white = weight * outcome + (1 - weight) * found;
        lessons.push_back({at, static_cast<float>(for_side(white, at.side_to_move())),
                           static_cast<float>(for_side(outcome, at.side_to_move()))});
    }
    return lessons;
}

}  // namespace scholar::learning
