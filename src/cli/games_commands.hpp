#pragma once

#include <CLI/CLI.hpp>

#include "cli/command.hpp"

// The subcommands of `scholar games`, one file each (games_import.cpp and so on).

namespace scholar::cli {

void add_games_read(CLI::App& games, Invocation& invocation);
void add_games_import(CLI::App& games, Invocation& invocation);
void add_games_info(CLI::App& games, Invocation& invocation);
void add_games_stats(CLI::App& games, Invocation& invocation);
void add_games_check(CLI::App& games, Invocation& invocation);
void add_games_sample(CLI::App& games, Invocation& invocation);
void add_games_export(CLI::App& games, Invocation& invocation);
void add_games_merge(CLI::App& games, Invocation& invocation);
void add_games_dedup(CLI::App& games, Invocation& invocation);

}  // namespace scholar::cli
