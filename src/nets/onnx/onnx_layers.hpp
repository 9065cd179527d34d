#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>

#include "nets/conv/conv_network.hpp"
#include "nets/onnx/onnx_model.hpp"

// What networks are made of, as nodes of a model. Each function returns the tensor that it makes.

namespace scholar::nets {

// Which of a layer's outputs are wanted.
struct OnnxRows {
    std::size_t first;
    std::size_t count;
};

// A convolution of `size` × `size` squares, or of one number for each filter.
std::string onnx_convolution(OnnxModel& model, const std::string& name, const std::string& from,
                             const ConvLayer& layer, int size);
std::string onnx_convolution(OnnxModel& model, const std::string& name, const std::string& from,
                             const ConvLayer& layer, int size, OnnxRows rows);
// A dense layer over what has one extent.
std::string onnx_dense(OnnxModel& model, const std::string& name, const std::string& from,
                       std::span<const float> weight, std::span<const float> bias);
// All numbers of a position in a row.
std::string onnx_flatten(OnnxModel& model, const std::string& name, const std::string& from);
// Those from `begin` to `end` − 1 of an extent: 1 is the first after the number of positions.
std::string onnx_slice(OnnxModel& model, const std::string& name, const std::string& from,
                       std::int64_t extent, std::int64_t begin, std::int64_t end);
// The slopes are those of Prelu, of the first extent; behind it are so many others.
std::string onnx_activation(OnnxModel& model, const std::string& from, ConvActivation activation,
                            std::span<const float> slope = {}, int trailing = 0);

// What is known of the network: "name", that of its content, "description", and what its own file says.
void say_of_network(OnnxModel& model, const std::string& name, const std::string& description,
                    const std::map<std::string, std::string>& metadata);
// What planes are, of an input of that name (planes.hpp).
std::string planes_meaning(const PlanesInput& input);

}  // namespace scholar::nets
