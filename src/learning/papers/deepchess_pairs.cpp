// Which of two positions is better: sections 2 to 4.

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <ranges>
#include <span>
#include <string_view>
#include <utility>

#include "arena/pair_judge.hpp"
#include "arena/pair_study.hpp"
#include "arena/player.hpp"
#include "arena/tsne.hpp"
#include "base/plot.hpp"
#include "base/text.hpp"
#include "evaluators/make.hpp"
#include "learning/papers/deepchess_experiment.hpp"
#include "nets/comparison/comparison_runner.hpp"
#include "nets/container/open_network.hpp"

namespace scholar::learning {

namespace {

constexpr std::uint64_t kStudiedPositions = 50'000;
constexpr std::uint64_t kStudiedPairs = 50'000;
constexpr std::uint64_t kQuickPairs = 200;
constexpr std::uint64_t kPairSeed = 1;
// A search of them: ten milliseconds a position.
constexpr std::uint64_t kJudgedPairs = 10'000;
constexpr std::uint64_t kQuickJudgedPairs = 20;
constexpr std::uint64_t kJudgeNodes = 5'000;
constexpr std::size_t kMappedCodes = 10'000;
constexpr std::uint64_t kStepsOfShares = 4'000;
constexpr std::array kShares{0.01, 0.1, 1.0};

std::string with_error(const arena::Estimate& estimate) {
    return fmt::format("{:.1f} ± {:.1f}", 100 * estimate.mean, 100 * estimate.error());
}

std::unexpected<base::Error> no_pairs(std::string_view games) {
    return base::fail("{}: there is no pair of a position that White won and one that he lost", games);
}

// Pairs of a set, and who was asked about them.
class PairTable {
  public:
    PairTable(const Reproduction& work, const games::HeldOutSet& set)
        : stop_(work.stop()),
          judge_nodes_(work.nodes(kJudgeNodes)),
          judged_(work.sized(kJudgedPairs, kQuickJudgedPairs)),
          set_(set),
          pairs_(arena::draw_pairs(set, work.sized(kStudiedPairs, kQuickPairs), kPairSeed)) {}

    bool is_empty() const { return pairs_.empty(); }
    base::Result<arena::PairAnswers> ask(const std::string& name, const std::string& network) const {
        const auto opened = nets::open_network(network);
        if (!opened) return std::unexpected(opened.error());
        const auto comparator = evaluators::make_comparator(*opened);
        if (!comparator) return std::unexpected(comparator.error());
        auto answers = arena::ask_about_pairs(set_, pairs_, name, **comparator, stop_);
        if (answers.interrupted) return stopped_to_go_on();
        return answers;
    }
    arena::PairAnswers material() const { return arena::judge_by_material(set_, pairs_); }
    std::string right_of_all(const arena::PairAnswers& answers) const {
        return with_error(arena::score_pairs(answers, arena::pair_groups(set_, pairs_).front()));
    }
    // One line for each group of pairs, one column for each who was asked.
    Findings::Table by_group(const std::vector<arena::PairAnswers>& answers) const {
        return table_of("Pairs right, % (“to end” and men: of the position that has more of them)",
                        arena::pair_groups(set_, pairs_), answers);
    }
    // The same of the first pairs, by what a search thinks of them.
    std::span<const arena::PositionPair> judged_pairs() const {
        return std::span(pairs_).first(std::min<std::size_t>(judged_, pairs_.size()));
    }
    std::uint64_t judge_nodes() const { return judge_nodes_; }
    Findings::Table by_judgement(const std::vector<int>& scores,
                                 const std::vector<arena::PairAnswers>& answers) const {
        const auto pairs = judged_pairs();
        std::vector<arena::PairAnswers> all{arena::answers_by_scores(pairs, "the search", scores)};
        all.insert(all.end(), answers.begin(), answers.end());
        std::vector<arena::PairGroup> groups{{"all", "all", {}}};
        for (std::size_t i = 0; i < pairs.size(); ++i) groups.front().pairs.push_back(i);
        for (arena::PairGroup& group : arena::groups_by_scores(pairs, scores))
            groups.push_back(std::move(group));
        return table_of(
            fmt::format("Pairs right, %, by how much better a search of {} by the default network "
                        "finds the position that was won, in pawns",
                        base::counted(static_cast<std::int64_t>(judge_nodes_), "node")),
            groups, all);
    }
    const games::HeldOutSet& set() const { return set_; }
    std::string describe() const {
        return fmt::format("{}; {}, drawn by lot", arena::describe(set_),
                           base::counted(static_cast<std::int64_t>(pairs_.size()), "pair"));
    }

  private:
    static Findings::Table table_of(std::string title, const std::vector<arena::PairGroup>& groups,
                                    const std::vector<arena::PairAnswers>& answers) {
        Findings::Table table{std::move(title), {{"by", "", "pairs"}}};
        for (const arena::PairAnswers& each : answers) table.rows.front().push_back(each.name);
        for (const arena::PairGroup& group : groups) {
            table.rows.push_back(
                {group.kind, group.name, base::grouped(static_cast<std::int64_t>(group.pairs.size()))});
            for (const arena::PairAnswers& each : answers)
                table.rows.back().push_back(with_error(arena::score_pairs(each, group)));
        }
        return table;
    }

    std::stop_token stop_;
    std::uint64_t judge_nodes_;
    std::uint64_t judged_;
    const games::HeldOutSet& set_;
    std::vector<arena::PositionPair> pairs_;
};

// What a strong player thinks of the first pairs: White's advantage in each position of the set.
base::Result<std::vector<int>> judge(const Reproduction& work, const PairTable& table) {
    arena::EngineConfig config;
    config.name = "the judge";
    config.protocol = arena::Protocol::Internal;
    const auto engine = arena::start_player(config, {});
    if (!engine) return std::unexpected(engine.error());
    auto scores =
        arena::judge_positions(table.set(), table.judged_pairs(), **engine, table.judge_nodes(), work.stop());
    if (!scores) return std::unexpected(scores.error());
    if (!*scores) return stopped_to_go_on();
    return std::move(**scores);
}

// Positions, what a table calls them, and what they are.
struct NamedSet {
    std::string name;
    std::string what;
    games::HeldOutSet set;
};

// Of test games, of all games, and of those of other stores.
base::Result<std::vector<NamedSet>> all_sets(const DeepChessExperiment& experiment) {
    std::vector<NamedSet> sets;
    const auto add = [&sets](std::string name, std::string what,
                             base::Result<games::HeldOutSet> set) -> base::Status {
        if (!set) return std::unexpected(set.error());
        sets.push_back({std::move(name), std::move(what), std::move(*set)});
        return {};
    };
    if (auto status = add("test games", "Test games", experiment.positions(kStudiedPositions)); !status)
        return std::unexpected(status.error());
    if (auto status = add("all games", "All games", experiment.positions(kStudiedPositions, true)); !status)
        return std::unexpected(status.error());
    for (const std::string& store : experiment.work().options().test_stores)
        if (auto status = add(std::filesystem::path(store).stem().string(), store,
                              experiment.positions_of(store, kStudiedPositions));
            !status)
            return std::unexpected(status.error());
    return sets;
}

// -- Pos2Vec -----------------------------------------------------------------------------------------------

// Codes of positions of test games on a map, by who won and by the men that are left.
base::Status draw_map(const Trained& trained, const games::HeldOutSet& set, const std::stop_token& stop,
                      Findings& findings) {
    const auto opened = nets::open_network(trained.network().string());
    if (!opened) return std::unexpected(opened.error());
    const auto network = opened->as<nets::ComparisonNetwork>();
    if (!network) return base::fail("{}: expected a comparison network", trained.network().string());
    nets::ComparisonRunner runner(network);
    const std::size_t count = std::min(kMappedCodes, set.positions.size());
    std::vector<float> points;
    for (std::size_t i = 0; i < count; ++i) {
        const auto code = runner.code_of(set.positions[i].position);
        points.insert(points.end(), code.begin(), code.end());
    }
    constexpr std::size_t kFewest = 100;
    if (count < kFewest) {
        findings.remarks.emplace_back("Too few positions for a map.");
        return {};
    }
    arena::TsneOptions options;
    options.perplexity = std::min(30.0, static_cast<double>(count) / 10);
    const auto places = arena::tsne(points, points.size() / count, options, stop);
    if (stop.stop_requested()) return stopped_to_go_on();
    if (!places) return std::unexpected(places.error());
    const auto plot_of = [&](const char* title, const auto& names, auto shade_of) {
        base::Plot plot{title, {.label = "", .ticks = false}, {.label = "", .ticks = false}, {}};
        const double last = static_cast<double>(names.size()) - 1;
        for (std::size_t shade = 0; shade < names.size(); ++shade) {
            base::PlotSeries dots{names.at(shade), {}, true, -1 + 2 * static_cast<double>(shade) / last};
            for (std::size_t i = 0; i < count; ++i)
                if (shade_of(set.positions[i]) == shade)
                    dots.points.push_back(
                        {static_cast<double>((*places)[i][0]), static_cast<double>((*places)[i][1])});
            plot.series.push_back(std::move(dots));
        }
        return base::to_svg(plot);
    };
    findings.drawings.push_back(
        {"Positions by their codes, and who won", "positions-by-result.svg",
         plot_of("Positions by the codes of Pos2Vec", std::array{"Black won", "drawn", "White won"},
                 [&set](const games::HeldOutPosition& position) -> std::size_t {
                     const games::GameResult result = set.game_of(position).result;
                     return result == games::GameResult::WhiteWins   ? 2
                            : result == games::GameResult::BlackWins ? 0
                                                                     : 1;
                 })});
    findings.drawings.push_back({"The same, and how many men are left", "positions-by-men.svg",
                                 plot_of("Positions by the codes of Pos2Vec",
                                         std::array{"25 to 32 men", "17 to 24", "9 to 16", "up to 8"},
                                         [](const games::HeldOutPosition& position) -> std::size_t {
                                             return static_cast<std::size_t>(
                                                 (32 - chess::popcount(position.position.occupied())) / 8);
                                         })});
    return {};
}

}  // namespace

base::Status learn_positions(Reproduction& work, const TakeFindings& take) {
    auto experiment = DeepChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    const auto trained = experiment->pos2vec();
    if (!trained) return std::unexpected(trained.error());
    Findings& findings = experiment->findings;
    experiment->add_run("losses by positions learnt from", *trained);
    Findings::Table table{"What each layer's code gives back, % of held-out positions' bits, men and boards",
                          {{"measured", "Pos2Vec", "always the commonest"}}};
    for (const auto& [name, figure] : trained->figures)
        if (name.find(" right from ") != std::string::npos)
            table.rows.push_back({name, in_per_cent(figure.network), in_per_cent(figure.constant)});
    findings.tables.push_back(std::move(table));
    if (auto status = experiment->take(); !status) return status;
    const auto frozen = experiment->frozen();
    if (!frozen) return std::unexpected(frozen.error());
    if (const TrainedFigure* const accuracy = frozen->find("accuracy"))
        findings.figures.push_back({"pairs right from these codes, which learn no more", "held-out pairs",
                                    "–", in_per_cent(accuracy->network) + " %"});
    const auto set = experiment->positions(kMappedCodes);
    if (!set) return std::unexpected(set.error());
    if (auto status = draw_map(*frozen, *set, work.stop(), findings); !status) return status;
    return experiment->take();
}

base::Status compare_pairs(Reproduction& work, const TakeFindings& take) {
    auto experiment = DeepChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    const auto sets = all_sets(*experiment);
    if (!sets) return std::unexpected(sets.error());
    std::vector<PairTable> tables;
    for (const NamedSet& each : *sets) {
        tables.emplace_back(work, each.set);
        if (tables.back().is_empty()) return no_pairs(each.name);
    }
    const PairTable& held_out = tables.front();
    Findings& findings = experiment->findings;
    for (std::size_t i = 0; i < tables.size(); ++i)
        findings.remarks.push_back(fmt::format("{}: {}", (*sets)[i].what, tables[i].describe()));
    findings.remarks.emplace_back(
        "The original has 98.2 % in training and 98.0 held out, on engine games; the rebuilding's small "
        "network without a teacher 90 to 91 and 86 to 87. “All games” are drawn alike from all of them, of "
        "which 96 of 100 were learnt from. Material says nothing of a pair in which it is level: half of "
        "those count.");
    findings.tables.push_back({"Pairs right, %", {{"who"}}});
    std::vector<std::string>& head = findings.tables.front().rows.front();
    for (const NamedSet& each : *sets) head.push_back(each.name);
    head.emplace_back("contradictions, %");

    const auto judged = judge(work, held_out);
    if (!judged) return std::unexpected(judged.error());
    findings.tables.push_back(held_out.by_judgement(*judged, {}));
    findings.tables.push_back({});  // by group, as it comes

    std::vector<arena::PairAnswers> answers;
    const auto add = [&](const char* name, auto ask) -> base::Status {
        std::vector<std::string> row{name};
        for (const PairTable& table : tables) {
            auto given = ask(table);
            if (!given) return std::unexpected(given.error());
            row.push_back(table.right_of_all(*given));
            if (&table == &held_out) answers.push_back(std::move(*given));
        }
        row.push_back(fmt::format("{:.2f}", 100 * answers.back().contradicted));
        findings.tables[0].rows.push_back(std::move(row));
        findings.tables[1] = held_out.by_judgement(*judged, answers);
        findings.tables[2] = held_out.by_group(answers);
        return experiment->take();
    };
    const auto material = [](const PairTable& table) -> base::Result<arena::PairAnswers> {
        return table.material();
    };
    if (auto status = add("material", material); !status) return status;
    using Make = base::Result<Trained> (DeepChessExperiment::*)() const;
    struct Row {
        const char* name;
        Make make;  // nothing: the default network, by its numbers
    };
    for (const Row& row :
         {Row{"the default network’s numbers", nullptr}, Row{"full", &DeepChessExperiment::full},
          Row{"full, without Pos2Vec", &DeepChessExperiment::without_pos2vec},
          Row{"distilled", &DeepChessExperiment::distilled},
          Row{"small, no teacher", &DeepChessExperiment::small}, Row{"split", &DeepChessExperiment::split}}) {
        std::string network = "<order:<embedded>>";
        if (row.make) {
            const auto trained = (*experiment.*row.make)();
            if (!trained) return std::unexpected(trained.error());
            network = trained->network().string();
        }
        const auto ask = [&](const PairTable& table) { return table.ask(row.name, network); };
        if (auto status = add(row.name, ask); !status) return status;
    }
    return {};
}

base::Status compare_shares(Reproduction& work, const TakeFindings& take) {
    auto experiment = DeepChessExperiment::begin(work, take);
    if (!experiment) return std::unexpected(experiment.error());
    const auto set = experiment->positions(kStudiedPositions);
    if (!set) return std::unexpected(set.error());
    const PairTable pairs(work, *set);
    if (pairs.is_empty()) return no_pairs("test games");
    Findings& findings = experiment->findings;
    findings.remarks.push_back(pairs.describe());
    findings.remarks.emplace_back("Pos2Vec itself has learnt from all games, and not from their results.");
    const std::string steps = base::grouped(static_cast<std::int64_t>(work.length(kStepsOfShares)));
    findings.tables.push_back(
        {fmt::format("Pairs of test games right, %, after {} steps (fewer in a quick run)", steps),
         {{"games", "from Pos2Vec", "from random weights"}}});
    for (const double share : kShares) {
        // Of the few games that are made here, a share has none to look at while it is learnt from.
        if (work.options().stores.empty() && share < 1) continue;
        std::vector<std::string> row{fmt::format("{:g} %", 100 * share)};
        for (const bool with_pos2vec : {true, false}) {
            const auto trained = experiment->from_share(share, with_pos2vec, kStepsOfShares);
            if (!trained) return std::unexpected(trained.error());
            const auto answers = pairs.ask("", trained->network().string());
            if (!answers) return std::unexpected(answers.error());
            row.push_back(pairs.right_of_all(*answers));
        }
        findings.tables.front().rows.push_back(std::move(row));
        if (auto status = experiment->take(); !status) return status;
    }
    return {};
}

}  // namespace scholar::learning
