#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace scholar::nets {

enum class Dtype { F32, I32, I16, I8 };
std::size_t size_of(Dtype dtype);
std::string_view to_string(Dtype dtype);

// One named array, row-major.
struct Tensor {
    Dtype dtype = Dtype::F32;
    std::vector<std::int64_t> shape;
    std::vector<std::byte> bytes;

    std::size_t elements() const;
    // The content as T; T must be what dtype says.
    template <class T>
    std::span<const T> as() const {
        return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
    }
    template <class T>
    static Tensor from(Dtype dtype, std::vector<std::int64_t> shape, std::span<const T> values) {
        const auto raw = std::as_bytes(values);
        return {dtype, std::move(shape), {raw.begin(), raw.end()}};
    }
};

// A safetensors file: tensors by name and string metadata, the container of every network. On top of the
// format, the metadata entry "checksum" holds the XXH3 of all tensor bytes, so that a damaged file is
// noticed.
struct TensorFile {
    std::map<std::string, std::string> metadata;
    std::map<std::string, Tensor> tensors;

    // The metadata entry; an error that names it if it is missing.
    base::Result<std::string> meta(const std::string& key) const;
    // The tensor, if it has this dtype and shape.
    base::Result<const Tensor*> tensor(const std::string& name, Dtype dtype,
                                       const std::vector<std::int64_t>& shape) const;
};

// Checks everything the format promises, and the checksum.
base::Result<TensorFile> parse_tensors(std::span<const std::byte> bytes);
base::Result<TensorFile> read_tensors(const std::filesystem::path& path);
std::vector<std::byte> serialise_tensors(const TensorFile& file);
base::Status write_tensors(const std::filesystem::path& path, const TensorFile& file);
// Writes nothing where there is none, and says why, and in what file it would have been.
base::Status write_tensors(const std::filesystem::path& path, const base::Result<TensorFile>& file);

}  // namespace scholar::nets
