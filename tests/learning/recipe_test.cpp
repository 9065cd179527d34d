#include "learning/training/recipe.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "base/files.hpp"
#include "learning/perspective/perspective_recipe.hpp"
#include "learning/training/same_course.hpp"
#include "learning/training/task_table.hpp"
#include "support/test_data.hpp"

namespace scholar::learning {
namespace {

constexpr const char* kGood = R"([data]
stores = ["a.games", "b.games"]
[network]
width = 64
[optimiser]
learning_rate = 0.001
[run]
steps = 10
output = "runs/x"
)";

std::string replaced(const std::string& what, const std::string& with) {
    std::string text = kGood;
    const auto at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), with);
}

std::string error_of(const std::string& text) {
    const auto recipe = parse_recipe(text, "r.toml");
    return recipe ? "no error" : recipe.error().message;
}

TEST(Recipe, ReadsValuesAndDefaults) {
    const auto recipe = parse_recipe(kGood, "recipes/small.toml");
    ASSERT_TRUE(recipe) << recipe.error().message;
    EXPECT_EQ(recipe->name, "small");
    EXPECT_EQ(recipe->data.stores, (std::vector<std::string>{"a.games", "b.games"}));
    EXPECT_EQ(perspective_of(*recipe).network.architecture.width, 64);
    EXPECT_EQ(recipe->batch, 16'384U);
    EXPECT_EQ(recipe->schedule.steps, 10U);
    EXPECT_EQ(recipe->schedule.kind, ScheduleKind::Cosine);
    EXPECT_EQ(recipe->data.sampling.split, games::Split::Train);
    EXPECT_FALSE(recipe->data.sampling.chess960);
    EXPECT_EQ(perspective_of(*recipe).limits.largest_mean_difference, 5);
    EXPECT_EQ(perspective_of(*recipe).limits.largest_difference, 40);
}

TEST(Recipe, CountsPositionsInSteps) {
    const auto recipe = parse_recipe(replaced("steps = 10", "positions = 100_000\nbatch = 4096"), "r.toml");
    ASSERT_TRUE(recipe) << recipe.error().message;
    EXPECT_EQ(recipe->schedule.steps, 25U);  // 24.4 rounded up
}

TEST(Recipe, NamesAMisspeltKeyWithLineAndTheNearestOne) {
    EXPECT_EQ(error_of(replaced("learning_rate", "learning_rte")),
              "r.toml: line 6: unknown key 'learning_rte' in [optimiser], did you mean 'learning_rate'?");
}

TEST(Recipe, NamesAMisspeltSection) {
    EXPECT_EQ(error_of(replaced("[optimiser]", "[optimizer]")),
              "r.toml: line 5: unknown section [optimizer], did you mean 'optimiser'?");
}

TEST(Recipe, RefusesWrongTypes) {
    EXPECT_EQ(error_of(replaced("width = 64", "width = \"64\"")),
              "r.toml: line 4: 'width' in [network] is '64', expected a whole number from 32 to 4096");
    EXPECT_EQ(error_of(replaced("steps = 10", "steps = 10.5")),
              "r.toml: line 8: 'steps' in [run] is 10.5, expected a whole number from 1 to 1099511627776");
    EXPECT_EQ(
        error_of(replaced("stores = [\"a.games\", \"b.games\"]", "stores = \"a.games\"")),
        "r.toml: line 2: 'stores' in [data] is 'a.games', expected a list of texts, [\"one\", \"two\"]");
}

TEST(Recipe, RefusesValuesOutOfRange) {
    EXPECT_EQ(error_of(replaced("learning_rate = 0.001", "learning_rate = -1")),
              "r.toml: line 6: 'learning_rate' in [optimiser] is -1, expected a number from 1e-09 to 10");
    EXPECT_EQ(error_of(replaced("learning_rate = 0.001", "learning_rate = nan")),
              "r.toml: line 6: 'learning_rate' in [optimiser] is nan, expected a number from 1e-09 to 10");
    EXPECT_EQ(error_of(replaced("width = 64", "width = 48")),
              "r.toml: line 4: 'width' in [network] is 48, expected a multiple of 32");
    EXPECT_EQ(error_of(replaced("width = 64", "width = 96\nactivation = \"paired\"")),
              "r.toml: line 4: 'width' in [network] is 96, expected a multiple of 64 (units are paired)");
    EXPECT_EQ(error_of(replaced("steps = 10", "steps = 10\nbatch = 0")),
              "r.toml: line 9: 'batch' in [run] is 0, expected a whole number from 1 to 4194304");
    // The transformer's 32 rows and bias must stay inside 16 bits: 32,767 / 255 / 33.
    EXPECT_NE(error_of(replaced("learning_rate = 0.001", "learning_rate = 0.001\nclip_transformer = 4")),
              "no error");
    EXPECT_EQ(error_of(replaced("learning_rate = 0.001", "learning_rate = 0.001\nclip_transformer = 3.89")),
              "no error");
}

TEST(Recipe, RefusesWhatIsNoFiniteNumberByKeyAndLine) {
    const auto good = parse_recipe(kGood, "r.toml");
    ASSERT_TRUE(good);
    for (const char* number : {"nan", "-nan", "inf", "-inf"})
        for (const auto& [name, value] : good->settings) {
            const std::string section = "[" + name.substr(0, name.find('.')) + "]";
            const std::string key = name.substr(name.find('.') + 1);
            std::string text = kGood;
            // In place of the line that says it, or as the first of its section.
            if (const auto line = text.find("\n" + key + " = "); line != std::string::npos)
                text.erase(line, text.find('\n', line + 1) - line);
            if (!text.contains(section)) text += section + "\n";
            text.insert(text.find(section) + section.size(), fmt::format("\n{} = {}", key, number));
            const std::string error = error_of(text);
            EXPECT_TRUE(error.starts_with("r.toml: line ")) << name << ": " << error;
            EXPECT_TRUE(error.contains("'" + key + "' in " + section)) << name << ": " << error;
        }
}

TEST(Recipe, ReadsHiddenLayers) {
    const auto hidden = [](const std::string& value) {
        return replaced("width = 64", "width = 64\nhidden = " + value);
    };
    const auto with = parse_recipe(hidden("[16, 32]"), "r.toml");
    ASSERT_TRUE(with) << with.error().message;
    EXPECT_EQ(perspective_of(*with).network.architecture.hidden, (std::vector<int>{16, 32}));
    EXPECT_EQ(to_string(perspective_of(*with).network.architecture), "768 → 64 × 2 → 16 → 32 → 1, squared");
    EXPECT_EQ(perspective_of(*with).clip.hidden, 4);
    const auto without = parse_recipe(kGood, "r.toml");
    ASSERT_TRUE(without);
    EXPECT_NE(with->hash(), without->hash());
    // No hidden layers are what a recipe that knows of none has.
    const auto none = parse_recipe(hidden("[]"), "r.toml");
    ASSERT_TRUE(none) << none.error().message;
    EXPECT_EQ(none->hash(), without->hash());
    EXPECT_TRUE(check_unchanged(none->settings, without->settings));

    for (const char* value : {"[24]", "[0]", "[-16]", "[272]", "[4294967312]", "[16, 16, 16, 16, 16]"}) {
        const std::string error = error_of(hidden(value));
        EXPECT_TRUE(error.starts_with("r.toml: line 5: 'hidden' in [network] is [") &&
                    error.ends_with("], expected at most 4 layers, each a multiple of 16 up to 256"))
            << error;
    }
    EXPECT_EQ(error_of(hidden("16")),
              "r.toml: line 5: 'hidden' in [network] is 16, expected a list of whole numbers, [1, 2]");
    EXPECT_EQ(error_of(hidden("[16, 3.5]")),
              "r.toml: line 5: 'hidden' in [network] has 3.5 as its element 2, expected a whole number");
    // Where there is nothing to clip the key is not known.
    EXPECT_TRUE(error_of(replaced("learning_rate = 0.001", "learning_rate = 0.001\nclip_hidden = 2"))
                    .starts_with("r.toml: line 7: unknown key 'clip_hidden' in [optimiser], "));
}

TEST(Recipe, ReadsStagesOfTheSampler) {
    const auto with = [](const std::string& sampler) {
        return parse_recipe(replaced("[network]", "[sampler]\n" + sampler + "\n[network]"), "r.toml");
    };
    const auto spelt = with(
        "stages = [\"result is=decisive\", \"some_games share=0.5\", \"ply   min=10\", "
        "\"no_capture_next\", \"per_game k=10\"]");
    const auto named = with("rule = \"deepchess\"");
    ASSERT_TRUE(spelt && named);
    EXPECT_EQ(spelt->data.sampling.stages.size(), 5U);
    const auto setting = [](const Recipe& recipe) {
        for (const auto& [key, value] : recipe.settings)
            if (key == "sampler.stages") return value;
        return std::string();
    };
    EXPECT_EQ(setting(*spelt),
              "result is=decisive, some_games share=0.5, ply min=10, no_capture_next, per_game k=10");
    EXPECT_EQ(setting(*named), setting(*spelt)) << "what a rule means is what counts";
    EXPECT_EQ(named->hash(), spelt->hash());
    EXPECT_TRUE(check_unchanged(named->settings, spelt->settings));
    EXPECT_NE(named->hash(), with("rule = \"giraffe\"")->hash());
    const auto wrong = with("stages = [\"ply min=10\", \"quite_move\"]");
    ASSERT_FALSE(wrong);
    EXPECT_EQ(
        wrong.error().message,
        "r.toml: line 4: 'stages' in [sampler] is wrong: stage 'quite_move': unknown stage 'quite_move', did "
        "you mean 'quiet_move'?");
}

TEST(Recipe, ReadsFoldsInPlaceOfAShare) {
    const auto with = [](const std::string& data) { return replaced("[network]", data + "\n[network]"); };
    const auto third = parse_recipe(with("folds = 5\nfold = 2"), "r.toml");
    const auto fourth = parse_recipe(with("folds = 5\nfold = 3"), "r.toml");
    ASSERT_TRUE(third && fourth) << third.error().message;
    EXPECT_EQ(third->data.sampling.shares.folds, 5);
    EXPECT_EQ(third->data.sampling.shares.fold, 2);
    EXPECT_NE(third->hash(), fourth->hash());
    EXPECT_EQ(error_of(with("folds = 5")), "r.toml: missing key 'fold' in [data]");
    EXPECT_EQ(error_of(with("folds = 5\nfold = 5")),
              "r.toml: line 4: 'fold' in [data] is 5, expected a whole number from 0 to 4");
    EXPECT_EQ(error_of(with("fold = 1")),
              "r.toml: line 3: 'fold' in [data] stands without 'folds', expected the number of them");
    EXPECT_EQ(
        error_of(with("folds = 5\nfold = 1\nvalidation_share = 0.1")),
        "r.toml: line 5: 'validation_share' in [data] stands beside 'folds', expected only one of them");
}

// Whoever only samples passes over the sections that training reads, and over no others.
TEST(Recipe, IsTakenForSamplingWithAllItsSections) {
    const tests::TemporaryFolder folder;
    const auto path = folder / "r.toml";
    ASSERT_TRUE(
        base::write_atomically(path, std::string(kGood) + "[sampler]\n[target]\n[schedule]\n[export]\n"));
    EXPECT_TRUE(load_recipe(path));
    const auto sampling = games::load_recipe_sampling(path);
    EXPECT_TRUE(sampling) << sampling.error().message;
}

// Which task is meant. Saying the usual one changes nothing: runs that began without it go on.
TEST(Recipe, NamesItsTask) {
    const auto without = parse_recipe(kGood, "r.toml");
    const auto with = parse_recipe(replaced("width = 64", "kind = \"perspective\"\nwidth = 64"), "r.toml");
    ASSERT_TRUE(without && with) << with.error().message;
    EXPECT_EQ(with->settings, without->settings);
    EXPECT_EQ(with->hash(), without->hash());
    std::string kinds;
    for (const std::string& name : task_kind_names()) kinds += (kinds.empty() ? "\"" : ", \"") + name + "\"";
    EXPECT_THAT(kinds, testing::StartsWith("\"perspective\", \"autoencoder\", "));
    EXPECT_EQ(error_of(replaced("width = 64", "width = 64\nkind = \"convolution\"")),
              "r.toml: line 5: 'kind' in [network] is 'convolution', expected one of " + kinds);
    EXPECT_EQ(error_of(replaced("width = 64", "kind = 3\nwidth = 64")),
              "r.toml: line 4: 'kind' in [network] is 3, expected one of " + kinds);
    // Its kernels know no other optimisers.
    EXPECT_EQ(error_of(replaced("learning_rate = 0.001", "learning_rate = 0.001\nkind = \"adadelta\"")),
              "r.toml: line 7: 'kind' in [optimiser] is 'adadelta', expected one of \"adam\", \"adamw\"");
}

TEST(Recipe, NamesAMissingKey) {
    EXPECT_EQ(error_of(replaced("learning_rate = 0.001", "")),
              "r.toml: missing key 'learning_rate' in [optimiser]");
}

TEST(Recipe, RefusesTextThatIsNotToml) {
    EXPECT_TRUE(error_of(replaced("width = 64", "width == 64")).starts_with("r.toml: line 4: not TOML: "));
    EXPECT_EQ(error_of(replaced("[network]\nwidth = 64", "network = 3").insert(0, "")).substr(0, 6),
              "r.toml");
}

TEST(Recipe, RefusesAFileThatIsNotThere) {
    const auto recipe = load_recipe("no/such/recipe.toml");
    ASSERT_FALSE(recipe);
    EXPECT_TRUE(recipe.error().message.starts_with("no/such/recipe.toml: cannot open"))
        << recipe.error().message;
}

TEST(Recipe, CommentsDoNotChangeItsHash) {
    const auto plain = parse_recipe(kGood, "r.toml");
    const auto commented = parse_recipe(std::string("# hello\n") + kGood, "r.toml");
    const auto changed = parse_recipe(replaced("0.001", "0.002"), "r.toml");
    ASSERT_TRUE(plain && commented && changed);
    EXPECT_EQ(plain->hash(), commented->hash());
    EXPECT_NE(plain->text_hash, commented->text_hash);
    EXPECT_NE(plain->hash(), changed->hash());
}

TEST(Recipe, NamesWhatHasChanged) {
    const auto before = parse_recipe(kGood, "r.toml");
    const auto after = parse_recipe(replaced("0.001", "0.002"), "r.toml");
    ASSERT_TRUE(before && after);
    EXPECT_TRUE(check_unchanged(before->settings, before->settings));
    const auto status = check_unchanged(after->settings, before->settings);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message,
              "the recipe has changed since the run began: optimiser.learning_rate was 0.001 and is 0.002");
}

// A constant rate may be told to fall later, and to last longer; one that has fallen may not be told that it
// was constant.
TEST(Recipe, MayBeGivenAnotherEnd) {
    const auto with = [](const std::string& schedule, int steps) {
        std::string text = replaced("steps = 10", fmt::format("steps = {}", steps));
        text += "[schedule]\n" + schedule;
        auto recipe = parse_recipe(text, "r.toml");
        EXPECT_TRUE(recipe) << recipe.error().message;
        return recipe.value_or(Recipe{});
    };
    const Recipe constant = with("kind = \"constant\"\nwarmup = 10\n", 100);
    const Recipe cooldown = with("kind = \"cooldown\"\ncooldown = 0.5\nwarmup = 10\n", 160);
    EXPECT_TRUE(check_same_course(cooldown, constant.settings, 80));
    EXPECT_TRUE(check_same_course(constant, cooldown.settings, 80));
    const Recipe rounded =
        with("kind = \"cooldown\"\ncooldown = 0.5\nfinal_learning_rate = 0.00012\nwarmup = 10\n", 160);
    EXPECT_TRUE(check_same_course(rounded, constant.settings, 80))
        << "the rate before the fall is exactly the same";
    const auto late = check_same_course(cooldown, constant.settings, 81);
    ASSERT_FALSE(late);
    EXPECT_TRUE(
        late.error().message.contains("at step 81, which is done, the learning rate was 0.001 and would "
                                      "be 0.0009875; expected"))
        << late.error().message;
    EXPECT_TRUE(
        check_same_course(with("kind = \"cosine\"\n", 100), with("kind = \"cosine\"\n", 100).settings, 100));
    EXPECT_FALSE(
        check_same_course(with("kind = \"cosine\"\n", 200), with("kind = \"cosine\"\n", 100).settings, 1));
    EXPECT_EQ(
        error_of(std::string(kGood) + "[schedule]\nkind = \"constant\"\ncooldown = 0.5\n"),
        "r.toml: line 12: 'cooldown' in [schedule] stands beside kind 'constant', expected kind 'cooldown'");
    const auto shorter = check_same_course(constant, constant.settings, 101);
    ASSERT_FALSE(shorter);
    EXPECT_EQ(shorter.error().message,
              "the run is at step 101, expected a recipe of as many steps or more, but it has 100");
    const auto other =
        check_same_course(parse_recipe(replaced("0.001", "0.002"), "r.toml").value_or(Recipe{}),
                          parse_recipe(kGood, "r.toml").value_or(Recipe{}).settings, 1);
    ASSERT_FALSE(other);
    EXPECT_TRUE(other.error().message.contains("optimiser.learning_rate was 0.001 and is 0.002"));
}

}  // namespace
}  // namespace scholar::learning
