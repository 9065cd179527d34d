#include <fmt/format.h>

#include "cli/trainer_commands.hpp"
#include "learning/papers/knightcap_paper.hpp"

namespace scholar::cli {

namespace {

struct ReproduceArguments {
    learning::ReproductionOptions options;
    int seeds = 3;
};

int reproduce(const ReproduceArguments& given, const std::stop_token& stop) {
    const auto written = learning::reproduce_knightcap(given.options, given.seeds, stop);
    if (!written) return report(written.error());
    fmt::print(stderr, "report: {}\n", written->string());
    return 0;
}

}  // namespace

void add_reproduce(Command app, TrainerRun& run) {
    const Command papers = app.add_subcommand("reproduce", "Repeat the experiments of a paper");
    papers.callback([papers] {
        if (papers.subcommands().empty()) refuse("reproduce", "expected a paper: knightcap");
    });
    const auto given = std::make_shared<ReproduceArguments>();
    learning::ReproductionOptions& how = given->options;
    how.output = "runs/knightcap-paper";
    const Command command = papers.add_subcommand(
        "knightcap", "Baxter, Tridgell and Weaver (1998): TDLeaf on a linear evaluation, on-line");
    command.add_option("--output,-o", how.output, "Folder of all runs, matches and the report")
        .capture_default_str();
    command.add_option("--seeds", given->seeds, "Runs of the main experiment")
        .capture_default_str()
        .check(range(1, 100));
    command.add_option("--games", how.match_games, "Games of each match")
        .capture_default_str()
        .check(range(1, 1'000'000));
    command
        .add_option("--ladder-games", how.ladder_games,
                    "Games on the ladder of each network that is rated; 0: none is")
        .capture_default_str()
        .check(range(0, 1'000'000));
    command.add_option("--threads", how.threads, "Games at a time, but for those that are learnt from")
        .capture_default_str()
        .check(range(1, 1'024));
    command.footer(
        "Learns: 300 games against engines near its own strength with each seed, as many by a rule of our "
        "own, 1,000\nfrom weights that are all a pawn's, twice 600 against itself. Plays: nine matches, and "
        "on the ladder (scholar rate\n--ladder) with what was learnt after 0 to 1,000 games. Opponents are "
        "those of ladder/online.toml that are installed;\nthe ladder needs Stockfish 15.1. About two hours "
        "of a core for learning, three for the matches, six for the ladder.\n"
        "What was done is not done again: the same command goes on after it was interrupted or killed.\n"
        "OUTPUT/report.md grows as it goes, with the paper's figures beside ours.\n"
        "Example:\n  scholar reproduce knightcap --threads 2");
    command.callback(
        [given, &run] { run = [given](const std::stop_token& stop) { return reproduce(*given, stop); }; });
}

}  // namespace scholar::cli
