#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/engine_options.hpp"
#include "engine/bench.hpp"
#include "nets/kernel_target.hpp"

namespace scholar::cli {

namespace {

struct BenchArguments {
    int depth = engine::kBenchDepth;
    std::string network;
    EngineSettings settings;
};

base::Status run_bench(const BenchArguments& options, const std::stop_token& stop) {
    auto engine = make_engine(*options.settings);
    if (!engine) return std::unexpected(engine.error());
    if (!options.network.empty())
        if (auto status = (*engine)->set_option("EvalFile", options.network); !status) return status;
    if (auto status = (*engine)->prepare(); !status) return status;
    std::optional<engine::BenchResult> result;
    (*engine)->bench(
        options.depth,
        [](int number, std::string_view fen, std::uint64_t nodes) {
            fmt::print("{:2} {:>10} {}\n", number, nodes, fen);
        },
        [&](const auto& found) { result = found; });
    {
        const std::stop_callback interrupted(stop, [&] { (*engine)->stop(); });
        (*engine)->wait();
    }
    if (!result) return base::fail("stopped before the count was complete");
    const double seconds = std::chrono::duration<double>(result->elapsed).count();
    fmt::print("\nBench: {}\n{:.3f} s, kernels {}\n", result->nodes, seconds, nets::kernel_target());
    // OpenBench looks for this on the last lines, as engines print it there.
    fmt::print("{} nodes {:.0f} nps\n", result->nodes, static_cast<double>(result->nodes) / seconds);
    return {};
}

}  // namespace

void add_bench_command(Command app, Invocation& invocation) {
    const Command command = app.add_subcommand(
        "bench", "Search fixed positions to a fixed depth: the node count is the search's fingerprint");
    auto options = std::make_shared<BenchArguments>();
    command.add_option("depth", options->depth, "Depth in half-moves")
        .check(range(1, 100))
        .capture_default_str();
    command.add_option("--net", options->network, "Network to use instead of the embedded one");
    options->settings = add_engine_settings(command);
    command.callback([&invocation, options] {
        invocation.run = [options](std::stop_token stop) { return run_bench(*options, stop); };
    });
}

}  // namespace scholar::cli
