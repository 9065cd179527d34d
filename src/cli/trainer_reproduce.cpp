#include <fmt/format.h>

#include "cli/trainer_commands.hpp"
#include "learning/papers/experiment.hpp"

namespace scholar::cli {

namespace {

struct ReproduceArguments {
    learning::ReproductionOptions options;
    std::vector<std::string> experiments;
    std::vector<std::string> beside;  // NAME=NETWORK
    // Unless given, what fits the size.
    std::optional<int> match_games;
    std::optional<int> ladder_games;
    std::optional<int> seeds;
};

// A match is decided by nobody in so few games, and nobody is placed.
constexpr int kQuickMatchGames = 2;

int reproduce(const learning::Paper& paper, const ReproduceArguments& given, const std::stop_token& stop) {
    learning::ReproductionOptions how = given.options;
    if (how.quick) {
        how.match_games = kQuickMatchGames;
        how.ladder_games = 0;
        how.seeds = 1;
        // What was learnt quickly is not taken for the whole.
        how.output /= "quick";
    } else if (how.length < 1) {
        // Nor what was learnt for a part of the time.
        how.output /= fmt::format("length-{:g}", how.length);
    }
    how.match_games = given.match_games.value_or(how.match_games);
    how.ladder_games = given.ladder_games.value_or(how.ladder_games);
    how.seeds = given.seeds.value_or(how.seeds);
    for (const std::string& text : given.beside) {
        const std::size_t split = text.find('=');
        if (split == 0 || split == std::string::npos || split + 1 == text.size())
            return report(base::Error{fmt::format("--beside '{}': expected NAME=NETWORK", text)});
        how.beside.emplace_back(text.substr(0, split), text.substr(split + 1));
    }
    const auto written = learning::reproduce(paper, given.experiments, how, stop);
    if (!written) return report(written.error());
    fmt::print(stderr, "report: {}\n", written->string());
    return 0;
}

std::string help_of(const learning::Paper& paper) {
    std::string text = "Experiments:\n";
    for (const learning::Experiment& each : paper.experiments)
        text += fmt::format("  {:<14} {}.\n{:<17}the paper: {}\n{:<17}here: {}; {} of a core\n", each.name,
                            each.about, "", each.paper, "", each.size, each.time);
    return text + fmt::format(
                      "Opponents and the ladder are the engines that are installed (docs/ratings.md).\n"
                      "What was done is not done again: the same command goes on after it was interrupted "
                      "or killed.\nOUTPUT/report.md grows as it goes, with the paper's figures beside ours.\n"
                      "Examples:\n  scholar reproduce {0} --threads 2\n  scholar reproduce {0} {1} --quick",
                      paper.name, paper.experiments.back().name);
}

void add_paper(Command papers, const learning::Paper& paper, TrainerRun& run) {
    const auto given = std::make_shared<ReproduceArguments>();
    learning::ReproductionOptions& how = given->options;
    how.output = fmt::format("runs/{}-paper", paper.name);
    const Command command = papers.add_subcommand(std::string(paper.name), std::string(paper.title));
    std::vector<std::string> names;
    for (const learning::Experiment& each : paper.experiments) names.emplace_back(each.name);
    command.add_option("EXPERIMENT", given->experiments, "Those to repeat; unless given, all")
        .check(one_of(names));
    if (paper.learns_from_games)
        command
            .add_option(
                "--store", how.stores,
                "A store of games to learn from (scholar games import), best those of masters; may be "
                "repeated. Unless given, games of the default player, which are made")
            .allow_extra_args(false);
    if (paper.is_tested_on_others)
        command
            .add_option(
                "--test-store", how.test_stores,
                "A store of other games, of engines say, which the networks are asked about and do not "
                "learn from; may be repeated")
            .allow_extra_args(false);
    if (paper.asks_other_policies)
        command
            .add_option("--beside", given->beside,
                        "NAME=NETWORK: another policy, which is asked for the same moves as ours; may be "
                        "repeated")
            .allow_extra_args(false);
    if (paper.solves_a_suite)
        command.add_option(
            "--suite", how.suite,
            "A file of positions as `scholar suite` reads them, which each network of the first "
            "seed of `learning` is asked by its own search");
    const Option quick = command.add_flag(
        "--quick", how.quick,
        "Each in less than a minute, to see that it runs; in a folder of its own, OUTPUT/quick");
    command.add_option("--output,-o", how.output, "Folder of all runs, matches and the report")
        .capture_default_str();
    if (paper.has_seeds)
        command
            .add_option(
                "--seeds", given->seeds,
                fmt::format("Runs of an experiment that learns several times; {} unless quick", how.seeds))
            .check(range(1, 100));
    command
        .add_option("--games", given->match_games,
                    fmt::format("Games of each match, at most; {} unless quick", how.match_games))
        .check(range(1, 1'000'000));
    if (paper.has_places)
        command
            .add_option(
                "--ladder-games", given->ladder_games,
                fmt::format("Games on the ladder of each network that is rated; 0: none is; {} unless quick",
                            how.ladder_games))
            .check(range(0, 1'000'000));
    if (paper.learns_from_games)
        command
            .add_option("--length", how.length,
                        "Of each run that learns from stores (of rl-in-chess of the games of `mates`, too), "
                        "as a share of its whole length: 0.1 is a tenth of the "
                        "time for less good networks; in a folder of its own, OUTPUT/length-0.1")
            .excludes(quick)
            .capture_default_str()
            .check(range(0.001, 1.0));
    command.add_option("--threads", how.threads, "Games at a time, but for those that on-line learning plays")
        .capture_default_str()
        .check(range(1, 1'024));
    command.footer([&paper] { return help_of(paper); });
    command.callback([given, &paper, &run] {
        run = [given, &paper](const std::stop_token& stop) { return reproduce(paper, *given, stop); };
    });
}

}  // namespace

void add_reproduce(Command app, TrainerRun& run) {
    const Command papers = app.add_subcommand("reproduce", "Repeat the experiments of a paper");
    std::string names;
    for (const learning::Paper& paper : learning::all_papers())
        names += (names.empty() ? "" : ", ") + std::string(paper.name);
    papers.callback([papers, names] {
        if (papers.subcommands().empty()) refuse("reproduce", "expected a paper: " + names);
    });
    papers.footer(
        "'scholar reproduce PAPER --help' lists its experiments, each with the paper's figure, the size here "
        "and the time.");
    for (const learning::Paper& paper : learning::all_papers()) add_paper(papers, paper, run);
}

}  // namespace scholar::cli
