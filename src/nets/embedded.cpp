#include "nets/embedded.hpp"

#include <string_view>

namespace scholar::nets {

std::string_view default_network();  // cmake/Embed.cmake

std::span<const std::byte> default_network_file() {
    return std::as_bytes(std::span(default_network()));
}

}  // namespace scholar::nets
