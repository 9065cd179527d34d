#include "nets/container/any_network.hpp"

#include "nets/linear/linear_file.hpp"
#include "nets/perspective/network_file.hpp"

namespace scholar::nets {

namespace {

std::string describe(const Network& network) {
    const Architecture& architecture = network.info.architecture;
    return fmt::format("{} {}: {}", kPerspective, version_of(architecture), to_string(architecture));
}

std::string describe(const LinearNetwork&) {
    return fmt::format("{} 1: {} features in {} stages", kLinear, kLinearFeatures, kStageCount);
}

// Shared and immutable from here on.
template <class Known>
base::Result<AnyNetwork> shared(base::Result<Known> network) {
    if (!network) return std::unexpected(network.error());
    return AnyNetwork(std::make_shared<const Known>(std::move(*network)));
}

base::Result<AnyNetwork> to_any_network(const TensorFile& file) {
    const auto architecture = file.meta("architecture");
    if (!architecture) return std::unexpected(architecture.error());
    if (*architecture == kPerspective) return shared(to_network(file));
    if (*architecture == kLinear) return shared(to_linear_network(file));
    return base::fail("architecture '{}', expected one of: {}, {}", *architecture, kPerspective, kLinear);
}

}  // namespace

const PieceValues& AnyNetwork::piece_values() const {
    return visit([](const auto& known) -> const PieceValues& { return known->info.piece_values; });
}

const std::map<std::string, std::string>& AnyNetwork::history() const {
    return visit([](const auto& known) -> const auto& { return known->info.history; });
}

std::string AnyNetwork::architecture() const {
    return visit([](const auto& known) { return describe(*known); });
}

std::string AnyNetwork::content_name() const {
    return visit([](const auto& known) { return nets::content_name(*known); });
}

chess::Score AnyNetwork::evaluate(const chess::Position& position) const {
    return visit([&position](const auto& known) { return evaluate_plainly(*known, position); });
}

base::Result<AnyNetwork> parse_any_network(std::span<const std::byte> bytes) {
    const auto file = parse_tensors(bytes);
    if (!file) return std::unexpected(file.error());
    return to_any_network(*file);
}

base::Result<AnyNetwork> load_any_network(const std::filesystem::path& path) {
    const auto file = read_tensors(path);
    if (!file) return std::unexpected(file.error());
    auto network = to_any_network(*file);
    if (!network) return base::fail_in(path.string(), network.error());
    return network;
}

}  // namespace scholar::nets
