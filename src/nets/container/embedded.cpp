#include "nets/container/embedded.hpp"

#include <algorithm>
#include <array>

namespace scholar::nets {

// cmake/Embed.cmake
std::string_view default_network();
std::string_view network_c81e6a60();
std::string_view network_1b14e1e6();
std::string_view network_90a88bc3();
std::string_view network_aa4b4078();
std::string_view network_4d852c0c();
std::string_view network_6a26a0a4();
std::string_view network_384845d6();
std::string_view network_31cd7c91();
std::string_view network_0c77a5a2();
std::string_view network_7f29edc6();

namespace {

std::span<const std::byte> bytes_of(std::string_view file) {
    return std::as_bytes(std::span(file));
}

}  // namespace

std::span<const std::byte> default_network_file() {
    return bytes_of(default_network());
}

std::span<const EmbeddedNetwork> embedded_networks() {
    static const std::array networks{
        EmbeddedNetwork{"scholar-c81e6a60", bytes_of(network_c81e6a60())},
        EmbeddedNetwork{"scholar-1b14e1e6", bytes_of(network_1b14e1e6())},
        EmbeddedNetwork{"knightcap-90a88bc3", bytes_of(network_90a88bc3())},
        EmbeddedNetwork{"giraffe-aa4b4078", bytes_of(network_aa4b4078())},
        EmbeddedNetwork{"sparse-policy-4d852c0c", bytes_of(network_4d852c0c())},
        EmbeddedNetwork{"convchess-6a26a0a4", bytes_of(network_6a26a0a4())},
        EmbeddedNetwork{"convchess-value-384845d6", bytes_of(network_384845d6())},
        EmbeddedNetwork{"rl-in-chess-31cd7c91", bytes_of(network_31cd7c91())},
        EmbeddedNetwork{"deepchess-0c77a5a2", bytes_of(network_0c77a5a2())},
        EmbeddedNetwork{"deepchess-split-7f29edc6", bytes_of(network_7f29edc6())}};
    return networks;
}

std::optional<std::span<const std::byte>> find_embedded_network(std::string_view name) {
    const auto found = std::ranges::find(embedded_networks(), name, &EmbeddedNetwork::name);
    if (found == embedded_networks().end()) return std::nullopt;
    return found->file;
}

}  // namespace scholar::nets
