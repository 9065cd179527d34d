#include "games/locked_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "base/files.hpp"

namespace scholar::games {

base::Result<LockedFile> LockedFile::open(const std::filesystem::path& path, Missing missing) {
    const std::string name = path.string();
    const int flags = O_RDWR | O_CLOEXEC | (missing == Missing::Create ? O_CREAT : 0);
    while (true) {
        const int descriptor = ::open(path.c_str(), flags, 0644);
        if (descriptor < 0)
            return base::fail("{}: cannot {}: {}", name, missing == Missing::Create ? "create" : "open",
                              std::strerror(errno));
        LockedFile file(descriptor, path);
        struct stat opened{};
        if (::fstat(descriptor, &opened) != 0 || !S_ISREG(opened.st_mode))
            return base::fail("{}: exists and is no ordinary file", name);
        while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
            if (errno == EINTR) continue;
            if (errno == EWOULDBLOCK) return base::fail("{}: another program is writing it", name);
            return base::fail("{}: cannot keep other programs from writing it: {}", name,
                              std::strerror(errno));
        }
        // Its writer may have finished and renamed it since it was opened: then another file has the name
        // now.
        struct stat named{};
        if (::stat(path.c_str(), &named) == 0 && named.st_dev == opened.st_dev &&
            named.st_ino == opened.st_ino)
            return file;
    }
}

LockedFile::LockedFile(LockedFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}

LockedFile::~LockedFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

base::Status LockedFile::write(std::uint64_t offset, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return base::fail("{}: cannot write: {}", path_.string(), std::strerror(errno));
        bytes.remove_prefix(static_cast<std::size_t>(written));
        offset += static_cast<std::uint64_t>(written);
    }
    return {};
}

base::Status LockedFile::resize(std::uint64_t size) {
    if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0)
        return base::fail("{}: cannot write: {}", path_.string(), std::strerror(errno));
    return {};
}

base::Status LockedFile::flush() {
    if (::fdatasync(descriptor_) != 0 && errno != EINVAL)
        return base::fail("{}: cannot flush to disk: {}", path_.string(), std::strerror(errno));
    return {};
}

base::Status LockedFile::rename(const std::filesystem::path& path) {
    if (auto status = flush(); !status) return status;
    if (auto status = base::rename_for_good(path_, path); !status) return status;
    path_ = path;
    return {};
}

void LockedFile::remove() {
    ::unlink(path_.c_str());
}

}  // namespace scholar::games
