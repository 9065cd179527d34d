#include "learning/perspective/baselines.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "chess/fen.hpp"
#include "learning/targets/losses.hpp"

namespace scholar::learning {
namespace {

TEST(Baselines, CountsMaterialFromTheSideToMove) {
    // White has a queen and a pawn more, Black a knight.
    const auto white = chess::parse_fen("4k1n1/8/8/8/8/8/P7/3QK3 w - - 0 1");
    const auto black = chess::parse_fen("4k1n1/8/8/8/8/8/P7/3QK3 b - - 0 1");
    ASSERT_TRUE(white && black);
    EXPECT_EQ(material_of(*white), (Material{1, -1, 0, 0, 1, 1}));
    EXPECT_EQ(material_of(*black), (Material{-1, 1, 0, 0, -1, 1}));
}

TEST(Baselines, RecoversTheWeightsThatMadeTheResults) {
    const Material truth{0.6, 1.5, 1.7, 2.4, 4.5, 0.2};
    base::Random random(7);
    std::vector<Material> materials;
    std::vector<float> targets;
    for (int i = 0; i < 200'000; ++i) {
        Material x{};
        for (std::size_t kind = 0; kind + 1 < x.size(); ++kind)
            x[kind] = static_cast<double>(random.below(3)) - 1;
        x.back() = 1;
        const double expected = sigmoid(MaterialPredictor{truth}.logit(x));
        materials.push_back(x);
        targets.push_back(random.unit() < expected ? 1.0F : 0.0F);
    }
    const MaterialPredictor fitted = fit_material(materials, targets);
    // Five standard errors or so.
    for (std::size_t i = 0; i < truth.size(); ++i) EXPECT_NEAR(fitted.weights[i], truth[i], 0.1) << i;
}

TEST(Baselines, SurvivesAKindThatNeverDiffers) {
    const std::vector<Material> materials{
        {1, 0, 0, 0, 0, 1}, {-1, 0, 0, 0, 0, 1}, {1, 0, 0, 0, 0, 1}, {-1, 0, 0, 0, 0, 1}};
    const std::vector<float> targets{1, 0, 0.5F, 0.5F};
    const MaterialPredictor fitted = fit_material(materials, targets);
    EXPECT_GT(fitted.weights[0], 0.5);
    EXPECT_NEAR(fitted.weights[1], 0, 1e-9);
}

TEST(Baselines, ConstantIsTheMean) {
    const std::vector<float> targets{1, 0.5F, 0, 1};
    EXPECT_NEAR(sigmoid(fit_constant(targets)), 0.625, 1e-9);
}

TEST(Losses, CrossEntropyIsTheTextbookFormula) {
    for (const double logit : {-3.0, -0.1, 0.0, 2.5})
        for (const double target : {0.0, 0.3, 1.0}) {
            const double p = 1 / (1 + std::exp(-logit));
            EXPECT_NEAR(cross_entropy(logit, target), -target * std::log(p) - (1 - target) * std::log(1 - p),
                        1e-12);
        }
    EXPECT_NEAR(cross_entropy(1000, 0), 1000, 1e-9);
    EXPECT_NEAR(cross_entropy(-1000, 0), 0, 1e-9);
}

}  // namespace
}  // namespace scholar::learning
