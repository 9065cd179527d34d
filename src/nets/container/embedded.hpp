#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace scholar::nets {

// The default network's file, as it lies in the binary.
std::span<const std::byte> default_network_file();

// A network in the binary besides the default one.
struct EmbeddedNetwork {
    std::string_view name;  // by which options ask for it
    std::span<const std::byte> file;
};

// Those of the other systems (engine/players.hpp) and of the ladder's players.
std::span<const EmbeddedNetwork> embedded_networks();
// Nothing if there is none of this name.
std::optional<std::span<const std::byte>> find_embedded_network(std::string_view name);

}  // namespace scholar::nets
