#include "nets/onnx/onnx_model.hpp"

#include <algorithm>
#include <bit>
#include <protozero/pbf_writer.hpp>

#include "base/text.hpp"

namespace scholar::nets {

namespace {

// The fields of the messages, by their numbers in onnx.proto.
namespace model_field {
enum : std::uint8_t { IrVersion = 1, ProducerName = 2, Graph = 7, OpsetImport = 8, MetadataProps = 14 };
}
namespace graph_field {
enum : std::uint8_t { Node = 1, Name = 2, Initializer = 5, Input = 11, Output = 12 };
}
namespace node_field {
enum : std::uint8_t { Input = 1, Output = 2, Name = 3, OpType = 4, Attribute = 5 };
}
namespace attribute_field {
enum : std::uint8_t { Name = 1, I = 3, S = 4, Ints = 8, Type = 20 };
}
namespace tensor_field {
enum : std::uint8_t { Dims = 1, DataType = 2, Name = 8, RawData = 9 };
}
namespace value_field {
enum : std::uint8_t { Name = 1, Type = 2, DocString = 3 };
}

// The version of the format that came with operator set 11.
constexpr int kIrVersion = 6;
constexpr int kFloatType = 1;
constexpr int kInt64Type = 7;
constexpr int kIntAttribute = 2;
constexpr int kStringAttribute = 3;
constexpr int kIntsAttribute = 7;
constexpr std::string_view kAnyNumber = "N";

static_assert(std::endian::native == std::endian::little, "weights are written as they lie in memory");

void put(protozero::pbf_writer& message, std::uint32_t field, std::string_view text) {
    message.add_bytes(field, text.data(), text.size());
}

void put_initializer(std::string& graph, const std::string& name, const Extents& extents, int type,
                     std::span<const std::byte> bytes) {
    protozero::pbf_writer writer(graph);
    protozero::pbf_writer tensor(writer, graph_field::Initializer);
    for (const std::int64_t extent : extents) tensor.add_int64(tensor_field::Dims, extent);
    tensor.add_int32(tensor_field::DataType, type);
    put(tensor, tensor_field::Name, name);
    tensor.add_bytes(tensor_field::RawData, reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void put_value(std::string& graph, std::uint32_t field, const OnnxTensor& of) {
    protozero::pbf_writer writer(graph);
    protozero::pbf_writer value(writer, field);
    put(value, value_field::Name, of.name);
    {
        protozero::pbf_writer type(value, value_field::Type);
        protozero::pbf_writer tensor(type, 1);
        tensor.add_int32(1, kFloatType);
        protozero::pbf_writer shape(tensor, 2);
        const auto put_dimension = [&shape](const auto& put_what) {
            protozero::pbf_writer dimension(shape, 1);
            put_what(dimension);
        };
        put_dimension([](protozero::pbf_writer& dimension) { put(dimension, 2, kAnyNumber); });
        for (const std::int64_t extent : of.extents)
            put_dimension([extent](protozero::pbf_writer& dimension) { dimension.add_int64(1, extent); });
    }
    put(value, value_field::DocString, of.meaning);
}

}  // namespace

OnnxModel::OnnxModel(std::size_t most_bytes) : most_bytes_(most_bytes) {
    protozero::pbf_writer graph(graph_);
    put(graph, graph_field::Name, "network");
}

std::string OnnxModel::input(OnnxTensor tensor) {
    put_value(graph_, graph_field::Input, tensor);
    say("input." + tensor.name, tensor.meaning);
    inputs_.push_back(std::move(tensor));
    return inputs_.back().name;
}

std::string OnnxModel::weights(const std::string& name, const Extents& extents,
                               std::span<const float> numbers) {
    weight_bytes_ += numbers.size_bytes();
    if (weight_bytes_ < most_bytes_)
        put_initializer(graph_, name, extents, kFloatType, std::as_bytes(numbers));
    return name;
}

std::string OnnxModel::integers(const std::string& name, std::span<const std::int64_t> numbers) {
    put_initializer(graph_, name, {static_cast<std::int64_t>(numbers.size())}, kInt64Type,
                    std::as_bytes(numbers));
    return name;
}

std::string OnnxModel::node(std::string_view type, const std::string& name, std::span<const std::string> from,
                            std::initializer_list<Attribute> attributes) {
    protozero::pbf_writer writer(graph_);
    protozero::pbf_writer node(writer, graph_field::Node);
    for (const std::string& tensor : from) put(node, node_field::Input, tensor);
    put(node, node_field::Output, name);
    put(node, node_field::Name, name);
    put(node, node_field::OpType, type);
    for (const auto& [key, value] : attributes) {
        protozero::pbf_writer attribute(node, node_field::Attribute);
        put(attribute, attribute_field::Name, key);
        if (const auto* const number = std::get_if<std::int64_t>(&value)) {
            attribute.add_int64(attribute_field::I, *number);
            attribute.add_int32(attribute_field::Type, kIntAttribute);
        } else if (const auto* const word = std::get_if<std::string_view>(&value)) {
            put(attribute, attribute_field::S, *word);
            attribute.add_int32(attribute_field::Type, kStringAttribute);
        } else {
            for (const std::int64_t each : std::get<std::vector<std::int64_t>>(value))
                attribute.add_int64(attribute_field::Ints, each);
            attribute.add_int32(attribute_field::Type, kIntsAttribute);
        }
    }
    return name;
}

void OnnxModel::output(OnnxTensor tensor) {
    put_value(graph_, graph_field::Output, tensor);
    say("output." + tensor.name, tensor.meaning);
    outputs_.push_back(std::move(tensor));
}

void OnnxModel::say(std::string_view key, std::string_view text) {
    protozero::pbf_writer writer(texts_);
    protozero::pbf_writer entry(writer, model_field::MetadataProps);
    put(entry, 1, key);
    put(entry, 2, base::utf8_text(text));
}

base::Result<std::string> OnnxModel::file() const {
    constexpr std::size_t around = 64;  // what stands around the graph and the texts
    const std::size_t bytes = std::max(weight_bytes_, graph_.size() + texts_.size() + around);
    if (bytes > most_bytes_)
        return base::fail("{} bytes, expected {} at most in a file of ONNX", bytes, most_bytes_);
    std::string file;
    file.reserve(bytes);
    protozero::pbf_writer model(file);
    model.add_int64(model_field::IrVersion, kIrVersion);
    put(model, model_field::ProducerName, "Scholar");
    {
        protozero::pbf_writer operators(model, model_field::OpsetImport);
        put(operators, 1, "");
        operators.add_int64(2, kOperatorSet);
    }
    put(model, model_field::Graph, graph_);
    return file + texts_;
}

}  // namespace scholar::nets
