#include "base/files.hpp"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace scholar::base {

namespace {

template <class Container>
Result<Container> read_whole(const std::filesystem::path& path) {
    std::error_code error;
    // Opening a pipe would wait for a writer.
    const auto kind = std::filesystem::status(path, error).type();
    if (kind == std::filesystem::file_type::directory)
        return fail("{}: is a folder, expected a file", path.string());
    if (std::filesystem::exists(std::filesystem::file_status(kind)) &&
        kind != std::filesystem::file_type::regular)
        return fail("{}: is no ordinary file, expected one", path.string());
    std::ifstream in(path, std::ios::binary);
    if (!in) return fail("{}: cannot open: {}", path.string(), std::strerror(errno));
    in.seekg(0, std::ios::end);
    const auto size = in.tellg();
    if (size < 0) return fail("{}: cannot read: {}", path.string(), std::strerror(errno));
    Container content(static_cast<std::size_t>(size), typename Container::value_type{});
    in.seekg(0);
    in.read(reinterpret_cast<char*>(content.data()), size);
    if (in.gcount() != size) return fail("{}: cannot read to its end", path.string());
    return content;
}

}  // namespace

Result<std::string> read_text(const std::filesystem::path& path) {
    return read_whole<std::string>(path);
}

Result<std::vector<std::byte>> read_bytes(const std::filesystem::path& path) {
    return read_whole<std::vector<std::byte>>(path);
}

Result<std::filesystem::path> behind_links(const std::filesystem::path& path) {
    constexpr int kMostLinks = 40;  // as the system allows
    std::filesystem::path at = path;
    for (int links = 0; links <= kMostLinks; ++links) {
        std::error_code no_link;
        const std::filesystem::path next = std::filesystem::read_symlink(at, no_link);
        if (no_link) return at;
        at = at.parent_path() / next;  // which is `next` itself where that is absolute
    }
    return fail("{}: {}", path.string(), std::strerror(ELOOP));
}

Status rename_for_good(const std::filesystem::path& from, const std::filesystem::path& to) {
    const auto target = behind_links(to);
    if (!target) return std::unexpected(target.error());
    if (std::rename(from.c_str(), target->c_str()) != 0)
        return fail("{}: cannot take this name: {}", to.string(), std::strerror(errno));
    const std::filesystem::path folder = target->has_parent_path() ? target->parent_path() : ".";
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    // One may write in a folder without being allowed to read it: then the name is the system's affair.
    if (descriptor < 0) return {};
    const int reason = ::fsync(descriptor) == 0 ? 0 : errno;
    ::close(descriptor);
    // Not every file system can do it with folders.
    if (reason != 0 && reason != EINVAL)
        return fail("{}: cannot flush its folder to disk: {}", to.string(), std::strerror(reason));
    return {};
}

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& path) {
    auto target = behind_links(path);
    if (!target) return std::unexpected(target.error());
    struct stat old{};
    const bool exists = ::stat(target->c_str(), &old) == 0;
    if (exists && !S_ISREG(old.st_mode))
        return fail("{}: exists and is no ordinary file: not replaced", path.string());
    // Two writers of one name do not write into one file: the last to finish wins whole.
    std::filesystem::path temporary = *target;
    temporary += fmt::format(".{}.tmp", ::getpid());
    constexpr mode_t kPermissions = 0777;
    // Nobody may read what is being written who may not read what is replaced.
    const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
                                  exists ? old.st_mode & kPermissions : 0666);
    if (descriptor < 0) return fail("{}: cannot create: {}", path.string(), std::strerror(errno));
    AtomicFile file(descriptor, path, std::move(*target), std::move(temporary));
    if (exists) {
        struct stat made{};
        const bool is_ours =
            ::fstat(descriptor, &made) == 0 && made.st_uid == old.st_uid && made.st_gid == old.st_gid;
        // Only the system's administrator may give files away: for others the file is theirs from now on.
        if (!is_ours && ::fchown(descriptor, old.st_uid, old.st_gid) != 0 && errno != EPERM)
            return fail("{}: cannot keep its owner: {}", path.string(), std::strerror(errno));
        if (::fchmod(descriptor, old.st_mode & kPermissions) != 0)
            return fail("{}: cannot keep its mode: {}", path.string(), std::strerror(errno));
    }
    return file;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::move(other.temporary_)) {}

AtomicFile::~AtomicFile() {
    if (descriptor_ < 0) return;
    ::close(descriptor_);
    ::unlink(temporary_.c_str());
}

Status AtomicFile::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return fail("{}: cannot write: {}", path_.string(), std::strerror(errno));
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return {};
}

Status AtomicFile::write(std::string_view text) {
    return write(std::as_bytes(std::span(text)));
}

Status AtomicFile::commit() {
    if (::fsync(descriptor_) != 0 && errno != EINVAL)
        return fail("{}: cannot flush to disk: {}", path_.string(), std::strerror(errno));
    // Some file systems say only now that there was no room (close(2)).
    if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) {
        const int reason = errno;
        ::unlink(temporary_.c_str());
        return fail("{}: cannot write: {}", path_.string(), std::strerror(reason));
    }
    auto status = rename_for_good(temporary_, path_);
    if (!status) ::unlink(temporary_.c_str());
    return status;
}

void remove_leftovers(const std::filesystem::path& folder) {
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
         at.increment(error)) {
        const std::filesystem::path name = at->path().filename();
        const std::string process = name.stem().extension().string();  // ".PID"
        if (name.extension() != ".tmp" || process.size() < 2) continue;
        pid_t id = 0;
        const char* last = process.data() + process.size();
        if (std::from_chars(process.data() + 1, last, id).ptr != last || id <= 0) continue;
        const bool is_alive = ::kill(id, 0) == 0 || errno != ESRCH;
        std::error_code ignored;
        if (!is_alive) std::filesystem::remove(at->path(), ignored);
    }
}

Status write_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes) {
    auto file = AtomicFile::create(path);
    if (!file) return std::unexpected(file.error());
    if (auto status = file->write(bytes); !status) return status;
    return file->commit();
}

Status write_atomically(const std::filesystem::path& path, std::string_view text) {
    return write_atomically(path, std::as_bytes(std::span(text)));
}

}  // namespace scholar::base
