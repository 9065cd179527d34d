#include "nets/conv/winograd.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "base/random.hpp"

// Against plain convolutions in double precision, in every order of loops that says what they are.

namespace scholar::nets {
namespace {

constexpr int kSide = 8;
constexpr std::size_t kSquares = 64;

std::vector<float> random_numbers(base::Random& random, std::size_t count) {
    std::vector<float> numbers(count);
    for (float& number : numbers) number = static_cast<float>(random.below(2001)) / 1000.0F - 1.0F;
    return numbers;
}

struct Layer {
    WinogradShape shape;
    std::size_t positions;

    std::size_t in(std::size_t position, int rank, int file, std::size_t input) const {
        return ((position * kSquares + static_cast<std::size_t>(rank * kSide + file)) * shape.inputs) + input;
    }
    std::size_t out(std::size_t position, int rank, int file, std::size_t output) const {
        return ((position * kSquares + static_cast<std::size_t>(rank * kSide + file)) * shape.outputs) +
               output;
    }
    std::size_t weight(std::size_t output, std::size_t input, int rank, int file) const {
        return (output * shape.inputs + input) * 9 + static_cast<std::size_t>(rank * 3 + file);
    }

    // with(input, output, weight): the places of the factors and the sum of every product.
    template <class With>
    void for_each_product(With with) const {
        for (std::size_t position = 0; position < positions; ++position)
            for (int square = 0; square < kSide * kSide; ++square)
                for (int by = 0; by < 9; ++by) {
                    const int rank = square / kSide + by / 3 - 1;
                    const int file = square % kSide + by % 3 - 1;
                    if (rank < 0 || rank >= kSide || file < 0 || file >= kSide) continue;
                    for (std::size_t output = 0; output < shape.outputs; ++output)
                        for (std::size_t input = 0; input < shape.inputs; ++input)
                            with(in(position, rank, file, input),
                                 out(position, square / kSide, square % kSide, output),
                                 weight(output, input, by / 3, by % 3));
                }
    }
};

// Sums of `terms` products of numbers up to 1.
void expect_near(const std::vector<float>& got, const std::vector<double>& expected, std::size_t terms) {
    ASSERT_EQ(got.size(), expected.size());
    const double bound = 1e-5 * std::sqrt(static_cast<double>(terms));
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], expected[i], bound) << i;
}

TEST(Winograd, IsTheConvolutionAndItsGradients) {
    base::Random random(1);
    for (const Layer layer : {Layer{{16, 16}, 1}, Layer{{48, 16}, 5}, Layer{{16, 32}, 25}}) {
        const WinogradShape& shape = layer.shape;
        const auto in = random_numbers(random, layer.positions * kSquares * shape.inputs);
        const auto weights = random_numbers(random, shape.outputs * shape.inputs * 9);
        const auto gradient = random_numbers(random, layer.positions * kSquares * shape.outputs);
        std::vector<double> out(gradient.size());
        std::vector<double> of_in(in.size());
        std::vector<double> of_weights(weights.size());
        layer.for_each_product([&](std::size_t i, std::size_t o, std::size_t w) {
            out[o] += static_cast<double>(in[i]) * weights[w];
            of_in[i] += static_cast<double>(gradient[o]) * weights[w];
            of_weights[w] += static_cast<double>(gradient[o]) * in[i];
        });

        std::vector<float> scratch(winograd_scratch(shape));
        std::vector<float> points(shape.weights());
        std::vector<float> got(out.size());
        winograd_weights(shape, weights.data(), points.data());
        winograd_convolve(shape, points.data(), in.data(), layer.positions, got.data(), scratch.data());
        expect_near(got, out, 9 * shape.inputs);

        // And what is done to the sums.
        const auto bias = random_numbers(random, shape.outputs);
        std::vector<float> finished = gradient;
        winograd_convolve(shape, points.data(), in.data(), layer.positions, finished.data(), scratch.data(),
                          {bias.data(), true, true});
        std::vector<double> expected(out.size());
        for (std::size_t i = 0; i < out.size(); ++i)
            expected[i] = std::max(0.0, out[i] + bias[i % shape.outputs] + gradient[i]);
        expect_near(finished, expected, 9 * shape.inputs);
        const auto slope = random_numbers(random, shape.outputs);
        for (const bool adds : {false, true}) {
            finished = gradient;
            winograd_convolve(shape, points.data(), in.data(), layer.positions, finished.data(),
                              scratch.data(), {.bias = bias.data(), .adds = adds, .slope = slope.data()});
            for (std::size_t i = 0; i < out.size(); ++i) {
                const std::size_t output = i % shape.outputs;
                expected[i] = out[i] + bias[output] + (adds ? gradient[i] : 0.0F);
                if (expected[i] < 0) expected[i] *= slope[output];
            }
            expect_near(finished, expected, 9 * shape.inputs);
        }

        winograd_turned_weights(shape, weights.data(), points.data());
        got.resize(of_in.size());
        winograd_convolve(shape.turned(), points.data(), gradient.data(), layer.positions, got.data(),
                          scratch.data());
        expect_near(got, of_in, 9 * shape.outputs);

        // What stands in the sums is kept: half of the positions after the others.
        std::vector<float> sums(shape.weights());
        const std::size_t half = layer.positions / 2;
        winograd_gradient(shape, in.data(), gradient.data(), half, sums.data(), scratch.data());
        winograd_gradient(shape, in.data() + half * kSquares * shape.inputs,
                          gradient.data() + half * kSquares * shape.outputs, layer.positions - half,
                          sums.data(), scratch.data());
        got.resize(of_weights.size());
        winograd_gradient_of_weights(shape, sums.data(), got.data());
        expect_near(got, of_weights, kSquares * layer.positions);
    }
}

TEST(Winograd, ShowsWhatIsNoNumber) {
    const WinogradShape shape{16, 16};
    const std::vector<float> weights(shape.inputs * shape.outputs * 9, 1);
    std::vector<float> in(kSquares * shape.inputs, std::numeric_limits<float>::infinity());
    std::vector<float> points(shape.weights());
    std::vector<float> scratch(winograd_scratch(shape));
    std::vector<float> out(kSquares * shape.outputs);
    winograd_weights(shape, weights.data(), points.data());
    winograd_convolve(shape, points.data(), in.data(), 1, out.data(), scratch.data(), {nullptr, false, true});
    for (const float number : out) EXPECT_FALSE(std::isfinite(number));
}

}  // namespace
}  // namespace scholar::nets
