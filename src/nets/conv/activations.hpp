#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "nets/conv/conv_network.hpp"

// Numbers between the layers of a convolutional network, in either precision, and what is done to each.

namespace scholar::nets {

// bfloat16 as its bits.
using Bf16 = std::uint16_t;
inline float to_float(float number) {
    return number;
}
inline float to_float(Bf16 bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}
inline void put(float number, float& out) {
    out = number;
}
// To the nearest, ties to even.
inline void put(float number, Bf16& out) {
    const auto bits = std::bit_cast<std::uint32_t>(number);
    out = static_cast<Bf16>((bits + 0x7FFFU + (bits >> 16 & 1U)) >> 16);
}

// Of any but Prelu.
inline float activate(ConvActivation activation, float x) {
    if (activation == ConvActivation::Relu) return x > 0 ? x : 0;
    if (activation == ConvActivation::Tanh) return std::tanh(x);
    return x * std::tanh(std::log1p(std::exp(std::min(x, 20.0F))));
}

}  // namespace scholar::nets
