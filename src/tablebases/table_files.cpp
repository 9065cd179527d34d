#include "tablebases/table_files.hpp"

#include <algorithm>
#include <set>
#include <system_error>

#include "tablebases/gaviota_file.hpp"

namespace scholar::tablebases {

namespace {

namespace fs = std::filesystem;

// All that a folder holds, in the order of names: the first bad file is then the same one everywhere.
base::Result<std::vector<fs::path>> files_in(const std::string& folder) {
    std::error_code error;
    fs::directory_iterator entries(folder, error);
    if (error) return base::fail("{}: cannot open this folder of tablebases: {}", folder, error.message());
    std::vector<fs::path> files;
    // An increment that fails gives the end, and the reason in `error`.
    for (; entries != fs::directory_iterator(); entries.increment(error)) files.push_back(entries->path());
    if (error) return base::fail("{}: cannot list: {}", folder, error.message());
    std::ranges::sort(files);
    return files;
}

}  // namespace

base::Result<TableFiles> TableFiles::find(const std::string& path) {
    TableFiles found;
    std::set<std::string> names;
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t end = std::min(path.find(':', at), path.size());
        const std::string folder = path.substr(at, end - at);
        at = end + 1;
        if (folder.empty()) return base::fail("tablebases: an empty folder name in '{}'", path);
        const auto files = files_in(folder);
        if (!files) return std::unexpected(files.error());
        found.folders.push_back(folder);
        for (const fs::path& file : *files) {
            const std::string name = file.filename().string();
            const std::string suffix = file.extension().string();
            if (suffix == ".rtbw" || suffix == ".rtbz") {
                const auto material = parse_material(file.stem().string());
                if (material && names.insert(name).second)
                    found.syzygy.push_back(
                        {file, *material, suffix == ".rtbw" ? SyzygyKind::Wdl : SyzygyKind::Dtz});
            } else if (name.ends_with(kGaviotaSuffix)) {
                const auto material =
                    parse_gaviota_name(std::string_view(name).substr(0, name.size() - kGaviotaSuffix.size()));
                if (material && names.insert(name).second) found.gaviota.push_back({file, *material});
            }
        }
    }
    for (const SyzygyTable& table : found.syzygy)
        if (auto status = check_syzygy_file(table.path, table.material, table.kind); !status)
            return std::unexpected(status.error());
    for (const GaviotaTable& table : found.gaviota)
        if (auto status = check_gaviota_file(table.path, table.material); !status)
            return std::unexpected(status.error());
    const bool some = std::ranges::any_of(
        found.syzygy, [](const SyzygyTable& table) { return table.kind == SyzygyKind::Wdl; });
    if (!some && found.gaviota.empty())
        return base::fail(
            "{}: no endgame tables, expected Syzygy's, such as KQvK.rtbw, or Gaviota's, such as kqk.gtb.cp4",
            path);
    return found;
}

}  // namespace scholar::tablebases
