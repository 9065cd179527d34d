#pragma once

#include "cli/command.hpp"

namespace scholar::cli {

// All subcommands of `scholar`, one function and one file each.
void add_bench_command(CLI::App& app, Invocation& invocation);
void add_book_command(CLI::App& app, Invocation& invocation);
void add_games_command(CLI::App& app, Invocation& invocation);
void add_ics_command(CLI::App& app, Invocation& invocation);
void add_match_command(CLI::App& app, Invocation& invocation);
void add_net_command(CLI::App& app, Invocation& invocation);
// Of `scholar net`.
void add_net_explain_command(CLI::App& net, Invocation& invocation);
void add_net_features_command(CLI::App& net, Invocation& invocation);
void add_net_fit_wdl_command(CLI::App& net, Invocation& invocation);
void add_net_new_command(CLI::App& net, Invocation& invocation);
void add_options_command(CLI::App& app, Invocation& invocation);
void add_perft_command(CLI::App& app, Invocation& invocation);
void add_rate_command(CLI::App& app, Invocation& invocation);
void add_suite_command(CLI::App& app, Invocation& invocation);
void add_tablebase_command(CLI::App& app, Invocation& invocation);
void add_train_commands(CLI::App& app, Invocation& invocation);
void add_tune_command(CLI::App& app, Invocation& invocation);

}  // namespace scholar::cli
