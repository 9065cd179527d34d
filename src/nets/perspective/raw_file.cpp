#include "nets/perspective/raw_file.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace scholar::nets {

namespace {

constexpr std::string_view kRawMagic{"SCHLRNET"};
// Files with threats have a version of their own: older readers refuse them instead of reading wrong rows.
constexpr std::uint32_t kRawVersion = 1;
constexpr std::uint32_t kRawVersionWithThreats = 2;
constexpr std::size_t kRawAlignment = 64;
constexpr std::uint8_t kRawMirrored = 0x80;

class RawWriter {
  public:
    template <class Integer>
    void put(Integer value) {
        auto bits = static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<Integer>>(value));
        for (std::size_t i = 0; i < sizeof value; ++i, bits >>= 8) bytes_ += static_cast<char>(bits & 0xFF);
    }
    void put_text(std::string_view text) { bytes_ += text; }
    template <class Array>
    void put_array(const Array& values) {
        align();
        for (const auto value : values) put(value);
    }
    void align() { bytes_.resize((bytes_.size() + kRawAlignment - 1) / kRawAlignment * kRawAlignment, '\0'); }
    std::string take() { return std::move(bytes_); }

  private:
    std::string bytes_;
};

// From the order in which vectors like them: [output bucket][unit][input].
std::vector<std::int16_t> plain_weights(const Layer& layer, int buckets, int units, int inputs) {
    std::vector<std::int16_t> plain;
    plain.reserve(layer.weight.size());
    for (int bucket = 0; bucket < buckets; ++bucket)
        for (int unit = 0; unit < units; ++unit)
            for (int input = 0; input < inputs; ++input)
                plain.push_back(layer.weight[Layer::index(bucket, unit, input, units, inputs)]);
    return plain;
}

void put_header(RawWriter& out, const Network& network) {
    const Architecture& architecture = network.info.architecture;
    out.put_text(kRawMagic);
    const bool has_threats = architecture.features->reads_attacks();
    out.put(has_threats ? kRawVersionWithThreats : kRawVersion);
    out.put(static_cast<std::uint32_t>(architecture.width));
    out.put(static_cast<std::uint32_t>(architecture.features->buckets));
    out.put(static_cast<std::uint32_t>(architecture.activation));
    out.put(static_cast<std::uint32_t>(architecture.output_buckets));
    out.put(static_cast<std::uint32_t>(network.hidden.size()));
    for (std::size_t i = 0; i < Architecture::kMaxHiddenLayers; ++i)
        out.put(i < network.hidden.size() ? static_cast<std::uint32_t>(architecture.hidden[i]) : 0U);
    for (std::size_t i = 0; i < Architecture::kMaxHiddenLayers; ++i)
        out.put(i < network.hidden.size() ? static_cast<std::uint32_t>(network.hidden[i].shift) : 0U);
    out.put(std::int32_t{Network::kActivationScale});
    out.put(std::int32_t{Network::kProductShift});
    out.put(std::int32_t{Network::kHiddenScale});
    out.put(std::int32_t{Network::output_shift(architecture)});
    out.put(std::int32_t{network.output_unit()});
    out.put(std::int32_t{chess::Score::kScale});
    out.put(std::int32_t{chess::Score::kEvaluationBound});
    out.put(has_threats ? static_cast<std::uint32_t>(architecture.features->states) : 0U);
    for (const View view : architecture.features->views)
        out.put(static_cast<std::uint8_t>(view.bucket | (view.flip != 0 ? kRawMirrored : 0)));
}

}  // namespace

std::string to_raw(const Network& network) {
    const Architecture& architecture = network.info.architecture;
    RawWriter out;
    put_header(out, network);
    out.put_array(network.transformer);
    out.put_array(network.transformer_bias);
    for (std::size_t i = 0; i < network.hidden.size(); ++i) {
        out.put_array(plain_weights(network.hidden[i], architecture.output_buckets, architecture.hidden[i],
                                    architecture.head_inputs(i)));
        out.put_array(network.hidden[i].bias);
    }
    out.put_array(network.output);
    out.put_array(network.output_bias);
    out.align();
    return out.take();
}

}  // namespace scholar::nets
