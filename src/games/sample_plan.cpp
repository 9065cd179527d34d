#include "games/sample_plan.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "games/sample_text.hpp"

namespace scholar::games {

namespace {

Cost cost_of(const SampleStage& stage) {
    return std::visit(
        []<class S>(const S&) {
            if constexpr (PositionStage<S>) return S::kCost;
            return Cost::Ply;
        },
        stage);
}

}  // namespace

std::expected<SamplePlan, SamplePlan::Problem> SamplePlan::make(std::span<const SampleStage> stages) {
    SamplePlan plan;
    const SampleStage* random_move = nullptr;
    std::string problem;
    const auto add = [&]<class S>(const SampleStage& stage, const S& each) {
        const bool late = plan.per_game_ > 0 || !plan.late_.empty();
        plan.uses_move_ |= kUsesMove<S>;
        if constexpr (kUsesMove<S>)
            if (random_move != nullptr)
                problem =
                    fmt::format("stage '{}' stands behind '{}', where {}: put it before", to_string(stage),
                                to_string(*random_move),
                                std::is_same_v<S, stages::Discount> ? "the game no longer goes on to its end"
                                : RevisionStage<S>                  ? "no evaluation is left"
                                                                    : "no move was played");
        if constexpr (std::is_same_v<S, stages::Rating> || std::is_same_v<S, stages::MeanRating> ||
                      std::is_same_v<S, stages::MoverRating>)
            plan.needs_ratings_ = true;
        if constexpr (std::is_same_v<S, stages::Mover>)
            plan.needs_ratings_ |=
                each.is == stages::Mover::Kind::HigherRated || each.is == stages::Mover::Kind::LowerRated;
        if constexpr (std::is_same_v<S, stages::RandomMove>) random_move = &stage;

        if constexpr (std::is_same_v<S, stages::PerGame>) {
            if (late)
                problem = fmt::format(
                    "stage '{}' stands behind {}, expected it before transformations, and once",
                    to_string(stage),
                    plan.per_game_ > 0 ? "another 'per_game'" : "'" + to_string(plan.late_[0]) + "'");
            plan.per_game_ = each.k;
        } else if constexpr (GameStage<S>) {
            plan.game_filters_.push_back(stage);
        } else if constexpr (RevisionStage<S>) {
            plan.revisions_.push_back(stage);
        } else if (TransformStage<S> || late) {
            plan.late_.push_back(stage);
        } else if constexpr (std::is_same_v<S, stages::Ply>) {
            plan.first_ply_ = std::max(plan.first_ply_, each.min);
            plan.last_ply_ = std::min(plan.last_ply_, each.max);
        } else if constexpr (ThinningStage<S>) {
            plan.shares_.resize(kMaxPly + 1, 1);
            for (int ply = 0; ply <= kMaxPly; ++ply) plan.shares_[ply] *= each.share(ply);
        } else if constexpr (PositionStage<S>) {
            (S::kCost == Cost::Ply ? plan.ply_filters_ : plan.filters_).push_back(stage);
        }
    };
    for (std::size_t i = 0; i < stages.size(); ++i) {
        std::visit([&](const auto& each) { add(stages[i], each); }, stages[i]);
        if (problem.empty() && plan.first_ply_ > plan.last_ply_)
            problem =
                fmt::format("the stages 'ply' leave nothing: from {} to {}", plan.first_ply_, plan.last_ply_);
        if (!problem.empty()) return std::unexpected(Problem{i, problem});
    }
    std::ranges::stable_sort(plan.filters_, {}, cost_of);
    return plan;
}

bool SamplePlan::accepts(const GameFacts& game) const {
    return std::ranges::all_of(game_filters_, [&game](const SampleStage& filter) {
        return std::visit(
            [&game]<class S>(const S& each) {
                if constexpr (GameStage<S>) return each.accepts(game);
                return true;
            },
            filter);
    });
}

bool SamplePlan::accepts(const SampleStage& filter, const Candidate& candidate) {
    return std::visit(
        [&candidate]<class S>(const S& each) {
            if constexpr (PositionStage<S>) return each.accepts(candidate);
            return true;
        },
        filter);
}

void SamplePlan::choose_plies(const GameFacts& game, base::Random& random, std::vector<int>& plies) const {
    plies.clear();
    static const chess::Position kNone;  // a filter of Cost::Ply does not look at it
    const int end = std::min(std::max(game.plies, 1), last_ply_ + 1);
    for (int ply = first_ply_; ply < end; ++ply) {
        if (!ply_filters_.empty()) {
            const Candidate candidate{kNone, chess::Move::none(), ply, game};
            if (!std::ranges::all_of(ply_filters_, [&candidate](const SampleStage& filter) {
                    return accepts(filter, candidate);
                }))
                continue;
        }
        if (!shares_.empty() && shares_[ply] < 1 && random.unit() >= shares_[ply]) continue;
        plies.push_back(ply);
    }
}

void SamplePlan::revise(std::span<std::optional<Evaluation>> evaluations, const GameFacts& game) const {
    for (const SampleStage& stage : revisions_)
        std::visit(
            [&]<class S>(const S& each) {
                if constexpr (RevisionStage<S>) each.revise(evaluations, game);
            },
            stage);
}

bool SamplePlan::finish(Sample& sample, const GameFacts& game, base::Random& random) const {
    return std::ranges::all_of(late_, [&](const SampleStage& stage) {
        return std::visit(
            [&]<class S>(const S& each) {
                if constexpr (TransformStage<S>) return each.apply(sample, game, random);
                if constexpr (PositionStage<S>)
                    return each.accepts(Candidate{sample.position, sample.move, sample.ply, game});
                if constexpr (ThinningStage<S>) return random.unit() < each.share(sample.ply);
                return true;
            },
            stage);
    });
}

}  // namespace scholar::games
