#pragma once

#include <memory>
#include <string>

#include "base/error.hpp"
#include "base/file_kind.hpp"
#include "base/streams.hpp"

// What libarchive unpacks for base/streams.hpp.

namespace scholar::base {

// The one file of a zip or 7z archive that is meant: the only one there is, or the only one that is named
// like games or positions (.pgn, .epd, .fen). Refuses an archive of several such, with their names, and one
// that is encrypted.
Result<std::unique_ptr<InputStream>> open_member(const std::string& path, FileKind kind);

// xz data unpacked. `name` is what errors call it.
Result<std::unique_ptr<InputStream>> xz_input(std::unique_ptr<InputStream> packed, std::string name);

}  // namespace scholar::base
