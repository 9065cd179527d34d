#include "learning/selfplay_loop/learn_promotion.hpp"

#include <memory>

#include "learning/perspective/growth.hpp"
#include "learning/perspective/piece_values.hpp"
#include "nets/perspective/network_file.hpp"
#include "nets/perspective/quantise.hpp"
#include "selfplay/duel.hpp"

namespace scholar::learning {

nets::FloatNetwork newest_weights(const LearnRun& run) {
    nets::FloatNetwork network =
        run.recipe.averaging > 0 && !run.average.empty() ? run.average.network() : run.model->network();
    network.info.history = {{"recipe", run.recipe.name},
                            {"seed", fmt::format("{}", run.seed)},
                            {"games", fmt::format("{}", run.done.games)},
                            {"lessons", fmt::format("{}", run.done.lessons)},
                            {kCourseHistory, fmt::format("{}", run.done.head_start + run.done.lessons)},
                            {"core_seconds", fmt::format("{:.0f}", run.cores())}};
    network.info.piece_values = run.recent.empty()
                                    ? run.piece_values
                                    : measure_piece_values(Model(network, false), run.recent, run.seed);
    return network;
}

base::Status install(LearnRun& run, nets::FloatNetwork network) {
    auto quantised = nets::quantise(network);
    if (!quantised) return std::unexpected(quantised.error());
    run.piece_values = network.info.piece_values;
    run.playing_weights = std::move(network);
    run.playing = std::move(quantised->network);
    return nets::save_network(run.folder.network(), run.playing);
}

base::Status promote(LearnRun& run, const LearnStage& stage, RoundSummary& summary) {
    nets::FloatNetwork newest = newest_weights(run);
    if (run.recipe.promotion.pairs == 0) return install(run, std::move(newest));
    summary.promoted = false;
    // It would win or lose as before.
    if (run.model->steps() == run.done.matched_steps) return {};
    if (run.done.rounds % run.recipe.promotion.every != 0) return {};
    run.done.matched_steps = run.model->steps();
    auto quantised = nets::quantise(newest);
    if (!quantised) return std::unexpected(quantised.error());
    selfplay::DuelPlan plan;
    plan.nodes = stage.play.nodes;
    plan.pairs = run.recipe.promotion.pairs;
    plan.seed = run.seed * 1'000'003 + run.done.rounds;
    plan.threads = run.threads();
    // To its end even when told to stop: what comes after must not depend on when that was.
    const selfplay::DuelResult result =
        selfplay::duel(std::make_shared<const nets::Network>(std::move(quantised->network)),
                       std::make_shared<const nets::Network>(run.playing), plan, {});
    summary.match_score = result.score();
    summary.promoted = result.score() >= run.recipe.promotion.score;
    return summary.promoted ? install(run, std::move(newest)) : base::Status{};
}

base::Status grow(LearnRun& run, const LearnStage& stage) {
    bool grew = false;
    const auto replace = [&](const auto& grown) {
        grew = true;
        run.model.emplace(grown(run.model->state()), run.options.device);
        if (!run.average.empty()) run.average.restore(grown(run.average.network()));
        run.playing_weights = grown(run.playing_weights);
    };
    const nets::Architecture before = run.model->architecture();
    const nets::Architecture& to = stage.network;
    if (to.features != before.features && coarser_features(*before.features, *to.features))
        replace([&](const auto& network) { return refined(network, *to.features); });
    // Not the seed of the first units, which the new ones would else repeat.
    const std::uint64_t seed = run.seed + static_cast<std::uint64_t>(to.width);
    if (to.width > before.width)
        replace([&](const auto& network) { return widened(network, to.width, seed); });
    if (to.output_buckets > before.output_buckets)
        replace([&](const auto& network) { return bucketed(network, to.output_buckets); });
    if (before.hidden.empty() && !to.hidden.empty())
        replace([&](const auto& network) { return deepened(network, to.hidden, seed); });
    // What plays now is what a run would play that went on from here.
    return grew ? install(run, run.playing_weights) : base::Status{};
}

}  // namespace scholar::learning
