// bench/comparison_speed [--rounds N] [NETWORK...]: nanoseconds of what a search by comparisons asks of a
// network, along random games on one thread, in CPU time: an embedding of a position, and a comparison of two
// embeddings; the same by plain loops in float32, of all of the network; and how many numbers an embedding
// has. Medians of N rounds (9) with their range. Without networks it takes random ones of the paper's sizes,
// which cost what trained ones do.
//
// ninja -C BUILD comparison_speed makes it.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fmt/core.h>
#include <memory>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "chess/movegen.hpp"
#include "nets/comparison/comparison_runner.hpp"
#include "nets/container/any_network.hpp"
#include "nets/kernel_target.hpp"

namespace scholar::nets {
namespace {

constexpr int kGames = 40;
constexpr int kMostMoves = 120;

std::vector<chess::Position> random_positions() {
    base::Random random(1);
    std::vector<chess::Position> positions;
    for (int game = 0; game < kGames; ++game) {
        chess::Position position;
        for (int ply = 0; ply < kMostMoves; ++ply) {
            const chess::MoveList moves = chess::legal_moves(position);
            if (moves.empty()) break;
            const auto choice = random.below(static_cast<std::uint64_t>(moves.size()));
            position.make(moves[static_cast<int>(choice)]);
            positions.push_back(position);
        }
    }
    return positions;
}

// Nanoseconds of use(i) for each of `count` numbers, which gives something that is added up.
template <class Use>
std::string measure(int rounds, std::size_t count, Use use) {
    std::vector<double> all;
    double sum = 0;
    for (int round = 0; round < rounds; ++round) {
        const std::clock_t start = std::clock();
        for (std::size_t i = 0; i < count; ++i) sum += use(i);
        const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        all.push_back(1e9 * seconds / static_cast<double>(count));
    }
    if (sum == 1) fmt::print("improbable\n");  // so that nothing is left out
    std::ranges::sort(all);
    return fmt::format("{:6.0f} ({:.0f} to {:.0f})", all[all.size() / 2], all.front(), all.back());
}

void pass(const std::vector<ComparisonLayer>& layers, std::vector<float>& now, std::vector<float>& next) {
    for (const ComparisonLayer& layer : layers) {
        next.clear();
        for (std::size_t unit = 0; unit < layer.bias.size(); ++unit) {
            float sum = layer.bias[unit];
            for (std::size_t in = 0; in < now.size(); ++in)
                sum += layer.weight[unit * now.size() + in] * now[in];
            next.push_back(std::max(sum, 0.0F));
        }
        now.swap(next);
    }
}

void report(const std::shared_ptr<const ComparisonNetwork>& network,
            const std::vector<chess::Position>& positions, int rounds) {
    ComparisonRunner runner(network);
    const std::size_t size = runner.embedding_size();
    std::vector<float> embeddings(positions.size() * size);
    const auto at = [&](std::size_t i) { return std::span(embeddings).subspan(i * size, size); };
    const std::string embedding = measure(rounds, positions.size(), [&](std::size_t i) {
        runner.embed(positions[i], at(i));
        return at(i).front();
    });
    // Each with one of another game.
    const std::string comparison = measure(rounds, positions.size(), [&](std::size_t i) {
        return runner.logit(at(i), at((i + kMostMoves) % positions.size()));
    });
    const std::size_t few = std::min<std::size_t>(positions.size(), 200);
    std::vector<float> next;
    const std::string plainly = measure(rounds, few, [&](std::size_t i) {
        std::vector<float> both;
        for (const std::size_t which : {i, i + kMostMoves}) {
            std::vector<float> now(kComparisonBits);
            const ComparisonOnes ones(positions[which % positions.size()]);
            for (const int one : ones.all()) now[static_cast<std::size_t>(one)] = 1;
            pass(network->encoder, now, next);
            both.insert(both.end(), now.begin(), now.end());
        }
        if (network->info.shape.form == ComparisonForm::Split) both.resize(both.size() / 2);
        pass(network->head, both, next);
        return both.front();
    });
    fmt::print("{:<76} {:>22} {:>20} {:>26} {:>8}\n", describe(*network), embedding, comparison, plainly,
               size);
}

int run(int rounds, const std::vector<std::string>& files) {
    const std::vector<chess::Position> positions = random_positions();
    fmt::print("{}\n{:<76} {:>22} {:>20} {:>26} {:>8}\n", kernel_target(), "", "embedding, ns",
               "comparison, ns", "a pair by plain loops, ns", "numbers");
    for (const std::string& file : files) {
        const auto network = load_any_network(file);
        const auto comparison = network ? network->as<ComparisonNetwork>() : nullptr;
        if (!comparison) {
            fmt::print(stderr, "{}\n",
                       network ? file + ": expected a comparison network" : network.error().message);
            return 1;
        }
        report(comparison, positions, rounds);
    }
    if (!files.empty()) return 0;
    for (const auto& [encoder, head] :
         {std::pair<std::vector<int>, std::vector<int>>{{600, 400, 200, 100}, {400, 200, 100}},
          {{100, 100, 100}, {100}}})
        for (const ComparisonForm form :
             {ComparisonForm::Pair, ComparisonForm::Antisymmetric, ComparisonForm::Split})
            report(std::make_shared<const ComparisonNetwork>(
                       random_comparison_network({encoder, head, form}, 1)),
                   positions, rounds);
    return 0;
}

}  // namespace
}  // namespace scholar::nets

int main(int argc, char** argv) {
    int rounds = 9;
    std::vector<std::string> files;
    for (int i = 1; i < argc; ++i)
        if (std::strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
            rounds = std::max(1, std::atoi(argv[++i]));
        else
            files.emplace_back(argv[i]);
    return scholar::nets::run(rounds, files);
}
