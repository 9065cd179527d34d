#include "nets/container/tensor_file.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"

namespace scholar::nets {

namespace {

using base::fail;
using Json = nlohmann::json;

// The format's own limit.
constexpr std::uint64_t kMaxHeader = 100'000'000;

constexpr std::array<std::pair<Dtype, std::string_view>, 4> kDtypes{
    {{Dtype::F32, "F32"}, {Dtype::I32, "I32"}, {Dtype::I16, "I16"}, {Dtype::I8, "I8"}}};

std::optional<Dtype> parse_dtype(std::string_view text) {
    for (const auto& [dtype, name] : kDtypes)
        if (name == text) return dtype;
    return std::nullopt;
}

std::string show(const std::vector<std::int64_t>& shape) {
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

struct Extent {
    std::uint64_t begin;
    std::uint64_t end;
};

base::Result<std::pair<Tensor, Extent>> parse_entry(const std::string& name, const Json& entry,
                                                    std::uint64_t data_size) {
    if (!entry.is_object() || !entry.contains("dtype") || !entry["dtype"].is_string() ||
        !entry.contains("shape") || !entry["shape"].is_array() || !entry.contains("data_offsets") ||
        !entry["data_offsets"].is_array() || entry["data_offsets"].size() != 2)
        return fail("tensor '{}': expected dtype, shape and two data_offsets", name);
    Tensor tensor;
    const auto dtype = parse_dtype(entry["dtype"].get<std::string>());
    if (!dtype)
        return fail("tensor '{}': dtype {}, expected F32, I32, I16 or I8", name,
                    entry["dtype"].get<std::string>());
    tensor.dtype = *dtype;
    std::uint64_t bytes = size_of(*dtype);
    for (const auto& dimension : entry["shape"]) {
        if (!dimension.is_number_unsigned())
            return fail("tensor '{}': a dimension that is not a whole number", name);
        const auto extent = dimension.get<std::uint64_t>();
        if (extent != 0 && bytes > data_size / extent) return fail("tensor '{}': larger than the file", name);
        bytes *= extent;
        tensor.shape.push_back(static_cast<std::int64_t>(extent));
    }
    for (const auto& offset : entry["data_offsets"])
        if (!offset.is_number_unsigned())
            return fail("tensor '{}': data_offsets that are not whole numbers", name);
    const Extent extent{entry["data_offsets"][0].get<std::uint64_t>(),
                        entry["data_offsets"][1].get<std::uint64_t>()};
    if (extent.begin > extent.end || extent.end > data_size)
        return fail("tensor '{}': data from {} to {}, but the file has {} bytes of data", name, extent.begin,
                    extent.end, data_size);
    if (extent.end - extent.begin != bytes)
        return fail("tensor '{}': {} bytes, expected {} for {} {}", name, extent.end - extent.begin, bytes,
                    to_string(*dtype), show(tensor.shape));
    return std::pair(std::move(tensor), extent);
}

}  // namespace

std::size_t size_of(Dtype dtype) {
    switch (dtype) {
        case Dtype::F32:
        case Dtype::I32:
            return 4;
        case Dtype::I16:
            return 2;
        case Dtype::I8:
            return 1;
    }
    return 0;
}

std::string_view to_string(Dtype dtype) {
    for (const auto& [known, name] : kDtypes)
        if (known == dtype) return name;
    return "?";
}

std::size_t Tensor::elements() const {
    std::size_t count = 1;
    for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
    return count;
}

base::Result<std::string> TensorFile::meta(const std::string& key) const {
    const auto entry = metadata.find(key);
    if (entry == metadata.end()) return fail("no '{}' in the metadata", key);
    return entry->second;
}

base::Result<const Tensor*> TensorFile::tensor(const std::string& name, Dtype dtype,
                                               const std::vector<std::int64_t>& shape) const {
    const auto entry = tensors.find(name);
    if (entry == tensors.end()) return fail("no tensor '{}'", name);
    const Tensor& found = entry->second;
    if (found.dtype != dtype || found.shape != shape)
        return fail("tensor '{}' is {} {}, expected {} {}", name, to_string(found.dtype), show(found.shape),
                    to_string(dtype), show(shape));
    return &found;
}

base::Result<TensorFile> parse_tensors(std::span<const std::byte> bytes) {
    std::uint64_t header_size = 0;
    if (bytes.size() < sizeof header_size)
        return fail("{} bytes, too short for a safetensors file", bytes.size());
    std::memcpy(&header_size, bytes.data(), sizeof header_size);
    if (header_size > kMaxHeader || header_size > bytes.size() - sizeof header_size)
        return fail("not a safetensors file, or cut off: a header of {} bytes in a file of {}", header_size,
                    bytes.size());
    const auto* text = reinterpret_cast<const char*>(bytes.data()) + sizeof header_size;
    const Json header = Json::parse(text, text + header_size, nullptr, false);
    if (!header.is_object()) return fail("not a safetensors file: its header is not a JSON object");
    const auto data = bytes.subspan(sizeof header_size + header_size);

    TensorFile file;
    std::vector<Extent> extents;
    for (const auto& [name, entry] : header.items()) {
        if (name == "__metadata__") {
            if (!entry.is_object()) return fail("metadata is not an object");
            for (const auto& [key, value] : entry.items()) {
                if (!value.is_string()) return fail("metadata '{}' is not a string", key);
                file.metadata[key] = value.get<std::string>();
            }
            continue;
        }
        auto parsed = parse_entry(name, entry, data.size());
        if (!parsed) return std::unexpected(parsed.error());
        auto& [tensor, extent] = *parsed;
        const auto raw = data.subspan(extent.begin, extent.end - extent.begin);
        tensor.bytes.assign(raw.begin(), raw.end());
        extents.push_back(extent);
        file.tensors.emplace(name, std::move(tensor));
    }
    std::ranges::sort(extents, {}, &Extent::begin);
    std::uint64_t expected = 0;
    for (const Extent& extent : extents) {
        if (extent.begin != expected)
            return fail("tensor data with a gap or an overlap at byte {}", extent.begin);
        expected = extent.end;
    }
    if (expected != data.size())
        return fail("{} bytes of data, the header accounts for {}", data.size(), expected);
    if (const auto stated = file.metadata.find("checksum"); stated != file.metadata.end()) {
        const std::string actual = base::to_hex(base::hash_bytes(data));
        if (stated->second != actual)
            return fail("damaged: the data's checksum is {}, the file says {}", actual, stated->second);
        file.metadata.erase(stated);
    }
    return file;
}

base::Result<TensorFile> read_tensors(const std::filesystem::path& path) {
    auto bytes = base::read_bytes(path);
    if (!bytes) return std::unexpected(bytes.error());
    auto file = parse_tensors(*bytes);
    if (!file) return base::fail_in(path.string(), file.error());
    return file;
}

std::vector<std::byte> serialise_tensors(const TensorFile& file) {
    Json header = Json::object();
    std::vector<std::byte> data;
    for (const auto& [name, tensor] : file.tensors) {
        header[name] = {{"dtype", to_string(tensor.dtype)},
                        {"shape", tensor.shape},
                        {"data_offsets", {data.size(), data.size() + tensor.bytes.size()}}};
        data.insert(data.end(), tensor.bytes.begin(), tensor.bytes.end());
    }
    auto metadata = file.metadata;
    metadata["checksum"] = base::to_hex(base::hash_bytes(data));
    header["__metadata__"] = metadata;
    // Metadata may come from file names and games, whose bytes need not be UTF-8.
    std::string text = base::json_line(header);
    text.resize((text.size() + 7) / 8 * 8, ' ');  // the format pads the header with spaces

    const std::uint64_t header_size = text.size();
    std::vector<std::byte> out(sizeof header_size + text.size() + data.size());
    std::memcpy(out.data(), &header_size, sizeof header_size);
    std::memcpy(out.data() + sizeof header_size, text.data(), text.size());
    std::ranges::copy(data, out.begin() + static_cast<std::ptrdiff_t>(sizeof header_size + text.size()));
    return out;
}

base::Status write_tensors(const std::filesystem::path& path, const TensorFile& file) {
    return base::write_atomically(path, std::span<const std::byte>(serialise_tensors(file)));
}

base::Status write_tensors(const std::filesystem::path& path, const base::Result<TensorFile>& file) {
    return file ? write_tensors(path, *file) : base::fail_in(path.string(), file.error());
}

}  // namespace scholar::nets
