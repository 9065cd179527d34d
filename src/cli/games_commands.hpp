#pragma once

#include "cli/command.hpp"

// The subcommands of `scholar games`, one file each (games_import.cpp and so on).

namespace scholar::cli {

void add_games_read(Command games, Invocation& invocation);
void add_games_import(Command games, Invocation& invocation);
void add_games_info(Command games, Invocation& invocation);
void add_games_stats(Command games, Invocation& invocation);
void add_games_check(Command games, Invocation& invocation);
void add_games_sample(Command games, Invocation& invocation);
void add_games_export(Command games, Invocation& invocation);
void add_games_merge(Command games, Invocation& invocation);
void add_games_dedup(Command games, Invocation& invocation);
void add_games_positions(Command games, Invocation& invocation);
void add_games_label(Command games, Invocation& invocation);

}  // namespace scholar::cli
