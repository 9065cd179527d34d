#include "nets/kernels.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "nets/aligned.hpp"

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

// Of the sums of one viewpoint, number by number.
std::int32_t plain_sum(const Architecture& architecture, const AlignedVector<std::int16_t>& sums,
                       const std::int16_t* weights) {
    const auto clipped = [&](int unit) {
        return std::clamp<int>(sums[static_cast<std::size_t>(unit)], 0, 255);
    };
    std::int32_t total = 0;
    for (int i = 0; i < architecture.outputs(); ++i)
        total += activate(architecture.activation, clipped(i), clipped(architecture.partner(i))) * weights[i];
    return total;
}

class OutputSum : public testing::TestWithParam<Activation> {};

TEST_P(OutputSum, EqualsThePlainSum) {
    base::Random random(2);
    // Products of two times weights beyond 128 would not fit in 16 bits on the way.
    const int range = GetParam() == Activation::Clipped ? 3000 : 128;
    for (const int width : {32, 64, 96, 192, 256, 1024}) {
        const Architecture architecture{.width = width, .activation = GetParam()};
        if (width % architecture.width_multiple() != 0) continue;
        const auto own = random_row(random, width, 600);
        const auto enemy = random_row(random, width, 600);
        auto weights = random_row(random, 2 * architecture.outputs(), range);
        weights[0] = static_cast<std::int16_t>(range);
        weights[1] = static_cast<std::int16_t>(-range);
        const std::int32_t expected = plain_sum(architecture, own, weights.data()) +
                                      plain_sum(architecture, enemy, weights.data() + architecture.outputs());
        EXPECT_EQ(output_sum(GetParam(), own.data(), enemy.data(), weights.data(), width, 255), expected)
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
    EXPECT_EQ(output_sum(Activation::Paired, own.data(), enemy.data(), weights.data(), 64, 255),
              3 * 5 * 2 - 255 * 4);
}

}  // namespace
}  // namespace scholar::nets
