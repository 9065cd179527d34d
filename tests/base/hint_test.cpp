#include "base/hint.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace scholar::base {
namespace {

const std::vector<std::string> kKnown{"match", "rate", "suite"};

TEST(Hint, NamesTheOneThatWasMeant) {
    EXPECT_EQ(nearest("mtach", kKnown), "match");
    EXPECT_EQ(nearest("rates", kKnown), "rate");
    EXPECT_EQ(hint("suit", kKnown), "did you mean 'suite'?");
}

TEST(Hint, NamesAllWhereNoneIsNear) {
    EXPECT_EQ(nearest("elephant", kKnown), std::nullopt);
    EXPECT_EQ(nearest("match", {}), std::nullopt);
    EXPECT_EQ(hint("elephant", kKnown), "expected one of match, rate, suite");
}

TEST(Hint, TakesNoLongWord) {
    EXPECT_EQ(nearest(std::string(1'000'000, 'm'), std::vector<std::string>{std::string(1'000'000, 'm')}),
              std::nullopt);
}

}  // namespace
}  // namespace scholar::base
