#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "base/error.hpp"

// Maps of points that have many dimensions, on which those that are near one another stay so (L. van der
// Maaten and G. Hinton, "Visualizing data using t-SNE", Journal of Machine Learning Research 9 (2008)).
// Distances between far parts of such a map, and the sizes of its parts, say little.
//
// Each point attracts its 3 · perplexity nearest alone, as in L. van der Maaten, "Accelerating t-SNE using
// tree-based algorithms" (2014), and is repelled by all, exactly. So memory grows with the number of points,
// time with its square: that of 10,000 is some 15 s where 16 floats are worked on at once.

namespace scholar::arena {

using TsneMap = std::vector<std::array<float, 2>>;

struct TsneOptions {
    double perplexity = 30;  // about how many neighbours matter to a point; above 1
    int iterations = 1000;
    std::uint64_t seed = 1;
    std::function<void(int)> progress{};  // hears how many iterations are done, after each
};

// The map of the points, whose coordinates lie point after point. Its middle is (0, 0). One build gives the
// same for the same points and options. Fails if there are not more than 3 · perplexity points, if a
// coordinate is not a finite number, and with "stopped after …" once `stop` asks for it.
base::Result<TsneMap> tsne(std::span<const float> points, std::size_t dimensions, const TsneOptions& options,
                           const std::stop_token& stop = {});

// The steps of it.

// How likely each point would choose its nearest others for neighbours.
struct TsneChoices {
    std::size_t each = 0;               // how many others of each point are here
    std::vector<std::uint32_t> others;  // `each` for a point, the nearest first
    std::vector<double> probabilities;  // p(j|i) in the same order, which add up to 1 for each point
};

// Of each point among its 3 · perplexity nearest. 2 to the power of the entropy of its choice, in bits, is
// the perplexity, unless more others than that are equally near. Fails as tsne().
base::Result<TsneChoices> tsne_choices(std::span<const float> points, std::size_t dimensions,
                                       double perplexity, const std::stop_token& stop = {});

// p(ij) = (p(j|i) + p(i|j)) / 2n, where it is not 0: of point i what lies from begin[i] up to begin[i + 1].
// All of them add up to 1.
struct TsneProbabilities {
    std::vector<std::size_t> begin;
    std::vector<std::uint32_t> others;
    std::vector<float> values;
};

TsneProbabilities symmetrized(const TsneChoices& choices);

struct TsneDivergence {
    double value = 0;  // Kullback–Leibler, in nats: what a map makes as small as it can
    std::vector<std::array<float, 2>> gradient;  // by the coordinates of each point on the map
};

TsneDivergence tsne_divergence(const TsneProbabilities& probabilities, const TsneMap& map);

}  // namespace scholar::arena
