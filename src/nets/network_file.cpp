#include "nets/network_file.hpp"

#include <charconv>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "nets/quantise.hpp"

namespace scholar::nets {

namespace {

using base::fail;

constexpr const char* kArchitecture = "perspective";
constexpr const char* kVersion = "1";
constexpr const char* kActivation = "crelu";
constexpr const char* kFloat = "none";

std::string quantisation_name() {
    return fmt::format("int16 {} {}", Network::kActivationScale, Network::kOutputScale);
}

TensorFile describe(const NetworkInfo& info, const std::string& quantisation) {
    TensorFile file;
    for (const auto& [key, value] : info.history) file.metadata["history." + key] = value;
    file.metadata["architecture"] = kArchitecture;
    file.metadata["version"] = kVersion;
    file.metadata["feature_set"] = info.feature_set;
    file.metadata["width"] = fmt::format("{}", info.width);
    file.metadata["activation"] = kActivation;
    file.metadata["quantisation"] = quantisation;
    file.metadata["score_scale"] = fmt::format("{}", chess::Score::kScale);
    file.metadata["piece_values"] = fmt::format("{}", fmt::join(info.piece_values, " "));
    return file;
}

base::Status expect(const TensorFile& file, const std::string& key, std::string_view expected) {
    const auto value = file.meta(key);
    if (!value) return std::unexpected(value.error());
    if (*value != expected) return fail("{} '{}', expected '{}'", key, *value, expected);
    return {};
}

base::Result<std::vector<int>> parse_integers(std::string_view text, std::string_view what) {
    std::vector<int> values;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
        if (*at == ' ') {
            ++at;
            continue;
        }
        int value = 0;
        const auto [next, error] = std::from_chars(at, end, value);
        if (error != std::errc()) return fail("{} '{}', expected whole numbers", what, text);
        values.push_back(value);
        at = next;
    }
    return values;
}

base::Result<NetworkInfo> parse_info(const TensorFile& file) {
    for (const auto& [key, expected] :
         {std::pair{"architecture", kArchitecture}, {"version", kVersion}, {"activation", kActivation}})
        if (auto status = expect(file, key, expected); !status) return std::unexpected(status.error());
    if (auto status = expect(file, "feature_set", Features768::kName); !status)
        return std::unexpected(status.error());
    if (auto status = expect(file, "score_scale", fmt::format("{}", chess::Score::kScale)); !status)
        return std::unexpected(status.error());

    NetworkInfo info;
    const auto width_text = file.meta("width");
    if (!width_text) return std::unexpected(width_text.error());
    const auto width = parse_integers(*width_text, "width");
    if (!width) return std::unexpected(width.error());
    if (width->size() != 1 || width->front() <= 0 || width->front() > Network::kMaxWidth ||
        width->front() % Network::kWidthMultiple != 0)
        return fail("width '{}', expected a multiple of {} up to {}", *width_text, Network::kWidthMultiple,
                    Network::kMaxWidth);
    info.width = width->front();

    const auto values_text = file.meta("piece_values");
    if (!values_text) return std::unexpected(values_text.error());
    const auto values = parse_integers(*values_text, "piece_values");
    if (!values) return std::unexpected(values.error());
    if (values->size() != info.piece_values.size())
        return fail("piece_values '{}', expected {} numbers", *values_text, info.piece_values.size());
    for (std::size_t kind = 0; kind < values->size(); ++kind) {
        const int value = (*values)[kind];
        if (value < 0 || value > chess::Score::kEvaluationBound)
            return fail("piece_values '{}', expected numbers from 0 to {}", *values_text,
                        chess::Score::kEvaluationBound);
        info.piece_values[kind] = value;
    }
    for (const auto& [key, value] : file.metadata)
        if (key.starts_with("history.")) info.history[key.substr(8)] = value;
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

// Tensors of both kinds have the same names and shapes.
template <class T, class Net>
base::Status take_weights(const TensorFile& file, Dtype dtype, Net& network) {
    const std::int64_t width = network.info.width;
    if (auto s = take<T>(file, "transformer.weight", dtype, {Features768::kSize, width}, network.transformer);
        !s)
        return s;
    if (auto s = take<T>(file, "transformer.bias", dtype, {width}, network.transformer_bias); !s) return s;
    return take<T>(file, "output.weight", dtype, {2 * width}, network.output);
}

template <class T, class Net>
void put_weights(TensorFile& file, Dtype dtype, const Net& network) {
    const std::int64_t width = network.info.width;
    const auto put = [&](const char* name, std::vector<std::int64_t> shape, const auto& values) {
        file.tensors[name] =
            Tensor::from<T>(dtype, std::move(shape), std::span<const T>(values.data(), values.size()));
    };
    put("transformer.weight", {Features768::kSize, width}, network.transformer);
    put("transformer.bias", {width}, network.transformer_bias);
    put("output.weight", {2 * width}, network.output);
}

base::Result<FloatNetwork> to_float_network(const TensorFile& file) {
    auto info = parse_info(file);
    if (!info) return std::unexpected(info.error());
    if (auto status = expect(file, "quantisation", kFloat); !status) return std::unexpected(status.error());
    FloatNetwork network;
    network.info = std::move(*info);
    if (auto status = take_weights<float>(file, Dtype::F32, network); !status)
        return std::unexpected(status.error());
    std::vector<float> bias;
    if (auto status = take<float>(file, "output.bias", Dtype::F32, {1}, bias); !status)
        return std::unexpected(status.error());
    network.output_bias = bias.front();
    return network;
}

TensorFile to_file(const Network& network) {
    TensorFile file = describe(network.info, quantisation_name());
    put_weights<std::int16_t>(file, Dtype::I16, network);
    file.tensors["output.bias"] =
        Tensor::from<std::int32_t>(Dtype::I32, {1}, std::span(&network.output_bias, 1));
    return file;
}

// Sums must not overflow whatever a file holds: the same bounds that quantise() keeps.
base::Status check_bounds(const Network& network) {
    FloatNetwork as_float;
    as_float.info = network.info;
    const auto widen = [](const auto& from, std::vector<float>& to, int scale) {
        for (const std::int16_t weight : from)
            to.push_back(static_cast<float>(weight) / static_cast<float>(scale));
    };
    widen(network.transformer, as_float.transformer, Network::kActivationScale);
    widen(network.transformer_bias, as_float.transformer_bias, Network::kActivationScale);
    widen(network.output, as_float.output, Network::kOutputScale);
    as_float.output_bias =
        static_cast<float>(network.output_bias) / (Network::kActivationScale * Network::kOutputScale);
    if (auto again = quantise(as_float); !again) return std::unexpected(again.error());
    return {};
}

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
    if (auto status = expect(file, "quantisation", quantisation_name()); !status)
        return std::unexpected(status.error());
    Network network;
    network.info = std::move(*info);
    if (auto status = take_weights<std::int16_t>(file, Dtype::I16, network); !status)
        return std::unexpected(status.error());
    std::vector<std::int32_t> bias;
    if (auto status = take<std::int32_t>(file, "output.bias", Dtype::I32, {1}, bias); !status)
        return std::unexpected(status.error());
    network.output_bias = bias.front();
    if (auto status = check_bounds(network); !status) return std::unexpected(status.error());
    return network;
}

}  // namespace

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
    file.tensors["output.bias"] = Tensor::from<float>(Dtype::F32, {1}, std::span(&network.output_bias, 1));
    return write_tensors(path, file);
}

std::string content_name(const Network& network) {
    std::uint64_t hash = base::hash_bytes(std::as_bytes(std::span(network.transformer)));
    hash = base::hash_bytes(std::as_bytes(std::span(network.transformer_bias)), hash);
    hash = base::hash_bytes(std::as_bytes(std::span(network.output)), hash);
    hash = base::hash_bytes(std::as_bytes(std::span(&network.output_bias, 1)), hash);
    return base::to_hex(hash).substr(0, 8);
}

}  // namespace scholar::nets
