// bench/mcts_speed [VISITS [THREADS... [-- VALUE POLICY]]]: how fast the Monte-Carlo tree search is with the
// embedded network and the embedded sparse policy, or other networks, on the positions of `scholar bench`,
// each from a tree without nodes: visits a second by the clock and by processor time, what of the nodes are
// open, and bytes of the tree a visit.

#include <chrono>
#include <ctime>
#include <fmt/core.h>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "chess/fen.hpp"
#include "evaluators/make.hpp"
#include "nets/container/open_network.hpp"
#include "search/bench_positions.hpp"
#include "search/mcts/playouts.hpp"

namespace scholar {
namespace {

constexpr std::uint64_t kVisits = 20'000;

double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Measured {
    std::uint64_t visits = 0;
    std::uint64_t open = 0;
    std::uint64_t depths = 0;
    double bytes = 0;
    double seconds = 0;
    double processor = 0;
};

// Of all nodes below one.
void count(const search::mcts::Tree& tree, search::mcts::NodeId id, int depth, Measured& measured) {
    if (tree[id].kind == search::mcts::NodeKind::Open) ++measured.open;
    measured.depths += static_cast<std::uint64_t>(depth);
    for (const auto& edge : tree.edges(id))
        if (edge.child != search::mcts::kNoNode) count(tree, edge.child, depth + 1, measured);
}

base::Status measure(const nets::AnyNetwork& value, const nets::AnyNetwork& policy, std::uint64_t visits,
                     int threads) {
    search::mcts::Playouts::Evaluators evaluators;
    for (int thread = 0; thread < threads; ++thread) {
        auto evaluator = evaluators::make_joined_batch(value, policy);
        if (!evaluator) return std::unexpected(evaluator.error());
        evaluators.push_back(std::move(*evaluator));
    }
    search::MctsOptions options;
    options.exploration = search::default_exploration(value, options.quiescence);
    options.megabytes = std::max<std::size_t>(64, visits / 1'500);
    search::mcts::Playouts playouts(std::move(evaluators), options);
    Measured all;
    for (const std::string_view fen : search::bench_positions()) {
        playouts.clear();
        const chess::Line line(chess::parse_fen(fen).value());
        const double processor = processor_seconds();
        const auto start = std::chrono::steady_clock::now();
        if (auto status = playouts.begin(line); !status) return status;
        if (auto status = playouts.run(visits); !status) return status;
        all.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        all.processor += processor_seconds() - processor;
        all.visits += playouts.count();
        all.bytes += static_cast<double>(playouts.tree().bytes_taken());
        count(playouts.tree(), playouts.tree().root(), 0, all);
    }
    const auto made = static_cast<double>(all.visits);
    fmt::print(
        "{:<10} {:>9.0f} visits/s  {:>9.0f} a second of processor time  {:>5.1f} % open  depth {:>4.1f}  "
        "{:>5.0f} bytes a visit\n",
        base::counted(threads, "thread"), made / all.seconds, made / all.processor,
        100 * static_cast<double>(all.open) / made, static_cast<double>(all.depths) / made, all.bytes / made);
    return {};
}

base::Status run(const std::vector<std::string>& arguments) {
    std::string value = "";
    std::string policy = "<sparse-policy-4d852c0c>";
    std::vector<int> numbers;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == "--") {
            if (i + 3 != arguments.size())
                return base::fail("after --: expected a value and a policy network");
            value = arguments[i + 1];
            policy = arguments[i + 2];
            break;
        }
        numbers.push_back(std::atoi(arguments[i].c_str()));
        if (numbers.back() < 1) return base::fail("'{}', expected a number above 0", arguments[i]);
    }
    const std::uint64_t visits = numbers.empty() ? kVisits : static_cast<std::uint64_t>(numbers.front());
    if (!numbers.empty()) numbers.erase(numbers.begin());
    if (numbers.empty()) numbers = {1, 2};
    const auto first = nets::open_network(value);
    if (!first) return std::unexpected(first.error());
    const auto second = nets::open_network(policy);
    if (!second) return std::unexpected(second.error());
    fmt::print("{} with {}, {} visits a position\n", first->description(), second->description(), visits);
    for (const int threads : numbers)
        if (auto status = measure(*first, *second, visits, threads); !status) return status;
    return {};
}

}  // namespace
}  // namespace scholar

int main(int argc, char** argv) {
    if (auto status = scholar::run({argv + 1, argv + argc}); !status) {
        fmt::print(stderr, "mcts_speed: {}\n", status.error().message);
        return 1;
    }
}
