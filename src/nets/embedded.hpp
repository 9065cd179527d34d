#pragma once

#include <cstddef>
#include <span>

namespace scholar::nets {

// The default network's file, as it lies in the binary.
std::span<const std::byte> default_network_file();

}  // namespace scholar::nets
