#include "cli/commands.hpp"
#include "cli/games_commands.hpp"

namespace scholar::cli {

void add_games_command(Command app, Invocation& invocation) {
    const Command games = app.add_subcommand("games", "Import, inspect, verify and export games");
    games.require_subcommand(1, 1);
    add_games_read(games, invocation);
    add_games_import(games, invocation);
    add_games_positions(games, invocation);
    add_games_info(games, invocation);
    add_games_stats(games, invocation);
    add_games_check(games, invocation);
    add_games_sample(games, invocation);
    add_games_export(games, invocation);
    add_games_merge(games, invocation);
    add_games_dedup(games, invocation);
    add_games_label(games, invocation);
}

}  // namespace scholar::cli
