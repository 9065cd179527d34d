#include "arena/locked_appender.hpp"

#include <filesystem>

namespace scholar::arena {

base::Result<LockedAppender> LockedAppender::open(const std::string& path) {
    auto file = games::LockedFile::open(path, games::LockedFile::Missing::Create);
    if (!file) return std::unexpected(file.error());
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error) return base::fail("{}: cannot tell its size: {}", path, error.message());
    return LockedAppender(std::move(*file), path, size);
}

base::Status LockedAppender::append(std::string_view text) {
    if (auto status = file_.write(size_, text); !status) return status;
    size_ += text.size();
    return {};
}

base::Status LockedAppender::resize(std::uint64_t size) {
    if (auto status = file_.resize(size); !status) return status;
    size_ = size;
    return {};
}

}  // namespace scholar::arena
