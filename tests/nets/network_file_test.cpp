#include "nets/perspective/network_file.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "base/files.hpp"
#include "chess/position.hpp"
#include "nets/container/embedded.hpp"
#include "nets/perspective/quantise.hpp"
#include "support/test_data.hpp"

namespace scholar::nets {
namespace {

Network small_network(const Architecture& architecture = {.width = 32}) {
    auto network = FloatNetwork::random(architecture, 5);
    network.info.piece_values = {90, 300, 310, 480, 930, 0};
    network.info.history["recipe"] = "none";
    return quantise(network)->network;
}

// The saved network with one metadata entry changed.
std::string error_with(const tests::TemporaryFolder& folder, const std::string& key, const std::string& value,
                       const Architecture& architecture = {.width = 32}) {
    const auto path = folder / "net.safetensors";
    EXPECT_TRUE(save_network(path, small_network(architecture)));
    auto file = read_tensors(path);
    EXPECT_TRUE(file);
    if (value.empty())
        file->metadata.erase(key);
    else
        file->metadata[key] = value;
    EXPECT_TRUE(write_tensors(path, *file));
    const auto loaded = load_network(path);
    return loaded ? "" : loaded.error().message;
}

class EachNetworkFile : public testing::TestWithParam<Architecture> {};

TEST_P(EachNetworkFile, ComesBackAsItWasSaved) {
    const tests::TemporaryFolder folder;
    const Network network = small_network(GetParam());
    ASSERT_TRUE(save_network(folder / "net.safetensors", network));
    const auto loaded = load_network(folder / "net.safetensors");
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->transformer, network.transformer);
    EXPECT_EQ(loaded->transformer_bias, network.transformer_bias);
    ASSERT_EQ(loaded->hidden.size(), network.hidden.size());
    for (std::size_t i = 0; i < network.hidden.size(); ++i) {
        EXPECT_EQ(loaded->hidden[i].weight, network.hidden[i].weight);
        EXPECT_EQ(loaded->hidden[i].bias, network.hidden[i].bias);
        EXPECT_EQ(loaded->hidden[i].shift, network.hidden[i].shift);
    }
    EXPECT_EQ(loaded->output, network.output);
    EXPECT_EQ(loaded->output_bias, network.output_bias);
    EXPECT_EQ(loaded->output_scale, network.output_scale);
    EXPECT_EQ(loaded->info.architecture, network.info.architecture);
    EXPECT_EQ(loaded->info.piece_values, network.info.piece_values);
    EXPECT_EQ(loaded->info.history, network.info.history);
    EXPECT_EQ(content_name(*loaded), content_name(network));
}

TEST_P(EachNetworkFile, IsQuantisedWhileLoadingIfItIsAFloatOne) {
    const tests::TemporaryFolder folder;
    const auto network = FloatNetwork::random(GetParam(), 9);
    ASSERT_TRUE(save_network(folder / "net.safetensors", network));
    const auto loaded = load_network(folder / "net.safetensors");
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->transformer, quantise(network)->network.transformer);
    const auto as_float = load_float_network(folder / "net.safetensors");
    ASSERT_TRUE(as_float);
    EXPECT_EQ(as_float->transformer, network.transformer);
    ASSERT_EQ(as_float->hidden.size(), GetParam().hidden.size());
    for (std::size_t i = 0; i < network.hidden.size(); ++i) {
        EXPECT_EQ(as_float->hidden[i].weight, network.hidden[i].weight);
        EXPECT_EQ(as_float->hidden[i].bias, network.hidden[i].bias);
    }
    EXPECT_EQ(as_float->output_bias, network.output_bias);
    EXPECT_EQ(as_float->info.architecture, network.info.architecture);
}

TEST_P(EachNetworkFile, IsReadAsFloatsIfItIsQuantised) {
    const tests::TemporaryFolder folder;
    const Network network = quantise(FloatNetwork::random(GetParam(), 9))->network;
    ASSERT_TRUE(save_network(folder / "net.safetensors", network));
    const auto as_float = load_float_network(folder / "net.safetensors");
    ASSERT_TRUE(as_float) << as_float.error().message;
    const auto again = quantise(*as_float);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->network.transformer, network.transformer);
    EXPECT_EQ(again->network.transformer_bias, network.transformer_bias);
    ASSERT_EQ(again->network.hidden.size(), network.hidden.size());
    for (std::size_t i = 0; i < network.hidden.size(); ++i) {
        EXPECT_EQ(again->network.hidden[i].weight, network.hidden[i].weight);
        EXPECT_EQ(again->network.hidden[i].bias, network.hidden[i].bias);
        EXPECT_EQ(again->network.hidden[i].shift, network.hidden[i].shift);
    }
    EXPECT_EQ(again->network.output, network.output);
    EXPECT_EQ(again->network.output_bias, network.output_bias);
}

INSTANTIATE_TEST_SUITE_P(
    Architectures, EachNetworkFile,
    testing::Values(Architecture{.width = 64}, Architecture{.width = 32, .activation = Activation::Squared},
                    Architecture{.width = 64, .activation = Activation::Paired},
                    Architecture{.width = 32, .output_buckets = 8},
                    Architecture{*find_feature_set("768-king10"), 32, Activation::Squared, 8},
                    Architecture{*find_feature_set("768-king4"), 128, Activation::Paired, 4},
                    Architecture{.width = 32, .hidden = {16}},
                    Architecture{*find_feature_set("768-king4"), 64, Activation::Paired, 4, {16, 32}}));

TEST(NetworkFile, RefusesWhatItIsNot) {
    const tests::TemporaryFolder folder;
    EXPECT_EQ(error_with(folder, "history.recipe", "another"), "");
    EXPECT_NE(error_with(folder, "architecture", "transformer")
                  .find("architecture 'transformer', expected 'perspective'"),
              std::string::npos);
    EXPECT_NE(error_with(folder, "architecture", "").find("no 'architecture' in the metadata"),
              std::string::npos);
    EXPECT_NE(error_with(folder, "version", "2").find("version '2', expected '1'"), std::string::npos);
    EXPECT_NE(error_with(folder, "feature_set", "halfkp")
                  .find("feature set 'halfkp' is not known, expected one of: 768, "),
              std::string::npos);
    EXPECT_NE(error_with(folder, "activation", "relu")
                  .find("activation 'relu', expected one of: crelu, screlu, pairwise"),
              std::string::npos);
    EXPECT_NE(error_with(folder, "activation", "pairwise")
                  .find("width '32', expected a multiple of 64 (units are paired) up to 4096"),
              std::string::npos);
    EXPECT_NE(error_with(folder, "feature_set", "768-king4")
                  .find("tensor 'transformer.weight' is I16 [768, 32], expected I16 [3072, 32]"),
              std::string::npos);
    // Files of one bucket need not say so.
    EXPECT_EQ(error_with(folder, "output_buckets", ""), "");
    EXPECT_NE(
        error_with(folder, "output_buckets", "3").find("output_buckets '3', expected one of: 1, 2, 4, 8"),
        std::string::npos);
    EXPECT_NE(error_with(folder, "output_buckets", "2")
                  .find("tensor 'output.weight' is I16 [64], expected I16 [128]"),
              std::string::npos);
    EXPECT_NE(error_with(folder, "quantisation", "int16 255 512")
                  .find("quantisation 'int16 255 512', expected one of: 'none', 'int16 255 1024'"),
              std::string::npos);
    EXPECT_NE(error_with(folder, "width", "64")
                  .find("tensor 'transformer.weight' is I16 [768, 32], expected I16 [768, 64]"),
              std::string::npos);
    EXPECT_NE(error_with(folder, "width", "33").find("expected a multiple of 32"), std::string::npos);
    EXPECT_NE(error_with(folder, "width", "4294967328").find("whole numbers"), std::string::npos);
    EXPECT_NE(error_with(folder, "piece_values", "1 2 3").find("expected 6 numbers"), std::string::npos);
    EXPECT_NE(error_with(folder, "piece_values", "1 2 3 4 5 x").find("expected whole numbers"),
              std::string::npos);
}

// What networks without hidden layers are written as is what it was before there were any.
TEST(NetworkFile, SaysOnlyWhereThereAreHiddenLayers) {
    const tests::TemporaryFolder folder;
    const auto path = folder / "net.safetensors";
    ASSERT_TRUE(save_network(path, small_network()));
    auto file = read_tensors(path);
    ASSERT_TRUE(file);
    EXPECT_EQ(file->metadata.at("version"), "1");
    EXPECT_FALSE(file->metadata.contains("hidden"));
    EXPECT_EQ(file->tensors.size(), 4U);
    ASSERT_TRUE(save_network(path, small_network({.width = 32, .output_buckets = 2, .hidden = {16, 32}})));
    file = read_tensors(path);
    ASSERT_TRUE(file);
    EXPECT_EQ(file->metadata.at("version"), "2");
    EXPECT_EQ(file->metadata.at("hidden"), "16 32");
    EXPECT_EQ(file->tensors.at("hidden.1.weight").shape, (std::vector<std::int64_t>{2, 32, 16, 2}));
    EXPECT_EQ(file->tensors.at("hidden.2.bias").shape, (std::vector<std::int64_t>{2, 32}));
    EXPECT_EQ(file->tensors.at("output.weight").shape, (std::vector<std::int64_t>{64}));
}

TEST(NetworkFile, RefusesHiddenLayersThatItDoesNotHave) {
    const tests::TemporaryFolder folder;
    const auto error = [&](const std::string& key, const std::string& value) {
        return error_with(folder, key, value, {.width = 32, .hidden = {16, 32}});
    };
    const auto has = [](const std::string& text, const std::string& part) {
        return text.find(part) != std::string::npos ? "" : text;
    };
    EXPECT_EQ(error("history.recipe", "another"), "");
    EXPECT_EQ(has(error("hidden", "16 31"),
                  "hidden is [16, 31], expected at most 4 layers, each a multiple of 16 up to 256"),
              "");
    EXPECT_EQ(has(error("hidden", "16 16 16 16 16"), "expected at most 4 layers"), "");
    EXPECT_EQ(has(error("hidden", "16 x"), "hidden '16 x', expected whole numbers"), "");
    EXPECT_EQ(has(error("hidden", "16"), "tensor 'output.weight' is I16 [32], expected I16 [16]"), "");
    EXPECT_EQ(has(error("hidden", "16 16"),
                  "tensor 'hidden.2.weight' is I16 [1, 8, 32, 2], expected I16 [1, 8, 16, 2]"),
              "");
    EXPECT_EQ(has(error("hidden", ""), "version '2', expected '1'"), "");
    EXPECT_EQ(has(error("version", "1"), "version '1', expected '2'"), "");
    EXPECT_EQ(has(error("hidden_shifts", ""), "no 'hidden_shifts' in the metadata"), "");
    EXPECT_EQ(has(error("hidden_shifts", "14 6"), "hidden_shifts '14 6', expected 2 numbers from 6 to 13"),
              "");
    EXPECT_EQ(has(error("hidden_shifts", "6"), "hidden_shifts '6', expected 2 numbers from 6 to 13"), "");
    // With another shift sums that overflow are still sums that overflow.
    Network network = small_network({.width = 32, .hidden = {16}});
    std::ranges::fill(network.hidden[0].weight, std::int16_t{32'767});
    std::ranges::fill(network.hidden[0].bias, 2'000'000'000);
    ASSERT_TRUE(save_network(folder / "net.safetensors", network));
    const auto loaded = load_network(folder / "net.safetensors");
    ASSERT_FALSE(loaded);
    EXPECT_EQ(has(loaded.error().message, "hidden layer 1: a board could sum to 2534"), "");
}

TEST(NetworkFile, NamesTheFileThatIsDamagedOrMissing) {
    const tests::TemporaryFolder folder;
    const auto path = folder / "net.safetensors";
    const auto missing = load_network(path);
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().message.find("net.safetensors: cannot open"), std::string::npos);
    ASSERT_TRUE(save_network(path, small_network()));
    auto bytes = base::read_bytes(path);
    ASSERT_TRUE(bytes);
    bytes->back() ^= std::byte{4};
    ASSERT_TRUE(base::write_atomically(path, std::span<const std::byte>(*bytes)));
    const auto damaged = load_network(path);
    ASSERT_FALSE(damaged);
    EXPECT_NE(damaged.error().message.find("net.safetensors: damaged"), std::string::npos);
}

TEST(NetworkFile, WeightsThatCouldOverflowAreRefusedWhoeverWroteThem) {
    const tests::TemporaryFolder folder;
    Network network = small_network();
    for (std::size_t square = 0; square < 64; ++square) network.transformer[square * 32] = 2000;
    ASSERT_TRUE(save_network(folder / "net.safetensors", network));
    const auto loaded = load_network(folder / "net.safetensors");
    ASSERT_FALSE(loaded);
    EXPECT_NE(loaded.error().message.find("a board could sum to"), std::string::npos);

    for (const Activation activation : {Activation::Squared, Activation::Paired}) {
        network = small_network({.width = 64, .activation = activation});
        std::ranges::fill(network.output, std::int16_t{32'767});
        ASSERT_TRUE(save_network(folder / "net.safetensors", network));
        const auto products = load_network(folder / "net.safetensors");
        ASSERT_FALSE(products);
        EXPECT_NE(products.error().message.find("output: a board could sum to "), std::string::npos)
            << products.error().message;
    }
}

TEST(NetworkFile, TheEmbeddedNetworkIsWhole) {
    const auto network = parse_network(default_network_file());
    ASSERT_TRUE(network) << network.error().message;
    // It has learnt what pieces are worth: a queen more than a rook more than a minor piece more than a pawn.
    const PieceValues& values = network->info.piece_values;
    EXPECT_GT(values[chess::Queen], values[chess::Rook]);
    EXPECT_GT(values[chess::Rook], values[chess::Bishop]);
    EXPECT_GT(values[chess::Knight], values[chess::Pawn]);
    EXPECT_GT(values[chess::Bishop], values[chess::Pawn]);
}

}  // namespace
}  // namespace scholar::nets
