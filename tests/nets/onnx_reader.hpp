#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace scholar::tests {

// An ONNX file taken apart, by the field numbers of onnx.proto: what there is, in the order of the file.

using OnnxExtents = std::vector<std::int64_t>;
// What an extent is that any number may stand in for.
constexpr std::int64_t kAnyExtent = -1;

struct OnnxNode {
    std::string type;
    std::string name;
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::map<std::string, OnnxExtents> integers;  // attributes of one number or several
};

struct OnnxArray {
    std::int32_t type = 0;  // 1: float, 7: int64
    OnnxExtents extents;
    std::string bytes;
    std::vector<std::int64_t> integers() const;
    std::vector<float> floats() const;
};

struct OnnxFile {
    std::int64_t ir_version = 0;
    std::map<std::string, std::int64_t> operator_sets;
    std::map<std::string, std::string> texts;
    std::vector<OnnxNode> nodes;
    std::map<std::string, OnnxArray> arrays;
    std::vector<std::pair<std::string, OnnxExtents>> inputs;
    std::vector<std::pair<std::string, OnnxExtents>> outputs;
};

// Adds a test failure for what no such file has.
OnnxFile read_onnx(const std::string& bytes);

// The extents of every tensor for so many positions, worked out from the inputs by what each node does. Adds
// a test failure for a node that is given what is not there yet, or what does not fit it.
std::map<std::string, OnnxExtents> extents_of_all(const OnnxFile& file, std::int64_t positions);

}  // namespace scholar::tests
