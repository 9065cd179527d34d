#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fmt/ranges.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/random.hpp"

// The arrays of weights of a network for whose type there is for_each_weights(network, each), in memory.

namespace scholar::nets {

using Extents = std::vector<std::int64_t>;

inline std::size_t elements_of(const Extents& extents) {
    std::size_t elements = 1;
    for (const std::int64_t extent : extents) elements *= static_cast<std::size_t>(extent);
    return elements;
}

// Eight hexadecimal digits of the hash of all weights.
template <class Net>
std::string name_of_weights(const Net& network) {
    std::uint64_t hash = 0;
    for_each_weights(network, [&hash](const auto&, const auto&, const auto& array) {
        hash = base::hash_bytes(std::as_bytes(std::span(array)), hash);
    });
    return base::to_hex(hash).substr(0, 8);
}

// Refuses arrays of floats that have not the sizes that their extents say, or hold what is no number.
template <class Net>
base::Status check_weights(const Net& network) {
    base::Status status;
    for_each_weights(network, [&status](const std::string& name, const Extents& extents,
                                        const std::vector<float>& array) {
        if (!status) return;
        if (array.size() != elements_of(extents))
            status = base::fail("{}: {} numbers, expected {}", name, array.size(), fmt::join(extents, " × "));
        for (std::size_t i = 0; status && i < array.size(); ++i)
            if (!std::isfinite(array[i]))
                status = base::fail("{}: number {} is {}, expected a finite one", name, i, array[i]);
    });
    return status;
}

// All arrays, in the sizes that their extents say.
template <class Net>
void make_room(Net& network) {
    for_each_weights(network, [](const auto&, const Extents& extents, std::vector<float>& array) {
        array.assign(elements_of(extents), 0);
    });
}

// All weights by lot, of a size that keeps activations in bounds (He et al. 2015): for tests, and to measure
// speed. The same seed gives the same network everywhere.
template <class Net>
void fill_by_lot(Net& network, std::uint64_t seed) {
    base::Random random(seed);
    // Two independent numbers of the standard normal distribution (Box and Muller 1958).
    const auto normal_pair = [&random] {
        constexpr double two_pi = 6.283185307179586;
        const double radius = std::sqrt(-2 * std::log(1 - random.unit()));
        const double angle = two_pi * random.unit();
        return std::pair{radius * std::cos(angle), radius * std::sin(angle)};
    };
    make_room(network);
    for_each_weights(network, [&](const auto&, const Extents& extents, std::vector<float>& array) {
        const bool is_bias = extents.size() == 1;
        const double fan_in = static_cast<double>(array.size()) / static_cast<double>(extents.front());
        const double deviation = is_bias ? 0.1 : std::sqrt(2 / fan_in);
        for (std::size_t i = 0; i < array.size(); i += 2) {
            const auto [first, second] = normal_pair();
            array[i] = static_cast<float>(deviation * first);
            if (i + 1 < array.size()) array[i + 1] = static_cast<float>(deviation * second);
        }
    });
}

}  // namespace scholar::nets
