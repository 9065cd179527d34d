#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/engine_words.hpp"
#include "cli/sprt_words.hpp"

// What options take as words KEY=VALUE.

namespace scholar::cli {
namespace {

using testing::HasSubstr;

TEST(SprtWords, SayWhatTheTestIs) {
    const auto sprt = parse_sprt("elo0=-1.5 elo1=2 alpha=0.1 beta=0.2 model=normalized");
    ASSERT_TRUE(sprt) << sprt.error().message;
    EXPECT_EQ(sprt->elo0, -1.5);
    EXPECT_EQ(sprt->elo1, 2);
    EXPECT_EQ(sprt->alpha, 0.1);
    EXPECT_EQ(sprt->beta, 0.2);
    EXPECT_EQ(sprt->model, arena::EloModel::Normalised);
    EXPECT_EQ(parse_sprt("elo0=0 elo1=5 model=normalised")->model, arena::EloModel::Normalised);
    EXPECT_EQ(parse_sprt("elo0=0 elo1=5 model=logistic")->model, arena::EloModel::Logistic);
    EXPECT_EQ(parse_sprt("elo0=0 elo1=5")->model, arena::EloModel::Logistic);
}

TEST(SprtWords, WhatGivesNoNumberIsRefusedInOneLine) {
    for (const char* bad :
         {"", "elo0=0", "elo1=5", "elo0=5 elo1=0", "elo0=0 elo1=nan", "elo0=-inf elo1=5", "elo0=0 elo1=1e300",
          "elo0=0 elo1=1e400", "elo0=0 elo1=400 model=normalised", "elo0=0 elo1=5 alpha=0",
          "elo0=0 elo1=5 beta=nan", "elo0=0 elo1=5 alpha=0.6 beta=0.6", "elo0=0 elo1=5 model=bayes",
          "elo0=0 elo1=5 gamma=1", "elo0= elo1=5", "elo0"}) {
        const auto sprt = parse_sprt(bad);
        ASSERT_FALSE(sprt) << bad;
        EXPECT_THAT(sprt.error().message, HasSubstr("--sprt")) << bad;
        EXPECT_EQ(sprt.error().message.find('\n'), std::string::npos) << bad;
    }
}

TEST(EngineWords, ACmdNamesAProgram) {
    for (const char* text : {"cmd=", "cmd=''", "cmd=\"\"", "name=x cmd=\" \" proto=uci"}) {
        const auto engine = parse_engine_words(text);
        ASSERT_FALSE(engine) << text;
        EXPECT_THAT(engine.error().message, HasSubstr("--engine: cmd: '")) << text;
    }
    EXPECT_EQ(parse_engine_words("cmd='a b'")->config.command, (std::vector<std::string>{"a", "b"}));
    // Without the key it is this program.
    EXPECT_EQ(parse_engine_words("")->config.protocol, arena::Protocol::Internal);
}

}  // namespace
}  // namespace scholar::cli
