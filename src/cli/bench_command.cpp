#include <fmt/format.h>

#include "cli/commands.hpp"
#include "engine/bench.hpp"
#include "engine/engine.hpp"
#include "nets/kernels.hpp"

namespace scholar::cli {

namespace {

struct Options {
    int depth = engine::kBenchDepth;
    std::string network;
};

base::Status run(const Options& options) {
    auto engine = engine::Engine::create();
    if (!engine) return std::unexpected(engine.error());
    if (!options.network.empty())
        if (auto status = (*engine)->load_network(options.network); !status) return status;
    const auto result = engine::bench((*engine)->network(), options.depth,
                                      [](int number, std::string_view fen, std::uint64_t nodes) {
                                          fmt::print("{:2} {:>10} {}\n", number, nodes, fen);
                                      });
    const double seconds = std::chrono::duration<double>(result.elapsed).count();
    fmt::print("\nBench: {}\n{:.3f} s, {:.0f} nodes/s, kernels {}\n", result.nodes, seconds,
               static_cast<double>(result.nodes) / seconds, nets::kernel_target());
    return {};
}

}  // namespace

void add_bench_command(CLI::App& app, Invocation& invocation) {
    CLI::App* command = app.add_subcommand(
        "bench", "Search fixed positions to a fixed depth: the node count is the search's fingerprint");
    auto options = std::make_shared<Options>();
    command->add_option("depth", options->depth, "Depth in half-moves")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    command->add_option("--net", options->network, "Network to use instead of the embedded one");
    command->callback(
        [&invocation, options] { invocation.run = [options](std::stop_token) { return run(*options); }; });
}

}  // namespace scholar::cli
