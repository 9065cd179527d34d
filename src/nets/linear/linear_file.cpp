#include "nets/linear/linear_file.hpp"

#include "base/hash.hpp"
#include "nets/container/network_metadata.hpp"

namespace scholar::nets {

namespace {

using base::fail;

constexpr const char* kLinearVersion = "1";
constexpr const char* kTensor = "weight";

std::string fixed_name() {
    return fmt::format("int32 {}", LinearNetwork::kUnit);
}

std::string stages() {
    std::string names;
    for (const Stage stage : kStages)
        names += fmt::format("{}{}", names.empty() ? "" : " ", to_string(stage));
    return names;
}

std::vector<std::int64_t> shape() {
    return {kLinearFeatures, static_cast<std::int64_t>(kStageCount)};
}

TensorFile describe(const LinearInfo& info, const std::string& quantisation) {
    TensorFile file;
    put_common_metadata(file, kLinear, kLinearVersion, info.piece_values, info.history);
    file.metadata["feature_table"] = base::to_hex(feature_table_hash());
    file.metadata["features"] = fmt::format("{}", kLinearFeatures);
    file.metadata["stages"] = stages();
    file.metadata["quantisation"] = quantisation;
    return file;
}

base::Status expect_this_table(const TensorFile& file) {
    const auto table = file.meta("feature_table");
    if (!table) return std::unexpected(table.error());
    const std::string ours = base::to_hex(feature_table_hash());
    if (*table != ours)
        return fail("feature_table '{}', expected '{}': made for another table of features", *table, ours);
    if (auto status = expect_entry(file, "features", fmt::format("{}", kLinearFeatures)); !status)
        return status;
    return expect_entry(file, "stages", stages());
}

base::Result<LinearInfo> parse_info(const TensorFile& file) {
    if (auto status = expect_architecture(file, kLinear, kLinearVersion); !status)
        return std::unexpected(status.error());
    if (auto status = expect_this_table(file); !status) return std::unexpected(status.error());
    LinearInfo info;
    if (auto status = take_piece_values_and_history(file, info); !status)
        return std::unexpected(status.error());
    return info;
}

base::Result<FloatLinearNetwork> to_float_network(const TensorFile& file) {
    auto info = parse_info(file);
    if (!info) return std::unexpected(info.error());
    if (auto status = expect_entry(file, "quantisation", kFloat); !status)
        return std::unexpected(status.error());
    const auto tensor = file.tensor(kTensor, Dtype::F32, shape());
    if (!tensor) return std::unexpected(tensor.error());
    FloatLinearNetwork network;
    network.info = std::move(*info);
    const auto values = (*tensor)->as<float>();
    network.weights.assign(values.begin(), values.end());
    return network;
}

}  // namespace

base::Result<LinearNetwork> to_linear_network(const TensorFile& file) {
    auto info = parse_info(file);
    if (!info) return std::unexpected(info.error());
    const auto quantisation = file.meta("quantisation");
    if (!quantisation) return std::unexpected(quantisation.error());
    if (*quantisation == kFloat) {
        const auto network = to_float_network(file);
        if (!network) return std::unexpected(network.error());
        return quantise(*network);
    }
    if (*quantisation != fixed_name())
        return fail("quantisation '{}', expected one of: '{}', '{}'", *quantisation, kFloat, fixed_name());
    const auto tensor = file.tensor(kTensor, Dtype::I32, shape());
    if (!tensor) return std::unexpected(tensor.error());
    LinearNetwork network;
    network.info = std::move(*info);
    const auto values = (*tensor)->as<std::int32_t>();
    network.weights.assign(values.begin(), values.end());
    for (std::size_t i = 0; i < network.weights.size(); ++i)
        if (network.weights[i] > LinearNetwork::kLargestWeight ||
            network.weights[i] < -LinearNetwork::kLargestWeight)
            return fail("weight {} ({}) is {}, expected a number from -{} to {}",
                        feature_name(static_cast<int>(i / kStageCount)), to_string(kStages[i % kStageCount]),
                        network.weights[i], LinearNetwork::kLargestWeight, LinearNetwork::kLargestWeight);
    return network;
}

base::Result<FloatLinearNetwork> load_float_linear_network(const std::filesystem::path& path) {
    const auto file = read_tensors(path);
    if (!file) return std::unexpected(file.error());
    // Both, so that floats are checked like all that is played with.
    const auto rounded = to_linear_network(*file);
    if (!rounded) return base::fail_in(path.string(), rounded.error());
    if (*file->meta("quantisation") != kFloat) return dequantise(*rounded);
    auto network = to_float_network(*file);
    if (!network) return base::fail_in(path.string(), network.error());
    return network;
}

base::Status save_network(const std::filesystem::path& path, const LinearNetwork& network) {
    TensorFile file = describe(network.info, fixed_name());
    file.tensors[kTensor] =
        Tensor::from<std::int32_t>(Dtype::I32, shape(), {network.weights.data(), network.weights.size()});
    return write_tensors(path, file);
}

base::Status save_network(const std::filesystem::path& path, const FloatLinearNetwork& network) {
    TensorFile file = describe(network.info, kFloat);
    file.tensors[kTensor] = Tensor::from<float>(Dtype::F32, shape(), std::span<const float>(network.weights));
    return write_tensors(path, file);
}

std::string describe(const LinearNetwork&) {
    return fmt::format("{} {}: {} features in {} stages", kLinear, kLinearVersion, kLinearFeatures,
                       kStageCount);
}

std::string content_name(const LinearNetwork& network) {
    return base::to_hex(base::hash_bytes(std::as_bytes(std::span(network.weights)))).substr(0, 8);
}

}  // namespace scholar::nets
