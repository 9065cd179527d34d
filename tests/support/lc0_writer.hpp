#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <protozero/pbf_writer.hpp>
#include <string>

#include "nets/conv/conv_network.hpp"

// Networks written as lc0 writes them, by the numbers of its format's fields, to be read by what is tested.

namespace scholar::tests {

// What the file says of itself; the numbers are those of lc0's enumerations.
struct Lc0Format {
    std::uint32_t magic = 0x1C0;
    std::uint32_t input = 1;
    std::uint32_t network = 4;
    std::uint32_t policy = 2;
    std::uint32_t value = 2;
    std::uint32_t moves_left = 0;
    std::uint32_t activation = 0;
    std::uint32_t encoding = 1;
    bool has_format = true;
};

// An array of 16 bits, whose least and most are its ends.
inline std::string lc0_layer(const std::vector<float>& numbers) {
    const auto [least, most] = std::ranges::minmax(numbers);
    std::string params;
    for (const float number : numbers) {
        const float share = most > least ? (number - least) / (most - least) : 0;
        const auto bits = static_cast<std::uint16_t>(std::lround(share * 65'535));
        params += static_cast<char>(bits & 0xFF);
        params += static_cast<char>(bits >> 8);
    }
    std::string layer;
    protozero::pbf_writer writer(layer);
    writer.add_float(1, least);
    writer.add_float(2, most);
    writer.add_bytes(3, params);
    return layer;
}

// With a batch norm that changes nothing but what rounding changes: mean 0, variance 1 − epsilon.
inline std::string lc0_convolution(const nets::ConvLayer& layer, bool with_batch_norm) {
    std::string block;
    protozero::pbf_writer writer(block);
    writer.add_bytes(1, lc0_layer(layer.weight));
    const std::size_t outputs = layer.bias.size();
    if (with_batch_norm) {
        writer.add_bytes(3, lc0_layer(std::vector<float>(outputs, 0)));
        writer.add_bytes(4, lc0_layer(std::vector<float>(outputs, 1 - 1e-5F)));
        writer.add_bytes(5, lc0_layer(std::vector<float>(outputs, 1)));
        writer.add_bytes(6, lc0_layer(layer.bias));
    } else {
        writer.add_bytes(2, lc0_layer(layer.bias));
    }
    return block;
}

// The weights, field 10 of the whole.
inline std::string lc0_weights(const nets::ConvNetwork& network) {
    const nets::ConvShape& shape = network.info.shape;
    std::string weights;
    protozero::pbf_writer writer(weights);
    writer.add_bytes(1, lc0_convolution(network.input, true));
    for (const nets::ResidualBlock& block : network.blocks) {
        std::string text;
        protozero::pbf_writer residual(text);
        residual.add_bytes(1, lc0_convolution(block.first, true));
        residual.add_bytes(2, lc0_convolution(block.second, true));
        if (shape.squeeze > 0) {
            std::string unit;
            protozero::pbf_writer se(unit);
            se.add_bytes(1, lc0_layer(block.squeeze.weight));
            se.add_bytes(2, lc0_layer(block.squeeze.bias));
            se.add_bytes(3, lc0_layer(block.excite.weight));
            se.add_bytes(4, lc0_layer(block.excite.bias));
            residual.add_bytes(3, unit);
        }
        writer.add_bytes(2, text);
    }
    if (shape.policy == nets::PolicyForm::Convolutional) {
        writer.add_bytes(11, lc0_convolution(network.policy_first, true));
        writer.add_bytes(3, lc0_convolution(network.policy_second, false));
    } else {
        writer.add_bytes(3, lc0_convolution(network.policy_first, true));
        writer.add_bytes(4, lc0_layer(network.policy_second.weight));
        writer.add_bytes(5, lc0_layer(network.policy_second.bias));
    }
    const auto head = [&writer](const nets::ConvHead& of, std::uint32_t planes, std::uint32_t dense) {
        writer.add_bytes(planes, lc0_convolution(of.planes, true));
        writer.add_bytes(dense, lc0_layer(of.hidden.weight));
        writer.add_bytes(dense + 1, lc0_layer(of.hidden.bias));
        writer.add_bytes(dense + 2, lc0_layer(of.output.weight));
        writer.add_bytes(dense + 3, lc0_layer(of.output.bias));
    };
    head(network.value, 6, 7);
    if (shape.moves_left_filters > 0) head(network.moves_left, 12, 13);
    return weights;
}

// What the shape calls for.
inline Lc0Format lc0_format(const nets::ConvShape& shape) {
    Lc0Format format;
    format.network = shape.squeeze > 0 ? 4 : 3;
    format.policy = shape.policy == nets::PolicyForm::Convolutional ? 2 : 1;
    format.value = shape.value == nets::ValueForm::Wdl ? 2 : 1;
    format.moves_left = shape.moves_left_filters > 0 ? 1 : 0;
    format.activation = shape.activation == nets::ConvActivation::Mish ? 1 : 0;
    return format;
}

inline std::string lc0_file(const std::string& weights, const Lc0Format& format) {
    std::string network_format;
    protozero::pbf_writer numbers(network_format);
    numbers.add_enum(1, static_cast<std::int32_t>(format.input));
    numbers.add_enum(2, static_cast<std::int32_t>(format.value));
    numbers.add_enum(3, static_cast<std::int32_t>(format.network));
    numbers.add_enum(4, static_cast<std::int32_t>(format.policy));
    numbers.add_enum(5, static_cast<std::int32_t>(format.value));
    numbers.add_enum(6, static_cast<std::int32_t>(format.moves_left));
    numbers.add_enum(7, static_cast<std::int32_t>(format.activation));
    std::string formats;
    protozero::pbf_writer outer(formats);
    outer.add_enum(1, static_cast<std::int32_t>(format.encoding));
    if (format.has_format) outer.add_bytes(2, network_format);
    std::string training;
    protozero::pbf_writer(training).add_uint32(1, 400'000);
    std::string file;
    protozero::pbf_writer whole(file);
    whole.add_fixed32(1, format.magic);
    whole.add_bytes(2, "free to test with");
    whole.add_bytes(4, formats);
    whole.add_bytes(5, training);
    if (!weights.empty()) whole.add_bytes(10, weights);
    return file;
}

inline std::string lc0_file(const nets::ConvNetwork& network) {
    return lc0_file(lc0_weights(network), lc0_format(network.info.shape));
}

}  // namespace scholar::tests
