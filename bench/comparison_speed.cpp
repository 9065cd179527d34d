// bench/comparison_speed [--rounds N] [NETWORK...]: nanoseconds of what a search by comparisons asks of a
// network, along random games on one thread, in CPU time: an embedding of a position, and a comparison of two
// embeddings; the same by plain loops in float32, of all of the network; and how many numbers an embedding
// has. Medians of N rounds (9) with their range. Without networks it takes random ones of the paper's sizes,
// which cost what trained ones do.
//
// ninja -C BUILD comparison_speed makes it.

#include <algorithm>
#include <fmt/core.h>
#include <memory>
#include <string>
#include <vector>

#include "nets/comparison/comparison_runner.hpp"
#include "nets/container/any_network.hpp"
#include "nets/kernel_target.hpp"
#include "speed.hpp"

namespace scholar::nets {
namespace {

using bench::kMostMoves;
using bench::nanoseconds_of;

constexpr int kGames = 40;

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
    const std::string embedding = nanoseconds_of(rounds, positions.size(), [&](std::size_t i) {
        runner.embed(positions[i], at(i));
        return at(i).front();
    });
    // Each with one of another game.
    const std::string comparison = nanoseconds_of(rounds, positions.size(), [&](std::size_t i) {
        return runner.logit(at(i), at((i + kMostMoves) % positions.size()));
    });
    const std::size_t few = std::min<std::size_t>(positions.size(), 200);
    std::vector<float> next;
    const std::string plainly = nanoseconds_of(rounds, few, [&](std::size_t i) {
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
    const std::vector<chess::Position> positions = bench::random_positions(kGames);
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
    const auto arguments = scholar::bench::speed_arguments(argc, argv);
    return scholar::nets::run(arguments.rounds, arguments.files);
}
