// After the run that the paper plans and could not afford: learning anew after every 50,000 states of a tree
// search, here those of games that lead to mates. There the learner itself plays them; here who mates at all,
// the default network and the sparse policy, and all beforehand. A tenth of the paper's million; a fifth of
// the games is held out, as of all that is learnt from.

#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "engine/strength.hpp"
#include "learning/papers/rl_in_chess_unfinished.hpp"

namespace scholar::learning {

namespace {

constexpr std::uint64_t kRunGames = 3'000;
constexpr std::uint64_t kStatesAStep = 50'000;
constexpr int kSteps = 2;
constexpr std::uint64_t kStepPositions = 400'000;

// The first games that have so many states together; all of them if they have fewer.
std::vector<games::Game> first_games(const std::vector<games::Game>& games, std::uint64_t states) {
    std::vector<games::Game> first;
    std::uint64_t taken = 0;
    for (const games::Game& game : games) {
        if (taken >= states) break;
        taken += game.moves.size();
        first.push_back(game);
    }
    return first;
}

// The policy as it learns on, always against the same weak player: what it lacks is that it does not mate.
class RetrainedPolicy {
  public:
    RetrainedPolicy(RlInChessExperiment& experiment, Trained policy)
        : experiment_(experiment), policy_(std::move(policy)) {}

    const Trained& policy() const { return policy_; }

    base::Status learn(const std::string& name, const std::vector<std::string>& stores,
                       std::uint64_t positions) {
        auto taught = experiment_.taught_on(policy_, name, stores, positions);
        if (!taught) return std::unexpected(taught.error());
        policy_ = std::move(*taught);
        return {};
    }

    // A line of the table.
    base::Status play(const std::string& name, std::uint64_t states) {
        const auto duel =
            experiment_.work().match(policy_player(name, policy_), own_level(engine::weakest_elo()),
                                     {arena::TimeControl::Nodes{engine::kFinishingNodes}});
        if (!duel) return std::unexpected(duel.error());
        experiment_.findings.tables.back().rows.push_back(
            {name, base::grouped(static_cast<std::int64_t>(states)), describe(*duel)});
        return experiment_.take();
    }

  private:
    RlInChessExperiment& experiment_;
    Trained policy_;
};

}  // namespace

base::Status learn_anew_from_mates(Reproduction& work, const TakeFindings& take) {
    auto experiment = RlInChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    auto trained = experiment->policy();
    if (!trained) return std::unexpected(trained.error());
    const auto unfinished = unfinished_games(*experiment, work.sized(kRunGames, 60));
    if (!unfinished) return std::unexpected(unfinished.error());
    const auto played = work.games(played_out_by_sparse("run", unfinished->openings));
    if (!played) return std::unexpected(played.error());
    const auto mates = mated_games(*played);
    if (!mates) return std::unexpected(mates.error());
    Findings& findings = experiment->findings;
    if (mates->empty()) {
        findings.remarks.emplace_back("No game that was played out ended in mate: nothing to learn from.");
        return experiment->take();
    }
    findings.remarks.push_back(fmt::format(
        "{} of {} games that were played out by the tree search with the default network and the sparse "
        "policy, {} visits a move, ended in mate. Each time the network goes on from where it was, for {} "
        "positions: half of them of such games, half of the games that they were found among; the last one, "
        "as long as both together, of twice as many of these alone. A fifth of the games is held out.",
        base::grouped(static_cast<std::int64_t>(mates->size())),
        base::grouped(static_cast<std::int64_t>(unfinished->openings.size())), kMatingVisits,
        base::grouped(static_cast<std::int64_t>(work.length(kStepPositions)))));
    findings.tables.push_back({fmt::format("The policy against Scholar's level {}", engine::weakest_elo()),
                               {{"learnt on", "states that lead to mates", "games"}}});

    const auto write = [&](const std::string& what, const std::vector<games::Game>& games,
                           std::vector<std::string>& stores) -> base::Status {
        const auto path = std::filesystem::path(*played).replace_extension(what + ".games");
        stores.push_back(path.string());
        return write_store(path, games);
    };
    RetrainedPolicy student(*experiment, *trained);
    if (auto status = student.play("as it was", 0); !status) return status;
    std::uint64_t states = 0;
    for (int step = 1; step <= kSteps; ++step) {
        const auto wanted = work.sized(kStatesAStep, 1'400) * static_cast<std::uint64_t>(step);
        const auto leading = first_games(*mates, wanted);
        states = states_of(leading);
        std::vector<std::string> stores;
        const std::string name = fmt::format("retrained-{}", step);
        if (auto status = write(name + ".mates", leading, stores); !status) return status;
        if (auto status = write(name + ".others", first_games(unfinished->games, states), stores); !status)
            return status;
        if (auto status = student.learn(name, stores, kStepPositions); !status) return status;
        if (auto status = student.play(step == 1 ? "with mates, once" : "with mates, twice", states); !status)
            return status;
    }
    // As long, from the other games alone.
    RetrainedPolicy control(*experiment, std::move(*trained));
    std::vector<std::string> stores;
    if (auto status = write("retrained-without.others", first_games(unfinished->games, 2 * states), stores);
        !status)
        return status;
    if (auto status = control.learn("retrained-without", stores, kSteps * kStepPositions); !status)
        return status;
    if (auto status = control.play("other games alone", 0); !status) return status;
    const arena::TimeControl once{arena::TimeControl::Nodes{1}};
    if (auto status = experiment->place(policy_player("with mates, twice", student.policy()), once,
                                        "about 1,100, with mates");
        !status)
        return status;
    return experiment->place(policy_player("other games alone", control.policy()), once, "–");
}

}  // namespace scholar::learning
