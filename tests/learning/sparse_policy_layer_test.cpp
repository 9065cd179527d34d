// The kernels of a sparse policy's training, against libtorch's own gradients.

#include <ATen/ATen.h>
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <torch/types.h>

#include "chess/movegen.hpp"
#include "learning/sparse_policy/policy_model.hpp"
#include "support/random_games.hpp"

namespace scholar::learning {
namespace {

using nets::Activation;
using nets::PolicyRows;

std::vector<games::Sample> played_samples(std::size_t count) {
    std::vector<games::Sample> samples;
    base::Random random(8);
    while (samples.size() < count)
        tests::play_random_game(random, chess::Position(), 80,
                                [&](const chess::Position& before, chess::Move move, const chess::Position&) {
                                    games::Sample sample;
                                    sample.position = before;
                                    // One in ten has nothing to teach.
                                    if (random.below(10) > 0) sample.move = move;
                                    if (samples.size() < count) samples.push_back(sample);
                                });
    return samples;
}

nets::SparsePolicyInfo info_of(Activation activation, PolicyRows rows, int width = 64) {
    nets::SparsePolicyInfo info;
    info.architecture = {
        .features = *nets::find_feature_set("768-mirrored"), .width = width, .activation = activation};
    info.rows = rows;
    info.piece_values = {100, 300, 320, 500, 900, 0};
    return info;
}

at::Tensor leaf(const std::vector<float>& values, at::IntArrayRef shape) {
    return at::tensor(values).reshape(shape).requires_grad_();
}

void expect_near(const std::vector<float>& ours, const at::Tensor& theirs, const char* name) {
    const at::Tensor mine = at::tensor(ours).reshape(theirs.sizes());
    const double largest = theirs.abs().max().item<double>();
    EXPECT_GT(largest, 0) << name;
    EXPECT_LT((mine - theirs).abs().max().item<double>(), 1e-5 * largest + 1e-7) << name;
}

class EachPolicyShape : public testing::TestWithParam<nets::SparsePolicyInfo> {};

TEST_P(EachPolicyShape, LossAndGradientAreThoseOfLibtorch) {
    const nets::SparsePolicyInfo& info = GetParam();
    // More than one block.
    const std::vector<games::Sample> samples = played_samples(700);
    const PolicyBatch batch = encode_policy(samples, info);
    nets::FloatSparsePolicy network = nets::FloatSparsePolicy::random(info, 4);
    base::Random random(9);
    for (float& bias : network.output_bias) bias = static_cast<float>(random.unit()) - 0.5F;
    // Some sums beyond either end.
    for (float& weight : network.transformer) weight *= 3;
    const std::int64_t width = info.architecture.width;
    const std::int64_t rows = nets::row_count(info.rows);
    const at::Tensor transformer = leaf(network.transformer, {info.architecture.features->size(), width});
    const at::Tensor transformer_bias = leaf(network.transformer_bias, {width});
    const at::Tensor output = leaf(network.output, {rows, info.units()});
    const at::Tensor output_bias = leaf(network.output_bias, {rows});

    at::Tensor inputs = at::zeros({700, info.architecture.features->size()});
    for (std::size_t i = 0; i < samples.size(); ++i) {
        nets::ActiveFeatures active;
        info.architecture.features->encode(samples[i].position, samples[i].position.side_to_move(), active);
        for (const std::uint16_t feature : active) inputs[static_cast<std::int64_t>(i)][feature] = 1;
    }
    const at::Tensor clipped = (inputs.mm(transformer) + transformer_bias).clamp(0, 1);
    const at::Tensor units = info.architecture.activation == Activation::Clipped ? clipped
                             : info.architecture.activation == Activation::Squared
                                 ? clipped * clipped
                                 : clipped.narrow(1, 0, width / 2) * clipped.narrow(1, width / 2, width / 2);
    const at::Tensor all = units.mm(output.t()) + output_bias;
    // Rows of each legal move, where there are so many; all else is masked.
    const int each = nets::rows_of_a_move(info.rows);
    const auto count = static_cast<std::int64_t>(samples.size());
    const at::Tensor rows_of_moves = at::zeros({count, chess::kMaxMoves * each}, at::kLong);
    const at::Tensor legal = at::zeros({count, chess::kMaxMoves}, at::kBool);
    const at::Tensor played = at::zeros({count, chess::kMaxMoves});
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const chess::Position& position = samples[i].position;
        const chess::MoveList moves = chess::legal_moves(position);
        const chess::Color us = position.side_to_move();
        std::vector<std::uint16_t> of_moves(static_cast<std::size_t>(moves.size() * each));
        nets::find_move_rows(info.rows, info.piece_values, position,
                             info.architecture.features->view(us, position.king(us)), moves, of_moves);
        std::copy(
            of_moves.begin(), of_moves.end(),
            rows_of_moves.data_ptr<std::int64_t>() + i * chess::kMaxMoves * static_cast<std::size_t>(each));
        for (int move = 0; move < moves.size(); ++move) {
            legal[static_cast<std::int64_t>(i)][move] = true;
            if (moves[move] == samples[i].move) played[static_cast<std::int64_t>(i)][move] = 1;
        }
    }
    const at::Tensor logits = all.gather(1, rows_of_moves).reshape({count, chess::kMaxMoves, each}).sum(2);
    const at::Tensor shares = at::log_softmax(logits.masked_fill(legal.logical_not(), -1e30), 1);
    const at::Tensor loss =
        -(shares.masked_fill(legal.logical_not(), 0) * played).sum() / static_cast<double>(count);
    loss.backward();

    nets::FloatSparsePolicy gradient;
    SparsePolicyModel model(network, 1);
    EXPECT_NEAR(model.gradient(batch, gradient), loss.item<double>(), 1e-5);
    expect_near(gradient.transformer, transformer.grad(), "transformer");
    expect_near(gradient.transformer_bias, transformer_bias.grad(), "transformer bias");
    expect_near(gradient.output, output.grad(), "output");
    expect_near(gradient.output_bias, output_bias.grad(), "output bias");

    // The same bits whatever the number of threads; and the logits of the plain network.
    nets::FloatSparsePolicy of_three;
    SparsePolicyModel three(network, 3);
    three.gradient(batch, of_three);
    EXPECT_EQ(of_three.transformer, gradient.transformer);
    EXPECT_EQ(of_three.transformer_bias, gradient.transformer_bias);
    EXPECT_EQ(of_three.output, gradient.output);
    EXPECT_EQ(of_three.output_bias, gradient.output_bias);
    const std::vector<float> ours = model.logits(batch);
    EXPECT_EQ(three.logits(batch), ours);
    for (const std::size_t i : {0U, 511U, 512U, 699U}) {
        const std::vector<float> plain =
            network.logits(samples[i].position, chess::legal_moves(samples[i].position));
        ASSERT_EQ(plain.size(), batch.first[i + 1] - batch.first[i]);
        for (std::size_t move = 0; move < plain.size(); ++move)
            EXPECT_NEAR(ours[batch.first[i] + move], plain[move], 1e-4);
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, EachPolicyShape,
                         testing::Values(info_of(Activation::Clipped, PolicyRows::Moves, 32),
                                         info_of(Activation::Squared, PolicyRows::Exchanges, 160),
                                         info_of(Activation::Paired, PolicyRows::Circumstances, 192)));

// Steps lower the loss on what they learn from, and nothing leaves the clip.
TEST(SparsePolicyModel, LearnsWithinItsClip) {
    const nets::SparsePolicyInfo info = info_of(Activation::Paired, PolicyRows::Exchanges);
    const PolicyBatch batch = encode_policy(played_samples(600), info);
    SparsePolicyModel model(nets::FloatSparsePolicy::random(info, 4), 2);
    const PolicyClip clip{0.2F, 0.3F};
    const double first = model.train(batch, {}, 0.01, clip).loss;
    PolicyStep last;
    for (int step = 0; step < 30; ++step) last = model.train(batch, {}, 0.01, clip);
    EXPECT_LT(last.loss, 0.8 * first);
    EXPECT_GT(last.clipped, 0U);
    for (const float weight : model.network().output) ASSERT_LE(std::abs(weight), 0.3F);
    for (const float weight : model.network().transformer) ASSERT_LE(std::abs(weight), 0.2F);
}

}  // namespace
}  // namespace scholar::learning
