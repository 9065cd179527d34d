#include "base/random.hpp"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace scholar::base {
namespace {

TEST(SplitMix, PublishedSequence) {
    // The sequence for seed 1234567 that Rosetta Code gives, from the authors' C code.
    std::uint64_t state = 1234567;
    for (const std::uint64_t expected :
         {6457827717110365317ULL, 3203168211198807973ULL, 9817491932198370423ULL, 4593380528125082431ULL,
          16408922859458223821ULL})
        EXPECT_EQ(split_mix(state), expected);
}

TEST(Random, ReferenceSequence) {
    // First outputs of the authors' xoshiro256starstar.c from the state {1, 2, 3, 4}.
    Random random(0);
    random.set_state({1, 2, 3, 4});
    for (const std::uint64_t expected :
         {11520ULL, 0ULL, 1509978240ULL, 1215971899390074240ULL, 1216172134540287360ULL,
          607988272756665600ULL, 16172922978634559625ULL, 8476171486693032832ULL, 10595114339597558777ULL,
          2904607092377533576ULL})
        EXPECT_EQ(random.next(), expected);
}

TEST(Random, SeedAndStreamBothMatter) {
    EXPECT_EQ(Random(7, 3).next(), Random(7, 3).next());
    EXPECT_NE(Random(7, 3).next(), Random(7, 4).next());
    EXPECT_NE(Random(7, 3).next(), Random(8, 3).next());
}

TEST(Random, StateResumesExactly) {
    Random random(99);
    for (int i = 0; i < 1000; ++i) random.next();
    Random resumed(0);
    resumed.set_state(random.state());
    for (int i = 0; i < 100; ++i) ASSERT_EQ(resumed.next(), random.next());
}

TEST(Random, BelowIsUniform) {
    Random random(5);
    constexpr int bound = 6;
    constexpr int draws = 60'000;
    std::array<int, bound> counts{};
    for (int i = 0; i < draws; ++i) ++counts.at(random.below(bound));
    double chi_square = 0;
    for (const int count : counts) {
        const double off = count - static_cast<double>(draws) / bound;
        chi_square += off * off / (static_cast<double>(draws) / bound);
    }
    EXPECT_LT(chi_square, 20.5);  // 0.1 % of fair dice do worse (5 degrees of freedom)
    for (int i = 0; i < 100; ++i) EXPECT_EQ(random.below(1), 0U);
}

TEST(Random, UnitLiesInItsRange) {
    Random random(5);
    double sum = 0;
    for (int i = 0; i < 10'000; ++i) {
        const double value = random.unit();
        ASSERT_GE(value, 0.0);
        ASSERT_LT(value, 1.0);
        sum += value;
    }
    EXPECT_NEAR(sum / 10'000, 0.5, 0.01);  // its standard error is 0.003
}

TEST(Random, ShuffleIsAPermutation) {
    std::vector<int> numbers(1000);
    std::iota(numbers.begin(), numbers.end(), 0);
    auto shuffled = numbers;
    Random(1).shuffle(shuffled);
    EXPECT_NE(shuffled, numbers);
    std::sort(shuffled.begin(), shuffled.end());
    EXPECT_EQ(shuffled, numbers);
}

}  // namespace
}  // namespace scholar::base
