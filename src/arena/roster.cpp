#include "arena/roster.hpp"

#include <algorithm>

#include "arena/child_process.hpp"

namespace scholar::arena {

base::Result<TriedOut> try_out(const LadderPlayer& player, const TimeControl& control,
                               std::span<const games::Opening> openings) {
    EngineConfig config = player.config;
    if (!player.version.empty()) config.name.clear();
    const auto started = start_player(config, {});
    if (!started) return std::unexpected(started.error());
    const bool chess960 = std::ranges::any_of(
        openings, [](const games::Opening& opening) { return needs_chess960(opening.start); });
    if (auto status = (*started)->check_terms({chess960, control}); !status)
        return std::unexpected(status.error());
    for (const auto& opening : openings)
        if (auto status = (*started)->check_start(opening.start); !status)
            return std::unexpected(status.error());
    return TriedOut{(*started)->name(), (*started)->options()};
}

base::Result<LadderPlayer> find_player(const Ladder& ladder, LadderPlayer player,
                                       std::span<const games::Opening> openings) {
    if (player.config.protocol != Protocol::Internal) {
        auto& command = player.config.command;
        const auto found = find_program(command, ladder.folders);
        if (!found && command.empty()) return std::unexpected(found.error());
        if (!found) return base::fail("{} is not installed", command.front());
        command.front() = *found;
    }
    const auto tried = try_out(player, ladder.control_of(player), openings);
    if (!tried) return std::unexpected(tried.error());
    if (!tried->name.starts_with(player.version))
        return base::fail("it is {}, expected {}", tried->name, player.version);
    return player;
}

}  // namespace scholar::arena
