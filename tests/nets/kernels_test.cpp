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

class OutputSum : public testing::TestWithParam<Activation> {};

TEST_P(OutputSum, EqualsThePlainSum) {
    base::Random random(2);
    // Squares times weights beyond 128 would not fit in 16 bits on the way.
    const int range = GetParam() == Activation::Squared ? 128 : 3000;
    for (const int width : {32, 64, 96, 256, 1024}) {
        const auto own = random_row(random, width, 600);
        const auto enemy = random_row(random, width, 600);
        auto weights = random_row(random, 2 * width, range);
        weights[0] = static_cast<std::int16_t>(range);
        weights[1] = static_cast<std::int16_t>(-range);
        std::int32_t expected = 0;
        for (std::size_t i = 0; i < own.size(); ++i) {
            expected += activate(GetParam(), std::clamp<int>(own[i], 0, 255)) * weights[i];
            expected += activate(GetParam(), std::clamp<int>(enemy[i], 0, 255)) * weights[own.size() + i];
        }
        EXPECT_EQ(output_sum(GetParam(), own.data(), enemy.data(), weights.data(), width, 255), expected)
            << "width " << width;
    }
}

INSTANTIATE_TEST_SUITE_P(Activations, OutputSum, testing::Values(Activation::Clipped, Activation::Squared),
                         [](const auto& each) { return std::string(to_string(each.param)); });

}  // namespace
}  // namespace scholar::nets
