#include "engine/option.hpp"

#include <gtest/gtest.h>

namespace scholar::engine {
namespace {

std::vector<Option> options(OptionValue& seen) {
    const auto keep = [&seen](const OptionValue& value) -> base::Status {
        seen = value;
        return {};
    };
    return {{"Hash", "", SpinOption{16, 1, 64}, keep},
            {"CPuct", "", RealOption{1.745, 0, 100}, keep},
            {"Clear Hash", "", ButtonOption{}, keep},
            {"UCI_Chess960", "", CheckOption{false}, keep},
            {"EvalFile", "", StringOption{""}, keep},
            {"System", "", ComboOption{"scholar", {"scholar", "oneply", "random"}}, keep}};
}

TEST(Option, ValuesAreReadByKindAndNamesByAnyCase) {
    OptionValue seen;
    const auto all = options(seen);
    ASSERT_TRUE(set_option(all, "hash", "64"));
    EXPECT_EQ(std::get<long>(seen), 64);
    ASSERT_TRUE(set_option(all, "cpuct", "2.5"));
    EXPECT_EQ(std::get<double>(seen), 2.5);
    EXPECT_EQ(default_of(*find_option(all, "CPuct")), "1.745");
    ASSERT_TRUE(set_option(all, "uci_chess960", "TRUE"));
    EXPECT_TRUE(std::get<bool>(seen));
    ASSERT_TRUE(set_option(all, "EvalFile", "a file with spaces"));
    EXPECT_EQ(std::get<std::string>(seen), "a file with spaces");
    ASSERT_TRUE(set_option(all, "system", "OnePly"));
    EXPECT_EQ(std::get<std::string>(seen), "oneply");
    ASSERT_TRUE(set_option(all, "Clear Hash", ""));
    EXPECT_TRUE(std::holds_alternative<std::monostate>(seen));
}

TEST(Option, WrongValuesAreRefusedByNameWithTheRange) {
    OptionValue seen = 5L;
    const auto all = options(seen);
    for (const char* value : {"0", "65", "-1", "", "12x", "99999999999999999999"}) {
        const auto refused = set_option(all, "Hash", value);
        ASSERT_FALSE(refused) << value;
        EXPECT_NE(refused.error().message.find("option Hash"), std::string::npos);
        EXPECT_NE(refused.error().message.find("from 1 to 64"), std::string::npos);
    }
    for (const char* value : {"-0.1", "100.5", "", "1,7", "nan", "inf", "1.7x"}) {
        const auto refused = set_option(all, "CPuct", value);
        ASSERT_FALSE(refused) << value;
        EXPECT_NE(refused.error().message.find("option CPuct"), std::string::npos);
        EXPECT_NE(refused.error().message.find("a number from 0 to 100"), std::string::npos);
    }
    EXPECT_FALSE(set_option(all, "UCI_Chess960", "maybe"));
    const auto combo = set_option(all, "System", "two");
    ASSERT_FALSE(combo);
    EXPECT_EQ(combo.error().message, "option System: value 'two', expected scholar, oneply or random");
    const auto unknown = set_option(all, "Contempt", "1");
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("unknown option 'Contempt'"), std::string::npos);
    EXPECT_EQ(std::get<long>(seen), 5);  // nothing has changed
}

}  // namespace
}  // namespace scholar::engine
