#include "tablebases/table_bytes.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace scholar::tablebases {

base::Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
    // Without O_NONBLOCK a pipe of this name would be waited for until somebody writes to it.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return base::fail("{}: cannot open: {}", path.string(), std::strerror(errno));
    struct stat status{};
    const bool known = ::fstat(descriptor, &status) == 0;
    const bool regular = known && S_ISREG(status.st_mode);
    const auto size = regular ? static_cast<std::size_t>(status.st_size) : 0;
    void* data = nullptr;
    if (size > 0) data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    const int error = errno;
    ::close(descriptor);
    if (!regular) return base::fail("{}: not a regular file, expected an endgame table", path.string());
    if (data == MAP_FAILED) return base::fail("{}: cannot map: {}", path.string(), std::strerror(error));
    return MappedFile(data, size);
}

MappedFile::~MappedFile() {
    if (data_ != nullptr) ::munmap(data_, size_);
}

}  // namespace scholar::tablebases
