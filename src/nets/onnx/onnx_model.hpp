#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "nets/container/weights.hpp"

namespace scholar::nets {

// What goes into a model, or comes out of it.
struct OnnxTensor {
    std::string name;
    Extents extents;      // of one position: before them stands how many there are, whatever number it is
    std::string meaning;  // for people
};

// A model of the Open Neural Network Exchange (onnx.ai) as it grows: nodes, each of which makes one tensor of
// others, in the order in which they can be worked out; weights; and texts by key. The file is a message of
// Protocol Buffers, field by field as the format's own description (onnx.proto) numbers them. Nodes are of
// operator set 11, in float32: older programs read it, and newer ones know what it meant.
class OnnxModel {
  public:
    static constexpr int kOperatorSet = 11;
    // A message of Protocol Buffers has fewer bytes than that.
    static constexpr std::size_t kMostBytes = (std::size_t{1} << 31) - 1;

    explicit OnnxModel(std::size_t most_bytes = kMostBytes);

    using Attribute =
        std::pair<std::string_view, std::variant<std::int64_t, std::vector<std::int64_t>, std::string_view>>;

    // Each returns the name of the tensor that it makes, which is that of the node or the weights. No two are
    // alike.
    std::string input(OnnxTensor tensor);
    std::string weights(const std::string& name, const Extents& extents, std::span<const float> numbers);
    std::string integers(const std::string& name, std::span<const std::int64_t> numbers);
    std::string node(std::string_view type, const std::string& name, std::initializer_list<std::string> from,
                     std::initializer_list<Attribute> attributes = {}) {
        return node(type, name, std::span(from.begin(), from.size()), attributes);
    }
    std::string node(std::string_view type, const std::string& name, std::span<const std::string> from,
                     std::initializer_list<Attribute> attributes = {});
    // A node's tensor is an output, too.
    void output(OnnxTensor tensor);
    // A text of the whole model.
    void say(std::string_view key, std::string_view text);

    const std::vector<OnnxTensor>& inputs() const { return inputs_; }
    const std::vector<OnnxTensor>& outputs() const { return outputs_; }
    // The whole file. Refuses a model of more bytes than there may be.
    base::Result<std::string> file() const;

  private:
    std::size_t most_bytes_;
    std::size_t weight_bytes_ = 0;  // also of weights that were left out as too many
    std::vector<OnnxTensor> inputs_;
    std::vector<OnnxTensor> outputs_;
    std::string graph_;  // a GraphProto
    std::string texts_;  // fields of a ModelProto
};

}  // namespace scholar::nets
