#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/ics_settings.hpp"
#include "cli/trainer_commands.hpp"
#include "learning/online/online_contestant.hpp"
#include "learning/online/online_learner.hpp"
#include "learning/reports/online_report.hpp"

namespace scholar::cli {

namespace {

struct KnightcapArguments {
    std::string recipe;  // "": the one that is built in
    learning::OnlineOptions options;
    IcsSettings server;  // without a host: none
};

// What happens on the server, for people: the games themselves the student tells.
class Notes final : public protocols::ics::ClientObserver {
  public:
    void note(std::string_view what) override { fmt::print(stderr, "{}\n", what); }
};

// Plays whoever comes on a chess server.
base::Result<learning::OnlineOutcome> learn_on_server(const learning::OnlineRecipe& recipe,
                                                      const KnightcapArguments& given,
                                                      const std::stop_token& stop) {
    // First, so that a command that cannot log in replaces no older run.
    if (auto settings = client_settings(given.server, 0); !settings) return std::unexpected(settings.error());
    auto student = learning::OnlineStudent::open(recipe, given.options);
    if (!student) return std::unexpected(student.error());
    std::stop_source ends;
    const std::stop_callback interrupted(stop, [&ends] { ends.request_stop(); });
    learning::OnlineContestant contestant(recipe, **student, ends);
    Notes notes;
    const std::uint64_t wanted = given.options.games;
    std::uint64_t before = 0;
    // Again where not every game taught: those that were taken up in their middle do not. Not again where
    // none did: the server will have no more of us.
    do {
        if ((*student)->finished()) break;
        before = (*student)->games();
        const auto settings =
            client_settings(given.server, wanted == 0 ? 0 : static_cast<int>(wanted - before));
        if (!settings) return std::unexpected(settings.error());
        const auto status = protocols::ics::run_client(*settings, contestant, notes, ends.get_token());
        if (!contestant.status()) return std::unexpected(contestant.status().error());
        if (!status) return std::unexpected(status.error());
    } while (wanted > 0 && (*student)->games() > before && !stop.stop_requested());
    const bool finished = wanted == 0 ? !stop.stop_requested() : (*student)->finished();
    return learning::OnlineOutcome{finished, (*student)->games(), (*student)->rating()};
}

int learn(const KnightcapArguments& given, const std::stop_token& stop) {
    const auto recipe = given.recipe.empty()
                            ? learning::parse_online_recipe(learning::knightcap_recipe(), "knightcap.toml")
                            : learning::load_online_recipe(given.recipe);
    if (!recipe) return report(recipe.error());
    const auto outcome = given.server.host.empty() ? learning::learn_online(*recipe, given.options, stop)
                                                   : learn_on_server(*recipe, given, stop);
    if (!outcome) return report(outcome.error());
    if (outcome->games > 0)
        if (const auto written = learning::write_online_report(given.options.output); !written)
            fmt::print(stderr, "warning: no report: {}\n", written.error().message);
    std::string again =
        fmt::format("scholar learn knightcap{} -o {} --resume",
                    given.recipe.empty() ? "" : " " + base::quoted(given.recipe, base::Quoting::Shell),
                    base::quoted(given.options.output.string(), base::Quoting::Shell));
    // Before the first game is over nothing else remembers it.
    if (outcome->games == 0 && given.options.seed) again += fmt::format(" --seed {}", *given.options.seed);
    if (!outcome->finished && given.options.games > 0)
        again += fmt::format(" --until-games {}", given.options.games);
    if (!given.server.host.empty()) again = "the same command and --resume";
    fmt::print(stderr, "{} {}, rating {:.0f} ± {:.0f}; go on with: {}\n",
               outcome->finished ? "learnt from" : "stopped after", base::counted(outcome->games, "game"),
               outcome->rating.rating, outcome->rating.error(), again);
    return 0;
}

}  // namespace

void add_learn_knightcap(Command learner, TrainerRun& run) {
    const auto given = std::make_shared<KnightcapArguments>();
    learning::OnlineOptions& how = given->options;
    how.output = "runs/knightcap";
    const Command command = learner.add_subcommand(
        "knightcap", "Learn a linear evaluation by playing others, game by game, as KnightCap did");
    command.add_option("recipe", given->recipe,
                       "A TOML file (docs/knightcap.md); default: recipes/knightcap.toml, built in");
    command.add_option("--output,-o", how.output, "Folder of the run").capture_default_str();
    command.add_option("--until-games", how.games, "Stop once it has played so many games")
        .check(range(std::uint64_t{1}, std::uint64_t{1'000'000'000}));
    command.add_option("--seed", how.seed,
                       "Seed of pairings and openings; default: 1, or that of the run to resume");
    add_go_on_options(command, how.resume, how.overwrite);
    add_json_lines(command, how.json);
    const Command elsewhere = command.add_option_group("On a chess server");
    add_ics_settings(elsewhere, given->server, "--server");
    const Option server = elsewhere.option("--server");
    server.description("Play whoever comes on this Internet Chess Server, instead of the recipe's opponents");
    for (const Option option : elsewhere.options())
        if (option != server) option.needs(server);
    command.footer(
        "Without --until-games it plays until Ctrl-C, which costs the game that is being played.\n"
        "OUTPUT/network.safetensors has the newest weights, OUTPUT/snapshots those after 0, 25, 50, 100, 200 "
        "games and so on,\n"
        "OUTPUT/report.md says at the end how it went.\n"
        "Examples:\n  scholar learn knightcap --until-games 300\n"
        "  scholar learn knightcap --server freechess.org --name Handle --password-file ~/.fics --seek \"3 "
        "0\" "
        "--rated");
    command.callback(
        [given, &run] { run = [given](const std::stop_token& stop) { return learn(*given, stop); }; });
}

}  // namespace scholar::cli
