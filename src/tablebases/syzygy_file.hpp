#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string_view>

#include "base/error.hpp"
#include "tablebases/material.hpp"

// What can be known of a Syzygy file without probing it. Fathom maps files and believes them: one that was
// cut off or damaged would end the program, so each is looked through before Fathom sees it.

namespace scholar::tablebases {

// The two kinds that are probed: NAME.rtbw (win, draw, loss) and NAME.rtbz (distance to zeroing).
enum class SyzygyKind { Wdl, Dtz };

// From a name such as "KQvKR", queen against rook. Nothing if that is not the name a table goes by: kings
// first, then Q, R, B, N, P, the stronger side first.
std::optional<Material> parse_material(std::string_view name);

// Refuses a file that is not such a table, is cut off or has bytes too many, or whose header could lead a
// reader out of it. Reads the header alone, however large the file is, so a flipped bit in what is compressed
// goes unnoticed; check_syzygy_checksum() finds that.
base::Status check_syzygy_file(const std::filesystem::path& path, const Material& material, SyzygyKind kind);

// Compares the checksum at the end of the file with that of all bytes before it.
base::Status check_syzygy_checksum(const std::filesystem::path& path);

}  // namespace scholar::tablebases
