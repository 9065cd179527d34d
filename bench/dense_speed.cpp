// bench/dense_speed [--rounds N] [NETWORK...]: nanoseconds of what a leaf by a dense network costs, along
// random games on one thread, in CPU time: the numbers of each feature set; then, by network, the network
// alone by kernels and by plain loops in float32, and the whole evaluation. Medians of N rounds (9) with
// their range. Without networks it takes random ones of several sizes, which cost what trained ones do.
//
// ninja -C BUILD dense_speed makes it.

#include <algorithm>
#include <fmt/core.h>
#include <memory>
#include <string>
#include <vector>

#include "evaluators/dense_evaluator.hpp"
#include "nets/container/any_network.hpp"
#include "nets/kernel_target.hpp"
#include "speed.hpp"

namespace scholar::evaluators {
namespace {

using bench::kMostMoves;
using bench::nanoseconds_of;

constexpr int kGames = 200;

float by_plain_loops(const nets::DenseNetwork& network, std::span<const float> inputs,
                     std::vector<float>& below, std::vector<float>& here) {
    below.assign(inputs.begin(), inputs.end());
    for (std::size_t layer = 0; layer < network.layers.size(); ++layer) {
        here.clear();
        for (std::size_t i = 0; i < network.layers[layer].size(); ++i) {
            const nets::DenseBlockShape& shape = network.info.shape.layers[layer][i];
            const nets::DenseBlock& block = network.layers[layer][i];
            const auto count = static_cast<std::size_t>(shape.inputs);
            for (std::size_t unit = 0; unit < block.bias.size(); ++unit) {
                float sum = block.bias[unit];
                const float* const in = below.data() + shape.first_input;
                for (std::size_t at = 0; at < count; ++at) sum += block.weight[unit * count + at] * in[at];
                here.push_back(layer + 1 < network.layers.size() ? std::max(sum, 0.0F) : sum);
            }
        }
        below.swap(here);
    }
    return below.front();
}

void report(const std::shared_ptr<const nets::DenseNetwork>& network,
            const std::vector<chess::Position>& positions, int rounds) {
    const nets::DenseFeatureSet& features = *network->info.shape.features;
    const auto size = static_cast<std::size_t>(features.size());
    std::vector<float> inputs(positions.size() * size);
    for (std::size_t i = 0; i < positions.size(); ++i)
        features.encode(positions[i], std::span(inputs).subspan(i * size, size));
    nets::DenseRunner runner(network);
    const std::string alone = nanoseconds_of(rounds, positions.size(), [&](std::size_t i) {
        std::copy_n(inputs.data() + i * size, size, runner.inputs().data());
        return runner.run();
    });
    std::vector<float> below;
    std::vector<float> here;
    const std::string plainly = nanoseconds_of(rounds, positions.size(), [&](std::size_t i) {
        return by_plain_loops(*network, std::span(inputs).subspan(i * size, size), below, here);
    });
    DenseEvaluator evaluator(network);
    const std::string whole = nanoseconds_of(rounds, positions.size(), [&](std::size_t i) {
        evaluator.reset(positions[i]);
        return evaluator.value(positions[i]).value();
    });
    // As a search does: each after the one before it. Which move led there does not matter to this evaluator.
    evaluator.reset(positions.front());
    std::size_t ply = 0;
    const std::string along = nanoseconds_of(rounds, positions.size(), [&](std::size_t i) {
        if (++ply % kMostMoves == 0) evaluator.reset(positions[i]);
        evaluator.push(positions[i], chess::Move::none());
        return evaluator.value(positions[i]).value();
    });
    fmt::print("{:<58} {:>22} {:>24} {:>22} {:>22}\n", describe(*network), alone, plainly, whole, along);
}

int run(int rounds, const std::vector<std::string>& files) {
    const std::vector<chess::Position> positions = bench::random_positions(kGames);
    fmt::print("{}\n", nets::kernel_target());
    for (const nets::DenseFeatureSet& set : nets::dense_feature_sets()) {
        std::vector<float> out(static_cast<std::size_t>(set.size()));
        fmt::print("{:<58} {:>22}\n", set.name, nanoseconds_of(rounds, positions.size(), [&](std::size_t i) {
                       set.encode(positions[i], out);
                       return out[i % out.size()];
                   }));
    }
    fmt::print("{:<58} {:>22} {:>24} {:>22} {:>22}\n", "", "network, ns", "by plain loops, ns",
               "evaluation, ns", "along games, ns");
    for (const std::string& file : files) {
        const auto network = nets::load_any_network(file);
        const auto dense = network ? network->as<nets::DenseNetwork>() : nullptr;
        if (!dense || dense->info.shape.moves) {
            fmt::print(stderr, "{}\n",
                       network ? file + ": expected a dense network of positions" : network.error().message);
            return 1;
        }
        report(dense, positions, rounds);
    }
    if (!files.empty()) return 0;
    const nets::DenseFeatureSet& features = **nets::find_dense_feature_set("giraffe-363");
    for (const auto& [apart, joint] : {std::pair<std::vector<int>, std::vector<int>>{{19, 11, 7}, {64}},
                                       {{19, 44, 26}, {64}},
                                       {{16, 64, 32}, {32}},
                                       {{32, 128, 64}, {32}},
                                       {{32, 128, 64}, {64}},
                                       {{64, 256, 128}, {64}}})
        report(std::make_shared<const nets::DenseNetwork>(
                   nets::random_dense_network(nets::dense_shape(features, {apart}, joint), 1)),
               positions, rounds);
    return 0;
}

}  // namespace
}  // namespace scholar::evaluators

int main(int argc, char** argv) {
    const auto arguments = scholar::bench::speed_arguments(argc, argv);
    return scholar::evaluators::run(arguments.rounds, arguments.files);
}
