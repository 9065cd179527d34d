#include "learning/papers/knightcap_paper.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>

#include "arena/statistics.hpp"
#include "base/plot.hpp"
#include "base/text.hpp"
#include "learning/online/online_recipe.hpp"
#include "learning/papers/paper_experiment.hpp"
#include "learning/papers/rated_runs.hpp"
#include "nets/container/any_network.hpp"
#include "nets/container/embedded.hpp"

namespace scholar::learning {

namespace {

// Games that are learnt from; the paper's rating was 2150 after 308.
constexpr std::uint64_t kOnlineGames = 300;
constexpr std::uint64_t kPawnGames = 1'000;
constexpr std::uint64_t kSelfGames = 600;
constexpr std::uint64_t kQuickGames = 4;
constexpr int kDepth = 6;
// What the paper's ratings are off by: 95 %, of the standard deviation of its footnote 3.
constexpr double kPaperError = arena::kConfidence95 * 50;

struct Run {
    std::string name;
    std::string_view recipe;
    std::uint64_t seed = 1;
    std::uint64_t games = 0;
};

Run online_run(const Reproduction& work, int seed) {
    return {fmt::format("main-{}", seed), knightcap_recipe(), static_cast<std::uint64_t>(seed),
            work.sized(kOnlineGames, kQuickGames)};
}

// What every experiment here does besides: learns on-line.
class KnightcapExperiment : public PaperExperiment {
  public:
    using PaperExperiment::PaperExperiment;

    // What the learner looks at for each move, and so whenever what it learnt is judged.
    base::Result<arena::TimeControl> nodes() const {
        const auto recipe = parse_online_recipe(knightcap_recipe(), "knightcap.toml");
        if (!recipe) return std::unexpected(recipe.error());
        return arena::TimeControl{arena::TimeControl::Nodes{work().nodes(recipe->nodes)}};
    }

    base::Status learn(const Run& run) {
        if (auto status = work().learn_online(run.name, run.recipe, run.seed, run.games); !status)
            return status;
        findings.runs.emplace_back(fmt::format("{}, {}", run.name, base::counted(run.games, "game")),
                                   run.name + "/report.md");
        return take();
    }

    // With what this run knew after so many games.
    Contender contender(const Run& run, std::uint64_t games) const {
        const auto folder = work().path(run.name);
        return {fmt::format("{} after {} games", run.name, games),
                games == run.games ? folder / kNetworkFile
                                   : folder / kSnapshotsFolder / fmt::format("game-{:06}.safetensors", games),
                {{"Search", "mtdf"}}};
    }
    Contender learnt(const Run& run) const { return contender(run, run.games); }

    // The runs after so many games each, and the paper's ratings beside them, as a table and a drawing.
    base::Status rate(const std::vector<Run>& runs, std::vector<std::uint64_t> games,
                      std::vector<PaperRating> paper, const std::string& drawing) {
        if (!can_place()) return take();
        const auto control = nodes();
        if (!control) return std::unexpected(control.error());
        for (std::uint64_t& each : games) each = std::min(each, runs.front().games);
        games.erase(std::unique(games.begin(), games.end()), games.end());
        RatedRuns rated{
            "Elo on the ladder by games learnt from", std::move(games), std::move(paper), kPaperError, {}};
        for (const Run& run : runs) rated.runs.emplace_back(run.name, run.name);
        const std::size_t table = findings.tables.size();
        findings.tables.emplace_back();
        findings.drawings.push_back({"Rating by games", drawing, {}});
        for (const std::uint64_t after : rated.games)
            for (const Run& run : runs) {
                const auto place = work().place(contender(run, after), *control);
                if (!place) return std::unexpected(place.error());
                if (*place) rated.places[{run.name, after}] = **place;
                findings.tables[table] = to_table(rated);
                findings.drawings.back().svg =
                    base::to_svg(to_plot(rated, "Rating on the ladder by games learnt from"));
                if (auto status = take(); !status) return status;
            }
        return {};
    }
};

// Another default network is another opponent.
base::Result<Contender> default_player() {
    const auto embedded = nets::parse_any_network(nets::default_network_file());
    if (!embedded) return std::unexpected(embedded.error());
    return Contender{"the default network, " + embedded->content_name(), {}, {{"Search", "mtdf"}}};
}

base::Status learn_online(Reproduction& work, const TakeFindings& take) {
    KnightcapExperiment experiment(work, take);
    std::vector<Run> runs;
    for (int seed = 1; seed <= work.options().seeds; ++seed) {
        runs.push_back(online_run(work, seed));
        if (auto status = experiment.learn(runs.back()); !status) return status;
    }
    const auto nodes = experiment.nodes();
    if (!nodes) return std::unexpected(nodes.error());
    const arena::TimeControl depth{arena::TimeControl::Depth{kDepth}};
    arena::TimeControl::Clock clock;
    clock.base = std::chrono::milliseconds(1'000);
    clock.increment = std::chrono::milliseconds(10);
    const Contender learnt = experiment.learnt(runs.front());
    const Contender material = experiment.contender(runs.front(), 0);
    const auto standard = default_player();
    if (!standard) return std::unexpected(standard.error());
    if (auto status = experiment.play(learnt, material, *nodes, "+500 by its rating"); !status) return status;
    if (auto status = experiment.play(learnt, material, depth, "–"); !status) return status;
    if (auto status = experiment.play(learnt, material, {clock}, "–"); !status) return status;
    if (auto status = experiment.play(learnt, *standard, *nodes, "–"); !status) return status;
    if (auto status = experiment.play(learnt, *standard, {clock}, "–"); !status) return status;
    return experiment.rate(runs, {0, 50, 100, 200, kOnlineGames}, {{0, 1650}, {308, 2150}}, "rating.svg");
}

base::Status learn_from_pawns(Reproduction& work, const TakeFindings& take) {
    KnightcapExperiment experiment(work, take);
    const Run run{"pawns", knightcap_pawns_recipe(), 1, work.sized(kPawnGames, kQuickGames)};
    if (auto status = experiment.learn(run); !status) return status;
    return experiment.rate({run}, {0, 100, 300, kPawnGames}, {{0, 1250}, {1'000, 1550}}, "pawns-rating.svg");
}

// Against what learnt on-line, which is therefore learnt here too unless it was before.
base::Status learn_from_itself(Reproduction& work, const TakeFindings& take) {
    KnightcapExperiment experiment(work, take);
    const Run online = online_run(work, 1);
    const std::uint64_t games = work.sized(kSelfGames, kQuickGames);
    const Run start{"self", knightcap_self_recipe(), 1, games};
    const Run varied{"self-varied", knightcap_self_varied_recipe(), 1, games};
    for (const Run& run : {online, start, varied})
        if (auto status = experiment.learn(run); !status) return status;
    const auto nodes = experiment.nodes();
    if (!nodes) return std::unexpected(nodes.error());
    const Contender rival = experiment.learnt(online);
    if (auto status = experiment.play(experiment.learnt(start), rival, *nodes, "11 % of 100 games"); !status)
        return status;
    if (auto status = experiment.play(experiment.learnt(varied), rival, *nodes, "–"); !status) return status;
    return experiment.rate({start, varied}, {games}, {}, "self-rating.svg");
}

base::Status learn_beyond(Reproduction& work, const TakeFindings& take) {
    KnightcapExperiment experiment(work, take);
    const Run online = online_run(work, 1);
    const Run beyond{"beyond", knightcap_beyond_recipe(), 1, online.games};
    for (const Run& run : {online, beyond})
        if (auto status = experiment.learn(run); !status) return status;
    const auto nodes = experiment.nodes();
    if (!nodes) return std::unexpected(nodes.error());
    const Contender rival = experiment.learnt(online);
    std::vector<std::uint64_t> after{100, beyond.games};
    if (work.options().quick) after.erase(after.begin());
    for (const std::uint64_t games : after)
        if (auto status = experiment.play(experiment.contender(beyond, games), rival, *nodes, "–"); !status)
            return status;
    return experiment.rate({beyond}, {50, 100, kOnlineGames}, {}, "beyond-rating.svg");
}

constexpr std::array kKnightcapExperiments{
    Experiment{.name = "on-line",
               .about = "Learns from games against engines near its own strength, from material alone",
               .paper = "from 1650 to 2150 in 308 games (section 4)",
               .size = "300 games with each of three seeds, five matches, 13 places on the ladder",
               .time = "6 hours",
               .run = learn_online},
    Experiment{.name = "pawns",
               .about = "The same from weights that are all a pawn's",
               .paper = "from 1250 to 1550 in 1,000 games (section 4)",
               .size = "1,000 games, four places on the ladder",
               .time = "90 minutes",
               .run = learn_from_pawns},
    Experiment{.name = "self-play",
               .about = "Learns from games against itself",
               .paper = "11 % of 100 games against what learnt on-line (section 5)",
               .size =
                   "twice 600 games (from next to the start position; from openings by lot), two matches, "
                   "two places on the ladder",
               .time = "2 hours",
               .run = learn_from_itself},
    Experiment{.name = "beyond",
               .about = "Learns on-line by a rule of our own (recipes/knightcap-beyond.toml)",
               .paper = "none: it has not got this rule",
               .size = "300 games, two matches, three places on the ladder",
               .time = "2 hours",
               .run = learn_beyond},
};

}  // namespace

Paper knightcap_paper() {
    return {.name = "knightcap",
            .title = "Baxter, Tridgell and Weaver (1998): TDLeaf on a linear evaluation, on-line",
            .experiments = kKnightcapExperiments,
            .has_seeds = true};
}

}  // namespace scholar::learning
