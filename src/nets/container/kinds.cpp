#include "nets/container/kinds.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <new>

#include "base/files.hpp"
#include "nets/comparison/comparison_file.hpp"
#include "nets/conv/chess_nets.hpp"
#include "nets/conv/conv_file.hpp"
#include "nets/dense/dense_file.hpp"
#include "nets/lc0/lc0_file.hpp"
#include "nets/linear/linear_file.hpp"
#include "nets/perspective/network_file.hpp"
#include "nets/sparse_policy/sparse_policy_file.hpp"

namespace scholar::nets {

namespace {

// Shared and immutable from here on.
template <class Known>
base::Result<AnyNetwork> shared(base::Result<Known> network) {
    if (!network) return std::unexpected(network.error());
    return AnyNetwork(std::make_shared<const Known>(std::move(*network)));
}

constexpr std::array kKinds{
    NetworkKind{kPerspective, [](const TensorFile& file) { return shared(to_network(file)); }},
    NetworkKind{kLinear, [](const TensorFile& file) { return shared(to_linear_network(file)); }},
    NetworkKind{kResidual, [](const TensorFile& file) { return shared(to_conv_network(file)); }},
    NetworkKind{kDense, [](const TensorFile& file) { return shared(to_dense_network(file)); }},
    NetworkKind{kChessNet, [](const TensorFile& file) { return shared(to_chess_nets(file)); }},
    NetworkKind{kComparison, [](const TensorFile& file) { return shared(to_comparison_network(file)); }},
    NetworkKind{kSparsePolicy, [](const TensorFile& file) { return shared(to_sparse_policy(file)); }},
};

// The length of its header in 8 bytes, then that header, a JSON object.
bool begins_as_tensors(std::span<const std::byte> bytes) {
    return bytes.size() > sizeof(std::uint64_t) && bytes[sizeof(std::uint64_t)] == std::byte{'{'};
}

base::Result<AnyNetwork> parse_as_tensors(std::span<const std::byte> bytes) {
    const auto file = parse_tensors(bytes);
    if (!file) return std::unexpected(file.error());
    return take_any_network(*file);
}

// What begins as none of them is refused by the first.
constexpr std::array kContainers{
    Container{"safetensors", begins_as_tensors, parse_as_tensors},
    Container{"lc0", begins_as_lc0,
              [](std::span<const std::byte> bytes) { return shared(parse_lc0_network(bytes)); }},
};

}  // namespace

std::span<const Container> containers() {
    return kContainers;
}

std::span<const NetworkKind> network_kinds() {
    return kKinds;
}

base::Result<AnyNetwork> take_any_network(const TensorFile& file) {
    const auto architecture = file.meta("architecture");
    if (!architecture) return std::unexpected(architecture.error());
    std::string known;
    for (const NetworkKind& kind : kKinds) {
        if (*architecture == kind.architecture) return kind.take(file);
        known.append(known.empty() ? "" : ", ").append(kind.architecture);
    }
    return base::fail("architecture '{}', expected one of: {}", *architecture, known);
}

base::Result<AnyNetwork> parse_any_network(std::span<const std::byte> bytes) {
    for (const Container& container : kContainers)
        if (container.begins(bytes)) return container.parse(bytes);
    return kContainers.front().parse(bytes);
}

base::Result<AnyNetwork> load_any_network(const std::filesystem::path& path) {
    const auto bytes = base::read_bytes(path);
    if (!bytes) return std::unexpected(bytes.error());
    try {
        auto network = parse_any_network(*bytes);
        if (!network) return base::fail_in(path.string(), network.error());
        return network;
    } catch (const std::bad_alloc&) {
        return base::fail("{}: no memory left for this network", path.string());
    }
}

}  // namespace scholar::nets
