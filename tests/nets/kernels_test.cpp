#include "nets/perspective/kernels.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "nets/aligned.hpp"
#include "nets/perspective/network.hpp"

namespace scholar::nets {
namespace {

AlignedVector<std::int16_t> random_row(base::Random& random, int width, int range) {
    AlignedVector<std::int16_t> row(static_cast<std::size_t>(width));
    for (auto& value : row)
        value = static_cast<std::int16_t>(
            static_cast<int>(random.below(2 * static_cast<std::uint64_t>(range) + 1)) - range);
    return row;
}

TEST(Kernels, UpdateAddsAndRemovesRows) {
    base::Random random(1);
    for (const int width : {32, 64, 96, 256, 1024}) {
        for (int added = 0; added <= 3; ++added) {
            for (int removed = 0; removed <= 2; ++removed) {
                const auto base_row = random_row(random, width, 1000);
                std::vector<AlignedVector<std::int16_t>> rows;
                for (int i = 0; i < added + removed; ++i) rows.push_back(random_row(random, width, 1000));
                std::vector<const std::int16_t*> plus;
                std::vector<const std::int16_t*> minus;
                for (int i = 0; i < added; ++i) plus.push_back(rows[static_cast<std::size_t>(i)].data());
                for (int i = 0; i < removed; ++i)
                    minus.push_back(rows[static_cast<std::size_t>(added + i)].data());
                AlignedVector<std::int16_t> out(static_cast<std::size_t>(width));
                update_accumulator(out.data(), base_row.data(), width, plus.data(), added, minus.data(),
                                   removed);
                for (std::size_t i = 0; i < out.size(); ++i) {
                    int expected = base_row[i];
                    for (const auto* row : plus) expected += row[i];
                    for (const auto* row : minus) expected -= row[i];
                    ASSERT_EQ(out[i], expected) << "width " << width << " at " << i;
                }
            }
        }
    }
}

constexpr int kShift = Network::kProductShift;

// What the output gets of an activation.
int shortened(Activation activation, int value) {
    return activation == Activation::Clipped ? value : (value + (1 << (kShift - 1))) >> kShift;
}

// Of the sums of one viewpoint, number by number.
std::int32_t plain_sum(const Architecture& architecture, const AlignedVector<std::int16_t>& sums,
                       const std::int16_t* weights) {
    const auto clipped = [&](int unit) {
        return std::clamp<int>(sums[static_cast<std::size_t>(unit)], 0, 255);
    };
    std::int32_t total = 0;
    for (int i = 0; i < architecture.outputs(); ++i)
        total += shortened(architecture.activation,
                           activate(architecture.activation, clipped(i), clipped(architecture.partner(i)))) *
                 weights[i];
    return total;
}

class OutputSum : public testing::TestWithParam<Activation> {};

TEST_P(OutputSum, EqualsThePlainSum) {
    base::Random random(2);
    for (const int width : {32, 64, 96, 192, 256, 1024}) {
        const Architecture architecture{.width = width, .activation = GetParam()};
        if (width % architecture.width_multiple() != 0) continue;
        const auto own = random_row(random, width, 600);
        const auto enemy = random_row(random, width, 600);
        // As large as may be, where not all of them are.
        auto weights = random_row(random, 2 * architecture.outputs(), 200);
        weights[0] = 32'767;
        weights[1] = -32'767;
        const std::int32_t expected = plain_sum(architecture, own, weights.data()) +
                                      plain_sum(architecture, enemy, weights.data() + architecture.outputs());
        EXPECT_EQ(output_sum(GetParam(), own.data(), enemy.data(), weights.data(), width, 255, kShift),
                  expected)
            << "width " << width;
    }
}

INSTANTIATE_TEST_SUITE_P(Activations, OutputSum,
                         testing::Values(Activation::Clipped, Activation::Squared, Activation::Paired),
                         [](const auto& each) { return std::string(to_string(each.param)); });

// Worked by hand: 32 products of either side, each of a sum and that of the unit 32 further on.
TEST(OutputSumOfPairs, MultipliesEachUnitOfTheFirstHalfWithItsOwnOfTheSecond) {
    AlignedVector<std::int16_t> own(64);
    AlignedVector<std::int16_t> enemy(64);
    AlignedVector<std::int16_t> weights(64);
    own[1] = 3;
    own[33] = 5;
    own[2] = 7;  // whose other is 0
    own[34] = -1;
    weights[1] = 2;
    weights[2] = 100;
    enemy[31] = 300;  // 255
    enemy[63] = 4;
    weights[32 + 31] = -1;
    // 15 and 1,020, each with half of 16 and divided by 16: 1 and 64.
    EXPECT_EQ(output_sum(Activation::Paired, own.data(), enemy.data(), weights.data(), 64, 255, 4),
              1 * 2 - 64);
}

class ActivateSums : public testing::TestWithParam<Activation> {};

TEST_P(ActivateSums, EqualsThePlainActivation) {
    base::Random random(4);
    for (const int width : {32, 64, 96, 192, 1024}) {
        const Architecture architecture{.width = width, .activation = GetParam()};
        if (width % architecture.width_multiple() != 0) continue;
        auto sums = random_row(random, width, 600);
        // All of it, and its other half too.
        for (const int unit : {0, architecture.partner(0)}) sums[static_cast<std::size_t>(unit)] = 30'000;
        AlignedVector<std::int16_t> out(static_cast<std::size_t>(architecture.outputs()));
        activate_sums(GetParam(), sums.data(), width, 255, 4, out.data());
        const auto clipped = [&](int unit) {
            return std::clamp<int>(sums[static_cast<std::size_t>(unit)], 0, 255);
        };
        for (int i = 0; i < architecture.outputs(); ++i) {
            const int product = clipped(i) * clipped(architecture.partner(i));
            ASSERT_EQ(out[static_cast<std::size_t>(i)],
                      GetParam() == Activation::Clipped ? clipped(i) : (product + 8) / 16)
                << "width " << width << " at " << i;
        }
        EXPECT_EQ(out[0], GetParam() == Activation::Clipped ? 255 : 4064);
    }
}

INSTANTIATE_TEST_SUITE_P(Activations, ActivateSums,
                         testing::Values(Activation::Clipped, Activation::Squared, Activation::Paired),
                         [](const auto& each) { return std::string(to_string(each.param)); });

TEST(HiddenLayer, EqualsThePlainSums) {
    base::Random random(3);
    for (const int inputs : {16, 32, 48, 512, 8192})
        for (const int units : {16, 32, 80, 256}) {
            auto in = random_row(random, inputs, 4096);
            for (auto& input : in) input = static_cast<std::int16_t>(std::abs(input));
            // As large as the sums of so many may be.
            const int range = std::min(32'767, 500'000 / inputs);
            const auto weights = random_row(random, inputs * units, range);
            AlignedVector<std::int32_t> bias(static_cast<std::size_t>(units));
            for (auto& value : bias) value = static_cast<std::int32_t>(random.below(20'000'000)) - 10'000'000;
            AlignedVector<std::int16_t> out(static_cast<std::size_t>(units));
            hidden_layer(in.data(), inputs, weights.data(), bias.data(), units, 15, 4096, out.data());
            int inside = 0;
            for (int unit = 0; unit < units; ++unit) {
                std::int64_t sum = bias[static_cast<std::size_t>(unit)];
                for (int i = 0; i < inputs; ++i)
                    sum += std::int64_t{in[static_cast<std::size_t>(i)]} *
                           weights[Layer::index(0, unit, i, units, inputs)];
                const auto expected = std::clamp<std::int64_t>(sum < 0 ? -1 : sum / 32'768, 0, 4096);
                inside += expected > 0 && expected < 4096;
                ASSERT_EQ(out[static_cast<std::size_t>(unit)], expected)
                    << inputs << " inputs, unit " << unit << " of " << units;
            }
            EXPECT_GT(inside, 0) << inputs << " inputs, " << units << " units";
        }
}

// Worked by hand: units see nothing but what is theirs.
TEST(HiddenLayer, AddsUpPairsOfInputsUnitByUnit) {
    AlignedVector<std::int16_t> in(16);
    AlignedVector<std::int16_t> weights(16 * 16);
    AlignedVector<std::int32_t> bias(16);
    AlignedVector<std::int16_t> out(16);
    in[4] = 10;
    in[5] = 100;
    const std::size_t pair = 2 * 16 * 2;  // inputs 4 and 5
    weights[pair + 2 * 3] = 7;            // unit 3 sees both
    weights[pair + 2 * 3 + 1] = -1 + 8;
    weights[pair + 2 * 9 + 1] = 50;  // unit 9 the second
    weights[pair + 2 * 10] = -1;     // unit 10 less than nothing
    bias[3] = 6;
    bias[15] = 4000;
    hidden_layer(in.data(), 16, weights.data(), bias.data(), 16, 2, 1000, out.data());
    AlignedVector<std::int16_t> expected(16);
    expected[3] = (10 * 7 + 100 * 7 + 6) / 4;
    expected[9] = 1000;   // 5000 / 4, clipped
    expected[15] = 1000;  // 4000 / 4
    EXPECT_EQ(out, expected);
}

TEST(DotProduct, EqualsThePlainSum) {
    base::Random random(6);
    for (const int count : {16, 32, 48, 256}) {
        const auto a = random_row(random, count, 4096);
        const auto b = random_row(random, count, 2000);
        std::int32_t expected = 0;
        for (std::size_t i = 0; i < a.size(); ++i) expected += a[i] * b[i];
        EXPECT_EQ(dot_product(a.data(), b.data(), count), expected);
    }
}

}  // namespace
}  // namespace scholar::nets
