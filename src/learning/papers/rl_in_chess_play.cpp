// Games: by the policy alone, and with k visits a move, which the paper names as its further work.

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "learning/papers/rl_in_chess_experiment.hpp"

namespace scholar::learning {

namespace {

constexpr int kStepGames = 100;

Contender by_tree(std::string name, const Trained& trained) {
    return {
        std::move(name), trained.network(), {{"Search", "mcts"}, {"PolicyFile", trained.network().string()}}};
}

// The default network and the sparse policy, with memory for 100,000 visits, of some 225 to 280 bytes each,
// and more.
Contender by_sparse_tree(std::string name) {
    return {std::move(name), {}, {{"Search", "mcts"}, {"Hash", "64"}}};
}

arena::TimeControl visits(std::uint64_t count) {
    return {arena::TimeControl::Nodes{count}};
}

// How much each step is worth against the one below it.
template <class MakePlayer>
base::Status climb(RlInChessExperiment& experiment, const std::vector<std::uint64_t>& steps,
                   const MakePlayer& player) {
    const int games = std::min(kStepGames, experiment.work().options().match_games);
    for (std::size_t i = 1; i < steps.size(); ++i) {
        const Contender above = player(steps[i]);
        const Contender below = player(steps[i - 1]);
        const auto duel =
            experiment.work().match(above, below, {visits(steps[i]), visits(steps[i - 1])}, games);
        if (!duel) return std::unexpected(duel.error());
        experiment.findings.figures.push_back({above.name + " against " + below.name,
                                               fmt::format("{} and {} visits a move", steps[i], steps[i - 1]),
                                               "–", describe(*duel)});
        if (auto status = experiment.take(); !status) return status;
    }
    return {};
}

}  // namespace

base::Status compare_visits(Reproduction& work, const TakeFindings& take) {
    auto experiment = RlInChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    const auto trained = experiment->policy();
    if (!trained) return std::unexpected(trained.error());
    const bool quick = work.options().quick;
    const std::vector<std::uint64_t> conv =
        quick ? std::vector<std::uint64_t>{1, 4} : std::vector<std::uint64_t>{1, 100, 300, 1'000, 3'000};
    if (auto status = climb(*experiment, conv,
                            [&trained](std::uint64_t count) {
                                return count == 1 ? policy_player("the policy alone", *trained)
                                                  : by_tree(fmt::format("(3,2) with {}", count), *trained);
                            });
        !status)
        return status;
    const std::vector<std::uint64_t> sparse =
        quick ? std::vector<std::uint64_t>{10, 20}
              : std::vector<std::uint64_t>{100, 300, 1'000, 3'000, 10'000, 30'000, 100'000};
    return climb(*experiment, sparse, [](std::uint64_t count) {
        return by_sparse_tree(fmt::format("the sparse pair with {}", count));
    });
}

base::Status place_policies(Reproduction& work, const TakeFindings& take) {
    auto experiment = RlInChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    const auto trained = experiment->policy();
    if (!trained) return std::unexpected(trained.error());
    arena::TimeControl::Clock clock;
    clock.base = std::chrono::milliseconds(work.sized(1'000, 100));
    clock.increment = std::chrono::milliseconds(work.sized(10, 1));
    const arena::TimeControl second_and_a_bit{clock};
    if (auto status = experiment->play(by_sparse_tree("the sparse pair, tree search"),
                                       {"the default player", {}, {}}, second_and_a_bit, "–");
        !status)
        return status;
    if (auto status =
            experiment->place(policy_player("the policy alone", *trained), visits(1), "about 1,100");
        !status)
        return status;
    if (auto status =
            experiment->place({"man first, then his move",
                               {},
                               {{"Search", "top-move"}, {"PolicyFile", trained->network().string()}}},
                              visits(1), "about 1,100");
        !status)
        return status;
    for (const std::uint64_t count : {100, 800})
        if (auto status = experiment->place(by_tree(fmt::format("(3,2) with {} visits", count), *trained),
                                            visits(work.sized(count, 2)), "further work");
            !status)
            return status;
    return experiment->place(by_sparse_tree("the sparse pair, tree search"), second_and_a_bit, "–");
}

}  // namespace scholar::learning
