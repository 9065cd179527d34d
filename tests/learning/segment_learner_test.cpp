#include "learning/segments/segment_learner.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.hpp"
#include "learning/run/checkpoint_files.hpp"
#include "learning/targets/interval_labels.hpp"
#include "learning/training/task.hpp"
#include "nets/container/kinds.hpp"
#include "nets/container/open_network.hpp"
#include "nets/dense/dense_network.hpp"
#include "support/test_data.hpp"
#include "synthetic_games.hpp"

namespace scholar::learning {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string segment_recipe_text(const fs::path& store, const fs::path& output, const std::string& lessons,
                                const std::string& optimiser = "", const std::string& more = "") {
    return fmt::format(R"([data]
stores = ["{}"]
[sampler]
stages = ["ply min=4"]
shuffle_buffer = 1_024
[network]
kind = "dense"
apart = [4, 8, 4]
joint = [8]
[start]
positions = 600
batch = 64
values = [100, 300, 300, 500, 900]
learning_rate = 0.01
[play]
roots = 20
plies = 4
[lessons]
{}
[course]
stages = ["stage nodes=40 window=3 reuse=2", "stage from=3 nodes=60 lambda=0.5 learning_rate=0.001"]
[optimiser]
learning_rate = 0.002
{}
[run]
batch = 64
iterations = 5
output = "{}"
{})",
                       store.string(), lessons, optimiser, output.string(), more);
}

class SegmentLearning : public testing::Test {
  protected:
    void SetUp() override { tests::write_random_games(folder_ / "games.games", 100, 3); }

    SegmentRecipe recipe(const std::string& name, const std::string& lessons,
                         const std::string& optimiser = "") const {
        auto parsed = parse_segment_recipe(
            segment_recipe_text(folder_ / "games.games", folder_ / name, lessons, optimiser), "small.toml");
        EXPECT_TRUE(parsed) << parsed.error().message;
        return *parsed;
    }
    static SegmentOutcome run(const SegmentRecipe& recipe, SegmentOptions options = {}) {
        options.checkpoint_seconds = 0;
        testing::internal::CaptureStdout();  // what it says
        auto outcome = learn_by_segments(recipe, options, {});
        testing::internal::GetCapturedStdout();
        EXPECT_TRUE(outcome) << outcome.error().message;
        return outcome ? *outcome : SegmentOutcome{};
    }
    std::vector<std::byte> bytes(const std::string& name) const {
        return base::read_bytes(folder_ / name / "network.safetensors").value();
    }

    const tests::TemporaryFolder folder_;
};

TEST_F(SegmentLearning, GoesOnToTheSameBytesWithAnyNumberOfThreads) {
    for (const auto& [lessons, optimiser] :
         {std::pair{"method = \"tdleaf\"\nlearns = \"first\"", "kind = \"adadelta\""},
          {"method = \"td-root\"", "averaging = 0.9"},
          {"method = \"treestrap\"\nmost_nodes = 30", "kind = \"adamw\""}}) {
        const SegmentRecipe both = recipe("run", lessons, optimiser);
        SegmentOptions options;
        options.overwrite = true;
        options.output = folder_ / "whole";
        EXPECT_EQ(run(both, options).iterations, 5U);
        options.output = folder_ / "parts";
        options.threads = 2;
        run(both, options);
        EXPECT_TRUE(bytes("parts") == bytes("whole")) << lessons;
        // Killed after the checkpoint of 4 iterations.
        fs::rename(previous_checkpoint(folder_ / "parts"), last_checkpoint(folder_ / "parts"));
        fs::remove(folder_ / "parts" / "network.safetensors");
        options.overwrite = false;
        options.resume = true;
        EXPECT_EQ(run(both, options).iterations, 5U);
        EXPECT_TRUE(bytes("parts") == bytes("whole")) << lessons;
    }
}

// The averaged network is not the one in training.
TEST_F(SegmentLearning, PlaysTheAverage) {
    SegmentOptions options;
    const auto weights = [&](const char* name, const char* optimiser) {
        options.output = folder_ / name;
        run(recipe("run", "method = \"td-root\"", optimiser), options);
        const auto network = nets::open_network((folder_ / name / "network.safetensors").string());
        return network ? network->content_name() : network.error().message;
    };
    EXPECT_NE(weights("plain", ""), weights("mean", "averaging = 0.99"));
}

TEST_F(SegmentLearning, BeginsByCountingPieces) {
    SegmentRecipe counts = recipe("counts", "method = \"td-root\"");
    counts.iterations = 1;
    counts.start.passes = 20;
    counts.stages = {{.from = 0, .nodes = 10, .learning_rate = 1e-9}};
    run(counts);
    const auto network = nets::open_network((folder_ / "counts" / "network.safetensors").string());
    ASSERT_TRUE(network) << network.error().message;
    const auto& values = *network->piece_values();
    EXPECT_GT(values[chess::Queen], values[chess::Rook]);
    EXPECT_GT(values[chess::Rook], values[chess::Knight]);
    EXPECT_GT(values[chess::Knight], values[chess::Pawn]);
}

// In a step of a dense network, too.
TEST_F(SegmentLearning, ABoundThatHoldsTeachesNothing) {
    const SegmentRecipe of = recipe("step", "method = \"treestrap\"", "kind = \"sgd\"");
    for (const auto& [interval, teaches] : {std::pair{selfplay::Interval::at_least(1e-6), false},
                                            {selfplay::Interval::at_most(1 - 1e-6), false},
                                            {selfplay::Interval::at_least(1 - 1e-6), true},
                                            {selfplay::Interval::at_most(1e-6), true},
                                            {selfplay::Interval::value(0.9), true}}) {
        const auto task = of.training.task->make_task(of.training, Device::Cpu);
        ASSERT_TRUE(task->begin());
        const auto before = task->playing({}, {});
        chess::Position black;
        black.make_null();
        const auto encoded = task->encode(std::vector<LabelledNode>{{chess::Position(), labels_of(interval)},
                                                                    {black, labels_of(interval)}});
        ASSERT_TRUE(encoded) << encoded.error().message;
        ASSERT_TRUE(task->step(**encoded, 1, 0.1));
        const auto after = task->playing({}, {});
        ASSERT_TRUE(before && after);
        EXPECT_EQ(nets::serialise_tensors(*before) != nets::serialise_tensors(*after), teaches)
            << interval.low << " " << interval.high;
    }
}

std::string segment_refusal(const std::string& lessons, const std::string& more = "") {
    const auto parsed =
        parse_segment_recipe(segment_recipe_text("a.games", "run", lessons, "", more), "bad.toml");
    return parsed ? "no error" : parsed.error().message;
}

TEST(SegmentRecipe, RefusesWhatIsWrongByKeyAndLine) {
    EXPECT_EQ(segment_refusal("method = \"td-root\""), "no error");
    EXPECT_THAT(segment_refusal("method = \"tdroot\""), HasSubstr("bad.toml: line 19: "));
    EXPECT_THAT(segment_refusal("method = \"tdroot\""), HasSubstr("method"));
    EXPECT_THAT(segment_refusal(""), HasSubstr("'method'"));
    EXPECT_THAT(segment_refusal("method = \"td-root\"\nlamda = 1"), HasSubstr("lamda"));
    EXPECT_THAT(segment_refusal("method = \"td-root\"", "[schedule]\nkind = \"cosine\"\n"),
                HasSubstr("schedule"));
}

TEST(SegmentRecipe, ThoseThatShipAreSound) {
    const fs::path recipes = tests::source_dir() / "recipes";
    const auto paper = load_segment_recipe(recipes / "giraffe-paper.toml");
    ASSERT_TRUE(paper) << paper.error().message;
    EXPECT_EQ(paper->lessons.method, SegmentMethod::TdLeaf);
    EXPECT_TRUE(paper->lessons.only_first);
    EXPECT_TRUE(paper->play.search.exact_leaves);
    EXPECT_EQ(paper->roots, 256U);
    EXPECT_EQ(paper->play.plies, 12);
    EXPECT_EQ(paper->stage_at(1'000).window, 1U);
    EXPECT_EQ(paper->stage_at(1'000).learning_rate, 1);
    const auto ours = load_segment_recipe(recipes / "giraffe.toml");
    ASSERT_TRUE(ours) << ours.error().message;
    EXPECT_EQ(ours->stage_at(499).nodes, 100U);
    EXPECT_EQ(ours->stage_at(500).nodes, 200U);
    EXPECT_EQ(ours->stage_at(500).lambda, ours->stage_at(0).lambda);
}

TEST_F(SegmentLearning, RefusesNetworksThatJudgeNoPositions) {
    std::string text = segment_recipe_text(folder_ / "games.games", folder_ / "run", "method = \"td-root\"");
    const std::string from = "kind = \"dense\"\napart = [4, 8, 4]\njoint = [8]\n";
    text.replace(text.find(from), from.size(), "kind = \"sparse-policy\"\nwidth = 32\n");
    const auto parsed = parse_segment_recipe(text, "policy.toml");
    ASSERT_TRUE(parsed) << parsed.error().message;
    const auto outcome = learn_by_segments(*parsed, {}, {});
    ASSERT_FALSE(outcome);
    EXPECT_THAT(outcome.error().message, HasSubstr("judges no positions"));
}

}  // namespace
}  // namespace scholar::learning
