#include "onnx_reader.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>
#include <protozero/pbf_reader.hpp>

namespace scholar::tests {

namespace {

using protozero::pbf_reader;

template <class T>
std::vector<T> numbers_in(const std::string& bytes) {
    EXPECT_EQ(bytes.size() % sizeof(T), 0U);
    std::vector<T> numbers(bytes.size() / sizeof(T));
    if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(T));
    return numbers;
}

OnnxNode read_node(pbf_reader message) {
    OnnxNode node;
    while (message.next()) switch (message.tag()) {
            case 1:
                node.inputs.push_back(message.get_string());
                break;
            case 2:
                node.outputs.push_back(message.get_string());
                break;
            case 3:
                node.name = message.get_string();
                break;
            case 4:
                node.type = message.get_string();
                break;
            case 5: {
                pbf_reader attribute = message.get_message();
                std::string name;
                OnnxExtents numbers;
                std::int32_t type = 0;
                while (attribute.next()) switch (attribute.tag()) {
                        case 1:
                            name = attribute.get_string();
                            break;
                        case 3:
                        case 8:
                            numbers.push_back(attribute.get_int64());
                            break;
                        case 4:
                            attribute.skip();
                            break;
                        case 20:
                            type = attribute.get_int32();
                            break;
                        default:
                            ADD_FAILURE() << "field " << attribute.tag() << " of an attribute";
                            attribute.skip();
                    }
                EXPECT_TRUE(type == 7 || (type == 2 && numbers.size() == 1) || type == 3) << name;
                node.integers[name] = numbers;
                break;
            }
            default:
                ADD_FAILURE() << "field " << message.tag() << " of a node";
                message.skip();
        }
    return node;
}

std::pair<std::string, OnnxArray> read_array(pbf_reader message) {
    std::string name;
    OnnxArray array;
    while (message.next()) switch (message.tag()) {
            case 1:
                array.extents.push_back(message.get_int64());
                break;
            case 2:
                array.type = message.get_int32();
                break;
            case 8:
                name = message.get_string();
                break;
            case 9:
                array.bytes = message.get_string();
                break;
            default:
                ADD_FAILURE() << "field " << message.tag() << " of an array";
                message.skip();
        }
    return {name, array};
}

std::pair<std::string, OnnxExtents> read_value(pbf_reader message) {
    std::pair<std::string, OnnxExtents> value;
    while (message.next()) switch (message.tag()) {
            case 1:
                value.first = message.get_string();
                break;
            case 2: {
                pbf_reader type = message.get_message();
                EXPECT_TRUE(type.next(1));
                pbf_reader tensor = type.get_message();
                EXPECT_TRUE(tensor.next(1));
                EXPECT_EQ(tensor.get_int32(), 1);
                EXPECT_TRUE(tensor.next(2));
                pbf_reader shape = tensor.get_message();
                while (shape.next(1)) {
                    pbf_reader dimension = shape.get_message();
                    EXPECT_TRUE(dimension.next());
                    if (dimension.tag() == 1) {
                        value.second.push_back(dimension.get_int64());
                    } else {
                        EXPECT_EQ(dimension.get_string(), "N");
                        value.second.push_back(kAnyExtent);
                    }
                }
                break;
            }
            default:
                message.skip();
        }
    return value;
}

void read_graph(pbf_reader message, OnnxFile& file) {
    while (message.next()) switch (message.tag()) {
            case 1:
                file.nodes.push_back(read_node(message.get_message()));
                break;
            case 5: {
                auto [name, array] = read_array(message.get_message());
                EXPECT_TRUE(file.arrays.emplace(name, std::move(array)).second) << name << " twice";
                break;
            }
            case 11:
                file.inputs.push_back(read_value(message.get_message()));
                break;
            case 12:
                file.outputs.push_back(read_value(message.get_message()));
                break;
            default:
                message.skip();
        }
}

std::int64_t product(OnnxExtents::const_iterator begin, OnnxExtents::const_iterator end) {
    return std::accumulate(begin, end, std::int64_t{1}, std::multiplies());
}

// As numpy broadcasts.
OnnxExtents both(OnnxExtents a, OnnxExtents b, const std::string& name) {
    if (a.size() < b.size()) std::swap(a, b);
    b.insert(b.begin(), a.size() - b.size(), 1);
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_TRUE(a[i] == b[i] || a[i] == 1 || b[i] == 1) << name;
        a[i] = std::max(a[i], b[i]);
    }
    return a;
}

}  // namespace

std::vector<std::int64_t> OnnxArray::integers() const {
    EXPECT_EQ(type, 7);
    return numbers_in<std::int64_t>(bytes);
}
std::vector<float> OnnxArray::floats() const {
    EXPECT_EQ(type, 1);
    return numbers_in<float>(bytes);
}

OnnxFile read_onnx(const std::string& bytes) {
    OnnxFile file;
    pbf_reader message(bytes);
    while (message.next()) switch (message.tag()) {
            case 1:
                file.ir_version = message.get_int64();
                break;
            case 7:
                read_graph(message.get_message(), file);
                break;
            case 8: {
                pbf_reader operators = message.get_message();
                std::string domain;
                while (operators.next())
                    if (operators.tag() == 1)
                        domain = operators.get_string();
                    else
                        file.operator_sets[domain] = operators.get_int64();
                break;
            }
            case 14: {
                pbf_reader entry = message.get_message();
                std::string key;
                while (entry.next())
                    if (entry.tag() == 1)
                        key = entry.get_string();
                    else
                        EXPECT_TRUE(file.texts.emplace(key, entry.get_string()).second) << key << " twice";
                break;
            }
            default:
                message.skip();
        }
    return file;
}

std::map<std::string, OnnxExtents> extents_of_all(const OnnxFile& file, std::int64_t positions) {
    std::map<std::string, OnnxExtents> known;
    for (auto [name, extents] : file.inputs) {
        std::ranges::replace(extents, kAnyExtent, positions);
        known[name] = extents;
    }
    for (const auto& [name, array] : file.arrays) {
        const std::int64_t count = product(array.extents.begin(), array.extents.end());
        EXPECT_EQ(count, array.type == 1 ? std::ssize(array.floats()) : std::ssize(array.integers())) << name;
        EXPECT_TRUE(known.emplace(name, array.extents).second) << name << " twice";
    }
    const auto integer = [&file](const std::string& name) { return file.arrays.at(name).integers().at(0); };
    for (const OnnxNode& node : file.nodes) {
        std::vector<OnnxExtents> in;
        for (const std::string& name : node.inputs) {
            EXPECT_TRUE(known.contains(name)) << node.name << " is given " << name;
            in.push_back(known[name]);
        }
        OnnxExtents out = in.at(0);
        if (node.type == "Conv") {
            const std::int64_t side = node.integers.at("kernel_shape").at(0);
            EXPECT_EQ(in.at(1), (OnnxExtents{in.at(2).at(0), out.at(1), side, side})) << node.name;
            EXPECT_EQ(node.integers.at("pads"), OnnxExtents(4, side / 2)) << node.name;
            out[1] = in[1][0];
        } else if (node.type == "Gemm") {
            EXPECT_EQ(node.integers.at("transB"), OnnxExtents{1});
            EXPECT_EQ(out.size(), 2U) << node.name;
            EXPECT_EQ(in.at(1), (OnnxExtents{in.at(2).at(0), out.at(1)})) << node.name;
            out[1] = in[1][0];
        } else if (node.type == "GlobalAveragePool") {
            out[2] = out[3] = 1;
        } else if (node.type == "Flatten") {
            out = {out[0], product(out.begin() + 1, out.end())};
        } else if (node.type == "Reshape") {
            out = file.arrays.at(node.inputs.at(1)).integers();
            EXPECT_EQ(out.at(0), 0);
            out[0] = in[0][0];
            EXPECT_EQ(product(out.begin(), out.end()), product(in[0].begin(), in[0].end())) << node.name;
        } else if (node.type == "Resize") {
            const std::vector<float> times = file.arrays.at(node.inputs.at(2)).floats();
            EXPECT_EQ(times.size(), out.size()) << node.name;
            for (std::size_t i = 0; i < out.size(); ++i) out[i] *= static_cast<std::int64_t>(times.at(i));
        } else if (node.type == "Transpose") {
            for (std::size_t i = 0; i < out.size(); ++i)
                out[i] = in[0].at(static_cast<std::size_t>(node.integers.at("perm").at(i)));
        } else if (node.type == "MatMul") {
            EXPECT_EQ(out.at(2), in.at(1).at(1)) << node.name;
            out[2] = in[1][2];
        } else if (node.type == "Slice") {
            const std::int64_t begin = integer(node.inputs.at(1));
            const std::int64_t end = integer(node.inputs.at(2));
            std::int64_t& extent = out.at(static_cast<std::size_t>(integer(node.inputs.at(3))));
            EXPECT_TRUE(begin >= 0 && begin < end && end <= extent) << node.name;
            extent = end - begin;
        } else if (node.type == "Concat") {
            for (std::size_t i = 1; i < in.size(); ++i) out.at(1) += in[i].at(1);
        } else if (node.type == "Add" || node.type == "Sub" || node.type == "Mul") {
            out = both(in[0], in.at(1), node.name);
        } else {
            const std::vector<std::string> alike{"Relu", "PRelu", "Tanh", "Sigmoid", "Softplus", "Softmax"};
            EXPECT_TRUE(std::ranges::find(alike, node.type) != alike.end()) << node.type;
        }
        for (const std::string& name : node.outputs)
            EXPECT_TRUE(known.emplace(name, out).second) << name << " twice";
    }
    return known;
}

}  // namespace scholar::tests
