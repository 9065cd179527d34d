#include "learning/measuring/milestone_places.hpp"

#include "arena/placement.hpp"
#include "nets/perspective/network_file.hpp"

namespace scholar::learning {

namespace {

base::Result<std::string> name_of(int minutes, const std::filesystem::path& file) {
    const auto network = nets::load_network(file);
    if (!network) return std::unexpected(network.error());
    return milestone_name(minutes, *network);
}

}  // namespace

std::string milestone_name(int minutes, const nets::Network& network) {
    return fmt::format("Scholar after {} core-minutes, {}", minutes, nets::content_name(network));
}

base::Status place_milestones(const LearnFolder& folder, const LadderPlan& plan,
                              const std::function<void(int minutes)>& begins,
                              const std::function<void(int minutes, const LadderPlace&)>& tell,
                              const std::stop_token& stop) {
    if (!arena::can_place(plan.ladder))
        return base::fail("no player of the ladder can play here, expected one to place the milestones");
    const std::vector<int> all = folder.milestones();
    if (all.empty()) return base::fail("{}: no milestones, expected some to place", folder.root().string());
    for (const int minutes : all) {
        const std::filesystem::path file = folder.milestone(minutes);
        const auto name = name_of(minutes, file);
        if (!name) return std::unexpected(name.error());
        begins(minutes);
        auto placed = place_network(plan, *name, file, stop);
        if (!placed) return std::unexpected(placed.error());
        if (stop.stop_requested()) return {};
        if (!*placed) continue;
        (*placed)->core_seconds = 60.0 * minutes;
        tell(minutes, **placed);
    }
    return {};
}

base::Result<std::vector<LadderPlace>> milestone_places(const LearnFolder& folder) {
    std::vector<LadderPlace> places;
    std::error_code unknown;
    if (!std::filesystem::exists(folder.ladder_games(), unknown)) return places;
    const auto ladder = arena::built_in_ladder();
    if (!ladder) return std::unexpected(ladder.error());
    const auto games = arena::read_ladder_games(folder.ladder_games().string());
    if (!games) return std::unexpected(games.error());
    const arena::ResultPool pool = games->pool();
    for (const int minutes : folder.milestones()) {
        const auto name = name_of(minutes, folder.milestone(minutes));
        if (!name) return std::unexpected(name.error());
        auto place = place_by_games(pool, *ladder, *name);
        if (!place) continue;
        place->core_seconds = 60.0 * minutes;
        places.push_back(*place);
    }
    return places;
}

}  // namespace scholar::learning
