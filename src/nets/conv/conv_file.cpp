#include "nets/conv/conv_file.hpp"

#include <array>
#include <utility>
#include <vector>

#include "nets/container/network_metadata.hpp"
#include "nets/container/weights_in_file.hpp"
#include "nets/conv/input_metadata.hpp"

namespace scholar::nets {

namespace {

constexpr std::array kPolicyForms{PolicyForm::None, PolicyForm::Convolutional, PolicyForm::Dense,
                                  PolicyForm::Squares, PolicyForm::SourceTarget};
constexpr std::array kValueForms{ValueForm::None, ValueForm::Expected, ValueForm::Wdl};

// The sizes of a shape, by the names that files of a version have for them.
template <class Shape>
auto sizes_of(Shape& shape, int version) {
    std::vector sizes{std::pair{"filters", &shape.filters},
                      std::pair{"blocks", &shape.blocks},
                      std::pair{"squeeze", &shape.squeeze},
                      std::pair{"policy_filters", &shape.policy_filters},
                      std::pair{"value_filters", &shape.value_filters},
                      std::pair{"value_units", &shape.value_units},
                      std::pair{"moves_left_filters", &shape.moves_left_filters},
                      std::pair{"moves_left_units", &shape.moves_left_units}};
    if (version > 1)
        sizes.insert(sizes.end(), {std::pair{"policy_units", &shape.policy_units},
                                   std::pair{"source_blocks", &shape.source_blocks},
                                   std::pair{"value_second_units", &shape.value_second_units}});
    return sizes;
}

base::Result<int> take_version(const TensorFile& file) {
    // Another architecture has versions of its own.
    if (auto status = expect_entry(file, "architecture", kResidual); !status)
        return std::unexpected(status.error());
    const auto version = file.meta("version");
    if (!version) return std::unexpected(version.error());
    if (*version != "1" && *version != "2") return base::fail("version '{}', expected '1' or '2'", *version);
    if (auto status = expect_architecture(file, kResidual, *version); !status)
        return std::unexpected(status.error());
    return *version == "1" ? 1 : 2;
}

base::Result<ConvShape> take_shape(const TensorFile& file, int version) {
    ConvShape shape;
    auto status = take_input(file, shape.input);
    if (status) status = take_activation(file, shape.activation);
    if (status) status = take_name(file, "policy", kPolicyForms, shape.policy);
    if (status) status = take_name(file, "value", kValueForms, shape.value);
    if (!status) return std::unexpected(status.error());
    for (const auto& [key, size] : sizes_of(shape, version)) {
        const auto value = take_integer(file, key);
        if (!value) return std::unexpected(value.error());
        *size = *value;
    }
    if (status = check_shape(shape); !status) return std::unexpected(status.error());
    return shape;
}

}  // namespace

base::Result<ConvNetwork> to_conv_network(const TensorFile& file) {
    const auto version = take_version(file);
    if (!version) return std::unexpected(version.error());
    ConvNetwork network;
    const auto shape = take_shape(file, *version);
    if (!shape) return std::unexpected(shape.error());
    network.info.shape = *shape;
    network.info.history = take_history(file);
    const auto values = take_piece_values(file);
    if (!values) return std::unexpected(values.error());
    if (*values != kEqualPieceValues) network.info.learnt_piece_values = *values;

    network.blocks.resize(static_cast<std::size_t>(shape->blocks));
    return with_weights(file, std::move(network));
}

base::Result<TensorFile> to_tensor_file(const ConvNetwork& network) {
    if (auto status = check_network(network); !status) return std::unexpected(status.error());
    const ConvShape& shape = network.info.shape;
    TensorFile file;
    const int version = version_of(shape);
    put_common_metadata(file, kResidual, fmt::format("{}", version),
                        network.info.learnt_piece_values.value_or(kEqualPieceValues), network.info.history);
    put_input(file, shape.input);
    file.metadata["activation"] = to_string(shape.activation);
    file.metadata["policy"] = to_string(shape.policy);
    file.metadata["value"] = to_string(shape.value);
    for (const auto& [key, size] : sizes_of(shape, version)) file.metadata[key] = fmt::format("{}", *size);
    put_weights(file, network);
    return file;
}

base::Status save_network(const std::filesystem::path& path, const ConvNetwork& network) {
    return write_tensors(path, to_tensor_file(network));
}

}  // namespace scholar::nets
