#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "arena/suite.hpp"
#include "base/progress.hpp"
#include "cli/commands.hpp"
#include "cli/engine_words.hpp"
#include "cli/trace_option.hpp"

namespace scholar::cli {

namespace {

struct SuiteArguments {
    std::string file;
    std::vector<std::string> engines;
    std::string data;
    double move_time = 0.1;
    std::uint64_t nodes = 0;
    int depth = 0;
    int concurrency = 1;
    int time_margin = 50;
    double patience = 300;
    bool mates = false;
    bool json = false;
    TraceSetting trace;
};

// Suites known by a word, as files in a folder of data or in its subfolder "suites".
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kSuites{{
    {"sts", "sts.epd"},
    {"wac", "wac.epd"},
    {"bk", "bratko-kopec.epd"},
}};

// The file that the first argument means: a suite's word, unless there is a file of that name.
base::Result<std::string> find_suite(const SuiteArguments& arguments) {
    namespace fs = std::filesystem;
    const auto known =
        std::ranges::find(kSuites, arguments.file, &std::pair<std::string_view, std::string_view>::first);
    std::error_code error;
    if (known == kSuites.end() || fs::exists(arguments.file, error)) return arguments.file;
    std::vector<fs::path> folders;
    if (const char* variable = std::getenv("SCHOLAR_DATA"); !arguments.data.empty())
        folders.emplace_back(arguments.data);
    else if (variable != nullptr && *variable != '\0')
        folders.emplace_back(variable);
    else
        folders = {".", "data"};
    for (const fs::path& folder : folders)
        for (const fs::path& path : {folder / "suites" / known->second, folder / known->second})
            if (fs::is_regular_file(path, error)) return path.string();
    return base::fail(
        "suite {}: no {} in {}; it does not come with Scholar, expected its folder as --data DIR or in "
        "SCHOLAR_DATA",
        arguments.file, known->second, folders.front() == "." ? "this folder" : folders.front().string());
}

base::Status run_suite(const SuiteArguments& arguments, std::stop_token stop) {
    arena::SuiteOptions options;
    for (const std::string& words : arguments.engines) {
        auto engine = parse_engine_words(words);
        if (!engine) return std::unexpected(engine.error());
        if (engine->time_control)
            return base::fail("--engine: key 'tc' has no meaning for a suite, use --movetime");
        options.engines.push_back(std::move(engine->config));
    }
    // Scholar itself, in this process.
    if (options.engines.empty()) options.engines.emplace_back().protocol = arena::Protocol::Internal;
    const auto trace = open_trace(arguments.trace);
    if (!trace) return std::unexpected(trace.error());
    for (auto& engine : options.engines) engine.trace = *trace;
    const auto file = find_suite(arguments);
    if (!file) return std::unexpected(file.error());
    const auto items = arena::read_suite(*file);
    if (!items) return std::unexpected(items.error());

    options.concurrency = arguments.concurrency;
    options.ask_for_mates = arguments.mates;
    options.time_margin = std::chrono::milliseconds(arguments.time_margin);
    options.untimed_patience = std::chrono::milliseconds(std::llround(arguments.patience * 1000));
    if (arguments.nodes > 0)
        options.limit = arena::NodeLimit{arguments.nodes};
    else if (arguments.depth > 0)
        options.limit = arena::DepthLimit{arguments.depth};
    else
        options.limit =
            arena::MoveTimeLimit{std::chrono::milliseconds(std::llround(arguments.move_time * 1000))};

    base::Result<arena::SuiteResults> results;
    {
        base::Progress progress("suite", items->size() * options.engines.size(), "positions");
        results = arena::run_suite(
            *items, options, [&](std::size_t done) { progress.update(done); }, std::move(stop));
    }
    if (!results) return std::unexpected(results.error());
    if (arguments.json) {
        for (const auto& result : *results) fmt::print("{}", arena::to_json_lines(*items, result));
    } else {
        fmt::print("{}", arena::describe(*items, *results));
    }
    return finish_trace(*trace);
}

}  // namespace

void add_suite_command(Command app, Invocation& invocation) {
    const Command command = app.add_subcommand("suite", "Let engines solve a file of test positions");
    command.footer(
        "Positions are EPD lines with bm (best moves), am (moves to avoid), dm (mate in so many, to be "
        "announced\n"
        "with a variation that mates), or points as the Strategic Test Suite has them (c9 the moves, c8 what "
        "each\n"
        "is worth). sts, wac and bk are the Strategic Test Suite, Win At Chess and Bratko-Kopec, if their "
        "files\n"
        "sts.epd, wac.epd and bratko-kopec.epd are found. The table is by theme: \"STS(v1.0) Undermine.001\" "
        "counts\n"
        "under Undermine. Moves of games are another kind of suite: scholar suite moves --help.");
    auto arguments = std::make_shared<SuiteArguments>();
    const Option file =
        command.add_option("file", arguments->file, "EPD file, perhaps compressed; or sts, wac, bk");
    command
        .add_option("--engine", arguments->engines,
                    std::string(kEngineHelp) + ". Several are asked in turns (default: Scholar)")
        .allow_extra_args(false);
    command.add_option("--data", arguments->data,
                       "Folder with the suites known by a word, or with a folder suites of them (default: "
                       "SCHOLAR_DATA)");
    const Option time = command.add_option("--movetime", arguments->move_time, "Seconds a position")
                            .capture_default_str()
                            .check(range(0.001, 86'400.0));
    const Option nodes =
        command.add_option("--nodes", arguments->nodes, "Nodes a position, instead of a time")
            .check(range(std::uint64_t{1}, std::uint64_t{1} << 50));
    const Option depth = command.add_option("--depth", arguments->depth, "Depth in plies, instead of a time")
                             .check(range(1, 1000));
    command.add_flag("--mate", arguments->mates,
                     "Ask for the mate where a position has a dm (UCI's go mate), as long as --patience");
    command
        .add_option("--time-margin", arguments->time_margin,
                    "Milliseconds over --movetime that are forgiven; a later answer gets no points")
        .capture_default_str()
        .check(range(0, 60'000));
    command
        .add_option("--patience", arguments->patience,
                    "Seconds to wait for an answer with --nodes, --depth or --mate, which have no clock")
        .capture_default_str()
        .check(range(0.1, 864'000.0));
    time.excludes(nodes).excludes(depth);
    nodes.excludes(depth);
    command
        .add_option("--concurrency", arguments->concurrency, "Positions at a time, each with its own engine")
        .capture_default_str()
        .check(range(1, 1024));
    arguments->trace = add_trace_option(command);
    command.add_flag("--json", arguments->json,
                     "Print a line of JSON for each position and one for the total");
    add_suite_moves(command, invocation);
    command.callback([&invocation, arguments, command, file] {
        if (!command.subcommands().empty()) return;
        if (file.count() == 0) refuse("file", "is required, or the subcommand moves");
        invocation.run = [arguments](std::stop_token stop) { return run_suite(*arguments, std::move(stop)); };
    });
}

}  // namespace scholar::cli
