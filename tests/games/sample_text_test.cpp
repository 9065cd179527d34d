#include "games/sample_text.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.hpp"
#include "games/ending.hpp"
#include "games/recipe_sampling.hpp"
#include "support/test_data.hpp"

namespace scholar::games {
namespace {

std::string error_of(const std::string& text) {
    const auto stage = parse_stage(text);
    return stage ? "no error" : stage.error().message;
}

TEST(SampleText, WhatIsWrittenIsReadBack) {
    for (const char* text : {"rating min=2200",
                             "rating min=1800 max=2000",
                             "mean_rating min=2000.5",
                             "result is=decisive",
                             "result is=black_wins",
                             "ending is=time-forfeit",
                             "ending is=unknown",
                             "some_games share=0.5",
                             "ply min=10 max=200",
                             "ply",
                             "to_end min=5 max=10",
                             "to_end",
                             "mover_rating max=1500",
                             "mover is=white",
                             "mover is=one_of_two",
                             "quiet_move",
                             "no_capture_next",
                             "moved is=knight",
                             "not_in_check",
                             "no_capture_possible",
                             "quiet",
                             "quiet gain=300",
                             "quiet pawn=90 knight=310 bishop=330 rook=510 queen=950",
                             "one_in k=8",
                             "one_in k=2.5",
                             "thin_openings tau=12",
                             "thin_first plies=6 first=0.0053",
                             "thin_first plies=6 first=0.0053 growth=1.5",
                             "per_game k=10",
                             "mirror",
                             "random_move",
                             "random_move count=3",
                             "discount gamma=0.7"}) {
        const auto stage = parse_stage(text);
        ASSERT_TRUE(stage) << stage.error().message;
        EXPECT_EQ(to_string(*stage), text);
    }
    EXPECT_EQ(to_string(*parse_stage("  ply   max=65535 \t min=3 ")), "ply min=3");
    const std::vector<SampleStage> both{*parse_stage("ply min=3"), *parse_stage("mirror")};
    EXPECT_EQ(to_string(both), "ply min=3, mirror");
}

TEST(SampleText, ReadsValues) {
    const auto stage = parse_stage("thin_first plies=6 first=0.5 growth=3");
    ASSERT_TRUE(stage && std::holds_alternative<stages::ThinFirst>(*stage));
    const auto& thin = std::get<stages::ThinFirst>(*stage);
    EXPECT_EQ(thin.plies, 6);
    EXPECT_EQ(thin.first, 0.5);
    EXPECT_EQ(thin.growth, 3);
}

TEST(SampleText, RefusesWithOneLineThatSaysWhatIsExpected) {
    EXPECT_EQ(error_of("plly min=3"), "stage 'plly min=3': unknown stage 'plly', did you mean 'ply'?");
    EXPECT_EQ(error_of("ply mn=3"), "stage 'ply mn=3': unknown parameter 'mn', did you mean 'min'?");
    EXPECT_EQ(error_of("ply min=3.5"),
              "stage 'ply min=3.5': min is '3.5', expected a whole number from 0 to 65535");
    EXPECT_EQ(error_of("ply min="), "stage 'ply min=': min is '', expected a whole number from 0 to 65535");
    EXPECT_EQ(error_of("ply min=9 max=3"), "stage 'ply min=9 max=3': max is 3, expected at least min, 9");
    EXPECT_EQ(error_of("ply min=3 min=4"), "stage 'ply min=3 min=4': min is given twice");
    EXPECT_EQ(error_of("ply 10 200"), "stage 'ply 10 200': '10', expected key=value without spaces");
    EXPECT_EQ(error_of("one_in"), "stage 'one_in': k is missing, expected 'one_in k=…'");
    EXPECT_EQ(error_of("one_in k=0.5"),
              "stage 'one_in k=0.5': k is '0.5', expected a number from 1 to 1000000");
    EXPECT_EQ(error_of("one_in k=nan"),
              "stage 'one_in k=nan': k is 'nan', expected a number from 1 to 1000000");
    EXPECT_EQ(error_of("one_in k=1e999"),
              "stage 'one_in k=1e999': k is '1e999', expected a number from 1 to 1000000");
    EXPECT_EQ(error_of("result is=won"),
              "stage 'result is=won': is is 'won', expected one of decisive drawn white_wins black_wins");
    EXPECT_EQ(error_of("mirror twice=1"),
              "stage 'mirror twice=1': 'twice=1', expected nothing behind mirror");
    EXPECT_EQ(error_of("plly\nmin=3"), "stage 'plly\\nmin=3': unknown stage 'plly', did you mean 'ply'?");
    EXPECT_EQ(error_of("  "), "stage '  ': it is empty, expected a name");
    const auto rule = parse_rule("deepches");
    ASSERT_FALSE(rule);
    EXPECT_EQ(rule.error().message, "rule 'deepches': unknown rule 'deepches', did you mean 'deepchess'?");
}

TEST(SampleText, KnowsEveryEndingByItsName) {
    for (const Ending ending : kEndings) {
        std::string name(name_of(ending));
        std::ranges::replace(name, ' ', '-');
        const auto stage = parse_stage("ending is=" + name);
        ASSERT_TRUE(stage) << stage.error().message;
        EXPECT_EQ(std::get<stages::EndedBy>(*stage).is, ending);
    }
}

TEST(SampleText, HelpNamesEveryStage) {
    const auto help = stage_help();
    EXPECT_EQ(help.size(), std::variant_size_v<SampleStage>);
    std::string all;
    for (const StageHelp& each : help) {
        EXPECT_FALSE(each.meaning.empty());
        all += each.usage + "\n";
    }
    EXPECT_THAT(all, testing::HasSubstr("\nply [min=…] [max=…]\n"));
    EXPECT_THAT(all, testing::HasSubstr("\none_in k=…\n"));
    EXPECT_EQ(sample_rules().size(), 6U);
}

// Sections of a recipe -------------------------------------------------------------------------------------

class RecipeSamplingTest : public testing::Test {
  protected:
    base::Result<RecipeSampling> load(const std::string& sampler) {
        const auto path = folder_ / "r.toml";
        EXPECT_TRUE(base::write_atomically(
            path, "[data]\nstores = [\"a.games\"]\n[sampler]\n" + sampler + "[network]\nwidth = 64\n"));
        return load_recipe_sampling(path);
    }
    std::string error(const std::string& sampler) {
        const auto loaded = load(sampler);
        if (loaded) return "no error";
        const std::string& message = loaded.error().message;
        return message.substr(std::min(message.find("r.toml"), message.size()));
    }
    tests::TemporaryFolder folder_;
};

TEST_F(RecipeSamplingTest, ReadsStagesInOrderBehindTheRule) {
    const auto loaded = load(
        "rule = \"convchess\"\nstages = [\"one_in k=2\", \"not_in_check\"]\nchess960 = true\nshuffle_buffer "
        "= 77\n");
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(to_string(loaded->sampling.stages),
              "mean_rating min=2000.5, mover_rating min=2000, mirror, one_in k=2, not_in_check");
    EXPECT_TRUE(loaded->sampling.chess960);
    EXPECT_EQ(loaded->shuffle_buffer, 77U);
    EXPECT_EQ(loaded->stores, std::vector<std::string>{"a.games"});
    EXPECT_EQ(loaded->sampling.shares.validation, 0.02);
    const auto none = load("");
    ASSERT_TRUE(none);
    EXPECT_TRUE(none->sampling.stages.empty());
    EXPECT_FALSE(none->sampling.chess960);
}

TEST_F(RecipeSamplingTest, SaysWhichLineIsWrong) {
    EXPECT_EQ(error("stages = [\n\"ply min=3\",\n\"not_in_chek\"]\n"),
              "r.toml: line 6: 'stages' in [sampler] is wrong: stage 'not_in_chek': unknown stage "
              "'not_in_chek', did you "
              "mean 'not_in_check'?");
    EXPECT_EQ(
        error("stages = \"mirror\"\n"),
        "r.toml: line 4: 'stages' in [sampler] is 'mirror', expected a list of texts, [\"one\", \"two\"]");
    EXPECT_EQ(error("rule = \"alphazero\"\n"),
              "r.toml: line 4: 'rule' in [sampler] is wrong: rule 'alphazero': unknown rule 'alphazero', "
              "expected one of "
              "knightcap, giraffe, convchess, convchess_evaluation, rl_in_chess, deepchess");
    EXPECT_EQ(error("rule = \"giraffe\"\nstages = [\"quiet_move\"]\n"),
              "r.toml: line 5: 'stages' in [sampler] is wrong: stage 'quiet_move' stands behind "
              "'random_move', where no "
              "move was played: put it before");
    // The line is that of the stage which does not fit, not of the list.
    EXPECT_EQ(error("stages = [\n\"mirror\",\n\"not_in_check\",\n\"per_game k=3\",\n]\n"),
              "r.toml: line 7: 'stages' in [sampler] is wrong: stage 'per_game k=3' stands behind 'mirror', "
              "expected it before transformations, and once");
    EXPECT_EQ(error("rule = \"giraffe\"\nstages = [\n\"not_in_check\",\n\"discount gamma=0.5\",\n]\n"),
              "r.toml: line 7: 'stages' in [sampler] is wrong: stage 'discount gamma=0.5' stands behind "
              "'random_move', where the game no longer goes on to its end: put it before");
    EXPECT_EQ(error("stages = []\n"),
              "r.toml: line 4: 'stages' in [sampler] is empty, expected a list of texts, [\"one\", \"two\"]");
    EXPECT_EQ(error("stages = [\n\"mirror\",\n3]\n"),
              "r.toml: line 6: 'stages' in [sampler] has 3 as its element 2, expected a text in quotes");
    EXPECT_EQ(error("stages = [\"a\\nb\"]\n").find('\n'), std::string::npos);
    EXPECT_EQ(error("stages = \"a\\nb\"\n").find('\n'), std::string::npos);
    EXPECT_EQ(error("min_ply = 10\n").substr(0, 52), "r.toml: line 4: unknown key 'min_ply' in [sampler], ");
}

TEST_F(RecipeSamplingTest, RefusesAMisspeltSection) {
    EXPECT_EQ(error("[samplr]\nstages = [\"mirror\"]\n"),
              "r.toml: line 4: unknown section [samplr], did you mean 'sampler'?");
    EXPECT_EQ(error("[optimiser]\nanything = 3\n"), "no error") << "that is for whoever trains";
}

}  // namespace
}  // namespace scholar::games
