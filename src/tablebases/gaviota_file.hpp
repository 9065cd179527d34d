#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "base/error.hpp"
#include "tablebases/material.hpp"

// What can be known of a Gaviota file without probing it. The library reads such files in pieces whose places
// the file itself names, into buffers of a fixed size: one that was cut off or damaged could lead it out of
// them, so each is looked through before the library sees it.

namespace scholar::tablebases {

// A table is one file, NAME.gtb.cp4: the distance to mate, compressed in the way that all programs read.
inline constexpr std::string_view kGaviotaSuffix = ".gtb.cp4";

// From a name such as "kqkr", queen against rook. Nothing if that is not the name a table goes by: kings
// first, then q, r, b, n, p, the side with more pieces or else the stronger one first; three to five pieces.
std::optional<Material> parse_gaviota_name(std::string_view name);

// Refuses a file that is not such a table or is cut off, and whose list of pieces is not that of a table of
// this material. Reads that list alone: damage in what is compressed goes unnoticed, and there is no
// checksum.
base::Status check_gaviota_file(const std::filesystem::path& path, const Material& material);

}  // namespace scholar::tablebases
