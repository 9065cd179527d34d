#pragma once

#include <algorithm>
#include <bit>
#include <span>

#include "nets/conv/activation_layout.hpp"
#include "nets/conv/activations.hpp"
#include "nets/conv/conv_network.hpp"

// Planes and weights in the order in which the numbers between layers lie, and positions in parts that go
// through all layers together.

namespace scholar::nets {

// A dense layer behind a convolution, its weights [output][filter][square] with their inputs as they lie.
inline ConvLayer as_they_lie(const ConvLayer& layer, const ActivationLayout& layout) {
    ConvLayer turned;
    turned.bias = layer.bias;
    turned.slope = layer.slope;
    if (layer.bias.empty()) return turned;
    const std::size_t inputs = layer.weight.size() / layer.bias.size();
    const int filters = static_cast<int>(inputs / kPlaneSquares);
    turned.weight.resize(layer.bias.size() * layout.size(filters));
    for (std::size_t out = 0; out < layer.bias.size(); ++out)
        for (int filter = 0; filter < filters; ++filter)
            for (int square = 0; square < static_cast<int>(kPlaneSquares); ++square)
                turned.weight[out * layout.size(filters) + layout.index(filters, filter, square)] =
                    layer.weight[out * inputs + static_cast<std::size_t>(filter) * kPlaneSquares +
                                 static_cast<std::size_t>(square)];
    return turned;
}

// The planes as numbers, where they lie.
template <class Number>
void spread(std::span<const Plane> planes, const ActivationLayout& layout, Number* out) {
    const auto count = static_cast<int>(planes.size());
    const auto width = static_cast<std::size_t>(layout.block(count));
    for (std::size_t first = 0; first < planes.size(); first += width) {
        const auto here = planes.subspan(first, std::min(width, planes.size() - first));
        for (std::size_t square = 0; square < kPlaneSquares; ++square) {
            for (const Plane& plane : here) put(plane.at(square), *out++);
            out = std::fill_n(out, width - here.size(), Number{0});
        }
    }
}

// So many positions go through all layers together, or fewer: what lies between layers stays in the cache.
constexpr int kMostTogether = 64;

// Calls run(first, count) for all positions, in parts of kMostTogether, 32, 16 …: few numbers of positions,
// for each of which there are layers.
template <class Run>
void for_each_part(int positions, Run run) {
    int done = 0;
    while (done < positions) {
        const int together = std::min(positions - done, kMostTogether);
        const int count = static_cast<int>(std::bit_floor(static_cast<unsigned>(together)));
        run(done, count);
        done += count;
    }
}

}  // namespace scholar::nets
