#include "engine/bench.hpp"

#include <cassert>
#include <string_view>

#include "chess/fen.hpp"
#include "search/alpha_beta/alpha_beta.hpp"
#include "search/bench_positions.hpp"

namespace scholar::engine {

base::Result<BenchResult> bench(
    const nets::AnyNetwork& network, int depth,
    const std::function<void(int, std::string_view, std::uint64_t)>& on_position) {
    constexpr std::size_t megabytes = 16;
    search::Table table(megabytes);
    const auto searcher = search::make_alpha_beta(network, table);
    if (!searcher) return std::unexpected(searcher.error());
    return bench(**searcher, table, depth, on_position, {});
}

BenchResult bench(search::Search& searcher, search::Table& table, int depth,
                  const std::function<void(int, std::string_view, std::uint64_t)>& on_position,
                  const std::stop_token& stop) {
    search::Silence silent;
    BenchResult result{0, std::chrono::nanoseconds(0)};
    int number = 0;
    for (const std::string_view fen : search::bench_positions()) {
        if (stop.stop_requested()) break;
        const auto position = chess::parse_fen(fen);
        assert(position);
        table.clear();
        searcher.new_game();
        search::Limits limits;
        limits.limits.emplace_back(search::DepthLimit{depth});
        const auto found = searcher.run(chess::Line(*position), limits, stop, silent);
        result.nodes += found.counters.nodes;
        result.elapsed += found.counters.elapsed;
        on_position(++number, fen, found.counters.nodes);
    }
    return result;
}

}  // namespace scholar::engine
