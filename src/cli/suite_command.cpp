#include <cmath>
#include <memory>

#include "arena/suite.hpp"
#include "base/progress.hpp"
#include "cli/commands.hpp"
#include "cli/engine_words.hpp"

namespace scholar::cli {

namespace {

struct SuiteArguments {
    std::string file;
    std::string engine;
    double move_time = 0.1;
    std::uint64_t nodes = 0;
    int depth = 0;
    int concurrency = 1;
    bool json = false;
};

base::Status run(const SuiteArguments& arguments, std::stop_token stop) {
    auto engine = parse_engine_words(arguments.engine);
    if (!engine) return std::unexpected(engine.error());
    if (engine->time_control)
        return base::fail("--engine: key 'tc' has no meaning for a suite, use --movetime");
    const auto items = arena::read_suite(arguments.file);
    if (!items) return std::unexpected(items.error());

    arena::SuiteOptions options;
    options.engine = std::move(engine->config);
    options.concurrency = arguments.concurrency;
    if (arguments.nodes > 0)
        options.limit = arena::NodeLimit{arguments.nodes};
    else if (arguments.depth > 0)
        options.limit = arena::DepthLimit{arguments.depth};
    else
        options.limit =
            arena::MoveTimeLimit{std::chrono::milliseconds(std::llround(arguments.move_time * 1000))};

    base::Result<arena::SuiteResult> result;
    {
        base::Progress progress("suite", items->size(), "positions");
        result = arena::run_suite(
            *items, options, [&](std::size_t done) { progress.update(done); }, std::move(stop));
    }
    if (!result) return std::unexpected(result.error());
    fmt::print("{}",
               arguments.json ? arena::to_json_lines(*items, *result) : arena::describe(*items, *result));
    return {};
}

}  // namespace

void add_suite_command(CLI::App& app, Invocation& invocation) {
    auto* command = app.add_subcommand("suite", "Let a UCI engine solve a file of test positions");
    command->footer(
        "Positions are EPD lines with bm (best moves), am (moves to avoid), or points as the Strategic Test "
        "Suite\n"
        "has them (c9 the moves, c8 what each is worth). The table is by theme: \"STS(v1.0) Undermine.001\" "
        "counts\n"
        "under Undermine.");
    auto arguments = std::make_shared<SuiteArguments>();
    command->add_option("file", arguments->file, "EPD file; may be compressed")->required();
    command->add_option("--engine", arguments->engine, std::string(kEngineHelp) + " (default: this program)");
    auto* time = command->add_option("--movetime", arguments->move_time, "Seconds a position")
                     ->capture_default_str()
                     ->check(CLI::Range(0.001, 86'400.0));
    auto* nodes = command->add_option("--nodes", arguments->nodes, "Nodes a position, instead of a time")
                      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 50));
    auto* depth = command->add_option("--depth", arguments->depth, "Depth in plies, instead of a time")
                      ->check(CLI::Range(1, 1000));
    time->excludes(nodes)->excludes(depth);
    nodes->excludes(depth);
    command
        ->add_option("--concurrency", arguments->concurrency, "Positions at a time, each with its own engine")
        ->capture_default_str()
        ->check(CLI::Range(1, 1024));
    command->add_flag("--json", arguments->json,
                      "Print a line of JSON for each position and one for the total");
    command->callback([&invocation, arguments] {
        invocation.run = [arguments](std::stop_token stop) { return run(*arguments, std::move(stop)); };
    });
}

}  // namespace scholar::cli
