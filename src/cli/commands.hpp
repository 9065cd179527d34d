#pragma once

#include "cli/command.hpp"

namespace scholar::cli {

// All subcommands of `scholar`, one function and one file each.
void add_analyse_command(Command app, Invocation& invocation);
void add_bench_command(Command app, Invocation& invocation);
void add_book_command(Command app, Invocation& invocation);
void add_games_command(Command app, Invocation& invocation);
void add_ics_command(Command app, Invocation& invocation);
void add_match_command(Command app, Invocation& invocation);
void add_compare_command(Command app, Invocation& invocation);
void add_net_command(Command app, Invocation& invocation);
// Of `scholar net`.
void add_net_explain_command(Command net, Invocation& invocation);
void add_net_export_command(Command net, Invocation& invocation);
void add_net_features_command(Command net, Invocation& invocation);
void add_net_fit_wdl_command(Command net, Invocation& invocation);
void add_net_new_command(Command net, Invocation& invocation);
void add_nodes_command(Command app, Invocation& invocation);
void add_options_command(Command app, Invocation& invocation);
void add_perft_command(Command app, Invocation& invocation);
void add_rate_command(Command app, Invocation& invocation);
void add_selfplay_command(Command app, Invocation& invocation);
void add_suite_command(Command app, Invocation& invocation);
// Of `scholar suite`.
void add_suite_moves(Command suite, Invocation& invocation);
void add_tablebase_command(Command app, Invocation& invocation);
void add_train_commands(Command app, Invocation& invocation);
void add_tune_command(Command app, Invocation& invocation);

}  // namespace scholar::cli
