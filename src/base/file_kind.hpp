#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

// What a file is by its first bytes, whatever its name says.

namespace scholar::base {

enum class FileKind : std::uint8_t {
    Plain,  // none of those below: text, or a format of our own
    Zstd,
    Gzip,
    Bzip2,
    Xz,
    Zip,
    SevenZip,
    Rar,
    Lz4,
    Lzip,
    Compress,
    Utf16,  // text in UTF-16
};

// So many bytes tell all kinds apart.
constexpr std::size_t kFileKindBytes = 6;

// Of a file that begins with `head`, at least kFileKindBytes of it or the whole file.
FileKind kind_of_file(std::string_view head);

// "a zip archive", "xz data", …: for messages.
std::string_view name_of(FileKind kind);

}  // namespace scholar::base
