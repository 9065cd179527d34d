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
#include "chess/movegen.hpp"
#include "games/ending.hpp"
#include "games/store.hpp"
#include "learning/papers/rl_in_chess_experiment.hpp"

namespace scholar::learning {

namespace {

constexpr std::uint64_t kUnfinishedGames = 3'000;
// Games looked at for those that were given up: most of masters' are, or drawn.
constexpr std::uint64_t kLookedAt = 12'000;
// As in the paper.
constexpr std::uint64_t kVisits = 40;
constexpr std::uint64_t kQuickVisits = 2;  // with rollouts
constexpr const char* kPaperRate = "312 states an hour (5,000 in 16 hours, 30 games)";
// Long enough for some games of the slower way; each begins with a move of some seconds.
constexpr std::chrono::seconds kRolloutTime{900};
constexpr std::chrono::seconds kValueTime{120};
// Of the games that are looked at a quarter of the positions: more than once through.
constexpr std::uint64_t kTaughtPositions = 400'000;

// Where games are played out from.
struct Unfinished {
    std::vector<games::Opening> openings;
    std::vector<games::Game> games;  // all that were looked at
    bool are_given_up = true;        // by a player; if not, the last moves before a mate were taken back
};

// The position of a decided game at which somebody gave up; of one that ended in mate, that before its last
// moves.
struct LastStand {
    chess::Position position;
    bool is_given_up = false;
};
std::optional<LastStand> last_stand(const games::HeldOutGame& game) {
    constexpr std::size_t kTakenBack = 10;
    if (game.result != games::GameResult::WhiteWins && game.result != games::GameResult::BlackWins)
        return std::nullopt;
    std::vector<chess::Position> positions{game.start};
    for (const chess::Move move : game.moves) positions.push_back(positions.back().after(move));
    if (chess::has_legal_move(positions.back())) return LastStand{positions.back(), true};
    if (positions.size() <= kTakenBack) return std::nullopt;
    return LastStand{positions[positions.size() - 1 - kTakenBack], false};
}

base::Result<Unfinished> unfinished_games(const RlInChessExperiment& experiment) {
    const Reproduction& work = experiment.work();
    const auto stores = experiment.stores();
    if (!stores) return std::unexpected(stores.error());
    games::HeldOutRule rule;
    // Of all games: it is not asked what somebody knows of them.
    rule.shares = {.validation = 0, .test = 1};
    rule.positions = work.sized(kLookedAt, 200);
    rule.per_game = 1;
    const auto set = games::draw_held_out(*stores, rule, work.stop());
    if (!set) return std::unexpected(set.error());
    // Arms that learn less need fewer of them (--length).
    const std::uint64_t most = work.length(work.sized(kUnfinishedGames, 3));
    Unfinished given_up;
    Unfinished taken_back{.openings = {}, .games = {}, .are_given_up = false};
    for (const games::HeldOutGame& game : set->games)
        if (auto stand = last_stand(game)) {
            auto& openings = (stand->is_given_up ? given_up : taken_back).openings;
            if (openings.size() < most) openings.push_back({stand->position, {}});
        }
    // Engines that play themselves do not give up.
    Unfinished& those = given_up.openings.empty() ? taken_back : given_up;
    for (const games::HeldOutGame& game : set->games) {
        those.games.emplace_back();
        those.games.back().start = game.start;
        those.games.back().moves = game.moves;
        those.games.back().result = game.result;
    }
    if (those.openings.empty()) return base::fail("of {} games none was decided", set->games.size());
    return std::move(those);
}

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

// By the tree search with the networks that it has where none is named: a value and a policy that are asked
// position by position, many times as fast.
PaperStore played_out_by_sparse(std::vector<games::Opening> openings) {
    PaperStore store;
    store.name = "sparse";
    store.games = openings.size();
    store.nodes = kVisits;
    store.options = {{"Search", "mcts"}};
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

base::Status write_store(const std::filesystem::path& path, const std::vector<games::Game>& games) {
    // What was there, whole or cut off, was made of the same games.
    std::error_code error;
    std::filesystem::remove(path, error);
    std::filesystem::remove(path.string() + ".partial", error);
    auto writer = games::StoreWriter::create(path);
    if (!writer) return std::unexpected(writer.error());
    for (const games::Game& game : games)
        if (auto status = writer->add(game); !status) return status;
    if (const auto done = writer->finish(); !done) return std::unexpected(done.error());
    return {};
}

std::uint64_t positions_in(const std::vector<games::Game>& games) {
    std::uint64_t positions = 0;
    for (const games::Game& game : games) positions += game.moves.size();
    return positions;
}

void add_rate(Findings& findings, const char* how, const MatingRate& rate) {
    const auto number = [](double count) { return base::grouped(static_cast<std::int64_t>(count)); };
    findings.tables.back().rows.push_back(
        {how, number(static_cast<double>(rate.games)), number(static_cast<double>(rate.mated)),
         number(static_cast<double>(rate.states)), fmt::format("{:.0f}", rate.seconds),
         number(rate.an_hour(rate.states)), number(rate.an_hour(rate.played))});
}

// Where the policy's games begin, and how they are played out by its own value.
base::Result<Unfinished> unfinished_of(const RlInChessExperiment& experiment, const Trained& trained,
                                       PaperStore& by_value) {
    auto unfinished = unfinished_games(experiment);
    if (unfinished) by_value = played_out("mates", trained, false, kVisits, unfinished->openings);
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
    auto mates = games::read_all_games(*played);
    if (!mates) return std::unexpected(mates.error());
    std::erase_if(*mates, [](const games::Game& game) { return game.ending != games::Ending::Checkmate; });
    if (mates->empty()) return std::nullopt;
    MateArms arms{.games = mates->size(), .states = positions_in(*mates)};
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
        auto taught = experiment.taught_on(name, stores, kTaughtPositions);
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
        "The "
        "paper: {}.",
        unfinished->are_given_up ? "From the end of games that were given up"
                                 : "Nobody gave up in these games; from ten half-moves before their mates",
        kVisits, kPaperRate));
    findings.tables.push_back({"States that lead to a mate, by one thread",
                               {{"values are", "games", "mated", "their states", "seconds",
                                 "their states an hour", "of all games"}}});
    const PaperStore by_rollouts =
        played_out("rollouts", *trained, true, work.sized(kVisits, kQuickVisits), unfinished->openings);
    const PaperStore by_sparse = played_out_by_sparse(unfinished->openings);
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
