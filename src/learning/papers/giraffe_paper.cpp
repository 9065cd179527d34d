#include "learning/papers/giraffe_paper.hpp"

#include <array>
#include <chrono>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "learning/papers/paper_experiment.hpp"
#include "learning/papers/recipe_text.hpp"
#include "learning/segments/segment_recipe.hpp"

namespace scholar::learning {

namespace {

// Section 5.4: 3,000 games; both sides look at so many nodes in the comparison of naive searches here.
constexpr std::uint64_t kNaiveNodes = 20'000;
constexpr std::uint64_t kWholeNodes = 3'000;
// With which naive-probability comes to as many nodes an iteration as naive-depth, in the mean.
constexpr const char* kNaiveBase = "17";

// Of the experiments that learn from labels: games, and positions that are learnt from, each once.
constexpr std::uint64_t kLabelledGames = 6'000;
constexpr std::uint64_t kLabels = 300'000;
// Of self-play: games in whose positions it begins, and some ten minutes.
constexpr std::uint64_t kRootGames = 2'000;
constexpr std::uint64_t kSelfPlayIterations = 1'000;

class GiraffeExperiment : public PaperExperiment {
  public:
    using PaperExperiment::PaperExperiment;

    arena::TimeControl nodes(std::uint64_t full) const {
        return {arena::TimeControl::Nodes{work().nodes(full)}};
    }

    // One second for a game, and a bit a move.
    arena::TimeControl second_and_a_bit() const {
        arena::TimeControl::Clock clock;
        clock.base = std::chrono::milliseconds(work().sized(1'000, 100));
        clock.increment = std::chrono::milliseconds(work().sized(10, 1));
        return {clock};
    }

    // Positions of the default player's games, with what its network says of each without a search.
    base::Result<std::string> labels() const {
        const auto store = work().games(
            {.name = "labelled", .games = work().sized(kLabelledGames, 60), .nodes = 100, .is_static = true});
        if (!store) return std::unexpected(store.error());
        return store->string();
    }

    // Begins a table that grows by a row at a time.
    void begin_table(std::string heading, std::vector<std::string> columns) {
        findings.tables.push_back({std::move(heading), {std::move(columns)}});
    }
    base::Status add_row(std::vector<std::string> cells) {
        findings.tables.back().rows.push_back(std::move(cells));
        return take();
    }
};

// Both with the network that is built in.
base::Status compare_naive_searches(Reproduction& work, const TakeFindings& take) {
    GiraffeExperiment experiment(work, take);
    return experiment.play(
        {"naive-probability", {}, {{"Search", "naive-probability"}, {"ThresholdBase", kNaiveBase}}},
        {"naive-depth", {}, {{"Search", "naive-depth"}}}, experiment.nodes(kNaiveNodes), "+26 ± 12");
}

base::Status compare_searches(Reproduction& work, const TakeFindings& take) {
    GiraffeExperiment experiment(work, take);
    const Contender probability{"probability", {}, {{"Search", "probability"}}};
    const Contender depth{"mtdf", {}, {{"Search", "mtdf"}}};
    if (auto status = experiment.play(probability, depth, experiment.nodes(kWholeNodes), "–"); !status)
        return status;
    return experiment.play(probability, depth, experiment.second_and_a_bit(), "–");
}

// How a network sees a position, and what it is made of.
struct Sight {
    const char* features;
    const char* apart;  // units over each modality, before 64 over all
};
constexpr std::array kSights{Sight{"giraffe-363", "[32, 64, 32]"}, Sight{"giraffe-no-maps", "[43, 85]"},
                             Sight{"giraffe-pieces", "[43, 85]"}, Sight{"bits-773", "[96, 32]"}};

struct Rule {
    const char* kind;
    std::vector<double> rates;
};

// A recipe as recipes/dense-probe.toml, of labels that are read once.
std::string probe_recipe(const std::string& store, const Sight& sight, const char* optimiser, double rate,
                         std::uint64_t positions, int seed) {
    return fmt::format(R"([data]
stores = [{}]
validation_share = 0.1
test_share = 0
[sampler]
stages = ["ply min=4 max=250", "not_in_check"]
[network]
kind = "dense"
features = "{}"
apart = {}
joint = [64]
[target]
result_weight = 0
fit_evaluations = false
loss = "cross-entropy"
[optimiser]
kind = "{}"
learning_rate = {}
[schedule]
kind = "cosine"
warmup = 100
[run]
seed = {}
batch = 512
positions = {}
validate_every = 1_000
checkpoint_every = 1_000
validation_positions = 20_000
threads = 1
output = "elsewhere"
)",
                       in_toml(store), sight.features, sight.apart, optimiser, rate, seed, positions);
}

// How much of the squared error of the best constant answer is left, in per cent.
base::Result<std::string> error_left(const Reproduction& work, const std::string& name,
                                     const std::string& recipe) {
    const auto trained = work.train(name, recipe);
    if (!trained) return std::unexpected(trained.error());
    const TrainedFigure* const found = trained->find("l2");
    if (!found || !(found->constant > 0)) return std::string("–");
    return fmt::format("{:.1f} %", 100 * found->network / found->constant);
}

base::Status compare_representations(Reproduction& work, const TakeFindings& take) {
    GiraffeExperiment experiment(work, take);
    const auto store = experiment.labels();
    if (!store) return std::unexpected(store.error());
    std::vector<std::string> columns{"input"};
    for (int seed = 1; seed <= work.options().seeds; ++seed) columns.push_back(fmt::format("seed {}", seed));
    experiment.begin_table("Squared error that is left of the best constant answer's, on held-out games",
                           columns);
    for (const Sight& sight : kSights) {
        std::vector<std::string> row{sight.features};
        for (int seed = 1; seed <= work.options().seeds; ++seed) {
            const auto left =
                error_left(work, fmt::format("sees-{}-{}", sight.features, seed),
                           probe_recipe(*store, sight, "adam", 0.002, work.sized(kLabels, 2'000), seed));
            if (!left) return std::unexpected(left.error());
            row.push_back(*left);
        }
        if (auto status = experiment.add_row(row); !status) return status;
    }
    return {};
}

base::Status compare_optimisers(Reproduction& work, const TakeFindings& take) {
    const std::array rules{Rule{"sgd", {0.3, 1, 3}},          Rule{"momentum", {0.1, 0.3, 1}},
                           Rule{"nesterov", {0.1, 0.3, 1}},   Rule{"adagrad", {0.03, 0.1, 0.3}},
                           Rule{"adadelta", {1, 3, 10}},      Rule{"rmsprop", {0.001, 0.003, 0.01}},
                           Rule{"adam", {0.005, 0.01, 0.02}}, Rule{"adamw", {0.005, 0.01, 0.02}}};
    GiraffeExperiment experiment(work, take);
    const auto store = experiment.labels();
    if (!store) return std::unexpected(store.error());
    experiment.begin_table(
        "Squared error that is left of the best constant answer's, at three learning rates",
        {"optimiser", "small", "middle", "large"});
    for (const Rule& rule : rules) {
        std::vector<std::string> row{rule.kind};
        for (const double rate : rule.rates) {
            const auto left = error_left(
                work, fmt::format("by-{}-{}", rule.kind, rate),
                probe_recipe(*store, kSights.front(), rule.kind, rate, work.sized(kLabels, 2'000), 1));
            if (!left) return std::unexpected(left.error());
            row.push_back(fmt::format("{}: {}", rate, *left));
        }
        if (auto status = experiment.add_row(row); !status) return status;
    }
    return {};
}

// recipes/giraffe.toml with other games to begin in, and an end.
base::Result<std::string> learning_recipe(const std::string& store, std::uint64_t iterations, bool quick) {
    std::vector<std::pair<std::string, std::string>> changes{
        {"stores = [\"runs/giraffe-roots/masters.games\"]", fmt::format("stores = [{}]", in_toml(store))},
        {"\noutput = ", fmt::format("\niterations = {}\noutput = ", iterations)}};
    if (quick) changes.emplace_back("positions = 50_000", "positions = 1_000");
    return with_replaced("recipes/giraffe.toml", std::string(giraffe_recipe()), changes);
}

base::Status learn_by_own_play(Reproduction& work, const TakeFindings& take) {
    GiraffeExperiment experiment(work, take);
    const auto roots =
        work.games({.name = "roots", .games = work.sized(kRootGames, 40), .nodes = 100, .is_static = false});
    if (!roots) return std::unexpected(roots.error());
    const std::uint64_t iterations = work.sized(kSelfPlayIterations, 2);
    std::vector<Contender> learnt;
    for (const std::uint64_t after : {std::uint64_t{1}, iterations}) {
        const auto recipe = learning_recipe(roots->string(), after, work.options().quick);
        if (!recipe) return std::unexpected(recipe.error());
        const auto network = work.learn_by_segments(fmt::format("after-{}", after), *recipe);
        if (!network) return std::unexpected(network.error());
        learnt.push_back({base::counted(after, "iteration"), *network, {{"Search", "mtdf"}}});
    }
    const arena::TimeControl nodes = experiment.nodes(kWholeNodes);
    if (auto status = experiment.play(learnt[1], learnt[0], nodes, "–"); !status) return status;
    if (auto status =
            experiment.play(learnt[1],
                            {"System=giraffe's network",
                             {},
                             {{"System", "giraffe"}, {"Search", "mtdf"}, {"PolicyFile", "<empty>"}}},
                            nodes, "–");
        !status)
        return status;
    return experiment.place(learnt[1], nodes, "some 2400 after 72 hours of 20 cores (section 4.5)");
}

// Giraffe's network and the sparse policy, which are built in.
base::Status use_a_policy(Reproduction& work, const TakeFindings& take) {
    GiraffeExperiment experiment(work, take);
    const auto giraffe = [](const char* name, const char* search, const char* policy, const char* use) {
        return Contender{
            name,
            {},
            {{"System", "giraffe"}, {"Search", search}, {"PolicyFile", policy}, {"PolicyUse", use}}};
    };
    const Contender none = giraffe("probability, none", "probability", "<empty>", "default");
    const Contender depth = giraffe("mtdf, none", "mtdf", "<empty>", "default");
    for (const auto& [control, paper] : {std::pair{experiment.nodes(kWholeNodes), "+48 ± 12"},
                                         std::pair{experiment.second_and_a_bit(), "+20 ± 12"}})
        for (const auto& [contender, other] :
             {std::pair{giraffe("probability, order", "probability", "<embedded>", "order"), none},
              {giraffe("probability, both", "probability", "<embedded>", "both"), none},
              {giraffe("mtdf, order", "mtdf", "<embedded>", "order"), depth},
              {giraffe("mtdf, both", "mtdf", "<embedded>", "both"), depth}})
            // The paper's search shares probability out.
            if (auto status =
                    experiment.play(contender, other, control, other.name == none.name ? paper : "–");
                !status)
                return status;
    return {};
}

constexpr std::array kGiraffeExperiments{
    Experiment{.name = "representation",
               .about = "Learns a static evaluation from positions that are shown in four ways",
               .paper = "lists with attackers and maps learn what bitmaps do not (section 4.1)",
               .size = "300,000 positions of the default player's games, --seeds runs of each",
               .time = "10 minutes",
               .run = compare_representations},
    Experiment{.name = "optimisers",
               .about = "Learns the same by eight optimisers, at three learning rates each",
               .paper = "AdaDelta is ahead (section 4.4)",
               .size = "300,000 positions, one seed",
               .time = "10 minutes",
               .run = compare_optimisers},
    Experiment{
        .name = "learning",
        .about = "Learns from its own play as recipes/giraffe.toml says, from a count of the pieces on",
        .paper = "some 2400 after 72 hours of 20 cores (section 4.5)",
        .size = "1,000 iterations, two matches of 200 games at 3,000 nodes, a place",
        .time = "40 minutes",
        .run = learn_by_own_play},
    Experiment{.name = "naive-search",
               .about = "Bounds a plain alpha-beta by probability, against the same bounded by depth",
               .paper = "+26 ± 12 in 3,000 games (section 5.4)",
               .size = "200 games at 20,000 nodes a move; as many as the paper's with --games 3000",
               .time = "15 minutes",
               .run = compare_naive_searches},
    Experiment{.name = "search",
               .about = "Bounds the whole search by probability, one of n for each move, against depth",
               .paper = "none: its whole search was not compared so",
               .size = "200 games at 3,000 nodes a move, 200 at 1 s + 0.01 s",
               .time = "25 minutes",
               .run = compare_searches},
    Experiment{.name = "policy",
               .about = "Orders moves by a policy, or bounds them by its probabilities, under both searches",
               .paper = "+48 ± 12 at equal nodes, +20 ± 12 at equal time (section 6.5)",
               .size = "eight matches of 200 games, four at 3,000 nodes a move, four at 1 s + 0.01 s",
               .time = "2 hours",
               .run = use_a_policy},
};

}  // namespace

Paper giraffe_paper() {
    return {.name = "giraffe",
            .title = "Lai (2015): a network learnt by self-play, a search bounded by probability",
            .experiments = kGiraffeExperiments,
            .has_seeds = true};
}

}  // namespace scholar::learning
