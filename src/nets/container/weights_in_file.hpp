#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "nets/container/tensor_file.hpp"

// The arrays of weights of a network for whose type there is for_each_weights(network, each), in files.

namespace scholar::nets {

template <class T>
constexpr Dtype dtype_of() {
    if constexpr (std::is_same_v<T, float>) return Dtype::F32;
    if constexpr (std::is_same_v<T, std::int32_t>) return Dtype::I32;
    if constexpr (std::is_same_v<T, std::int16_t>) return Dtype::I16;
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, std::int32_t> ||
                  std::is_same_v<T, std::int16_t> || std::is_same_v<T, std::int8_t>);
    return Dtype::I8;
}

// Into a network that knows its shape. Refuses what is missing, or of another type or shape.
template <class Net>
base::Status take_weights(const TensorFile& file, Net& network) {
    base::Status status;
    for_each_weights(network, [&](const std::string& name, const auto& shape, auto& array) {
        using T = std::remove_cvref_t<decltype(array[0])>;
        if (!status) return;
        const auto tensor = file.tensor(name, dtype_of<T>(), shape);
        if (!tensor) {
            status = std::unexpected(tensor.error());
            return;
        }
        const auto values = (*tensor)->template as<T>();
        array.assign(values.begin(), values.end());
    });
    return status;
}

// The network with the weights of the file, if check_network() has nothing against it.
template <class Net>
base::Result<Net> with_weights(const TensorFile& file, Net network) {
    auto status = take_weights(file, network);
    if (status) status = check_network(network);
    if (!status) return std::unexpected(status.error());
    return network;
}

template <class Net>
void put_weights(TensorFile& file, const Net& network) {
    for_each_weights(network, [&](const std::string& name, auto shape, const auto& array) {
        using T = std::remove_cvref_t<decltype(array[0])>;
        file.tensors[name] = Tensor::from<T>(dtype_of<T>(), std::move(shape), std::span<const T>(array));
    });
}

}  // namespace scholar::nets
