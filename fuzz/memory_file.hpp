#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

#include "check.hpp"

namespace scholar::fuzz {

// A file in memory, under a name as long as it lives.
class MemoryFile {
  public:
    explicit MemoryFile(std::string_view bytes) : descriptor_(::memfd_create("input", MFD_CLOEXEC)) {
        check(descriptor_ >= 0, "no memory file");
        while (!bytes.empty()) {
            const ssize_t put = ::write(descriptor_, bytes.data(), bytes.size());
            check(put > 0, "a memory file that cannot be written");
            bytes.remove_prefix(static_cast<std::size_t>(put));
        }
    }
    ~MemoryFile() { ::close(descriptor_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

  private:
    int descriptor_;
};

// A folder for what must be written under a name: in memory where the system has a place for that. It is gone
// when the program ends, but not if it crashes.
class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::error_code error;
        const std::filesystem::path memory = "/dev/shm";
        const bool in_memory = ::access(memory.c_str(), W_OK) == 0;
        const auto parent = in_memory ? memory : std::filesystem::temp_directory_path(error);
        std::string name = (parent / "scholar-fuzz-XXXXXX").string();
        check(!error && ::mkdtemp(name.data()) != nullptr, "no temporary folder");
        path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace scholar::fuzz
