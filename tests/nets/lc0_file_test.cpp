// Files of lc0, written by its field numbers and read: all forms that are supported, and what is refused.
// That the real ones are read as lc0 reads them is shown by tests/evaluators/maia_test.

#include "nets/lc0/lc0_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "nets/container/any_network.hpp"
#include "support/lc0_writer.hpp"

namespace scholar::nets {
namespace {

using testing::HasSubstr;
using tests::lc0_file;
using tests::Lc0Format;

std::span<const std::byte> bytes_of(const std::string& text) {
    return std::as_bytes(std::span(text));
}

std::string gzip(const std::string& text) {
    z_stream state{};
    deflateInit2(&state, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&state, text.size()) + 32, '\0');
    state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    state.avail_in = static_cast<uInt>(text.size());
    state.next_out = reinterpret_cast<Bytef*>(out.data());
    state.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(deflate(&state, Z_FINISH), Z_STREAM_END);
    out.resize(out.size() - state.avail_out);
    deflateEnd(&state);
    return out;
}

ConvShape small_shape() {
    ConvShape shape;
    shape.input = PlanesLayout::Lc0Classical112;
    shape.filters = 6;
    shape.blocks = 2;
    shape.squeeze = 3;
    shape.policy_filters = 5;
    shape.value_filters = 2;
    shape.value_units = 4;
    return shape;
}
ConvNetwork small_network() {
    return random_conv_network(small_shape(), 1);
}

// Largest difference, in the least steps of 16 bits over the range of the array.
void expect_same_weights(const ConvNetwork& expected, const ConvNetwork& found) {
    ASSERT_EQ(expected.info.shape, found.info.shape);
    std::vector<std::vector<float>> arrays;
    for_each_weights(expected,
                     [&](const std::string&, const auto&, const auto& array) { arrays.push_back(array); });
    std::size_t at = 0;
    for_each_weights(found, [&](const std::string& name, const auto&, const std::vector<float>& array) {
        const std::vector<float>& wanted = arrays.at(at++);
        ASSERT_EQ(array.size(), wanted.size()) << name;
        const auto [least, most] = std::ranges::minmax(wanted);
        const float step = (most - least) / 65'535 + 1e-6F;
        for (std::size_t i = 0; i < array.size(); ++i)
            ASSERT_NEAR(array[i], wanted[i], step) << name << " " << i;
    });
}

TEST(Lc0File, IsReadInAllItsForms) {
    std::vector<ConvShape> shapes(5, small_shape());
    shapes[1].policy = PolicyForm::Dense;
    shapes[2].value = ValueForm::Expected;
    shapes[2].squeeze = 0;
    shapes[3].moves_left_filters = 3;
    shapes[3].moves_left_units = 7;
    shapes[4].activation = ConvActivation::Mish;
    for (const ConvShape& shape : shapes) {
        const ConvNetwork network = random_conv_network(shape, 2);
        const std::string file = lc0_file(network);
        for (const std::string& form : {file, gzip(file)}) {
            const auto read = parse_any_network(bytes_of(form));
            ASSERT_TRUE(read) << read.error().message;
            const auto known = read->as<ConvNetwork>();
            ASSERT_TRUE(known);
            expect_same_weights(network, *known);
            EXPECT_EQ(read->history().at("training_steps"), "400000");
            EXPECT_EQ(read->reads(), (Reads{8, true, true}));
        }
    }
}

// Networks of before there were fields for it, and some with planes that stand for nothing.
TEST(Lc0File, ReadsOlderForms) {
    ConvShape shape = small_shape();
    shape.policy = PolicyForm::Dense;
    shape.value = ValueForm::Expected;
    shape.squeeze = 0;
    const ConvNetwork network = random_conv_network(shape, 3);
    Lc0Format format = tests::lc0_format(shape);
    format.has_format = false;
    const auto oldest = parse_lc0_network(bytes_of(lc0_file(tests::lc0_weights(network), format)));
    ASSERT_TRUE(oldest) << oldest.error().message;
    expect_same_weights(network, *oldest);

    const ConvNetwork with_squeeze = [] {
        ConvShape older = small_shape();
        older.policy = PolicyForm::Dense;
        older.value = ValueForm::Expected;
        return random_conv_network(older, 4);
    }();
    format = tests::lc0_format(with_squeeze.info.shape);
    format.network = 2;
    format.policy = 0;
    const auto older = parse_lc0_network(bytes_of(lc0_file(tests::lc0_weights(with_squeeze), format)));
    ASSERT_TRUE(older) << older.error().message;
    expect_same_weights(with_squeeze, *older);

    ConvNetwork wider = small_network();
    wider.policy_second.weight.resize(wider.policy_second.weight.size() / kPolicyPlanes * 80, 0.01F);
    wider.policy_second.bias.resize(80);
    const auto cut = parse_lc0_network(bytes_of(lc0_file(wider)));
    ASSERT_TRUE(cut) << cut.error().message;
    EXPECT_EQ(cut->policy_second.bias.size(), static_cast<std::size_t>(kPolicyPlanes));
}

// Worked by hand: one weight of 3, bias 1, mean 2, variance 4 − epsilon, gamma 6, beta 5:
// 6 · (3x + 1 − 2) / 2 + 5 = 9x + 2.
TEST(ConvNetworkTest, FoldsBatchNorm) {
    ConvLayer layer{{3}, {1}};
    const std::array<float, 1> mean{2};
    const std::array<float, 1> variance{4 - 1e-5F};
    const std::array<float, 1> gamma{6};
    const std::array<float, 1> beta{5};
    fold_batch_norm(layer, mean, variance, gamma, beta, 1e-5F);
    EXPECT_FLOAT_EQ(layer.weight[0], 9);
    EXPECT_FLOAT_EQ(layer.bias[0], 2);
}

void expect_refused(const std::string& file, const std::string& reason) {
    const auto network = parse_any_network(bytes_of(file));
    ASSERT_FALSE(network) << reason;
    EXPECT_THAT(network.error().message, HasSubstr(reason));
    EXPECT_EQ(network.error().message.find('\n'), std::string::npos);
}
std::string with_format(const Lc0Format& format) {
    return lc0_file(tests::lc0_weights(small_network()), format);
}

TEST(Lc0File, RefusesWhatIsNotSupportedByName) {
    Lc0Format format;
    format.network = 6;
    expect_refused(with_format(format),
                   "attention body: network NETWORK_ATTENTIONBODY_WITH_HEADFORMAT (6), expected "
                   "NETWORK_CLASSICAL_WITH_HEADFORMAT (3) or NETWORK_SE_WITH_HEADFORMAT (4)");
    format.network = 5;
    expect_refused(with_format(format), "network NETWORK_ONNX (5), expected");
    format.network = 77;
    expect_refused(with_format(format), "network 77, which is not known, expected");
    format = {};
    format.input = 3;
    expect_refused(
        with_format(format),
        "input format INPUT_112_WITH_CANONICALIZATION (3), expected INPUT_CLASSICAL_112_PLANE (1)");
    format.input = 99;
    expect_refused(with_format(format), "input format 99, which is not known, expected");
    format = {};
    format.policy = 3;
    expect_refused(with_format(format), "policy POLICY_ATTENTION (3), expected POLICY_CLASSICAL (1) or");
    format = {};
    format.value = 3;
    expect_refused(with_format(format), "value VALUE_PARAM (3), expected");
    format = {};
    format.activation = 9;
    expect_refused(with_format(format), "activation 9, which is not known, expected");
    format = {};
    format.encoding = 0;
    expect_refused(with_format(format), "weights encoding UNKNOWN_ENCODING (0), expected LINEAR16 (1)");
    format = {};
    format.magic = 7;
    expect_refused(gzip(with_format(format)), "does not begin with its magic number 0x1c0");

    std::string weights = tests::lc0_weights(small_network());
    protozero::pbf_writer(weights).add_bytes(35, "");
    expect_refused(lc0_file(weights, {}), "smolgen: such layers are not supported");
    weights = tests::lc0_weights(small_network());
    protozero::pbf_writer(weights).add_bytes(27, "");
    expect_refused(lc0_file(weights, {}), "attention encoder: such layers are not supported");
    std::string onnx = lc0_file(small_network());
    protozero::pbf_writer(onnx).add_bytes(11, "");
    expect_refused(onnx, "an ONNX model, expected");
}

TEST(Lc0File, RefusesLayersThatAreMissingOrOfAnotherSize) {
    expect_refused(lc0_file("", {}), "no weights");
    std::string nothing;
    protozero::pbf_writer(nothing).add_uint32(99, 1);
    expect_refused(lc0_file(nothing, {}), "layer 'input' is missing");
    Lc0Format dense;
    dense.policy = 1;
    expect_refused(with_format(dense), "layer 'policy weights' has 3285 numbers, expected a multiple of 6");
    Lc0Format expected_result;
    expected_result.value = 1;
    expect_refused(with_format(expected_result),
                   "layer 'ip2_val weights' has 24 bytes of weights, expected 4 numbers of 2");
    Lc0Format moves_left;
    moves_left.moves_left = 1;
    expect_refused(with_format(moves_left), "layer 'moves_left' is missing");

    const auto changed = [](auto change) {
        ConvNetwork network = small_network();
        change(network);
        return lc0_file(network);
    };
    expect_refused(changed([](ConvNetwork& network) { network.input.weight.pop_back(); }),
                   "layer 'input weights' has 6047 numbers, expected a multiple of 1008");
    expect_refused(changed([](ConvNetwork& network) { network.blocks[1].second.weight.pop_back(); }),
                   "layer 'residual 1 conv2 weights' has 646 bytes of weights, expected 324 numbers of 2");
    expect_refused(changed([](ConvNetwork& network) { network.blocks[1].first.bias.push_back(0); }),
                   "layer 'residual 1 conv1 bn_means' has 14 bytes of weights, expected 6 numbers of 2");
    expect_refused(changed([](ConvNetwork& network) { network.blocks[1].excite.weight.pop_back(); }),
                   "layer 'residual 1 se 2 weights' has 70 bytes of weights, expected 36 numbers of 2");
    expect_refused(changed([](ConvNetwork& network) { network.policy_second.weight.resize(5 * 9); }),
                   "layer 'policy' has 1 planes, expected 73 at least");
    expect_refused(changed([](ConvNetwork& network) {
                       network.input.weight[7] = std::numeric_limits<float>::infinity();
                   }),
                   "input.weight: number");
}

TEST(Lc0File, RefusesWhatIsDamagedOrCutOff) {
    const std::string file = lc0_file(small_network());
    const std::string packed = gzip(file);
    expect_refused(packed.substr(0, packed.size() / 2), "gzip data end too soon");
    expect_refused(packed.substr(0, 2), "gzip data end too soon");
    expect_refused(packed + "more", "4 bytes behind the end of gzip data");
    std::string damaged = packed;
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] + 1);
    EXPECT_FALSE(parse_any_network(bytes_of(damaged)));
    expect_refused(file.substr(0, file.size() / 2),
                   "network of lc0: cut off: a field ends behind the end of what it is in");
    expect_refused(gzip(file.substr(0, file.size() - 1)), "cut off");
    // Cut off anywhere it is refused, or where a field ends, a layer is missing.
    for (std::size_t size = 0; size < file.size(); size += 97)
        EXPECT_FALSE(parse_any_network(bytes_of(file.substr(0, size)))) << size;
    // A few kilobytes that would be gigabytes: empty blocks are two bytes each.
    std::string blocks;
    for (int i = 0; i < 1'000'000; ++i) blocks += std::string_view("\x12\x00", 2);
    expect_refused(gzip(lc0_file(blocks, {})), "network of lc0: more than 128 blocks");
    // A known field that comes as another type: field 10 as a number.
    std::string wrong = lc0_file("", {});
    protozero::pbf_writer(wrong).add_uint32(10, 3);
    expect_refused(wrong, "a field of another type than it should have");
}

}  // namespace
}  // namespace scholar::nets
