#include "nets/perspective/network_file.hpp"

#include <algorithm>
#include <array>
#include <ranges>

#include "base/files.hpp"
#include "nets/container/network_metadata.hpp"
#include "nets/container/weights.hpp"
#include "nets/container/weights_in_file.hpp"
#include "nets/perspective/quantise.hpp"

namespace scholar::nets {

namespace {

using base::fail;

constexpr std::string_view kVersion = "1";
constexpr std::string_view kVersionWithHidden = "2";

// Activations as files name them.
constexpr std::array kFileNames{std::pair{Activation::Clipped, std::string_view("crelu")},
                                std::pair{Activation::Squared, std::string_view("screlu")},
                                std::pair{Activation::Paired, std::string_view("pairwise")}};

std::string quantisation_name(int output_scale) {
    return fmt::format("int16 {} {}", Network::kActivationScale, output_scale);
}

TensorFile describe(const NetworkInfo& info, const std::string& quantisation) {
    TensorFile file;
    put_common_metadata(file, kPerspective, version_of(info.architecture), info.piece_values, info.history);
    put_architecture(file, info.architecture);
    file.metadata["quantisation"] = quantisation;
    return file;
}

base::Result<NetworkInfo> parse_network_info(const TensorFile& file) {
    // Whether there are hidden layers must be known before the version can be.
    const std::string_view version = file.metadata.contains("hidden") ? kVersionWithHidden : kVersion;
    if (auto status = expect_architecture(file, kPerspective, version); !status)
        return std::unexpected(status.error());
    NetworkInfo info;
    const auto architecture = take_architecture(file);
    if (!architecture) return std::unexpected(architecture.error());
    info.architecture = *architecture;
    if (auto status = take_piece_values_and_history(file, info); !status)
        return std::unexpected(status.error());
    return info;
}

base::Result<FloatNetwork> float_network_of(const TensorFile& file) {
    auto info = parse_network_info(file);
    if (!info) return std::unexpected(info.error());
    if (auto status = expect_entry(file, "quantisation", kFloat); !status)
        return std::unexpected(status.error());
    FloatNetwork network;
    network.info = std::move(*info);
    network.hidden.resize(network.info.architecture.hidden.size());
    if (auto status = take_weights(file, network); !status) return std::unexpected(status.error());
    return network;
}

TensorFile to_file(const Network& network) {
    TensorFile file = describe(network.info, quantisation_name(network.output_scale));
    put_weights(file, network);
    if (network.hidden.empty()) return file;
    std::vector<int> shifts;
    shifts.reserve(network.hidden.size());
    for (const Layer& layer : network.hidden) shifts.push_back(layer.shift);
    file.metadata["hidden_shifts"] = fmt::format("{}", fmt::join(shifts, " "));
    return file;
}

// Of a file that says "int16 255 1024", 1024.
base::Result<int> parse_output_scale(const std::string& quantisation, const Architecture& architecture) {
    const OutputRange range = output_range(architecture);
    std::string expected = fmt::format("'{}'", kFloat);
    for (int scale = range.finest_scale; scale >= range.coarsest_scale; scale /= 2) {
        if (quantisation == quantisation_name(scale)) return scale;
        expected += fmt::format(", '{}'", quantisation_name(scale));
    }
    return fail("quantisation '{}', expected one of: {}", quantisation, expected);
}

base::Status take_shifts(const TensorFile& file, Network& network) {
    if (network.hidden.empty()) return {};
    const auto shifts = take_integers(file, "hidden_shifts");
    if (!shifts) return std::unexpected(shifts.error());
    const bool known = std::ranges::all_of(
        *shifts, [](int shift) { return shift >= Layer::kLeastShift && shift <= Layer::kMostShift; });
    if (!known || shifts->size() != network.hidden.size())
        return fail("hidden_shifts '{}', expected {} numbers from {} to {}", fmt::join(*shifts, " "),
                    network.hidden.size(), Layer::kLeastShift, Layer::kMostShift);
    for (std::size_t i = 0; i < shifts->size(); ++i) network.hidden[i].shift = (*shifts)[i];
    return {};
}

}  // namespace

std::string_view version_of(const Architecture& architecture) {
    return architecture.hidden.empty() ? kVersion : kVersionWithHidden;
}

base::Result<Network> to_network(const TensorFile& file) {
    const auto quantisation = file.meta("quantisation");
    if (!quantisation) return std::unexpected(quantisation.error());
    if (*quantisation == kFloat) {
        auto network = float_network_of(file);
        if (!network) return std::unexpected(network.error());
        auto quantised = quantise(*network);
        if (!quantised) return std::unexpected(quantised.error());
        return std::move(quantised->network);
    }
    auto info = parse_network_info(file);
    if (!info) return std::unexpected(info.error());
    const auto scale = parse_output_scale(*quantisation, info->architecture);
    if (!scale) return std::unexpected(scale.error());
    Network network;
    network.info = std::move(*info);
    network.output_scale = *scale;
    network.hidden.resize(network.info.architecture.hidden.size());
    if (auto status = take_weights(file, network); !status) return std::unexpected(status.error());
    if (auto status = take_shifts(file, network); !status) return std::unexpected(status.error());
    // Sums must not overflow whatever a file holds.
    if (auto report = check_bounds(network); !report) return std::unexpected(report.error());
    return network;
}

void put_architecture(TensorFile& file, const Architecture& architecture) {
    file.metadata["feature_set"] = architecture.features->name;
    file.metadata["width"] = fmt::format("{}", architecture.width);
    for (const auto& [activation, name] : kFileNames)
        if (activation == architecture.activation) file.metadata["activation"] = name;
    file.metadata["output_buckets"] = fmt::format("{}", architecture.output_buckets);
    if (!architecture.hidden.empty())
        file.metadata["hidden"] = fmt::format("{}", fmt::join(architecture.hidden, " "));
}

base::Result<Architecture> take_architecture(const TensorFile& file) {
    Architecture architecture;
    const auto name = file.meta("feature_set");
    if (!name) return std::unexpected(name.error());
    const auto features = find_feature_set(*name);
    if (!features) return std::unexpected(features.error());
    architecture.features = *features;

    const auto activation = file.meta("activation");
    if (!activation) return std::unexpected(activation.error());
    const auto* known =
        std::ranges::find(kFileNames, *activation, [](const auto& each) { return each.second; });
    if (known == kFileNames.end())
        return fail("activation '{}', expected one of: {}", *activation,
                    fmt::join(kFileNames | std::views::values, ", "));
    architecture.activation = known->first;

    const auto width = take_integer(file, "width");
    if (!width) return std::unexpected(width.error());
    if (*width <= 0 || *width > Architecture::kMaxWidth || *width % architecture.width_multiple() != 0)
        return fail("width '{}', expected {} up to {}", *width, expected_widths(architecture),
                    Architecture::kMaxWidth);
    architecture.width = *width;

    if (file.metadata.contains("output_buckets")) {
        const auto buckets = take_integer(file, "output_buckets");
        if (!buckets) return std::unexpected(buckets.error());
        if (std::ranges::count(Architecture::kOutputBuckets, *buckets) == 0)
            return fail("output_buckets '{}', expected one of: {}", *buckets,
                        fmt::join(Architecture::kOutputBuckets, ", "));
        architecture.output_buckets = *buckets;
    }

    if (file.metadata.contains("hidden")) {
        auto units = take_integers(file, "hidden");
        if (!units) return std::unexpected(units.error());
        architecture.hidden = std::move(*units);
        if (auto status = check_hidden(architecture.hidden); !status)
            return fail("hidden {}", status.error().message);
    }
    return architecture;
}

base::Result<Network> parse_network(std::span<const std::byte> bytes) {
    const auto file = parse_tensors(bytes);
    if (!file) return std::unexpected(file.error());
    return to_network(*file);
}

base::Result<Network> load_network(const std::filesystem::path& path) {
    const auto file = read_tensors(path);
    if (!file) return std::unexpected(file.error());
    auto network = to_network(*file);
    if (!network) return base::fail_in(path.string(), network.error());
    return network;
}

base::Result<FloatNetwork> load_float_network(const std::filesystem::path& path) {
    const auto file = read_tensors(path);
    if (!file) return std::unexpected(file.error());
    const auto quantisation = file->meta("quantisation");
    if (quantisation && *quantisation != kFloat) {
        const auto rounded = to_network(*file);
        if (!rounded) return base::fail_in(path.string(), rounded.error());
        return dequantise(*rounded);
    }
    auto network = float_network_of(*file);
    if (!network) return base::fail_in(path.string(), network.error());
    return network;
}

base::Status save_network(const std::filesystem::path& path, const Network& network) {
    return write_tensors(path, to_file(network));
}

base::Status save_network(const std::filesystem::path& path, const FloatNetwork& network) {
    TensorFile file = describe(network.info, kFloat);
    put_weights(file, network);
    return write_tensors(path, file);
}

std::string describe(const Network& network) {
    const Architecture& architecture = network.info.architecture;
    return fmt::format("{} {}: {}", kPerspective, version_of(architecture), to_string(architecture));
}

std::string content_name(const Network& network) {
    return name_of_weights(network);
}

}  // namespace scholar::nets
