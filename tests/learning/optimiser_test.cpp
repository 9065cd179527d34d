#include "learning/optimise/optimiser.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <torch/optim/adagrad.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/rmsprop.h>
#include <torch/optim/sgd.h>
#include <torch/types.h>

#include "base/strict_toml.hpp"
#include "learning/optimise/optimiser_keys.hpp"

namespace scholar::learning {
namespace {

// The gradient at step `step` of a parameter of the shape of `like`: fixed, uneven, of both signs, and of
// sizes from a hundredth to ten.
at::Tensor some_gradient(const at::Tensor& like, int step) {
    const at::Tensor at = torch::arange(like.numel(), torch::kFloat).reshape(like.sizes());
    return torch::sin(at * 1.7 + 0.9 * step) * torch::exp(torch::cos(at + step) * 2);
}

at::Tensor some_weights() {
    return torch::linspace(-2, 2, 12).reshape({3, 4}).clone().requires_grad_();
}

using Reference = std::function<std::unique_ptr<torch::optim::Optimizer>(std::vector<at::Tensor>, double)>;

// Forty steps of both on the same gradients, the learning rate falling.
void expect_as_libtorch(const OptimiserOptions& options, const Reference& reference) {
    const at::Tensor ours = some_weights();
    const at::Tensor theirs = some_weights();
    Optimiser optimiser(options, {{"w", ours}});
    auto expected = reference({theirs}, 0.1);
    for (int step = 1; step <= 40; ++step) {
        const double rate = 0.1 / step;
        ours.mutable_grad() = some_gradient(ours, step);
        theirs.mutable_grad() = some_gradient(theirs, step);
        for (auto& group : expected->param_groups()) group.options().set_lr(rate);
        expected->step();
        optimiser.step(rate);
        ASSERT_FALSE(ours.grad().defined());
        ASSERT_TRUE(torch::allclose(ours, theirs, 1e-5, 1e-6))
            << kind_of(options) << ", step " << step << "\n"
            << ours << "\n"
            << theirs;
    }
    EXPECT_FALSE(torch::allclose(ours, some_weights(), 1e-3, 1e-3)) << "nothing moved";
}

template <class TheirOptimiser, class TheirOptions>
Reference libtorch(TheirOptions options) {
    return [options](std::vector<at::Tensor> parameters, double rate) {
        TheirOptions with = options;
        with.lr(rate);
        return std::make_unique<TheirOptimiser>(std::move(parameters), with);
    };
}

TEST(Optimiser, AgreesWithLibtorch) {
    using namespace torch::optim;
    for (const double decay : {0.0, 0.03}) {
        expect_as_libtorch(SgdOptions{decay}, libtorch<SGD>(SGDOptions(1).weight_decay(decay)));
        expect_as_libtorch(MomentumOptions{0.8, decay},
                           libtorch<SGD>(SGDOptions(1).momentum(0.8).weight_decay(decay)));
        expect_as_libtorch(NesterovOptions{0.8, decay},
                           libtorch<SGD>(SGDOptions(1).momentum(0.8).nesterov(true).weight_decay(decay)));
        expect_as_libtorch(AdaGradOptions{1e-7, decay},
                           libtorch<Adagrad>(torch::optim::AdagradOptions().eps(1e-7).weight_decay(decay)));
        for (const double momentum : {0.0, 0.7})
            expect_as_libtorch(
                RmsPropOptions{0.95, 1e-6, momentum, decay},
                libtorch<RMSprop>(
                    RMSpropOptions().alpha(0.95).eps(1e-6).momentum(momentum).weight_decay(decay)));
        expect_as_libtorch(AdamOptions{AdamKind::Adam, 0.8, 0.99, 1e-6, decay},
                           libtorch<torch::optim::Adam>(
                               torch::optim::AdamOptions().betas({0.8, 0.99}).eps(1e-6).weight_decay(decay)));
        expect_as_libtorch(AdamOptions{AdamKind::AdamW, 0.8, 0.99, 1e-6, decay},
                           libtorch<AdamW>(AdamWOptions().betas({0.8, 0.99}).eps(1e-6).weight_decay(decay)));
    }
}

// libtorch has no AdaDelta: Zeiler 2012, algorithm 1, line by line in double precision.
TEST(Optimiser, AdaDeltaIsThePublishedAlgorithm) {
    const double rho = 0.9;
    const double epsilon = 1e-4;
    const at::Tensor ours = some_weights();
    std::array<double, 12> x{};
    std::array<double, 12> mean_g2{};
    std::array<double, 12> mean_dx2{};
    for (int i = 0; i < 12; ++i) x[i] = static_cast<double>(ours.data_ptr<float>()[i]);
    Optimiser optimiser(AdaDeltaOptions{rho, epsilon, 0}, {{"w", ours}});
    for (int step = 1; step <= 200; ++step) {
        const at::Tensor gradient = some_gradient(ours, step);
        for (int i = 0; i < 12; ++i) {
            const auto g = static_cast<double>(gradient.data_ptr<float>()[i]);
            mean_g2[i] = rho * mean_g2[i] + (1 - rho) * g * g;
            const double dx = -std::sqrt(mean_dx2[i] + epsilon) / std::sqrt(mean_g2[i] + epsilon) * g;
            mean_dx2[i] = rho * mean_dx2[i] + (1 - rho) * dx * dx;
            x[i] += dx;
        }
        ours.mutable_grad() = gradient;
        optimiser.step(1);
        for (int i = 0; i < 12; ++i)
            ASSERT_NEAR(ours.data_ptr<float>()[i], x[i], 1e-4) << "step " << step << ", weight " << i;
    }
    // The first move of the algorithm does not depend on the size of the gradient, but for ε.
    const at::Tensor one = torch::zeros({2}).requires_grad_();
    Optimiser first(AdaDeltaOptions{0.95, 1e-6, 0}, {{"w", one}});
    one.mutable_grad() = torch::tensor({2.0F, -200.0F});
    first.step(1);
    EXPECT_NEAR(one.data_ptr<float>()[0], -1e-3 / std::sqrt(0.05), 1e-7);
    EXPECT_NEAR(one.data_ptr<float>()[1], 1e-3 / std::sqrt(0.05), 1e-7);
}

std::vector<OptimiserOptions> one_of_each() {
    return {SgdOptions{},      MomentumOptions{},
            NesterovOptions{}, AdaGradOptions{},
            AdaDeltaOptions{}, RmsPropOptions{.momentum = 0.5},
            AdamOptions{},     AdamOptions{.kind = AdamKind::AdamW, .weight_decay = 0.1}};
}

TEST(Optimiser, GoesOnFromAFileToTheSameBits) {
    for (const OptimiserOptions& options : one_of_each()) {
        const at::Tensor whole = some_weights();
        Optimiser straight(options, {{"w", whole}});
        at::Tensor parts = some_weights();
        Optimiser before(options, {{"w", parts}});
        const auto run = [](Optimiser& optimiser, const at::Tensor& weights, int from, int to) {
            for (int step = from; step <= to; ++step) {
                weights.mutable_grad() = some_gradient(weights, step);
                optimiser.step(0.01);
            }
        };
        run(straight, whole, 1, 20);
        run(before, parts, 1, 9);
        nets::TensorFile file;
        before.put(file, "optimiser");
        const auto read = nets::parse_tensors(nets::serialise_tensors(file));
        ASSERT_TRUE(read) << read.error().message;
        parts = parts.detach().clone().requires_grad_();
        Optimiser after(options, {{"w", parts}});
        const auto taken = after.take(*read, "optimiser");
        ASSERT_TRUE(taken) << taken.error().message;
        run(after, parts, 10, 20);
        EXPECT_TRUE(torch::equal(whole, parts)) << kind_of(options);
    }
}

TEST(Optimiser, RefusesWhatAnotherLeft) {
    const at::Tensor weights = some_weights();
    nets::TensorFile file;
    Optimiser(AdamOptions{}, {{"w", weights}}).put(file, "optimiser");
    Optimiser sgd(SgdOptions{}, {{"w", weights}});
    EXPECT_EQ(sgd.take(file, "optimiser").error().message, "optimiser.kind 'adam', expected 'sgd'");
    Optimiser wider(AdamOptions{}, {{"w", torch::zeros({5})}});
    EXPECT_EQ(wider.take(file, "optimiser").error().message,
              "tensor 'optimiser.w.first_moment' is F32 [3, 4], expected F32 [5]");
    Optimiser other(AdamOptions{}, {{"v", weights}});
    EXPECT_FALSE(other.take(file, "optimiser"));
}

TEST(Optimiser, LeavesWhatHasNoGradientAndCountsItsStepsByItself) {
    const at::Tensor moved = torch::ones({2}).requires_grad_();
    const at::Tensor late = torch::ones({2}).requires_grad_();
    Optimiser optimiser(AdamOptions{}, {{"moved", moved}, {"late", late}});
    for (int step = 0; step < 5; ++step) {
        moved.mutable_grad() = torch::ones({2});
        optimiser.step(0.01);
    }
    EXPECT_TRUE(torch::equal(late, torch::ones({2})));
    // Adam's first step is the learning rate, whenever that is: the corrections count from it.
    late.mutable_grad() = torch::full({2}, 3.0F);
    optimiser.step(0.01);
    EXPECT_NEAR(late.data_ptr<float>()[0], 0.99, 1e-6);
}

base::Result<OptimiserOptions> options_of(const std::string& text) {
    auto file = base::StrictToml::parse("[optimiser]\n" + text, "r.toml");
    OptimiserOptions options;
    file->section("optimiser", [&](auto& keys) { options = read_optimiser_keys(keys); });
    if (auto status = file->finish(); !status) return std::unexpected(status.error());
    return options;
}

TEST(OptimiserKeys, ReadsEachKindWithItsOwn) {
    for (const std::string kind :
         {"sgd", "momentum", "nesterov", "adagrad", "adadelta", "rmsprop", "adam", "adamw"}) {
        const auto options = options_of("kind = \"" + kind + "\"\nweight_decay = 0.5");
        ASSERT_TRUE(options) << options.error().message;
        EXPECT_EQ(kind_of(*options), kind);
        EXPECT_EQ(std::visit([](const auto& each) { return each.weight_decay; }, *options), 0.5);
    }
    EXPECT_EQ(kind_of(*options_of("")), "adam");
    const auto rmsprop = options_of("kind = \"rmsprop\"\ndecay = 0.9\nmomentum = 0.4\nepsilon = 0.01");
    ASSERT_TRUE(rmsprop) << rmsprop.error().message;
    EXPECT_EQ(std::get<RmsPropOptions>(*rmsprop).decay, 0.9);
    EXPECT_EQ(std::get<RmsPropOptions>(*rmsprop).momentum, 0.4);
    EXPECT_EQ(std::get<RmsPropOptions>(*rmsprop).epsilon, 0.01);
    EXPECT_EQ(std::get<AdaDeltaOptions>(*options_of("kind = \"adadelta\"\nrho = 0.5")).rho, 0.5);
}

TEST(OptimiserKeys, RefusesWhatIsAnotherKinds) {
    EXPECT_EQ(
        options_of("kind = \"sgd\"\nmomentum = 0.9").error().message,
        "r.toml: line 3: 'momentum' in [optimiser] is no key of kind \"sgd\", whose keys are weight_decay");
    EXPECT_EQ(options_of("beta1 = 0.9\nrho = 0.9").error().message,
              "r.toml: line 3: 'rho' in [optimiser] is no key of kind \"adam\", whose keys are beta1, beta2, "
              "epsilon, "
              "weight_decay");
    EXPECT_EQ(options_of("kind = \"lion\"").error().message,
              "r.toml: line 2: 'kind' in [optimiser] is 'lion', expected one of \"sgd\", \"momentum\", "
              "\"nesterov\", \"adagrad\", \"adadelta\", \"rmsprop\", \"adam\", \"adamw\"");
    EXPECT_EQ(options_of("kind = \"momentum\"\nmomentum = 1").error().message,
              "r.toml: line 3: 'momentum' in [optimiser] is 1, expected a number from 0 to 0.99999");
}

}  // namespace
}  // namespace scholar::learning
