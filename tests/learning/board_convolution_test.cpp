#include "learning/conv/board_convolution.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

// Against libtorch's own convolution.

namespace scholar::learning {
namespace {

struct Convolved {
    at::Tensor sums;
    at::Tensor of_inputs;
    at::Tensor of_weight;
};

template <class Convolve>
Convolved with_gradients(const at::Tensor& inputs, const at::Tensor& weight, const at::Tensor& by,
                         Convolve convolve) {
    const at::Tensor in = inputs.detach().requires_grad_();
    const at::Tensor of = weight.detach().requires_grad_();
    const at::Tensor sums = convolve(in, of);
    const auto gradients = torch::autograd::grad({sums}, {in, of}, {by});
    return {sums.detach(), gradients[0], gradients[1]};
}

TEST(BoardConvolution, IsLibtorchsWithBothGradients) {
    at::manual_seed(1);
    const int threads = at::get_num_threads();
    for (const int asked : {1, 3}) {
        at::set_num_threads(asked);
        for (const std::int64_t filters : {7, 16, 40}) {
            const at::Tensor inputs = at::randn({13, filters, 8, 8});
            const at::Tensor weight = at::randn({32, filters, 3, 3});
            const at::Tensor by = at::randn({13, 32, 8, 8});
            ASSERT_TRUE(is_board_convolution(inputs, weight));
            const Convolved ours = with_gradients(inputs, weight, by, board_convolution);
            const Convolved theirs = with_gradients(
                inputs.to(at::kDouble), weight.to(at::kDouble), by.to(at::kDouble),
                [](const at::Tensor& in, const at::Tensor& of) { return at::conv2d(in, of, {}, 1, 1); });
            for (const auto& [mine, other] : {std::pair{ours.sums, theirs.sums},
                                              {ours.of_inputs, theirs.of_inputs},
                                              {ours.of_weight, theirs.of_weight}}) {
                ASSERT_EQ(mine.sizes(), other.sizes());
                const double error = (mine.to(at::kDouble) - other).abs().max().item<double>();
                EXPECT_LT(error, 2e-5 * other.abs().max().item<double>());
            }
            const Convolved again = with_gradients(inputs, weight, by, board_convolution);
            EXPECT_TRUE(at::equal(ours.sums, again.sums));
            EXPECT_TRUE(at::equal(ours.of_weight, again.of_weight));
        }
    }
    at::set_num_threads(threads);
}

TEST(BoardConvolution, IsAskedOfBoardsOnly) {
    const at::Tensor boards = at::zeros({2, 16, 8, 8});
    const at::Tensor weight = at::zeros({16, 16, 3, 3});
    EXPECT_TRUE(is_board_convolution(boards, weight));
    EXPECT_FALSE(is_board_convolution(boards.to(at::kDouble), weight.to(at::kDouble)));
    EXPECT_FALSE(is_board_convolution(at::zeros({2, 16, 7, 8}), weight));
    EXPECT_FALSE(is_board_convolution(boards, at::zeros({16, 16, 1, 1})));
    EXPECT_FALSE(is_board_convolution(boards, at::zeros({73, 16, 3, 3})));
}

}  // namespace
}  // namespace scholar::learning
