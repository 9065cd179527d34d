#include "learning/training/checkpoint.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <limits>

#include "base/files.hpp"
#include "learning/perspective/model_file.hpp"
#include "learning/run/checkpoint_files.hpp"
#include "support/test_data.hpp"

namespace scholar::learning {
namespace {

// What the loop and what its task puts into a file, as they do.
struct Checkpoint {
    TrainingProgress progress;
    ModelState model;
};

base::Status save_checkpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint) {
    if (auto status = check_finite(checkpoint.model); !status) return status;
    nets::TensorFile file;
    put_model(file, checkpoint.model);
    put_progress(file, checkpoint.progress);
    return write_checkpoint(folder, file);
}

base::Result<std::optional<Loaded<Checkpoint>>> load_checkpoint(const std::filesystem::path& folder) {
    return read_checkpoint<Checkpoint>(folder, [](const nets::TensorFile& file) -> base::Result<Checkpoint> {
        auto progress = take_progress(file);
        if (!progress) return std::unexpected(progress.error());
        auto model = take_model(file);
        if (!model) return std::unexpected(model.error());
        return Checkpoint{std::move(*progress), std::move(*model)};
    });
}

Checkpoint some_checkpoint(std::uint64_t step) {
    Checkpoint checkpoint;
    const nets::Architecture architecture{
        *nets::find_feature_set("768-king4"), 32, nets::Activation::Squared, 2, {16, 32}};
    ModelState& model = checkpoint.model;
    model = ModelState::begin(nets::FloatNetwork::random(architecture, step), true);
    model.network.info.history["parent"] = "none";
    model.factors[0].rows[7] = 0.5F;
    model.factors[1].moments.second[3] = 0.75F;
    model.transformer.second[5] = 0.25F;
    model.hidden[1].weight.first[2] = 0.125F;
    model.hidden[0].bias.second[4] = 0.375F;
    model.output_bias.first[1] = -0.5F;
    model.steps = step;
    TrainingProgress& progress = checkpoint.progress;
    progress.step = step;
    progress.place = {3, 12'345};
    progress.samples = 6'000;
    progress.clipped = 5;
    progress.core_seconds = 1.25;
    progress.data_hash = 0xFEDCBA9876543210ULL;
    progress.settings = {{"network.width", "32"}, {"data.stores", "a \"b\", c"}};
    return checkpoint;
}

TEST(Checkpoint, ComesBackWhole) {
    const tests::TemporaryFolder folder;
    const Checkpoint saved = some_checkpoint(7);
    ASSERT_TRUE(save_checkpoint(folder.path(), saved));
    const auto loaded = load_checkpoint(folder.path());
    ASSERT_TRUE(loaded && *loaded);
    const Checkpoint& back = (*loaded)->checkpoint;
    EXPECT_EQ((*loaded)->warning, "");
    EXPECT_EQ(back.model.steps, 7U);
    EXPECT_EQ(back.model.network.transformer, saved.model.network.transformer);
    ASSERT_EQ(back.model.hidden.size(), 2U);
    for (const std::size_t i : {0U, 1U}) {
        EXPECT_EQ(back.model.network.hidden[i].weight, saved.model.network.hidden[i].weight);
        EXPECT_EQ(back.model.network.hidden[i].bias, saved.model.network.hidden[i].bias);
        EXPECT_EQ(back.model.hidden[i].weight.first, saved.model.hidden[i].weight.first);
        EXPECT_EQ(back.model.hidden[i].bias.second, saved.model.hidden[i].bias.second);
    }
    EXPECT_EQ(back.model.network.output, saved.model.network.output);
    EXPECT_EQ(back.model.network.output_bias, saved.model.network.output_bias);
    EXPECT_EQ(back.model.network.info.architecture, saved.model.network.info.architecture);
    EXPECT_EQ(back.model.transformer.second, saved.model.transformer.second);
    ASSERT_EQ(back.model.factors.size(), 2U);
    for (const std::size_t i : {0U, 1U}) {
        EXPECT_EQ(back.model.factors[i].kind, saved.model.factors[i].kind);
        EXPECT_EQ(back.model.factors[i].rows, saved.model.factors[i].rows);
        EXPECT_EQ(back.model.factors[i].moments.second, saved.model.factors[i].moments.second);
    }
    EXPECT_EQ(back.model.output_bias.first, saved.model.output_bias.first);
    EXPECT_EQ(back.progress.step, 7U);
    EXPECT_EQ(back.progress.place, saved.progress.place);
    EXPECT_EQ(back.progress.samples, 6'000U);
    EXPECT_EQ(back.progress.clipped, 5U);
    EXPECT_EQ(back.progress.core_seconds, 1.25);
    EXPECT_EQ(back.progress.data_hash, saved.progress.data_hash);
    EXPECT_EQ(back.progress.settings, saved.progress.settings);
    EXPECT_EQ(back.model.network.info.history, saved.model.network.info.history);
}

TEST(Checkpoint, RefusesNumbersThatAreNotFinite) {
    const tests::TemporaryFolder folder;
    ASSERT_TRUE(save_checkpoint(folder.path(), some_checkpoint(7)));
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const auto refusal = [&folder](const Checkpoint& bad) {
        const auto status = save_checkpoint(folder.path(), bad);
        return status ? "no error" : status.error().message;
    };
    Checkpoint weight = some_checkpoint(8);
    weight.model.network.transformer[100] = nan;
    EXPECT_TRUE(refusal(weight).starts_with("step 8: transformer.weight holds values that are not finite"))
        << refusal(weight);
    Checkpoint moment = some_checkpoint(8);
    moment.model.output.second[3] = infinity;
    EXPECT_TRUE(refusal(moment).starts_with("step 8: output.weight.second_moment")) << refusal(moment);
    Checkpoint hidden = some_checkpoint(8);
    hidden.model.network.hidden[1].weight[9] = nan;
    EXPECT_TRUE(refusal(hidden).starts_with("step 8: hidden.2.weight holds")) << refusal(hidden);
    Checkpoint bias = some_checkpoint(8);
    bias.model.network.output_bias[1] = nan;
    EXPECT_TRUE(refusal(bias).starts_with("step 8: output.bias holds")) << refusal(bias);
    // The last good one is still there, and still the last.
    const auto loaded = load_checkpoint(folder.path());
    ASSERT_TRUE(loaded && *loaded);
    EXPECT_EQ((*loaded)->warning, "");
    EXPECT_EQ((*loaded)->checkpoint.model.steps, 7U);
}

TEST(Checkpoint, NothingIsNoError) {
    const tests::TemporaryFolder folder;
    const auto loaded = load_checkpoint(folder.path());
    ASSERT_TRUE(loaded);
    EXPECT_FALSE(*loaded);
}

void damage(const std::filesystem::path& path, bool truncate) {
    auto text = base::read_text(path);
    ASSERT_TRUE(text);
    if (truncate)
        text->resize(text->size() / 2);
    else
        (*text)[text->size() / 2] ^= 1;
    std::ofstream(path, std::ios::binary) << *text;
}

TEST(Checkpoint, FallsBackOnTheOneBeforeAndSaysSo) {
    for (const bool truncate : {true, false}) {
        const tests::TemporaryFolder folder;
        ASSERT_TRUE(save_checkpoint(folder.path(), some_checkpoint(7)));
        ASSERT_TRUE(save_checkpoint(folder.path(), some_checkpoint(14)));
        damage(folder / "checkpoint.safetensors", truncate);
        const auto loaded = load_checkpoint(folder.path());
        ASSERT_TRUE(loaded) << loaded.error().message;
        ASSERT_TRUE(*loaded);
        EXPECT_EQ((*loaded)->checkpoint.model.steps, 7U);
        EXPECT_NE((*loaded)->warning.find("checkpoint.safetensors"), std::string::npos) << (*loaded)->warning;
        EXPECT_EQ((*loaded)->warning.find('\n'), std::string::npos);
    }
}

TEST(Checkpoint, ADamagedOnlyOneIsOneClearLine) {
    const tests::TemporaryFolder folder;
    ASSERT_TRUE(save_checkpoint(folder.path(), some_checkpoint(7)));
    damage(folder / "checkpoint.safetensors", false);
    const auto loaded = load_checkpoint(folder.path());
    ASSERT_FALSE(loaded);
    EXPECT_NE(loaded.error().message.find("checkpoint.safetensors"), std::string::npos);
    EXPECT_EQ(loaded.error().message.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace scholar::learning
