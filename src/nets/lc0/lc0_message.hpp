#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

// What a network file of lc0 says, as far as convolutional networks go: a message of Protocol Buffers
// (proto2), field by field as the project's own description of the format numbers them. Weights stay where
// they are: the bytes must live as long as the message.

namespace scholar::nets::lc0 {

enum class Encoding : std::uint8_t { Linear16 = 1, Float16 = 2, Bfloat16 = 3, Float32 = 4 };

// An array of weights.
struct Layer {
    // Of Linear16: what 0 and 65535 stand for.
    float least = 0;
    float most = 0;
    std::string_view bytes;
    std::uint32_t encoding = static_cast<std::uint32_t>(Encoding::Linear16);
};
using MaybeLayer = std::optional<Layer>;

struct Convolution {
    MaybeLayer weights;
    MaybeLayer biases;
    MaybeLayer means;
    MaybeLayer variances;  // called "bn_stddivs" there
    MaybeLayer gammas;
    MaybeLayer betas;
};

struct SqueezeUnit {
    MaybeLayer w1;
    MaybeLayer b1;
    MaybeLayer w2;
    MaybeLayer b2;
};

struct Residual {
    Convolution conv1;
    Convolution conv2;
    std::optional<SqueezeUnit> se;
};

struct Head {
    std::optional<Convolution> planes;
    MaybeLayer w1;
    MaybeLayer b1;
    MaybeLayer w2;
    MaybeLayer b2;
};

struct Weights {
    std::optional<Convolution> input;
    std::vector<Residual> residual;
    std::optional<Convolution> policy1;
    std::optional<Convolution> policy;
    MaybeLayer policy_w;
    MaybeLayer policy_b;
    Head value;
    Head moves_left;
    // The first of what only other kinds of networks have, an attention body's layers or heads by name;
    // empty: it has none.
    std::string_view foreign;
};

// Numbers as the file has them; those that are not there are 0, the field's default.
struct Format {
    std::uint32_t input = 0;
    std::uint32_t network = 0;
    std::uint32_t policy = 0;
    std::uint32_t value = 0;
    std::uint32_t moves_left = 0;
    std::uint32_t activation = 0;
};

struct Message {
    std::optional<std::uint32_t> magic;
    std::string_view license;
    std::optional<std::uint32_t> encoding;  // of all weights
    std::optional<Format> format;
    std::uint32_t training_steps = 0;
    std::optional<Weights> weights;
    bool is_onnx = false;
};

constexpr std::uint32_t kMagic = 0x1C0;

// Refuses bytes that are no such message, or are cut off.
base::Result<Message> parse_message(std::string_view bytes);

}  // namespace scholar::nets::lc0
