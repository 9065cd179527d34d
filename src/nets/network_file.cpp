#include "nets/network_file.hpp"

#include <algorithm>
#include <array>
#include <ranges>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "nets/network_metadata.hpp"
#include "nets/quantise.hpp"

namespace scholar::nets {

namespace {

using base::fail;

constexpr const char* kVersion = "1";
constexpr const char* kFloat = "none";

// Activations as files name them.
constexpr std::array kActivations{std::pair{Activation::Clipped, std::string_view("crelu")},
                                  std::pair{Activation::Squared, std::string_view("screlu")},
                                  std::pair{Activation::Paired, std::string_view("pairwise")}};

std::string quantisation_name(int output_scale) {
    return fmt::format("int16 {} {}", Network::kActivationScale, output_scale);
}

TensorFile describe(const NetworkInfo& info, const std::string& quantisation) {
    TensorFile file;
    put_common_metadata(file, kPerspective, kVersion, info.piece_values, info.history);
    put_architecture(file, info.architecture);
    file.metadata["quantisation"] = quantisation;
    return file;
}

base::Result<NetworkInfo> parse_info(const TensorFile& file) {
    if (auto status = expect_architecture(file, kPerspective, kVersion); !status)
        return std::unexpected(status.error());
    NetworkInfo info;
    const auto architecture = take_architecture(file);
    if (!architecture) return std::unexpected(architecture.error());
    info.architecture = *architecture;
    const auto piece_values = take_piece_values(file);
    if (!piece_values) return std::unexpected(piece_values.error());
    info.piece_values = *piece_values;
    info.history = take_history(file);
    return info;
}

template <class T, class Container>
base::Status take(const TensorFile& file, const char* name, Dtype dtype,
                  const std::vector<std::int64_t>& shape, Container& out) {
    const auto tensor = file.tensor(name, dtype, shape);
    if (!tensor) return std::unexpected(tensor.error());
    const auto values = (*tensor)->as<T>();
    out.assign(values.begin(), values.end());
    return {};
}

std::int64_t output_size(const Architecture& architecture) {
    return std::int64_t{architecture.output_buckets} * 2 * architecture.outputs();
}

// Tensors of both kinds have the same names and shapes.
template <class T, class Net>
base::Status take_weights(const TensorFile& file, Dtype dtype, Net& network) {
    const Architecture& architecture = network.info.architecture;
    const std::int64_t width = architecture.width;
    if (auto s = take<T>(file, "transformer.weight", dtype, {architecture.features->size(), width},
                         network.transformer);
        !s)
        return s;
    if (auto s = take<T>(file, "transformer.bias", dtype, {width}, network.transformer_bias); !s) return s;
    return take<T>(file, "output.weight", dtype, {output_size(architecture)}, network.output);
}

template <class T, class Net>
void put_weights(TensorFile& file, Dtype dtype, const Net& network) {
    const Architecture& architecture = network.info.architecture;
    const std::int64_t width = architecture.width;
    const auto put = [&](const char* name, std::vector<std::int64_t> shape, const auto& values) {
        file.tensors[name] =
            Tensor::from<T>(dtype, std::move(shape), std::span<const T>(values.data(), values.size()));
    };
    put("transformer.weight", {architecture.features->size(), width}, network.transformer);
    put("transformer.bias", {width}, network.transformer_bias);
    put("output.weight", {output_size(architecture)}, network.output);
}

// Its integers are wider than those of the weights.
template <class T, class Net>
base::Status take_output_bias(const TensorFile& file, Dtype dtype, Net& network) {
    return take<T>(file, "output.bias", dtype, {network.info.architecture.output_buckets},
                   network.output_bias);
}

template <class T, class Net>
void put_output_bias(TensorFile& file, Dtype dtype, const Net& network) {
    file.tensors["output.bias"] = Tensor::from<T>(dtype, {network.info.architecture.output_buckets},
                                                  std::span<const T>(network.output_bias));
}

base::Result<FloatNetwork> to_float_network(const TensorFile& file) {
    auto info = parse_info(file);
    if (!info) return std::unexpected(info.error());
    if (auto status = expect_entry(file, "quantisation", kFloat); !status)
        return std::unexpected(status.error());
    FloatNetwork network;
    network.info = std::move(*info);
    if (auto status = take_weights<float>(file, Dtype::F32, network); !status)
        return std::unexpected(status.error());
    if (auto status = take_output_bias<float>(file, Dtype::F32, network); !status)
        return std::unexpected(status.error());
    return network;
}

TensorFile to_file(const Network& network) {
    TensorFile file = describe(network.info, quantisation_name(network.output_scale));
    put_weights<std::int16_t>(file, Dtype::I16, network);
    put_output_bias<std::int32_t>(file, Dtype::I32, network);
    return file;
}

// Of a file that says "int16 255 1024", 1024.
base::Result<int> parse_output_scale(const std::string& quantisation, Activation activation) {
    const OutputRange range = output_range(activation);
    std::string expected = fmt::format("'{}'", kFloat);
    for (int scale = range.finest_scale; scale >= range.coarsest_scale; scale /= 2) {
        if (quantisation == quantisation_name(scale)) return scale;
        expected += fmt::format(", '{}'", quantisation_name(scale));
    }
    return fail("quantisation '{}', expected one of: {}", quantisation, expected);
}

}  // namespace

base::Result<Network> to_network(const TensorFile& file) {
    const auto quantisation = file.meta("quantisation");
    if (!quantisation) return std::unexpected(quantisation.error());
    if (*quantisation == kFloat) {
        auto network = to_float_network(file);
        if (!network) return std::unexpected(network.error());
        auto quantised = quantise(*network);
        if (!quantised) return std::unexpected(quantised.error());
        return std::move(quantised->network);
    }
    auto info = parse_info(file);
    if (!info) return std::unexpected(info.error());
    const auto scale = parse_output_scale(*quantisation, info->architecture.activation);
    if (!scale) return std::unexpected(scale.error());
    Network network;
    network.info = std::move(*info);
    network.output_scale = *scale;
    if (auto status = take_weights<std::int16_t>(file, Dtype::I16, network); !status)
        return std::unexpected(status.error());
    if (auto status = take_output_bias<std::int32_t>(file, Dtype::I32, network); !status)
        return std::unexpected(status.error());
    // Sums must not overflow whatever a file holds.
    if (auto report = check_bounds(network); !report) return std::unexpected(report.error());
    return network;
}

void put_architecture(TensorFile& file, const Architecture& architecture) {
    file.metadata["feature_set"] = architecture.features->name;
    file.metadata["width"] = fmt::format("{}", architecture.width);
    for (const auto& [activation, name] : kActivations)
        if (activation == architecture.activation) file.metadata["activation"] = name;
    file.metadata["output_buckets"] = fmt::format("{}", architecture.output_buckets);
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
        std::ranges::find(kActivations, *activation, [](const auto& each) { return each.second; });
    if (known == kActivations.end())
        return fail("activation '{}', expected one of: {}", *activation,
                    fmt::join(kActivations | std::views::values, ", "));
    architecture.activation = known->first;

    const auto width = take_integer(file, "width");
    if (!width) return std::unexpected(width.error());
    if (*width <= 0 || *width > Architecture::kMaxWidth || *width % architecture.width_multiple() != 0)
        return fail("width '{}', expected {} up to {}", *width, expected_widths(architecture),
                    Architecture::kMaxWidth);
    architecture.width = *width;

    if (!file.metadata.contains("output_buckets")) return architecture;
    const auto buckets = take_integer(file, "output_buckets");
    if (!buckets) return std::unexpected(buckets.error());
    if (std::ranges::count(Architecture::kOutputBuckets, *buckets) == 0)
        return fail("output_buckets '{}', expected one of: {}", *buckets,
                    fmt::join(Architecture::kOutputBuckets, ", "));
    architecture.output_buckets = *buckets;
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
    auto network = to_float_network(*file);
    if (!network) return base::fail_in(path.string(), network.error());
    return network;
}

base::Status save_network(const std::filesystem::path& path, const Network& network) {
    return write_tensors(path, to_file(network));
}

base::Status save_network(const std::filesystem::path& path, const FloatNetwork& network) {
    TensorFile file = describe(network.info, kFloat);
    put_weights<float>(file, Dtype::F32, network);
    put_output_bias<float>(file, Dtype::F32, network);
    return write_tensors(path, file);
}

std::string content_name(const Network& network) {
    std::uint64_t hash = base::hash_bytes(std::as_bytes(std::span(network.transformer)));
    hash = base::hash_bytes(std::as_bytes(std::span(network.transformer_bias)), hash);
    hash = base::hash_bytes(std::as_bytes(std::span(network.output)), hash);
    hash = base::hash_bytes(std::as_bytes(std::span(network.output_bias)), hash);
    return base::to_hex(hash).substr(0, 8);
}

}  // namespace scholar::nets
