#include "nets/lc0/lc0_message.hpp"

#include <protozero/pbf_reader.hpp>

#include "nets/conv/conv_network.hpp"

namespace scholar::nets::lc0 {

namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;

// A field that is known by its number, but comes as another type. protozero's own errors are its base.
struct WrongType : protozero::exception {
    const char* what() const noexcept override { return "a field of another type than it should have"; }
};

struct TooManyBlocks {};

void expect(const pbf_reader& reader, pbf_wire_type type) {
    if (reader.wire_type() != type) throw WrongType();
}
std::uint32_t take_number(pbf_reader& reader) {
    expect(reader, pbf_wire_type::varint);
    // Enumerations and uint32 alike; what is longer than 32 bits is cut as Protocol Buffers say.
    return static_cast<std::uint32_t>(reader.get_uint64());
}
float take_float(pbf_reader& reader) {
    expect(reader, pbf_wire_type::fixed32);
    return reader.get_float();
}
std::string_view take_bytes(pbf_reader& reader) {
    expect(reader, pbf_wire_type::length_delimited);
    const protozero::data_view view = reader.get_view();
    return {view.data(), view.size()};
}
pbf_reader take_message(pbf_reader& reader) {
    const std::string_view bytes = take_bytes(reader);
    return pbf_reader(bytes.data(), bytes.size());
}

Layer parse_layer(pbf_reader reader) {
    Layer layer;
    while (reader.next()) switch (reader.tag()) {
            case 1:
                layer.least = take_float(reader);
                break;
            case 2:
                layer.most = take_float(reader);
                break;
            case 3:
                layer.bytes = take_bytes(reader);
                break;
            case 4:
                layer.encoding = take_number(reader);
                break;
            default:
                reader.skip();
        }
    return layer;
}

// Arrays by their field numbers; what has none of these is passed over.
struct LayerField {
    protozero::pbf_tag_type tag;
    MaybeLayer* layer;
};
bool take_layer(pbf_reader& reader, std::initializer_list<LayerField> fields) {
    for (const LayerField& field : fields)
        if (reader.tag() == field.tag) {
            *field.layer = parse_layer(take_message(reader));
            return true;
        }
    return false;
}

Convolution parse_convolution(pbf_reader reader) {
    Convolution block;
    while (reader.next())
        if (!take_layer(reader, {{1, &block.weights},
                                 {2, &block.biases},
                                 {3, &block.means},
                                 {4, &block.variances},
                                 {5, &block.gammas},
                                 {6, &block.betas}}))
            reader.skip();
    return block;
}

SqueezeUnit parse_squeeze_unit(pbf_reader reader) {
    SqueezeUnit unit;
    while (reader.next())
        if (!take_layer(reader, {{1, &unit.w1}, {2, &unit.b1}, {3, &unit.w2}, {4, &unit.b2}})) reader.skip();
    return unit;
}

Residual parse_residual(pbf_reader reader) {
    Residual block;
    while (reader.next()) switch (reader.tag()) {
            case 1:
                block.conv1 = parse_convolution(take_message(reader));
                break;
            case 2:
                block.conv2 = parse_convolution(take_message(reader));
                break;
            case 3:
                block.se = parse_squeeze_unit(take_message(reader));
                break;
            default:
                reader.skip();
        }
    return block;
}

// What a field is called that only other kinds of networks have; empty: it is none.
std::string_view foreign_name(protozero::pbf_tag_type tag) {
    switch (tag) {
        case 17:
        case 18:
        case 19:
        case 20:
        case 22:
            return "attention policy";
        case 21:
        case 24:
            return "attention policy encoder";
        case 25:
        case 26:
        case 33:
        case 34:
        case 37:
        case 38:
        case 39:
        case 40:
        case 41:
        case 42:
        case 43:
            return "attention embedding";
        case 27:
        case 28:
            return "attention encoder";
        case 29:
        case 30:
        case 31:
        case 32:
            return "attention head embedding";
        case 35:
        case 36:
            return "smolgen";
        case 44:
            return "value heads by name";
        case 45:
            return "policy heads by name";
        default:
            return {};
    }
}

Weights parse_weights(pbf_reader reader) {
    Weights weights;
    while (reader.next()) {
        if (take_layer(reader, {{4, &weights.policy_w},
                                {5, &weights.policy_b},
                                {7, &weights.value.w1},
                                {8, &weights.value.b1},
                                {9, &weights.value.w2},
                                {10, &weights.value.b2},
                                {13, &weights.moves_left.w1},
                                {14, &weights.moves_left.b1},
                                {15, &weights.moves_left.w2},
                                {16, &weights.moves_left.b2}}))
            continue;
        switch (reader.tag()) {
            case 1:
                weights.input = parse_convolution(take_message(reader));
                break;
            case 2:
                // An empty block is two bytes there, and hundreds here.
                if (weights.residual.size() == ConvBounds::kBlocks) throw TooManyBlocks();
                weights.residual.push_back(parse_residual(take_message(reader)));
                break;
            case 3:
                weights.policy = parse_convolution(take_message(reader));
                break;
            case 6:
                weights.value.planes = parse_convolution(take_message(reader));
                break;
            case 11:
                weights.policy1 = parse_convolution(take_message(reader));
                break;
            case 12:
                weights.moves_left.planes = parse_convolution(take_message(reader));
                break;
            default:
                if (weights.foreign.empty()) weights.foreign = foreign_name(reader.tag());
                reader.skip();
        }
    }
    return weights;
}

Format parse_network_format(pbf_reader reader) {
    Format format;
    while (reader.next()) switch (reader.tag()) {
            case 1:
                format.input = take_number(reader);
                break;
            case 3:
                format.network = take_number(reader);
                break;
            case 4:
                format.policy = take_number(reader);
                break;
            case 5:
                format.value = take_number(reader);
                break;
            case 6:
                format.moves_left = take_number(reader);
                break;
            case 7:
                format.activation = take_number(reader);
                break;
            default:
                reader.skip();
        }
    return format;
}

void parse_format(pbf_reader reader, Message& message) {
    while (reader.next()) switch (reader.tag()) {
            case 1:
                message.encoding = take_number(reader);
                break;
            case 2:
                message.format = parse_network_format(take_message(reader));
                break;
            default:
                reader.skip();
        }
}

Message parse_all(pbf_reader reader) {
    Message message;
    while (reader.next()) switch (reader.tag()) {
            case 1:
                expect(reader, pbf_wire_type::fixed32);
                message.magic = reader.get_fixed32();
                break;
            case 2:
                message.license = take_bytes(reader);
                break;
            case 4:
                parse_format(take_message(reader), message);
                break;
            case 5: {
                pbf_reader training = take_message(reader);
                while (training.next())
                    if (training.tag() == 1)
                        message.training_steps = take_number(training);
                    else
                        training.skip();
                break;
            }
            case 10:
                message.weights = parse_weights(take_message(reader));
                break;
            case 11:
                message.is_onnx = true;
                reader.skip();
                break;
            default:
                reader.skip();
        }
    return message;
}

}  // namespace

base::Result<Message> parse_message(std::string_view bytes) {
    try {
        return parse_all(pbf_reader(bytes.data(), bytes.size()));
    } catch (const TooManyBlocks&) {
        return base::fail("more than {} blocks", ConvBounds::kBlocks);
    } catch (const protozero::end_of_buffer_exception&) {
        return base::fail("cut off: a field ends behind the end of what it is in");
    } catch (const protozero::exception& error) {
        return base::fail("not a message of Protocol Buffers: {}", error.what());
    }
}

}  // namespace scholar::nets::lc0
