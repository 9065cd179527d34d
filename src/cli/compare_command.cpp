#include <filesystem>
#include <memory>
#include <optional>

#include "arena/comparison.hpp"
#include "arena/engine_identity.hpp"
#include "arena/ladder.hpp"
#include "arena/match.hpp"
#include "arena/match_output.hpp"
#include "arena/match_state.hpp"
#include "arena/more_openings.hpp"
#include "arena/sprt.hpp"
#include "base/cores.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "cli/commands.hpp"
#include "cli/engine_words.hpp"
#include "cli/match_json.hpp"
#include "cli/match_watch.hpp"
#include "cli/output.hpp"
#include "cli/sprt_words.hpp"
#include "cli/trace_option.hpp"

namespace scholar::cli {

namespace {

struct CompareArguments {
    std::vector<std::string> engines;  // A and B
    std::optional<std::uint64_t> nodes;
    std::string time_control;
    std::optional<int> games;
    std::string sprt;
    std::string openings;
    int concurrency = 0;  // 0: as many as there are cores
    std::uint64_t seed = 1;
    std::string state;
    TraceSetting trace;
    bool json = false;
};

constexpr std::uint64_t kNodes = 3'000;
constexpr int kGames = 2'000;
// Of a test at time, which mostly ends long before.
constexpr int kMostGamesOfTest = 40'000;
constexpr const char* kSprt = "elo0=0 elo1=10";

// "default" and network files stand for Scholar in this process with that network, other words are those of
// --engine.
base::Result<EngineWords> engine_of(const std::string& text) {
    if (text.find('=') != std::string::npos) return parse_engine_words(text);
    EngineWords engine;
    engine.config.protocol = arena::Protocol::Internal;
    std::error_code error;
    if (text == "default") {
        engine.config.name = "default";
    } else if (std::filesystem::is_regular_file(text, error)) {
        engine.config.name = std::filesystem::path(text).stem().string();
        engine.config.options.emplace_back("EvalFile", text);
    } else {
        return base::fail("'{}': expected default, a network's file, or an engine in words KEY=VALUE", text);
    }
    return engine;
}

struct Plan {
    arena::MatchOptions match;
    std::optional<arena::SprtSettings> sprt;
    std::string control;  // for people
};

base::Result<Plan> plan_of(const CompareArguments& arguments) {
    Plan plan;
    if (arguments.engines.size() != 2)
        return base::fail("compare: {} engines, expected two", arguments.engines.size());
    if (arguments.nodes && !arguments.time_control.empty())
        return base::fail("compare: --nodes and --tc, expected one of them");
    const bool by_time = !arguments.time_control.empty();
    const auto control = arena::parse_time_control(
        by_time ? arguments.time_control : fmt::format("nodes={}", arguments.nodes.value_or(kNodes)));
    if (!control) return base::fail_in("--tc", control.error());
    for (std::size_t side = 0; side < 2; ++side) {
        auto engine = engine_of(arguments.engines[side]);
        if (!engine) return std::unexpected(engine.error());
        plan.match.engines[side] = std::move(engine->config);
        plan.match.time_controls[side] = engine->time_control.value_or(*control);
    }
    const auto words = [&](int side) { return arena::to_string(plan.match.time_controls[side]); };
    plan.control = words(0) == words(1) ? words(0) : words(0) + " and " + words(1);
    // What time is spent on is measured by a test, unless a number of games is asked for.
    if (!arguments.sprt.empty() || (by_time && !arguments.games)) {
        auto settings = parse_sprt(arguments.sprt.empty() ? kSprt : arguments.sprt);
        if (!settings) return std::unexpected(settings.error());
        plan.sprt = *settings;
    }
    plan.match.games = arguments.games.value_or(plan.sprt ? kMostGamesOfTest : kGames);
    plan.match.seed = arguments.seed;
    plan.match.concurrency = base::threads_or_cores(arguments.concurrency);
    auto openings = arguments.openings.empty()
                        ? games::parse_openings(arena::embedded_openings(), "the built-in openings")
                        : games::read_openings(arguments.openings);
    if (!openings) return std::unexpected(openings.error());
    // Each pair of games needs an opening of its own: at fixed nodes the same one is the same game again.
    const auto pairs = static_cast<std::size_t>(std::min(plan.match.games, kGames) + 1) / 2;
    auto enough = arena::more_openings(*openings, std::max(pairs, openings->size()), arguments.seed);
    if (!enough) return std::unexpected(enough.error());
    plan.match.openings = std::move(*enough);
    return plan;
}

// The name says which comparison it is, by what is in programs and networks, so that the same command finds
// it again, and does not after one of them was made anew.
base::Result<std::string> state_of(const CompareArguments& arguments, const Plan& plan) {
    if (!arguments.state.empty()) return arguments.state;
    std::string words = fmt::format("{}\n{}\n{}", plan.control, arguments.openings, arguments.seed);
    for (const auto& engine : plan.match.engines) {
        const auto description = arena::describe_engine(engine);
        if (!description) return std::unexpected(description.error());
        words += fmt::format("\n{}", base::json_line(*description));
    }
    return fmt::format("compare-{}.state", base::to_hex(base::hash_text(words)));
}

constexpr int kFirstIsBetter = 0;
constexpr int kFirstIsNotBetter = 10;
constexpr int kUndecided = 11;

int exit_code_of(arena::Better better) {
    switch (better) {
        case arena::Better::First:
            return kFirstIsBetter;
        case arena::Better::Second:
        case arena::Better::NotFirst:
            return kFirstIsNotBetter;
        case arena::Better::Undecided:
            break;
    }
    return kUndecided;
}

std::string verdict(const arena::MatchResult& result, arena::Better better) {
    switch (better) {
        case arena::Better::First:
            return fmt::format("{} is better", result.engines[0].name);
        case arena::Better::Second:
            return fmt::format("{} is better", result.engines[1].name);
        case arena::Better::NotFirst:
            return fmt::format("{} is not better by as much as was tested", result.engines[0].name);
        case arena::Better::Undecided:
            break;
    }
    return "no difference beyond the error";
}

base::Status run_compare(const CompareArguments& arguments, int& exit_code, const std::stop_token& stop) {
    auto plan = plan_of(arguments);
    if (!plan) return std::unexpected(plan.error());
    const auto trace = open_trace(arguments.trace);
    if (!trace) return std::unexpected(trace.error());
    for (auto& engine : plan->match.engines) engine.trace = *trace;
    const auto path = state_of(arguments, *plan);
    if (!path) return std::unexpected(path.error());
    const auto state = arena::MatchState::open(*path, plan->match, {});
    if (!state) return std::unexpected(state.error());
    const auto result = watch_match(plan->match, plan->sprt, {state->get()}, (*state)->earlier(), stop);
    if (!result) {
        (*state)->remove_if_empty();
        return std::unexpected(result.error());
    }
    if (!result->match.problem.empty())
        return base::fail("the comparison ended early: {}", result->match.problem);
    const arena::Sprt* const test = result->test ? &*result->test : nullptr;
    const arena::Better better = arena::better_of(result->match, test);
    const std::string line = arena::ledger_line(result->match, plan->control);
    if (arguments.json) {
        Json json = match_json(result->match);
        json["control"] = plan->control;
        if (test != nullptr) json["sprt"] = test->describe();
        json["better"] = arena::to_string(better);
        json["line"] = line;
        print(json);
    } else {
        fmt::print("{}", arena::describe(result->match));
        if (test != nullptr) fmt::print("  SPRT         {}\n", test->describe());
        fmt::print("{}\n{}\n", line,
                   stop.stop_requested() ? fmt::format("interrupted: the same command goes on ({})", *path)
                                         : verdict(result->match, better));
    }
    if (auto status = finish_trace(*trace); !status) return status;
    exit_code = exit_code_of(better);
    return {};
}

}  // namespace

void add_compare_command(Command app, Invocation& invocation) {
    const Command command = app.add_subcommand("compare", "Which of two is better, and by how much");
    command.footer(
        "A and B are 'default' (the built-in network), a network's file, or an engine in the words that\n"
        "match --engine takes. Without --tc they play 2,000 games at 3,000 nodes a move, each opening with "
        "both\n"
        "colours: some ± 13 Elo, in minutes, and alike on every machine. With --tc a sequential test at that "
        "time\n"
        "control decides whether A is better. It can be stopped; the same command goes on.\n"
        "Exit status: 0 A is better, 10 B is (with a test: A is not), 11 undecided, 1 an error, 130 "
        "interrupted.\n"
        "Examples:\n"
        "  scholar compare runs/learn/network.safetensors default\n"
        "  scholar compare 'name=new cmd=./new/scholar' 'name=old cmd=./old/scholar' --tc 1+0.01\n"
        "  scholar compare 'name=pvs option.Search=pvs' default --games 400");
    auto arguments = std::make_shared<CompareArguments>();
    command.add_option("ENGINE", arguments->engines, "A and B").required().expected(2);
    command.add_option("--nodes", arguments->nodes, "Nodes a move (default: 3000)");
    command.add_option("--tc", arguments->time_control,
                       "Time control instead, as match --tc takes it, such as 1+0.01");
    command.add_option("--games", arguments->games, "Games (default: 2000; with a test at most 40000)")
        .check(range(2, 10'000'000));
    command.add_option("--sprt", arguments->sprt,
                       "The test, as match --sprt takes it (default with --tc and without --games: \"elo0=0 "
                       "elo1=10\")");
    command.add_option("--openings", arguments->openings,
                       "File of positions or PGN games (default: the built-in 100 positions, each gone on "
                       "with in several ways)");
    command.add_option("--concurrency", arguments->concurrency, "Games at a time (default: one a core)")
        .check(range(1, 1024));
    command.add_option("--seed", arguments->seed, "Seed of the openings and their order")
        .capture_default_str();
    command.add_option("--state", arguments->state,
                       "File that keeps the games (default: compare-….state in this folder, after what is "
                       "compared)");
    arguments->trace = add_trace_option(command);
    command.add_flag("--json", arguments->json, "Print one JSON object");
    command.callback([&invocation, arguments] {
        invocation.run = [&invocation, arguments](const std::stop_token& stop) {
            return run_compare(*arguments, invocation.exit_code, stop);
        };
    });
}

}  // namespace scholar::cli
