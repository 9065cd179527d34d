#include "nets/sparse_policy/sparse_policy_file.hpp"

#include <fmt/format.h>
#include <utility>

#include "nets/container/network_metadata.hpp"
#include "nets/container/weights_in_file.hpp"
#include "nets/perspective/network_file.hpp"

namespace scholar::nets {

namespace {

using base::fail;

template <class Net>
TensorFile to_policy_file(const Net& network, const std::string& quantisation) {
    TensorFile file;
    put_sparse_policy_info(file, network.info);
    file.metadata["quantisation"] = quantisation;
    put_weights(file, network);
    return file;
}

std::string policy_quantisation(int output_scale) {
    return fmt::format("int16 {} int8 {}", Network::kActivationScale, output_scale);
}

// Of a file that says "int16 255 int8 64", 64.
base::Result<int> parse_policy_scale(const std::string& quantisation) {
    std::string expected = fmt::format("'{}'", kFloat);
    for (int scale = SparsePolicyNetwork::kFinestScale; scale >= SparsePolicyNetwork::kCoarsestScale;
         scale /= 2) {
        if (quantisation == policy_quantisation(scale)) return scale;
        expected += fmt::format(", '{}'", policy_quantisation(scale));
    }
    return fail("quantisation '{}', expected one of: {}", quantisation, expected);
}

base::Result<FloatSparsePolicy> float_policy_of(const TensorFile& file) {
    auto info = take_sparse_policy_info(file);
    if (!info) return std::unexpected(info.error());
    if (auto status = expect_entry(file, "quantisation", kFloat); !status)
        return std::unexpected(status.error());
    FloatSparsePolicy network;
    network.info = std::move(*info);
    if (auto status = take_weights(file, network); !status) return std::unexpected(status.error());
    return network;
}

}  // namespace

void put_sparse_policy_info(TensorFile& file, const SparsePolicyInfo& info) {
    put_common_metadata(file, kSparsePolicy, kSparsePolicyVersion, info.piece_values, info.history);
    put_architecture(file, info.architecture);
    file.metadata["outputs"] = to_string(info.rows);
}

base::Result<SparsePolicyInfo> take_sparse_policy_info(const TensorFile& file) {
    if (auto status = expect_architecture(file, kSparsePolicy, kSparsePolicyVersion); !status)
        return std::unexpected(status.error());
    SparsePolicyInfo info;
    const auto architecture = take_architecture(file);
    if (!architecture) return std::unexpected(architecture.error());
    if (architecture->output_buckets != 1)
        return fail("output_buckets '{}', expected 1: a policy has one head", architecture->output_buckets);
    if (!architecture->hidden.empty())
        return fail("hidden '{}', expected none: a policy has no hidden layers",
                    fmt::join(architecture->hidden, " "));
    info.architecture = *architecture;
    const auto outputs = file.meta("outputs");
    if (!outputs) return std::unexpected(outputs.error());
    const auto rows = find_policy_rows(*outputs);
    if (!rows) return std::unexpected(rows.error());
    info.rows = *rows;
    if (auto status = take_piece_values_and_history(file, info); !status)
        return std::unexpected(status.error());
    return info;
}

base::Result<SparsePolicyNetwork> to_sparse_policy(const TensorFile& file) {
    const auto quantisation = file.meta("quantisation");
    if (!quantisation) return std::unexpected(quantisation.error());
    if (*quantisation == kFloat) {
        const auto network = float_policy_of(file);
        if (!network) return std::unexpected(network.error());
        return quantise(*network);
    }
    auto info = take_sparse_policy_info(file);
    if (!info) return std::unexpected(info.error());
    const auto scale = parse_policy_scale(*quantisation);
    if (!scale) return std::unexpected(scale.error());
    SparsePolicyNetwork network;
    network.info = std::move(*info);
    network.output_scale = *scale;
    if (auto status = take_weights(file, network); !status) return std::unexpected(status.error());
    // Sums must not overflow whatever a file holds.
    if (auto bounds = check_bounds(network); !bounds) return std::unexpected(bounds.error());
    return network;
}

base::Status save_network(const std::filesystem::path& path, const SparsePolicyNetwork& network) {
    return write_tensors(path, to_policy_file(network, policy_quantisation(network.output_scale)));
}

base::Status save_network(const std::filesystem::path& path, const FloatSparsePolicy& network) {
    return write_tensors(path, to_policy_file(network, kFloat));
}

base::Result<FloatSparsePolicy> load_float_sparse_policy(const std::filesystem::path& path) {
    const auto file = read_tensors(path);
    if (!file) return std::unexpected(file.error());
    if (const auto quantisation = file->meta("quantisation"); quantisation && *quantisation != kFloat) {
        const auto rounded = to_sparse_policy(*file);
        if (!rounded) return base::fail_in(path.string(), rounded.error());
        return to_floats(*rounded);
    }
    auto network = float_policy_of(*file);
    if (!network) return base::fail_in(path.string(), network.error());
    return network;
}

}  // namespace scholar::nets
