#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace scholar::base {

// Of an ordinary file: a folder, a pipe or a device is refused.
Result<std::string> read_text(const std::filesystem::path& path);
Result<std::vector<std::byte>> read_bytes(const std::filesystem::path& path);

// Where a file of this name would be written: what symbolic links lead to, whether or not that exists.
// Refuses links that lead round in a circle.
Result<std::filesystem::path> behind_links(const std::filesystem::path& path);

// Gives the file `from` the name `to`, in the same file system: what had it before has it until then, and the
// change has reached the disk. Where `to` is a symbolic link, the file behind it is replaced and the link
// stays.
Status rename_for_good(const std::filesystem::path& from, const std::filesystem::path& to);

// A file that appears under its name only when it is whole: written as "NAME.PID.tmp" beside it, flushed to
// disk and renamed by commit(). Without commit() nothing is left and the old file stays. A file that is
// replaced hands on its mode, and its owner and group where that is allowed; behind a symbolic link the file
// that it leads to is replaced. Errors speak of NAME.
class AtomicFile {
  public:
    static Result<AtomicFile> create(const std::filesystem::path& path);
    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&&) = delete;
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    ~AtomicFile();

    Status write(std::span<const std::byte> bytes);
    Status write(std::string_view text);
    Status commit();

  private:
    AtomicFile(int descriptor, std::filesystem::path path, std::filesystem::path target,
               std::filesystem::path temporary)
        : descriptor_(descriptor),
          path_(std::move(path)),
          target_(std::move(target)),
          temporary_(std::move(temporary)) {}

    int descriptor_;
    std::filesystem::path path_;
    std::filesystem::path target_;  // behind path_, if that is a link
    std::filesystem::path temporary_;
};

// Removes what an AtomicFile left in the folder when its process was killed: the files "NAME.PID.tmp" of
// processes that are no more.
void remove_leftovers(const std::filesystem::path& folder);

Status write_atomically(const std::filesystem::path& path, std::string_view text);
Status write_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes);

}  // namespace scholar::base
