#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena/ladder.hpp"
#include "arena/tuning.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/engine_words.hpp"
#include "cli/output.hpp"
#include "cli/trace_option.hpp"
#include "games/openings.hpp"

namespace scholar::cli {

namespace {

struct TuneArguments {
    std::string engine;
    std::vector<std::string> parameters;
    std::string parameter_file;
    bool all = false;
    int games = 2000;
    int games_per_iteration = 8;
    std::string time_control = "nodes=5000";
    std::string openings;
    int concurrency = 1;
    std::uint64_t seed = 1;
    double a_ratio = 0.1;
    double alpha = 0.602;
    double gamma = 0.101;
    std::string state = "tune-state.jsonl";
    std::string log = "tune-log.jsonl";
    bool json = false;
    TraceSetting trace;
};

base::Result<arena::TuningOptions> tuning_options(const TuneArguments& arguments) {
    arena::TuningOptions options;
    auto engine = parse_engine_words(arguments.engine);
    if (!engine) return std::unexpected(engine.error());
    options.engine = std::move(engine->config);
    auto trace = open_trace(arguments.trace);
    if (!trace) return std::unexpected(trace.error());
    options.engine.trace = std::move(*trace);
    const auto control = arena::parse_time_control(arguments.time_control);
    if (!control) return base::fail_in("--tc", control.error());
    options.time_control = engine->time_control.value_or(*control);

    std::vector<arena::ParameterWish> wishes;
    if (!arguments.parameter_file.empty()) {
        auto read = arena::read_parameter_wishes(arguments.parameter_file);
        if (!read) return std::unexpected(read.error());
        wishes = std::move(*read);
    }
    for (const auto& text : arguments.parameters) {
        auto wish = arena::parse_parameter_wish(text);
        if (!wish) return std::unexpected(wish.error());
        wishes.push_back(std::move(*wish));
    }
    auto parameters = arena::find_parameters(options.engine, wishes, arguments.all);
    if (!parameters) return std::unexpected(parameters.error());

    auto openings = arguments.openings.empty()
                        ? games::parse_openings(arena::embedded_openings(), "the built-in openings")
                        : games::read_openings(arguments.openings);
    if (!openings) return std::unexpected(openings.error());
    options.openings = std::move(*openings);
    options.plan = {.parameters = std::move(*parameters),
                    .pairs = (arguments.games + 1) / 2,
                    .pairs_per_iteration = (arguments.games_per_iteration + 1) / 2,
                    .alpha = arguments.alpha,
                    .gamma = arguments.gamma,
                    .a_ratio = arguments.a_ratio,
                    .seed = arguments.seed};
    options.concurrency = arguments.concurrency;
    options.state_file = arguments.state;
    options.log_file = arguments.log;
    return options;
}

Json json_of(const arena::TuningOptions& options, const arena::TuningResult& result) {
    Json parameters = Json::array();
    for (std::size_t i = 0; i < result.values.size(); ++i) {
        const auto& parameter = options.plan.parameters[i];
        parameters.push_back({{"name", parameter.name},
                              {"start", parameter.start},
                              {"value", result.values[i]},
                              {"rounded", std::llround(result.values[i])},
                              {"minimum", parameter.minimum},
                              {"maximum", parameter.maximum},
                              {"c_end", parameter.c_end},
                              {"r_end", parameter.r_end}});
    }
    return {{"parameters", std::move(parameters)}, {"iterations", result.iterations},
            {"games", result.games.games()},       {"wins", result.games.wins},
            {"draws", result.games.draws},         {"losses", result.games.losses},
            {"failures", result.failures},         {"resumed", result.resumed},
            {"interrupted", result.interrupted}};
}

void print_text(const arena::TuningOptions& options, const arena::TuningResult& result) {
    std::size_t width = 9;
    for (const auto& parameter : options.plan.parameters) width = std::max(width, parameter.name.size());
    fmt::print("{:{}}  {:>10} {:>10} {:>10} {:>10} {:>10}\n", "parameter", width, "start", "value", "rounded",
               "c_end", "r_end");
    for (std::size_t i = 0; i < result.values.size(); ++i) {
        const auto& parameter = options.plan.parameters[i];
        fmt::print("{:{}}  {:>10g} {:>10.2f} {:>10} {:>10g} {:>10g}\n", parameter.name, width,
                   parameter.start, result.values[i], std::llround(result.values[i]), parameter.c_end,
                   parameter.r_end);
    }
    fmt::print("{} of {}, {}: +{} ={} -{}\n", result.iterations,
               base::counted(options.plan.iterations(), "iteration"),
               base::counted(result.games.games(), "game"), result.games.wins, result.games.draws,
               result.games.losses);
    if (result.failures > 0)
        fmt::print("{} lost off the board: crash, time, illegal move\n",
                   base::counted(result.failures, "game"));
    if (result.interrupted) fmt::print("interrupted: the same command goes on from {}\n", options.state_file);
}

base::Status run_tune(const TuneArguments& arguments, const std::stop_token& stop) {
    if (arguments.state == arguments.log)
        return base::fail("--log {}: is the file of --state too, expected another", arguments.log);
    const auto options = tuning_options(arguments);
    if (!options) return std::unexpected(options.error());
    base::Result<arena::TuningResult> result;
    {
        std::optional<base::Progress> progress;
        result = arena::tune(
            *options,
            [&](const arena::TuningResult& so_far) {
                std::string values;
                for (std::size_t i = 0; i < std::min<std::size_t>(3, so_far.values.size()); ++i)
                    values += fmt::format("{}{} {:.1f}", i == 0 ? "" : ", ", options->plan.parameters[i].name,
                                          so_far.values[i]);
                if (!progress)
                    progress.emplace("tune", 2 * static_cast<std::uint64_t>(options->plan.pairs), "games",
                                     so_far.games.games());
                progress->update(so_far.games.games(), values);
            },
            stop);
    }
    if (!result) return std::unexpected(result.error());
    if (arguments.json)
        print(json_of(*options, *result));
    else
        print_text(*options, *result);
    return finish_trace(options->engine.trace);
}

}  // namespace

void add_tune_command(Command app, Invocation& invocation) {
    const Command command =
        app.add_subcommand("tune", "Tune options of an engine by games against itself (SPSA)");
    command.footer(
        "Two settings on either side of the present one play pairs of games; the present one moves towards "
        "the\n"
        "winner. c_end is how far they are set apart at the end, r_end how far it moves then. Scholar's own\n"
        "search has options to tune only in a build of the preset 'tuning'. A tuning that was stopped or "
        "killed\n"
        "goes on with the same command.\n"
        "Example:\n"
        "  scholar tune --param ReductionSlope,20,0.002 --param HistoryPruning --games 2000 --tc "
        "nodes=5000");
    auto arguments = std::make_shared<TuneArguments>();
    command.add_option("--engine", arguments->engine,
                       std::string(kEngineHelp) + ", tc. Default: Scholar inside this process");
    command
        .add_option(
            "--param", arguments->parameters,
            "NAME[,C_END[,R_END]]: an option to tune; repeatable. Without more said, C_END is a twentieth "
            "of the option's range and R_END 0.002")
        .allow_extra_args(false);
    command.add_option("--params", arguments->parameter_file,
                       "TOML file with a section for each parameter: c_end, r_end, start, minimum, maximum");
    command.add_flag("--all", arguments->all, "Tune every constant of the search that the engine offers");
    command.add_option("--games", arguments->games, "Games in all")
        .capture_default_str()
        .check(range(2, 100'000'000));
    command
        .add_option("--games-per-iteration", arguments->games_per_iteration,
                    "Games that one pair of settings plays; they can be played at the same time")
        .capture_default_str()
        .check(range(2, 100'000));
    command.add_option("--tc", arguments->time_control, "Time control, as of scholar match")
        .capture_default_str();
    command.add_option("--openings", arguments->openings,
                       "File of positions or PGN games (default: the built-in 100 positions)");
    command.add_option("--concurrency", arguments->concurrency, "Games at a time")
        .capture_default_str()
        .check(range(1, 1024));
    command.add_option("--seed", arguments->seed, "Seed of signs, rounding and openings")
        .capture_default_str();
    command.add_option("--a-ratio", arguments->a_ratio, "A as a part of all pairs of games")
        .capture_default_str()
        .check(range(0.0, 10.0));
    command.add_option("--alpha", arguments->alpha, "How fast steps shrink")
        .capture_default_str()
        .check(range(0.0, 2.0));
    command.add_option("--gamma", arguments->gamma, "How fast the settings come together")
        .capture_default_str()
        .check(range(0.0, 1.0));
    command.add_option("--state", arguments->state, "File that the tuning goes on from")
        .capture_default_str();
    command.add_option("--log", arguments->log, "File for a line of JSON after each iteration")
        .capture_default_str();
    arguments->trace = add_trace_option(command);
    command.add_flag("--json", arguments->json, "Print one JSON object");
    command.callback([&invocation, arguments] {
        invocation.run = [arguments](const std::stop_token& stop) { return run_tune(*arguments, stop); };
    });
}

}  // namespace scholar::cli
