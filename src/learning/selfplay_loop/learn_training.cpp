#include "learning/selfplay_loop/learn_training.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "learning/run/run_time.hpp"
#include "learning/targets/losses.hpp"

namespace scholar::learning {

namespace {

// Steps between two weights that the average takes in.
constexpr std::uint64_t kAverageEvery = 4;
// The random numbers of each round's new positions.
constexpr std::uint64_t kFreshStream = 0xF2E5'0000'0000;
// New positions whose loss is looked at before they are trained on, and older ones beside them.
constexpr std::size_t kMeasuredLessons = 1'024;

// Of who says the same of all: the mean of what is wanted, where that is no more than bounds their middle.
double loss_of_constant(const Batch& batch) {
    if (batch.highs.empty()) return constant_cross_entropy(batch.targets);
    double mean = 0;
    for (std::size_t i = 0; i < batch.size(); ++i)
        mean +=
            static_cast<double>(batch.targets[i] + batch.highs[i]) / 2 / static_cast<double>(batch.size());
    const double logit = std::log(mean / (1 - mean));
    LossSum sum;
    for (std::size_t i = 0; i < batch.size(); ++i)
        sum.add(logit, static_cast<double>(batch.wanted(i, static_cast<float>(mean))));
    return sum.mean().cross_entropy;
}

// What no loss goes below. Of a position of which only bounds are known it is that of their middle.
double entropy_of_targets(const Batch& batch) {
    double sum = 0;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const float high = batch.highs.empty() ? batch.targets[i] : batch.highs[i];
        const auto target = static_cast<double>(batch.targets[i] + high) / 2;
        if (target > 0 && target < 1) sum += cross_entropy(std::log(target / (1 - target)), target);
    }
    return sum / static_cast<double>(batch.size());
}

// Of the network that plays, not of the weights in training: these follow the last batches and are worse
// everywhere. Before the round's positions are trained on.
void measure_by_heart(const LearnRun& run, RoundSummary& summary) {
    const Model plays(run.playing_weights, false);
    base::Random random(run.seed, kFreshStream + run.done.rounds);
    const auto loss_on = [&](std::size_t count, std::size_t newer) -> std::optional<double> {
        if (count == 0) return std::nullopt;
        Batch batch;
        run.window.draw(random, std::min(count, kMeasuredLessons), count, *plays.architecture().features,
                        batch, newer);
        const std::vector<float> logits = plays.logits(batch);
        LossSum sum;
        for (std::size_t i = 0; i < logits.size(); ++i) {
            const auto logit = static_cast<double>(logits[i]);
            sum.add(logit, static_cast<double>(batch.wanted(i, static_cast<float>(sigmoid(logit)))));
        }
        return sum.mean().cross_entropy;
    };
    const std::size_t fresh = std::min<std::size_t>(summary.lessons, run.window.size());
    summary.fresh_loss = loss_on(fresh, 0);
    summary.seen_loss = loss_on(run.window.size() - fresh, fresh);
}

AdamOptions adam_of(AdamOptions adam, const LearnStage& stage) {
    if (stage.weight_decay < 0) return adam;
    adam.kind = AdamKind::AdamW;
    adam.weight_decay = stage.weight_decay;
    return adam;
}

}  // namespace

base::Status train_round(LearnRun& run, const LearnStage& stage, RoundSummary& summary) {
    const auto start = std::chrono::steady_clock::now();
    // Who begins with a network or goes on without the window that it had learns nothing from a few games
    // alone.
    const std::uint64_t full = std::min<std::uint64_t>(run.done.refill, run.window.capacity());
    if (static_cast<double>(run.window.size()) < run.recipe.fill * static_cast<double>(full)) return {};
    run.done.refill = 0;
    run.done.owed += stage.reuse * static_cast<double>(summary.lessons);
    if (run.window.size() < run.recipe.batch) return {};
    const nets::Architecture& architecture = run.model->architecture();
    // The recipe's are those of its first network.
    const WeightClip clip = within_bounds(run.recipe.clip, architecture);
    const AdamOptions adam = adam_of(run.recipe.adam, stage);
    Batch batch;
    if (run.model->steps() > 0) measure_by_heart(run, summary);
    while (run.done.owed >= static_cast<double>(run.recipe.batch)) {
        run.done.owed -= static_cast<double>(run.recipe.batch);
        run.window.draw(run.draws, run.recipe.batch, run.window.size(), *architecture.features, batch);
        const StepResult step = run.model->train(batch, adam, stage.learning_rate, clip);
        if (!std::isfinite(step.loss))
            return base::fail(
                "round {}: the training loss is not a finite number, expected one: try a smaller "
                "learning_rate",
                run.done.rounds);
        if (run.recipe.averaging > 0 && run.model->steps() % kAverageEvery == 0)
            run.average.add(run.model->network(), kAverageEvery, run.model->steps());
        summary.clipped += step.clipped;
        summary.loss += step.loss;
        summary.constant_loss += loss_of_constant(batch);
        summary.target_entropy += entropy_of_targets(batch);
        ++summary.steps;
        summary.trained += batch.size();
    }
    if (summary.steps > 0) {
        summary.loss /= static_cast<double>(summary.steps);
        summary.constant_loss /= static_cast<double>(summary.steps);
        summary.target_entropy /= static_cast<double>(summary.steps);
    }
    summary.training = seconds_since(start);
    return {};
}

}  // namespace scholar::learning
