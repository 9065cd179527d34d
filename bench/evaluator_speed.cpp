// bench/evaluator_speed: nanoseconds for the value of a leaf, along the moves of games that ship with the
// program (one push and one value each), by evaluator: the embedded network, the linear evaluation, and of
// the latter the parts that are counted anew. `scholar bench --net FILE` has the nodes a second.
//
// ninja -C BUILD evaluator_speed makes it, where Google Benchmark is installed (libbenchmark-dev).

#include <benchmark/benchmark.h>
#include <cstdlib>
#include <fmt/core.h>

#include "evaluators/make.hpp"
#include "games/pgn.hpp"
#include "nets/container/any_network.hpp"
#include "nets/container/embedded.hpp"

namespace scholar {
namespace {

constexpr int kGames = 50;

const std::vector<games::Game>& sample_games() {
    static const std::vector<games::Game> games = [] {
        std::vector<games::Game> found;
        auto reader = games::PgnReader::open(SCHOLAR_SHIPPED_GAMES);
        while (reader && found.size() < kGames) {
            const auto item = reader->next();
            if (!item || *item != games::PgnItem::Game) break;
            found.push_back(reader->game());
        }
        if (found.empty()) {
            fmt::print(stderr, "{}: no games\n", SCHOLAR_SHIPPED_GAMES);
            std::exit(1);
        }
        return found;
    }();
    return games;
}

template <evaluators::LeafEvaluator Evaluator>
void along_games(benchmark::State& state, Evaluator evaluator) {
    std::int64_t positions = 0;
    for ([[maybe_unused]] const auto round : state)
        for (const games::Game& game : sample_games()) {
            chess::Position position = game.start;
            evaluator.reset(position);
            for (const chess::Move move : game.moves) {
                evaluator.push(position, move);
                position.make(move);
                benchmark::DoNotOptimize(evaluator.value(position));
                ++positions;
            }
        }
    state.SetItemsProcessed(positions);
}

void embedded_network(benchmark::State& state) {
    const auto network = nets::parse_any_network(nets::default_network_file());
    const auto done = evaluators::with_leaf(*network, [&](auto evaluator) -> base::Status {
        along_games(state, std::move(evaluator));
        return {};
    });
    if (!done) state.SkipWithError(done.error().message.c_str());
}
BENCHMARK(embedded_network);

// The weights do not matter: none is passed over for being 0.
void linear(benchmark::State& state) {
    along_games(state, evaluators::LinearEvaluator(std::make_shared<const nets::LinearNetwork>(
                           *nets::quantise(nets::FloatLinearNetwork::material_start()))));
}
BENCHMARK(linear);

template <class Use>
void at_each_position(benchmark::State& state, Use use) {
    std::int64_t positions = 0;
    for ([[maybe_unused]] const auto round : state)
        for (const games::Game& game : sample_games()) {
            chess::Position position = game.start;
            for (const chess::Move move : game.moves) {
                position.make(move);
                use(position);
                ++positions;
            }
        }
    state.SetItemsProcessed(positions);
}

void moves_alone(benchmark::State& state) {
    at_each_position(state,
                     [](const chess::Position& position) { benchmark::DoNotOptimize(position.key()); });
}
BENCHMARK(moves_alone);

void linear_features_afresh(benchmark::State& state) {
    at_each_position(state, [](const chess::Position& position) {
        nets::FeatureCounts counts;
        nets::count_features(position, counts);
        benchmark::DoNotOptimize(counts.end());
    });
}
BENCHMARK(linear_features_afresh);

void linear_gradient(benchmark::State& state) {
    at_each_position(
        state, [](const chess::Position& position) { benchmark::DoNotOptimize(nets::gradient(position)); });
}
BENCHMARK(linear_gradient);

}  // namespace
}  // namespace scholar

BENCHMARK_MAIN();
