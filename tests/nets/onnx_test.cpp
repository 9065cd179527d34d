// ONNX models as files: what is in them, without a program that works them out.

#include <algorithm>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "base/text.hpp"
#include "chess/uci_move.hpp"
#include "nets/container/embedded.hpp"
#include "nets/conv/policy_moves.hpp"
#include "nets/linear/linear_network.hpp"
#include "nets/onnx/onnx_file.hpp"
#include "onnx_networks.hpp"
#include "onnx_reader.hpp"
#include "support/small_conv.hpp"

namespace scholar::nets {
namespace {

using tests::OnnxExtents;
using tests::OnnxFile;

OnnxFile written(const AnyNetwork& network) {
    const auto model = to_onnx(network);
    EXPECT_TRUE(model) << model.error().message;
    const auto file = model->file();
    EXPECT_TRUE(file) << file.error().message;
    return tests::read_onnx(*file);
}

// Every node is given what is there, and fits it; outputs are as large as is said; no weight is missing.
TEST(Onnx, IsWhole) {
    for (const auto& [name, network] : tests::onnx_networks()) {
        SCOPED_TRACE(name);
        const OnnxFile file = written(network);
        EXPECT_EQ(file.ir_version, 6);
        EXPECT_EQ(file.operator_sets, (std::map<std::string, std::int64_t>{{"", 11}}));
        const auto extents = tests::extents_of_all(file, 5);
        ASSERT_EQ(file.inputs.size(), 1U);
        ASSERT_FALSE(file.outputs.empty());
        std::set<std::string> used;
        for (const auto& node : file.nodes) used.insert(node.inputs.begin(), node.inputs.end());
        for (auto [output, said] : file.outputs) {
            EXPECT_EQ(said.front(), tests::kAnyExtent);
            said.front() = 5;
            EXPECT_EQ(extents.at(output), said) << output;
            EXPECT_TRUE(file.texts.contains("output." + output));
            used.insert(output);
        }
        EXPECT_TRUE(file.texts.contains("input." + file.inputs.front().first));
        for (const auto& [tensor, of] : extents)
            EXPECT_TRUE(used.contains(tensor)) << tensor << " is of no use";
        EXPECT_EQ(file.texts.at("name"), network.content_name());
        EXPECT_EQ(file.texts.at("description"), network.description());
        EXPECT_EQ(file.texts.at("score_scale"), "400");
    }
}

std::size_t floats_in(const OnnxFile& file) {
    std::size_t count = 0;
    for (const auto& [name, array] : file.arrays)
        if (array.type == 1) count += array.floats().size();
    return count;
}

TEST(Onnx, HasEveryWeightOnce) {
    const auto expect_all = [](const auto& network, std::size_t more) {
        std::size_t weights = 0;
        for_each_weights(
            network, [&weights](const auto&, const auto&, const auto& array) { weights += array.size(); });
        EXPECT_EQ(floats_in(written(std::make_shared<const std::decay_t<decltype(network)>>(network))),
                  weights + more);
    };
    ConvNetwork network = tests::small_conv_network(PlanesLayout::Board18);
    expect_all(network, 0);
    // And by how much products are divided.
    network.info.shape.policy = PolicyForm::Squares;
    expect_all(random_conv_network(network.info.shape, 1), 1);
    ChessNetShape squares;
    squares.filters = {16};
    squares.units = 24;
    expect_all(random_chess_nets(squares, {ChessNetRole::Piece, ChessNetRole::King}, 1), 0);

    const ConvNetwork small = tests::small_conv_network(PlanesLayout::Board18);
    const OnnxFile file = written(std::make_shared<const ConvNetwork>(small));
    const auto& array = file.arrays.at("block.0.conv1.weight");
    EXPECT_EQ(array.extents, (OnnxExtents{16, 16, 3, 3}));
    EXPECT_EQ(array.floats(), small.blocks[0].first.weight);
}

// A promotion's logit is where its name is, in both forms.
TEST(Onnx, NamesTheMovesOfAPolicy) {
    const auto index_of = [](const std::string& word) {
        const std::vector<std::string> names = policy_move_names();
        return std::ranges::find(names, word) - names.begin();
    };
    EXPECT_EQ(policy_move_names().size(), std::size_t{kPolicyMoves});
    const auto expect_index = [&](const std::string& word, chess::Move move) {
        EXPECT_EQ(index_of(word), policy_index(move, chess::White)) << word;
    };
    expect_index("a1b1", chess::Move(chess::A1, chess::B1));
    expect_index("g1f3", chess::Move(chess::G1, chess::F3));
    expect_index("e1h1", chess::Move(chess::E1, chess::H1, chess::Move::Castling));
    expect_index("h7g8", chess::Move::promotion(chess::H7, chess::G8, chess::Knight));
    expect_index("h7g8b", chess::Move::promotion(chess::H7, chess::G8, chess::Bishop));
    expect_index("b7b8r", chess::Move::promotion(chess::B7, chess::B8, chess::Rook));
    expect_index("a7a8q", chess::Move::promotion(chess::A7, chess::A8, chess::Queen));

    ConvNetwork network = tests::small_conv_network(PlanesLayout::Board18);
    const auto moves_of = [](const ConvNetwork& of) {
        const OnnxFile file = written(std::make_shared<const ConvNetwork>(of));
        std::vector<std::string> words;
        for (const std::string_view word : base::split_words(file.texts.at("policy_moves")))
            words.emplace_back(word);
        return words;
    };
    const auto planes = moves_of(network);
    ASSERT_EQ(planes.size(), std::size_t{kPolicyPlanes} * 64);
    EXPECT_EQ(std::ranges::count(planes, "-"), kPolicyPlanes * 64 - kPolicyMoves);
    EXPECT_EQ(planes[chess::E2], "e2e3");  // the first plane: north by one square
    EXPECT_EQ(planes[64 + chess::E2], "e2e4");
    EXPECT_EQ(planes[56 * 64 + chess::G1], "g1h3");   // the first of knights' moves
    EXPECT_EQ(planes[69 * 64 + chess::B7], "b7b8q");  // straight on, queen
    network.info.shape.policy = PolicyForm::Dense;
    EXPECT_EQ(moves_of(random_conv_network(network.info.shape, 1)), policy_move_names());
}

TEST(Onnx, SaysWhatTheFileOfTheNetworkSays) {
    ConvNetwork network =
        tests::small_conv_network(PlanesInput(PlanesLayout::Board6, {.rating = true}), 1'000, 2'000);
    network.info.history["data"] = "games\xFF";
    const OnnxFile file = written(std::make_shared<const ConvNetwork>(network));
    EXPECT_EQ(file.texts.at("architecture"), "residual");
    EXPECT_EQ(file.texts.at("input"), "board-6+rating");
    EXPECT_EQ(file.texts.at("rating_least"), "1000");
    EXPECT_EQ(file.texts.at("rating_most"), "2000");
    EXPECT_EQ(file.texts.at("history.data"), "games\xEF\xBF\xBD");  // readers expect UTF-8
    EXPECT_EQ(file.inputs.front().first, "planes");
    EXPECT_EQ(file.inputs.front().second, (OnnxExtents{tests::kAnyExtent, 7, 8, 8}));

    const auto dense = random_dense_network(dense_shape(**find_dense_feature_set("giraffe-363"), {}, {4}), 1);
    const OnnxFile of_dense = written(std::make_shared<const DenseNetwork>(dense));
    EXPECT_EQ(of_dense.texts.at("features"), "giraffe-363");
    EXPECT_EQ(std::ranges::count(of_dense.texts.at("input_names"), '\n'), 362);
}

TEST(Onnx, RefusesNetworksOfOtherKinds) {
    const auto embedded = parse_any_network(default_network_file());
    ASSERT_TRUE(embedded);
    const auto model = to_onnx(*embedded);
    ASSERT_FALSE(model);
    EXPECT_THAT(model.error().message,
                testing::AllOf(testing::StartsWith("perspective 1: "),
                               testing::HasSubstr(", expected a network of architecture "
                                                  "residual, chessnet, dense or comparison")));
}

TEST(Onnx, RefusesMoreBytesThanAFileMayHave) {
    for (const std::size_t most : {3'000U, 5'000U}) {
        OnnxModel model(most);
        const std::string in = model.input({"in", {10}, ""});
        const std::string weights = model.weights("weights", {1'000}, std::vector<float>(1'000));
        model.output({model.node("Mul", "out", {in, weights}), {10}, ""});
        const auto file = model.file();
        EXPECT_EQ(file.has_value(), most == 5'000);
        if (file)
            EXPECT_LE(file->size(), most);
        else
            EXPECT_EQ(file.error().message, "4000 bytes, expected 3000 at most in a file of ONNX");
    }
}

}  // namespace
}  // namespace scholar::nets
