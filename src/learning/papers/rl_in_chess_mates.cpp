// Games that were given up, played out to mate, and what is learnt from these (algorithm 2, and the section
// on performance).

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "base/files.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "games/ending.hpp"
#include "learning/papers/rl_in_chess_unfinished.hpp"

namespace scholar::learning {

namespace {

constexpr std::uint64_t kUnfinishedGames = 3'000;
constexpr std::uint64_t kQuickMatingVisits = 2;  // with rollouts
constexpr const char* kPaperRate = "312 states an hour (5,000 in 16 hours, 30 games)";
// Long enough for some games of the slower way; each begins with a move of some seconds.
constexpr std::chrono::seconds kRolloutTime{900};
constexpr std::chrono::seconds kValueTime{120};
// Of the games that are looked at a quarter of the positions: more than once through.
constexpr std::uint64_t kTaughtPositions = 400'000;

// The paper's search: its PUCB, and values that are its rollouts or the network's own.
PaperStore played_out(const std::string& name, const Trained& trained, bool by_rollouts, std::uint64_t visits,
                      std::vector<games::Opening> openings) {
    const std::string network = trained.network().string();
    PaperStore store;
    store.name = name;
    store.games = openings.size();
    store.nodes = visits;
    store.options = {{"Search", "mcts"},
                     {"EvalFile", by_rollouts ? fmt::format("<rollouts:{}>", network) : network},
                     {"PolicyFile", network},
                     {"CPuctFactor", "0"},
                     {"FpuParent", "0"},
                     {"FpuReduction", "0"},
                     {"PolicyTemperature", "1"}};
    store.openings = std::move(openings);
    return store;
}

struct MatingRate {
    std::uint64_t games = 0;
    std::uint64_t mated = 0;
    std::uint64_t states = 0;  // of the games that ended in mate
    std::uint64_t played = 0;  // of all games
    double seconds = 0;

    double an_hour(std::uint64_t count) const {
        return seconds > 0 ? 3'600 * static_cast<double>(count) / seconds : 0;
    }
};

// By playing for some time, one game at a time.
base::Result<MatingRate> time_mating(const PaperStore& store, std::chrono::seconds most,
                                     const std::stop_token& stop) {
    const auto plan = paper_plan(store);
    if (!plan) return std::unexpected(plan.error());
    auto engine = paper_engine(store);
    if (!engine) return std::unexpected(engine.error());
    selfplay::SystemPlayer player(*plan, std::move(*engine));
    MatingRate rate;
    const auto begin = std::chrono::steady_clock::now();
    const auto passed = [&begin] { return std::chrono::steady_clock::now() - begin; };
    while (rate.games < store.games && passed() < most) {
        const auto game = player.play(rate.games, stop);
        if (!game) return std::unexpected(game.error());
        if (!*game) return stopped_to_go_on();
        ++rate.games;
        rate.played += (*game)->moves.size();
        if ((*game)->ending != games::Ending::Checkmate) continue;
        ++rate.mated;
        rate.states += (*game)->moves.size();
    }
    rate.seconds = std::chrono::duration<double>(passed()).count();
    return rate;
}

// What was timed is not timed again: another time is another figure.
base::Result<MatingRate> rate_of(const Reproduction& work, const PaperStore& store,
                                 std::chrono::seconds most) {
    const auto word = paper_word(store);
    if (!word) return std::unexpected(word.error());
    const auto file = work.path(fmt::format("{}-rate-{}.json", store.name, *word));
    std::error_code error;
    if (std::filesystem::exists(file, error)) {
        const auto text = base::read_text(file);
        if (!text) return std::unexpected(text.error());
        const auto json = nlohmann::json::parse(*text, nullptr, false);
        if (!json.is_array() || json.size() != 5 ||
            !std::ranges::all_of(json, [](const auto& part) { return part.is_number(); }))
            return base::fail(
                "{}: expected [games, mated, states, of all games, seconds]; without the file it is timed "
                "again",
                file.string());
        return MatingRate{json[0].get<std::uint64_t>(), json[1].get<std::uint64_t>(),
                          json[2].get<std::uint64_t>(), json[3].get<std::uint64_t>(), json[4].get<double>()};
    }
    const std::chrono::seconds whole = work.options().quick ? std::chrono::seconds{5} : most;
    const auto share = work.length(static_cast<std::uint64_t>(whole.count()));
    auto rate = time_mating(store, std::chrono::seconds{share}, work.stop());
    if (!rate) return rate;
    const nlohmann::json json{rate->games, rate->mated, rate->states, rate->played, rate->seconds};
    if (auto status = base::write_atomically(file, base::json_text(json) + "\n"); !status)
        return std::unexpected(status.error());
    return rate;
}

void add_rate(Findings& findings, const char* how, const MatingRate& rate) {
    const auto number = [](double count) { return base::grouped(static_cast<std::int64_t>(count)); };
    findings.tables.back().rows.push_back(
        {how, number(static_cast<double>(rate.games)), number(static_cast<double>(rate.mated)),
         number(static_cast<double>(rate.states)), fmt::format("{:.0f}", rate.seconds),
         number(rate.an_hour(rate.states)), number(rate.an_hour(rate.played))});
}

// Where the policy's games begin, and how they are played out by its own value.
base::Result<UnfinishedGames> unfinished_of(const RlInChessExperiment& experiment, const Trained& trained,
                                            PaperStore& by_value) {
    const Reproduction& work = experiment.work();
    // Arms that learn less need fewer of them (--length).
    auto unfinished = unfinished_games(experiment, work.length(work.sized(kUnfinishedGames, 3)));
    if (unfinished) by_value = played_out("mates", trained, false, kMatingVisits, unfinished->openings);
    return unfinished;
}

}  // namespace

base::Result<std::optional<MateArms>> taught_by_mates(const RlInChessExperiment& experiment) {
    const Reproduction& work = experiment.work();
    const auto trained = experiment.policy();
    if (!trained) return std::unexpected(trained.error());
    PaperStore by_value;
    const auto unfinished = unfinished_of(experiment, *trained, by_value);
    if (!unfinished) return std::unexpected(unfinished.error());
    const auto played = work.games(by_value);
    if (!played) return std::unexpected(played.error());
    const auto mates = mated_games(*played);
    if (!mates) return std::unexpected(mates.error());
    if (mates->empty()) return std::nullopt;
    MateArms arms{.games = mates->size(), .states = states_of(*mates)};
    // All three learn from the games that were looked at: of all games of a large store the mates would be
    // too few to be met.
    const std::filesystem::path base = std::filesystem::path(*played).replace_extension("base.games");
    const std::filesystem::path mated = std::filesystem::path(*played).replace_extension("mates.games");
    if (auto status = write_store(base, unfinished->games); !status) return std::unexpected(status.error());
    if (auto status = write_store(mated, *mates); !status) return std::unexpected(status.error());
    constexpr std::uint64_t kPliesAGame = 90;
    // Other games than those of the usual store, of which they would be copies.
    const auto others = work.games({.name = "others",
                                    .games = std::max<std::uint64_t>(2, arms.states / kPliesAGame),
                                    .nodes = 150,
                                    .is_static = false});
    if (!others) return std::unexpected(others.error());
    const auto teach = [&](const char* name, const std::vector<std::string>& more,
                           Trained& arm) -> base::Status {
        std::vector<std::string> stores{base.string()};
        stores.insert(stores.end(), more.begin(), more.end());
        auto taught = experiment.taught_on(*trained, name, stores, kTaughtPositions);
        if (!taught) return std::unexpected(taught.error());
        arm = std::move(*taught);
        return {};
    };
    if (auto status = teach("arm-none", {}, arms.none); !status) return std::unexpected(status.error());
    if (auto status = teach("arm-mates", {mated.string()}, arms.mates); !status)
        return std::unexpected(status.error());
    if (auto status = teach("arm-others", {others->string()}, arms.others); !status)
        return std::unexpected(status.error());
    return arms;
}

base::Status learn_from_mates(Reproduction& work, const TakeFindings& take) {
    auto experiment = RlInChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    const auto trained = experiment->policy();
    if (!trained) return std::unexpected(trained.error());
    PaperStore by_value;
    const auto unfinished = unfinished_of(*experiment, *trained, by_value);
    if (!unfinished) return std::unexpected(unfinished.error());
    Findings& findings = experiment->findings;
    findings.remarks.push_back(fmt::format(
        "{} both sides play on by the tree search, {} visits a move, until mate, a draw or 200 half-moves. "
        "The paper: {}.",
        unfinished->are_given_up ? "From the end of games that were given up"
                                 : "Nobody gave up in these games; from ten half-moves before their mates",
        kMatingVisits, kPaperRate));
    findings.tables.push_back({"States that lead to a mate, by one thread",
                               {{"values are", "games", "mated", "their states", "seconds",
                                 "their states an hour", "of all games"}}});
    const PaperStore by_rollouts = played_out(
        "rollouts", *trained, true, work.sized(kMatingVisits, kQuickMatingVisits), unfinished->openings);
    const PaperStore by_sparse = played_out_by_sparse("sparse", unfinished->openings);
    for (const auto& [how, store, most] :
         {std::tuple{"the policy's rollouts", &by_rollouts, kRolloutTime},
          {"the network's own", &by_value, kValueTime},
          {"the default network's, with the sparse policy", &by_sparse, kValueTime}}) {
        const auto rate = rate_of(work, *store, most);
        if (!rate) return std::unexpected(rate.error());
        add_rate(findings, how, *rate);
        if (auto status = experiment->take(); !status) return status;
    }
    const auto arms = taught_by_mates(*experiment);
    if (!arms) return std::unexpected(arms.error());
    if (!*arms) {
        findings.remarks.emplace_back(
            "With the network's own values no game ended in mate: nothing to learn from.");
        return experiment->take();
    }
    findings.remarks.push_back(
        fmt::format("With the network's own values {} of {} games ended in mate, {} states. Three arms go on "
                    "from the same "
                    "network for {} positions, one in four of {} games: of these alone; of those that lead "
                    "to mates as well; of as "
                    "many of the default player's games in their place.",
                    base::grouped(static_cast<std::int64_t>((*arms)->games)),
                    base::grouped(static_cast<std::int64_t>(unfinished->openings.size())),
                    base::grouped(static_cast<std::int64_t>((*arms)->states)),
                    base::grouped(static_cast<std::int64_t>(work.length(kTaughtPositions))),
                    base::grouped(static_cast<std::int64_t>(unfinished->games.size()))));
    const Contender without = policy_player("no more states", (*arms)->none);
    const Contender mating = policy_player("states from mates", (*arms)->mates);
    const Contender other = policy_player("states from other games", (*arms)->others);
    const arena::TimeControl once{arena::TimeControl::Nodes{1}};
    if (auto status = experiment->play(mating, without, once, "ahead from move 40 on (figure 5)"); !status)
        return status;
    if (auto status = experiment->play(mating, other, once, "–"); !status) return status;
    for (const Contender& contender : {without, mating, other})
        if (auto status = experiment->place(contender, once, "about 1,100, with mates"); !status)
            return status;
    return {};
}

}  // namespace scholar::learning
