#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "tablebases/syzygy_file.hpp"

namespace scholar::tablebases {

struct SyzygyTable {
    std::filesystem::path path;
    Material material;
    SyzygyKind kind;
};

struct GaviotaTable {
    std::filesystem::path path;
    Material material;
};

// The tables of one folder or several with ':' between them, each looked through; of those with the same name
// the first. Refuses the first that is bad, and folders without any that could be asked.
struct TableFiles {
    std::vector<std::string> folders;
    std::vector<SyzygyTable> syzygy;
    std::vector<GaviotaTable> gaviota;

    static base::Result<TableFiles> find(const std::string& path);
};

}  // namespace scholar::tablebases
