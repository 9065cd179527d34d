// bench/evaluation_speed [--rounds N] [NETWORK...]: nanoseconds of a static evaluation by each network, along
// random games on one thread, in CPU time: of a move and the evaluation behind it, and of the evaluation
// alone, whose sums are there already. Medians of N rounds (9) with their range. Without networks it takes
// random ones, with and without hidden layers, which cost what trained ones do.
//
// ninja -C BUILD evaluation_speed makes it.

#include <algorithm>
#include <ctime>
#include <fmt/core.h>
#include <memory>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "chess/movegen.hpp"
#include "evaluators/network_evaluator.hpp"
#include "nets/kernel_target.hpp"
#include "nets/perspective/network_file.hpp"
#include "nets/perspective/quantise.hpp"
#include "speed.hpp"

namespace scholar::evaluators {
namespace {

constexpr int kGames = 300;

struct Step {
    chess::Position before;
    chess::Move move;
    chess::Position after;
};
using Game = std::vector<Step>;

std::vector<Game> random_games() {
    base::Random random(1);
    std::vector<Game> games(kGames);
    for (Game& game : games) {
        chess::Position position;
        while (game.size() < bench::kMostMoves) {
            const chess::MoveList moves = chess::legal_moves(position);
            if (moves.empty()) break;
            const auto choice = random.below(static_cast<std::uint64_t>(moves.size()));
            const chess::Move move = moves[static_cast<int>(choice)];
            game.push_back({position, move, position.after(move)});
            position = game.back().after;
        }
    }
    return games;
}

// Of one evaluation in nanoseconds, `times` of them after each move.
double measure(NetworkEvaluator& evaluator, const std::vector<Game>& games, int times) {
    std::int64_t sum = 0;
    std::size_t count = 0;
    const std::clock_t start = std::clock();
    for (const Game& game : games) {
        evaluator.reset(chess::Position());
        for (const Step& step : game) {
            evaluator.push(step.before, step.move);
            for (int i = 0; i < times; ++i) sum += evaluator.value(step.after).value();
        }
        count += game.size();
    }
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (sum == 1) fmt::print("improbable\n");  // so that nothing is left out
    return 1e9 * seconds / static_cast<double>(count);
}

void report(const std::string& name, const nets::Network& network, const std::vector<Game>& games,
            int rounds) {
    constexpr int more = 10;
    NetworkEvaluator evaluator(std::make_shared<const nets::Network>(network));
    measure(evaluator, games, 1);
    std::vector<double> moves;
    std::vector<double> alone;
    for (int round = 0; round < rounds; ++round) {
        moves.push_back(measure(evaluator, games, 1));
        alone.push_back((measure(evaluator, games, 1 + more) - moves.back()) / more);
    }
    fmt::print("{:<52} {:>24} {:>24}\n", name, bench::median_of(moves), bench::median_of(alone));
}

int run(int rounds, const std::vector<std::string>& files) {
    const std::vector<Game> games = random_games();
    fmt::print("{}\n{:<52} {:>24} {:>24}\n", nets::kernel_target(), "", "move and evaluation, ns",
               "evaluation alone, ns");
    for (const std::string& file : files) {
        const auto network = nets::load_network(file);
        if (!network) {
            fmt::print(stderr, "{}\n", network.error().message);
            return 1;
        }
        report(file, *network, games, rounds);
    }
    if (!files.empty()) return 0;
    for (const auto activation : {nets::Activation::Squared, nets::Activation::Paired})
        for (const std::vector<int>& hidden :
             {std::vector<int>{}, std::vector<int>{16}, std::vector<int>{16, 32}, std::vector<int>{32, 32}}) {
            const nets::Architecture architecture{*nets::find_feature_set("768-king6"), 512, activation, 8,
                                                  hidden};
            const auto quantised = nets::quantise(nets::FloatNetwork::random(architecture, 1));
            report(nets::to_string(architecture), quantised->network, games, rounds);
        }
    return 0;
}

}  // namespace
}  // namespace scholar::evaluators

int main(int argc, char** argv) {
    const auto arguments = scholar::bench::speed_arguments(argc, argv);
    return scholar::evaluators::run(arguments.rounds, arguments.files);
}
