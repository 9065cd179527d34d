#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/error.hpp"
#include "nets/container/any_network.hpp"
#include "nets/container/tensor_file.hpp"

// What networks there are: two plain tables, in kinds.cpp. A new kind of network is a row there, beside the
// functions that any_network.hpp asks of its type.

namespace scholar::nets {

// A form in which networks come as files.
struct Container {
    std::string_view name;
    // Whether a file is one, by how it begins.
    bool (*begins)(std::span<const std::byte> bytes);
    base::Result<AnyNetwork> (*parse)(std::span<const std::byte> bytes);
};

// A kind of network in the container that is ours, safetensors (tensor_file.hpp).
struct NetworkKind {
    std::string_view architecture;  // as the metadata name it
    base::Result<AnyNetwork> (*take)(const TensorFile& file);
};

std::span<const Container> containers();
std::span<const NetworkKind> network_kinds();

// A network of any of these kinds, of a file that is in memory already. Refuses what its loader refuses.
base::Result<AnyNetwork> take_any_network(const TensorFile& file);

}  // namespace scholar::nets
