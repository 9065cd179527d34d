#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hwy/highway.h>
#include <vector>

#include "nets/kernel_target.hpp"

// The main program of tests of kernels: in a build that chooses them at run time it runs them once for each
// instruction set that both the build and this processor have, in a build for one machine once.

namespace scholar::tests {
namespace {

// The targets, one a round.
class KernelTargets : public testing::EmptyTestEventListener {
  public:
    static const std::vector<std::int64_t>& all() {
        static const std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
        return targets;
    }
    static std::int64_t now;

  private:
    void OnTestIterationStart(const testing::UnitTest&, int iteration) override {
        now = all()[static_cast<std::size_t>(iteration) % all().size()];
        hwy::GetChosenTarget().Update(now);
        std::printf("Kernels for %s\n", hwy::TargetName(now));
    }
};

std::int64_t KernelTargets::now = 0;

TEST(KernelTargets, TakeTurns) {
    EXPECT_STREQ(nets::kernel_target(), hwy::TargetName(KernelTargets::now));
}

}  // namespace
}  // namespace scholar::tests

int main(int argc, char** argv) {
    testing::InitGoogleMock(&argc, argv);
    const auto rounds = static_cast<std::int32_t>(scholar::tests::KernelTargets::all().size());
    GTEST_FLAG_SET(repeat, GTEST_FLAG_GET(repeat) * rounds);
    testing::UnitTest::GetInstance()->listeners().Append(new scholar::tests::KernelTargets);
    return RUN_ALL_TESTS();
}
