#include "learning/linear/online_update.hpp"

#include <algorithm>

#include "learning/targets/td.hpp"

namespace scholar::learning {

namespace {

// What a lesson is to come nearer to, from −1 to 1.
double target(const OnlineLesson& lesson, double lambda_return) {
    if (!lesson.found) return lambda_return;
    return 2 * lesson.found->nearest((1 + lesson.value) / 2) - 1;
}

// β in 1/pawn, and from there back to Score units.
constexpr double kPawnStep = nets::kPawnScore / (2 * chess::Score::kScale) * nets::kPawnScore;

}  // namespace

std::vector<double> online_errors(std::span<const OnlinePrediction> game, const OnlineGameOutcome& outcome,
                                  const OnlineUpdate& how) {
    const bool ignores = how.windfall == Windfall::Ignore ||
                         (how.windfall == Windfall::FromWeakerOnly && outcome.opponent_is_weaker);
    std::vector<double> differences(game.size());
    for (std::size_t t = 0; t < game.size(); ++t) {
        const bool last = t + 1 == game.size();
        const double next = last ? outcome.value : game[t + 1].value;
        double difference = last && !outcome.tells ? 0 : next - game[t].value;
        if (ignores && !game[t].reply_expected) difference = std::min(difference, 0.0);
        differences[t] = difference;
    }
    return discounted_sums(differences, how.lambda);
}

void add_online_update(std::span<const OnlinePrediction> game, const OnlineGameOutcome& outcome,
                       const OnlineUpdate& how, std::span<double> weights) {
    const std::vector<double> errors = online_errors(game, outcome, how);
    for (std::size_t t = 0; t < game.size(); ++t) {
        const double alpha =
            how.alpha / static_cast<double>(std::max<std::size_t>(game[t].lessons.size(), 1));
        for (const OnlineLesson& lesson : game[t].lessons) {
            const double error = target(lesson, game[t].value + errors[t]) - lesson.value;
            const double step = alpha * kPawnStep * (1 - lesson.value * lesson.value) * error;
            for (const nets::Slope& slope : lesson.slopes) weights[slope.weight] += step * slope.slope;
        }
    }
}

}  // namespace scholar::learning
