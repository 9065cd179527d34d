#pragma once

#include "base/error.hpp"
#include "nets/container/tensor_file.hpp"
#include "nets/conv/conv_network.hpp"

// What files of all convolutional networks that are ours say alike: "input" (planes.hpp), "rating_least" and
// "rating_most" where it has a layer of ratings, "activation".

namespace scholar::nets {

void put_input(TensorFile& file, const PlanesInput& input);
base::Status take_input(const TensorFile& file, PlanesInput& input);
base::Status take_activation(const TensorFile& file, ConvActivation& activation);

// The entry as one of these names.
template <class Value, std::size_t count>
base::Status take_name(const TensorFile& file, const std::string& key, const std::array<Value, count>& values,
                       Value& into) {
    const auto text = file.meta(key);
    if (!text) return std::unexpected(text.error());
    std::string known;
    for (const Value value : values) {
        if (*text == to_string(value)) {
            into = value;
            return {};
        }
        known.append(known.empty() ? "" : ", ").append(to_string(value));
    }
    return base::fail("{} '{}', expected one of: {}", key, *text, known);
}

}  // namespace scholar::nets
