#include "nets/lc0/lc0_file.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/streams.hpp"
#include "base/text.hpp"
#include "nets/lc0/lc0_layers.hpp"
#include "nets/lc0/lc0_message.hpp"
#include "nets/lc0/lc0_names.hpp"

namespace scholar::nets {

namespace {

using base::fail;

// The largest convolutional networks of lc0 have some 200 MB.
constexpr std::size_t kMostUnpacked = std::size_t{512} << 20;

// Of networks of before the fields that say what their heads are.
lc0::Format with_older_meanings(const std::optional<lc0::Format>& stated) {
    constexpr std::uint32_t classical = 1;
    constexpr std::uint32_t with_heads = 2;  // is added to a structure's number
    if (!stated) return {classical, classical + with_heads, classical, classical, 0, 0};
    lc0::Format format = *stated;
    if (format.network == 1 || format.network == 2) {
        format.network += with_heads;
        format.policy = classical;
        format.value = classical;
    }
    return format;
}

base::Status check_format(const lc0::Message& message, const lc0::Format& format) {
    if (message.is_onnx) return fail("an ONNX model, expected a network of lc0's own layers");
    constexpr std::uint32_t classical = 3;
    constexpr std::uint32_t squeeze = 4;
    if (format.network == 6 || format.network == 7 || format.network == 134)
        return fail("attention body: network {}, expected {} or {}",
                    lc0::show(lc0::kStructures, format.network), lc0::show(lc0::kStructures, classical),
                    lc0::show(lc0::kStructures, squeeze));
    if (auto status = lc0::expect_one_of("network", lc0::kStructures, format.network, {classical, squeeze});
        !status)
        return status;
    if (message.weights && !message.weights->foreign.empty())
        return fail("{}: such layers are not supported, expected a body and heads of convolutions",
                    message.weights->foreign);
    if (auto status = lc0::expect_one_of("input format", lc0::kInputFormats, format.input, {1}); !status)
        return status;
    if (auto status = lc0::expect_one_of("policy", lc0::kPolicies, format.policy, {1, 2}); !status)
        return status;
    if (auto status = lc0::expect_one_of("value", lc0::kValues, format.value, {1, 2}); !status) return status;
    if (auto status = lc0::expect_one_of("activation", lc0::kActivations, format.activation, {0, 1}); !status)
        return status;
    if (message.encoding.value_or(1) != 1)
        return fail("weights encoding {}, expected {}", lc0::show(lc0::kEncodings, *message.encoding),
                    lc0::show(lc0::kEncodings, 1));
    if (!message.weights) return fail("no weights");
    return {};
}

void read_policy(lc0::LayerReader& reader, const lc0::Weights& from, ConvNetwork& network) {
    ConvShape& shape = network.info.shape;
    const auto filters = static_cast<std::size_t>(shape.filters);
    if (!from.policy) return reader.refuse("layer 'policy' is missing");
    if (shape.policy == PolicyForm::Dense) {
        const std::size_t planes = reader.outputs("policy", *from.policy, filters, 1);
        shape.policy_filters = static_cast<int>(planes);
        network.policy_first = reader.convolution("policy", *from.policy, planes, filters, 1);
        network.policy_second =
            reader.dense("ip_pol", from.policy_w, from.policy_b, kPolicyMoves, planes * kPlaneSquares);
        return;
    }
    if (!from.policy1) return reader.refuse("layer 'policy1' is missing");
    const std::size_t between = reader.outputs("policy1", *from.policy1, filters, 3);
    shape.policy_filters = static_cast<int>(between);
    network.policy_first = reader.convolution("policy1", *from.policy1, between, filters, 3);
    const std::size_t planes = reader.outputs("policy", *from.policy, between, 3);
    if (planes < kPolicyPlanes)
        return reader.refuse("layer 'policy' has {} planes, expected {} at least", planes, kPolicyPlanes);
    network.policy_second = reader.convolution("policy", *from.policy, planes, between, 3);
    // lc0's networks have some more that stand for nothing.
    network.policy_second.weight.resize(
        std::min(network.policy_second.weight.size(), kPolicyPlanes * between * 9));
    network.policy_second.bias.resize(
        std::min<std::size_t>(network.policy_second.bias.size(), kPolicyPlanes));
}

ConvHead read_head(lc0::LayerReader& reader, const std::string& name, const std::string& dense,
                   const lc0::Head& from, std::size_t filters, std::size_t outputs) {
    ConvHead head;
    if (!from.planes) {
        reader.refuse("layer '{}' is missing", name);
        return head;
    }
    const std::size_t planes = reader.outputs(name, *from.planes, filters, 1);
    head.planes = reader.convolution(name, *from.planes, planes, filters, 1);
    const std::size_t units = lc0::LayerReader::count(from.b1);
    head.hidden = reader.dense("ip1_" + dense, from.w1, from.b1, units, planes * kPlaneSquares);
    head.output = reader.dense("ip2_" + dense, from.w2, from.b2, outputs, units);
    return head;
}

void read_block(lc0::LayerReader& reader, const std::string& name, const lc0::Residual& from, int squeeze,
                std::size_t filters, ResidualBlock& block) {
    block.first = reader.convolution(name + " conv1", from.conv1, filters, filters, 3);
    block.second = reader.convolution(name + " conv2", from.conv2, filters, filters, 3);
    if (from.se.has_value() != (squeeze > 0))
        return reader.refuse("{}: squeeze-excitation in some blocks, but not in all", name);
    if (squeeze == 0) return;
    const auto units = static_cast<std::size_t>(squeeze);
    block.squeeze = reader.dense(name + " se 1", from.se->w1, from.se->b1, units, filters);
    block.excite = reader.dense(name + " se 2", from.se->w2, from.se->b2, 2 * filters, units);
}

base::Result<ConvNetwork> to_network(const lc0::Message& message, const lc0::Format& format) {
    const lc0::Weights& from = *message.weights;
    lc0::LayerReader reader;
    ConvNetwork network;
    ConvShape& shape = network.info.shape;
    shape.input = PlanesLayout::Lc0Classical112;
    shape.activation = format.activation == 0 ? ConvActivation::Relu : ConvActivation::Mish;
    shape.policy = format.policy == 1 ? PolicyForm::Dense : PolicyForm::Convolutional;
    shape.value = format.value == 1 ? ValueForm::Expected : ValueForm::Wdl;

    if (!from.input) return fail("layer 'input' is missing");
    const auto planes = static_cast<std::size_t>(plane_count(shape.input));
    const std::size_t filters = reader.outputs("input", *from.input, planes, 3);
    // Before anything is made of it.
    if (filters > ConvBounds::kFilters)
        return fail("{} filters, expected at most {}", filters, ConvBounds::kFilters);
    shape.filters = static_cast<int>(filters);
    network.input = reader.convolution("input", *from.input, filters, planes, 3);

    shape.blocks = static_cast<int>(from.residual.size());
    network.blocks.resize(from.residual.size());
    if (!from.residual.empty() && from.residual.front().se)
        shape.squeeze = static_cast<int>(lc0::LayerReader::count(from.residual.front().se->b1));
    for (std::size_t i = 0; i < from.residual.size() && !reader.failed(); ++i)
        read_block(reader, fmt::format("residual {}", i), from.residual[i], shape.squeeze, filters,
                   network.blocks[i]);

    if (!reader.failed()) read_policy(reader, from, network);
    if (!reader.failed()) {
        network.value =
            read_head(reader, "value", "val", from.value, filters, shape.value == ValueForm::Wdl ? 3 : 1);
        shape.value_filters = static_cast<int>(network.value.planes.bias.size());
        shape.value_units = static_cast<int>(network.value.hidden.bias.size());
    }
    if (!reader.failed() && format.moves_left == 1) {
        network.moves_left = read_head(reader, "moves_left", "mov", from.moves_left, filters, 1);
        shape.moves_left_filters = static_cast<int>(network.moves_left.planes.bias.size());
        shape.moves_left_units = static_cast<int>(network.moves_left.hidden.bias.size());
    }
    if (reader.failed()) return std::unexpected(reader.status().error());
    network.info.origin = "lc0";
    if (message.training_steps > 0)
        network.info.history["training_steps"] = fmt::format("{}", message.training_steps);
    if (!message.license.empty()) network.info.history["licence"] = base::excerpt(message.license);
    if (auto status = check_network(network); !status) return std::unexpected(status.error());
    return network;
}

bool begins_packed(std::span<const std::byte> bytes) {
    return bytes.size() >= 2 && bytes[0] == std::byte{0x1F} && bytes[1] == std::byte{0x8B};
}

}  // namespace

bool begins_as_lc0(std::span<const std::byte> bytes) {
    // Field 1, four bytes, the magic number in little endian.
    constexpr std::array magic{std::byte{0x0D}, std::byte{lc0::kMagic & 0xFF}, std::byte{lc0::kMagic >> 8},
                               std::byte{0}, std::byte{0}};
    if (begins_packed(bytes)) return true;
    return bytes.size() >= magic.size() && std::ranges::equal(bytes.first(magic.size()), magic);
}

base::Result<ConvNetwork> parse_lc0_network(std::span<const std::byte> bytes) {
    std::string unpacked;
    std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (begins_packed(bytes)) {
        auto whole = base::decompress_gzip(text, kMostUnpacked);
        if (!whole) return std::unexpected(whole.error());
        unpacked = std::move(*whole);
        text = unpacked;
    }
    const auto message = lc0::parse_message(text);
    if (!message) return base::fail_in("network of lc0", message.error());
    if (message->magic != lc0::kMagic)
        return fail("not a network of lc0: it does not begin with its magic number {:#x}", lc0::kMagic);
    const lc0::Format format = with_older_meanings(message->format);
    if (auto status = check_format(*message, format); !status)
        return base::fail_in("network of lc0", status.error());
    auto network = to_network(*message, format);
    if (!network) return base::fail_in("network of lc0", network.error());
    return network;
}

}  // namespace scholar::nets
