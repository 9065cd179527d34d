#include "learning/selfplay_loop/learn_ratings.hpp"

#include <memory>
#include <nlohmann/json.hpp>

#include "learning/selfplay_loop/run_history.hpp"
#include "selfplay/duel.hpp"

namespace scholar::learning {

base::Status rate_course(LearnRun& run, const LearnStage& stage) {
    if (run.recipe.rating_pairs == 0 || !run.course.is_due(run.done.lessons)) return {};
    selfplay::DuelPlan plan;
    plan.nodes = stage.play.nodes;
    plan.pairs = run.recipe.rating_pairs;
    plan.seed = run.seed;
    plan.threads = run.threads();
    run.done.core_seconds = run.cores();
    const std::size_t before = run.course.entries().size();
    if (auto s = run.course.add(std::make_shared<const nets::Network>(run.playing), run.done, plan,
                                run.shell.stop());
        !s)
        return s;
    // It was told to stop before all games were played.
    if (run.course.entries().size() == before) return {};
    note_ratings(run);
    if (run.status.ratings.empty()) return {};
    const LearnRating& rating = run.status.ratings.back();
    return run.shell.metrics().record({{"kind", "rating"},
                                       {"step", run.done.rounds},
                                       {"games", run.done.games},
                                       {"lessons", run.done.lessons},
                                       {"core_seconds", run.cores()},
                                       {"elo", rating.elo},
                                       {"error", rating.error},
                                       {"course", course_record(run.status.ratings)}});
}

void note_ratings(LearnRun& run) {
    run.status.ratings.clear();
    const auto ratings = run.course.ratings();
    for (std::size_t i = 0; i < ratings.size(); ++i)
        if (ratings[i])
            run.status.ratings.push_back(
                {run.course.entries()[i].lessons, run.course.entries()[i].core_seconds, ratings[i]->elo,
                 ratings[i]->error, run.course.entries()[i].games, run.course.entries()[i].name});
}

}  // namespace scholar::learning
