#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/error.hpp"

namespace scholar::games {

// A file that one process at a time writes, at places it says itself. The lock goes with the process, so none
// is left behind by one that was killed.
class LockedFile {
  public:
    enum class Missing : std::uint8_t { Create, Refuse };
    // Refuses a file that another writer has open. The content stays as it is.
    static base::Result<LockedFile> open(const std::filesystem::path& path, Missing missing);
    LockedFile(LockedFile&& other) noexcept;
    LockedFile& operator=(LockedFile&&) = delete;
    LockedFile(const LockedFile&) = delete;
    LockedFile& operator=(const LockedFile&) = delete;
    ~LockedFile();

    const std::filesystem::path& path() const { return path_; }
    base::Status write(std::uint64_t offset, std::string_view bytes);
    // Cuts off what is behind `size`.
    base::Status resize(std::uint64_t size);
    // To the disk.
    base::Status flush();
    // The name is replaced at once and for good: what had it before is there until then.
    base::Status rename(const std::filesystem::path& path);
    void remove();

  private:
    LockedFile(int descriptor, std::filesystem::path path)
        : descriptor_(descriptor), path_(std::move(path)) {}

    int descriptor_;
    std::filesystem::path path_;
};

}  // namespace scholar::games
