#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "games/locked_file.hpp"

namespace scholar::arena {

// A file that grows at its end, and that one process at a time writes. What was appended is there after a
// kill.
class LockedAppender {
  public:
    // Makes the file if there is none. Refuses one that another process writes.
    static base::Result<LockedAppender> open(const std::string& path);

    const std::string& path() const { return path_; }
    std::uint64_t size() const { return size_; }
    base::Status append(std::string_view text);
    // Cuts off what is behind `size`.
    base::Status resize(std::uint64_t size);
    // The file is gone.
    void remove() { file_.remove(); }

  private:
    LockedAppender(games::LockedFile file, std::string path, std::uint64_t size)
        : file_(std::move(file)), path_(std::move(path)), size_(size) {}

    games::LockedFile file_;
    std::string path_;
    std::uint64_t size_;
};

}  // namespace scholar::arena
