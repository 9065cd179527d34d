#include "cli/games_shared.hpp"

#include <fmt/core.h>

namespace scholar::cli {

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

double ratio(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

base::Result<std::vector<games::StoreReader>> open_stores(const std::vector<std::string>& paths) {
    std::vector<games::StoreReader> stores;
    for (const std::string& path : paths) {
        auto store = games::StoreReader::open(path, games::CutOff::Recover);
        if (!store) return std::unexpected(store.error());
        if (!store->recovered().empty()) fmt::print(stderr, "{}: {}\n", path, store->recovered());
        stores.push_back(std::move(*store));
    }
    return stores;
}

std::uint64_t games_in(const std::vector<games::StoreReader>& stores) {
    std::uint64_t games = 0;
    for (const games::StoreReader& store : stores) games += store.games();
    return games;
}

}  // namespace scholar::cli
