#include "arena/tsne.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "base/random.hpp"

namespace scholar::arena {
namespace {

// Roughly normal, of deviation 1.
double about_normal(base::Random& random) {
    double sum = 0;
    for (int i = 0; i < 12; ++i) sum += random.unit();
    return sum - 6;
}

std::vector<float> cloud(std::size_t count, std::size_t dimensions, std::uint64_t seed) {
    base::Random random(seed);
    std::vector<float> points;
    for (std::size_t i = 0; i < count * dimensions; ++i)
        points.push_back(static_cast<float>(about_normal(random)));
    return points;
}

// Point i is of cluster i % kClusters, whose middle is far from the others'.
constexpr std::size_t kClusters = 5;
constexpr std::size_t kClusterDimensions = 10;

std::vector<float> clusters(std::size_t count) {
    auto points = cloud(count, kClusterDimensions, 3);
    for (std::size_t i = 0; i < count; ++i) points[i * kClusterDimensions + i % kClusters] += 12;
    return points;
}

double squared_distance(std::span<const float> points, std::size_t dimensions, std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t d = 0; d < dimensions; ++d) {
        const double difference = double{points[a * dimensions + d]} - double{points[b * dimensions + d]};
        sum += difference * difference;
    }
    return sum;
}

double map_distance(const TsneMap& map, std::size_t a, std::size_t b) {
    return std::hypot(map[a][0] - map[b][0], map[a][1] - map[b][1]);
}

std::size_t nearest_on(const TsneMap& map, std::size_t point) {
    std::size_t nearest = point == 0 ? 1 : 0;
    for (std::size_t other = 0; other < map.size(); ++other)
        if (other != point && map_distance(map, point, other) < map_distance(map, point, nearest))
            nearest = other;
    return nearest;
}

// The divergence by its definition: all pairs, in double.
double plain_divergence(const TsneProbabilities& probabilities, std::span<const double> map) {
    const std::size_t count = map.size() / 2;
    const auto weight = [&](std::size_t i, std::size_t j) {
        return 1 / (1 + std::pow(map[2 * i] - map[2 * j], 2) + std::pow(map[2 * i + 1] - map[2 * j + 1], 2));
    };
    double weights = 0;
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < count; ++j) weights += i == j ? 0 : weight(i, j);
    double divergence = 0;
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = probabilities.begin[i]; k < probabilities.begin[i + 1]; ++k) {
            const double p = probabilities.values[k];
            divergence += p * std::log(p * weights / weight(i, probabilities.others[k]));
        }
    return divergence;
}

TEST(Tsne, ChoosesTheNearestByTheirDistance) {
    // More than fit into one pass over the points, and not a multiple of what is done side by side.
    constexpr std::size_t kCount = 203;
    constexpr std::size_t kDimensions = 21;
    const auto points = cloud(kCount, kDimensions, 1);
    const auto choices = tsne_choices(points, kDimensions, 8);
    ASSERT_TRUE(choices) << choices.error().message;
    ASSERT_EQ(choices->each, 24U);
    ASSERT_EQ(choices->others.size(), kCount * choices->each);
    for (std::size_t i = 0; i < kCount; ++i) {
        std::vector<std::pair<double, std::uint32_t>> others;
        for (std::uint32_t j = 0; j < kCount; ++j)
            if (i != j) others.emplace_back(squared_distance(points, kDimensions, i, j), j);
        std::ranges::sort(others);
        const double* probabilities = &choices->probabilities[i * choices->each];
        const double precision =
            std::log(probabilities[0] / probabilities[23]) / (others[23].first - others[0].first);
        for (std::size_t k = 0; k < choices->each; ++k) {
            EXPECT_EQ(choices->others[i * choices->each + k], others[k].second);
            // A normal distribution about the point.
            EXPECT_NEAR(std::log(probabilities[0] / probabilities[k]),
                        precision * (others[k].first - others[0].first), 1e-4);
        }
    }
}

TEST(Tsne, EachPointHasThePerplexityAskedFor) {
    constexpr std::size_t kCount = 100;
    for (const float scale : {1e-15F, 1.0F, 1e30F}) {
        auto points = cloud(kCount, 6, 2);
        for (float& value : points) value *= scale;
        for (const double perplexity : {1.5, 5.0, 30.0}) {
            const auto choices = tsne_choices(points, 6, perplexity);
            ASSERT_TRUE(choices) << choices.error().message;
            for (std::size_t i = 0; i < kCount; ++i) {
                double sum = 0;
                double entropy = 0;
                for (std::size_t k = i * choices->each; k < (i + 1) * choices->each; ++k) {
                    const double p = choices->probabilities[k];
                    sum += p;
                    if (p > 0) entropy -= p * std::log2(p);
                }
                EXPECT_NEAR(sum, 1, 1e-9);
                EXPECT_NEAR(std::exp2(entropy), perplexity, 1e-3);
            }
        }
    }
}

TEST(Tsne, ProbabilitiesAreSymmetric) {
    constexpr std::size_t kCount = 60;
    const auto choices = tsne_choices(cloud(kCount, 5, 4), 5, 4);
    ASSERT_TRUE(choices) << choices.error().message;
    std::vector<double> expected(kCount * kCount);
    for (std::size_t k = 0; k < choices->others.size(); ++k) {
        const std::size_t i = k / choices->each;
        const std::size_t j = choices->others[k];
        for (const std::size_t at : {i * kCount + j, j * kCount + i})
            expected[at] += choices->probabilities[k] / (2.0 * kCount);
    }
    const auto probabilities = symmetrized(*choices);
    ASSERT_EQ(probabilities.begin.size(), kCount + 1);
    std::vector<double> found(kCount * kCount);
    for (std::size_t i = 0; i < kCount; ++i)
        for (std::size_t k = probabilities.begin[i]; k < probabilities.begin[i + 1]; ++k)
            found[i * kCount + probabilities.others[k]] += probabilities.values[k];
    EXPECT_THAT(found, testing::Pointwise(testing::DoubleNear(1e-8), expected));
}

TEST(Tsne, GradientIsThatOfTheDivergence) {
    constexpr std::size_t kCount = 25;  // with all 24 others of each
    const auto choices = tsne_choices(cloud(kCount, 4, 5), 4, 8);
    ASSERT_TRUE(choices) << choices.error().message;
    ASSERT_EQ(choices->each, kCount - 1);
    const auto probabilities = symmetrized(*choices);
    TsneMap map(kCount);
    std::vector<double> places;
    base::Random random(6);
    for (auto& place : map)
        for (float& value : place) {
            value = static_cast<float>(about_normal(random));
            places.push_back(value);
        }
    const auto divergence = tsne_divergence(probabilities, map);
    EXPECT_NEAR(divergence.value, plain_divergence(probabilities, places), 1e-6);
    EXPECT_GT(divergence.value, 0.1);
    for (std::size_t at = 0; at < places.size(); ++at) {
        constexpr double kStep = 1e-5;
        auto moved = places;
        moved[at] = places[at] + kStep;
        const double above = plain_divergence(probabilities, moved);
        moved[at] = places[at] - kStep;
        const double below = plain_divergence(probabilities, moved);
        EXPECT_NEAR(divergence.gradient[at / 2][at % 2], (above - below) / (2 * kStep), 1e-6) << at;
    }
}

TEST(Tsne, ClustersStaySeparate) {
    constexpr std::size_t kCount = 150;
    const auto points = clusters(kCount);
    TsneOptions options{.perplexity = 10, .iterations = 400};
    int done = 0;
    options.progress = [&](int iterations) { EXPECT_EQ(iterations, ++done); };
    const auto map = tsne(points, kClusterDimensions, options);
    ASSERT_TRUE(map) << map.error().message;
    ASSERT_EQ(map->size(), kCount);
    EXPECT_EQ(done, options.iterations);
    for (std::size_t i = 0; i < kCount; ++i) EXPECT_EQ(nearest_on(*map, i) % kClusters, i % kClusters) << i;
    // And are clusters: all of the point's own are nearer than any other.
    for (std::size_t i = 0; i < kCount; ++i) {
        double within = 0;
        double without = std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j < kCount; ++j)
            if (i % kClusters == j % kClusters)
                within = std::max(within, map_distance(*map, i, j));
            else
                without = std::min(without, map_distance(*map, i, j));
        EXPECT_LT(within, without) << i;
    }
    std::array<double, 2> sums{};
    for (const auto& place : *map)
        for (std::size_t a = 0; a < 2; ++a) sums[a] += place[a];
    EXPECT_NEAR(sums[0] / kCount, 0, 1e-4);
    EXPECT_NEAR(sums[1] / kCount, 0, 1e-4);
}

TEST(Tsne, TheSameSeedGivesTheSameMap) {
    const auto points = clusters(70);
    const auto map_of = [&](std::uint64_t seed) {
        return tsne(points, kClusterDimensions, {.perplexity = 5, .iterations = 100, .seed = seed}).value();
    };
    const auto map = map_of(1);
    EXPECT_EQ(map, map_of(1));
    EXPECT_NE(map, map_of(2));
}

// Iterations make the divergence smaller, down to less than any start has.
TEST(Tsne, GoesDown) {
    const auto points = clusters(100);
    const auto choices = tsne_choices(points, kClusterDimensions, 10);
    ASSERT_TRUE(choices) << choices.error().message;
    const auto probabilities = symmetrized(*choices);
    double before = std::numeric_limits<double>::infinity();
    for (const int iterations : {0, 100, 400}) {
        const auto map = tsne(points, kClusterDimensions, {.perplexity = 10, .iterations = iterations});
        ASSERT_TRUE(map) << map.error().message;
        const double divergence = tsne_divergence(probabilities, *map).value;
        EXPECT_LT(divergence, before) << iterations;
        before = divergence;
    }
    EXPECT_LT(before, 0.6);
}

TEST(Tsne, PointsInOnePlaceCanBeDrawn) {
    std::vector<float> points(120, 7);
    for (const std::size_t elsewhere : {0U, 30U}) {  // all, or all but some
        for (std::size_t i = 0; i < elsewhere; ++i) points[i] = static_cast<float>(i);
        const auto map = tsne(points, 2, {.perplexity = 5, .iterations = 100});
        ASSERT_TRUE(map) << map.error().message;
        for (std::size_t i = 0; i < map->size(); ++i) {
            EXPECT_TRUE(std::isfinite((*map)[i][0]) && std::isfinite((*map)[i][1])) << i;
            EXPECT_GT(map_distance(*map, i, nearest_on(*map, i)), 0) << i;
        }
    }
}

TEST(Tsne, RefusesWhatHasNoMap) {
    const auto message = [](std::span<const float> points, std::size_t dimensions, double perplexity) {
        const auto map = tsne(points, dimensions, {.perplexity = perplexity, .iterations = 10});
        return map ? "none" : map.error().message;
    };
    auto points = cloud(31, 2, 7);
    EXPECT_EQ(message(points, 2, 10), "none");
    EXPECT_EQ(message(std::span(points).first(60), 2, 10),
              "t-SNE: 30 points, expected more than 30 for a perplexity of 10");
    EXPECT_EQ(message({}, 2, 10), "t-SNE: 0 points, expected more than 30 for a perplexity of 10");
    EXPECT_THAT(message(points, 2, 1), testing::HasSubstr("perplexity"));
    EXPECT_THAT(message(points, 2, std::numeric_limits<double>::quiet_NaN()),
                testing::HasSubstr("perplexity"));
    EXPECT_EQ(message(points, 4, 2), "t-SNE: 62 numbers, expected 4 for each point");
    EXPECT_EQ(message(points, 0, 2), "t-SNE: 62 numbers, expected 0 for each point");
    points[7] = std::numeric_limits<float>::infinity();
    EXPECT_THAT(message(points, 2, 10), testing::StartsWith("t-SNE: point 3 "));
}

TEST(Tsne, StopsWhenAsked) {
    std::stop_source source;
    TsneOptions options{.perplexity = 5};
    options.progress = [&](int done) {
        if (done == 3) source.request_stop();
    };
    const auto points = cloud(40, 3, 8);
    const auto map = tsne(points, 3, options, source.get_token());
    ASSERT_FALSE(map);
    EXPECT_EQ(map.error().message, "t-SNE: stopped after 3 of 1000 iterations");
    const auto choices = tsne_choices(points, 3, 5, source.get_token());
    ASSERT_FALSE(choices);
    EXPECT_EQ(choices.error().message, "t-SNE: stopped after 0 of 40 points");
}

}  // namespace
}  // namespace scholar::arena
