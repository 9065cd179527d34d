#include "base/file_kind.hpp"

#include <array>

namespace scholar::base {

FileKind kind_of_file(std::string_view head) {
    using namespace std::string_view_literals;
    struct Mark {
        std::string_view bytes;
        FileKind kind;
    };
    static constexpr std::array kMarks{
        Mark{"\x28\xB5\x2F\xFD"sv, FileKind::Zstd},
        Mark{"\x1F\x8B"sv, FileKind::Gzip},
        Mark{"BZh"sv, FileKind::Bzip2},
        Mark{"\xFD"
             "7zXZ\0"sv,
             FileKind::Xz},
        // With members, without any, and in several parts.
        Mark{"PK\x03\x04"sv, FileKind::Zip},
        Mark{"PK\x05\x06"sv, FileKind::Zip},
        Mark{"PK\x07\x08"sv, FileKind::Zip},
        Mark{"7z\xBC\xAF\x27\x1C"sv, FileKind::SevenZip},
        Mark{"Rar!\x1A\x07"sv, FileKind::Rar},
        Mark{"\x04\x22\x4D\x18"sv, FileKind::Lz4},
        Mark{"LZIP"sv, FileKind::Lzip},
        Mark{"\x1F\x9D"sv, FileKind::Compress},
        Mark{"\xFF\xFE"sv, FileKind::Utf16},
        Mark{"\xFE\xFF"sv, FileKind::Utf16},
    };
    for (const Mark& mark : kMarks)
        if (head.starts_with(mark.bytes)) return mark.kind;
    // A frame that zstd's readers pass over, with which pzstd begins its files.
    if (head.size() >= 4 && (static_cast<unsigned char>(head[0]) & 0xF0) == 0x50 &&
        head.substr(1).starts_with("\x2A\x4D\x18"sv))
        return FileKind::Zstd;
    return FileKind::Plain;
}

std::string_view name_of(FileKind kind) {
    switch (kind) {
        case FileKind::Plain:
            break;
        case FileKind::Zstd:
            return "zstd data";
        case FileKind::Gzip:
            return "gzip data";
        case FileKind::Bzip2:
            return "bzip2 data";
        case FileKind::Xz:
            return "xz data";
        case FileKind::Zip:
            return "a zip archive";
        case FileKind::SevenZip:
            return "a 7z archive";
        case FileKind::Rar:
            return "a RAR archive";
        case FileKind::Lz4:
            return "lz4 data";
        case FileKind::Lzip:
            return "lzip data";
        case FileKind::Compress:
            return "data of compress (.Z)";
        case FileKind::Utf16:
            return "UTF-16 text";
    }
    return "a plain file";
}

}  // namespace scholar::base
