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

TEST(Kernels, ClippedDotEqualsThePlainSum) {
    base::Random random(2);
    for (const int width : {32, 64, 96, 256, 1024}) {
        const auto own = random_row(random, width, 600);
        const auto enemy = random_row(random, width, 600);
        const auto weights = random_row(random, 2 * width, 3000);
        std::int32_t expected = 0;
        for (std::size_t i = 0; i < own.size(); ++i) {
            expected += std::clamp<int>(own[i], 0, 255) * weights[i];
            expected += std::clamp<int>(enemy[i], 0, 255) * weights[own.size() + i];
        }
        EXPECT_EQ(clipped_dot(own.data(), enemy.data(), weights.data(), width, 255), expected)
            << "width " << width;
    }
}

}  // namespace
}  // namespace scholar::nets
