#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <utility>

#include "base/error.hpp"

// The bytes of a file of tables, for those who look it through before a library sees it.

namespace scholar::tablebases {

// A file mapped for reading, for as long as this lives.
class MappedFile {
  public:
    // Refuses what is no regular file.
    static base::Result<MappedFile> open(const std::filesystem::path& path);
    MappedFile(MappedFile&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    MappedFile& operator=(MappedFile&&) = delete;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();
    std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(data_), size_}; }

  private:
    MappedFile(void* data, std::size_t size) : data_(data), size_(size) {}
    void* data_;
    std::size_t size_;
};

// Takes bytes in turn. Reading past the end gives zeros and makes ok() false.
class Cursor {
  public:
    explicit Cursor(std::span<const std::byte> bytes) : bytes_(bytes) {}

    std::uint8_t at(std::size_t offset) {
        if (offset < bytes_.size()) return static_cast<std::uint8_t>(bytes_[offset]);
        ok_ = false;
        return 0;
    }
    std::uint16_t at16(std::size_t offset) {
        return static_cast<std::uint16_t>(at(offset) | at(offset + 1) << 8);
    }
    std::uint32_t at32(std::size_t offset) {
        return at16(offset) | static_cast<std::uint32_t>(at16(offset + 2)) << 16;
    }
    bool ok() const { return ok_; }

  private:
    std::span<const std::byte> bytes_;
    bool ok_ = true;
};

}  // namespace scholar::tablebases
