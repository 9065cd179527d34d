#include <fmt/format.h>
#include <iostream>

#include "base/interrupt.hpp"
#include "cli/commands.hpp"
#include "engine/engine.hpp"
#include "protocols/uci.hpp"

namespace {

using namespace scholar;

base::Status speak_uci() {
    auto engine = engine::Engine::create();
    if (!engine) return std::unexpected(engine.error());
    std::ios::sync_with_stdio(false);
    protocols::run_uci(**engine, std::cin, std::cout);
    return {};
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{
        "Scholar: a chess engine that learns, and the laboratory in which it learns.\n"
        "Without a subcommand it speaks UCI, for a chess GUI."};
    app.set_version_flag("--version", "Scholar " SCHOLAR_VERSION);
    app.require_subcommand(0, 1);
    app.get_formatter()->column_width(32);

    cli::Invocation invocation;
    cli::add_train_command(app, invocation);
    cli::add_games_command(app, invocation);
    cli::add_book_command(app, invocation);
    cli::add_tablebase_command(app, invocation);
    cli::add_net_command(app, invocation);
    cli::add_match_command(app, invocation);
    cli::add_suite_command(app, invocation);
    cli::add_perft_command(app, invocation);
    cli::add_bench_command(app, invocation);
    CLI::App* uci = app.add_subcommand("uci", "Speak UCI on standard input and output (the default)");
    uci->callback([&] { invocation.run = nullptr; });

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);
        fmt::print(stderr, "scholar: {}\nRun with --help for more information.\n", error.what());
        return 2;
    }

    base::Status status;
    if (invocation.run) {
        const base::Interrupt interrupt;
        status = invocation.run(interrupt.token());
    } else {
        status = speak_uci();
    }
    if (!status) {
        fmt::print(stderr, "scholar: {}\n", status.error().message);
        return 1;
    }
    return 0;
}
