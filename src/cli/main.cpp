#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <iostream>
#include <string_view>
#include <utility>

#include "base/interrupt.hpp"
#include "cli/commands.hpp"
#include "cli/engine_options.hpp"
#include "cli/output.hpp"
#include "protocols/session.hpp"
#include "protocols/uci.hpp"
#include "protocols/xboard.hpp"

namespace {

using namespace scholar;

enum class Protocol { Either, Uci, Xboard };

base::Status speak(Protocol protocol, const std::vector<std::string>& settings) {
    auto engine = cli::make_engine(settings);
    if (!engine) return std::unexpected(engine.error());
    std::ios::sync_with_stdio(false);
    // Reading would flush the output from the reading thread, while another one writes to it.
    std::cin.tie(nullptr);
    switch (protocol) {
        case Protocol::Either:
            protocols::run_session(**engine, std::cin, std::cout);
            break;
        case Protocol::Uci:
            protocols::run_uci(**engine, std::cin, std::cout);
            break;
        case Protocol::Xboard:
            protocols::run_xboard(**engine, std::cin, std::cout);
            break;
    }
    if (!std::cout.flush()) return base::fail("standard output: cannot write");
    return {};
}

struct Outcome {
    base::Status status;
    bool interrupted = false;
};

// fmt::print throws where it cannot write, and memory may end: no reason to end without a word.
base::Status guarded(const std::function<base::Status()>& work) try {
    return work();
} catch (const std::exception& error) {
    return base::fail("{}", error.what());
}

Outcome run(const cli::Invocation& invocation, Protocol protocol, const std::vector<std::string>& settings) {
    if (invocation.become) return {guarded(invocation.become), false};
    if (!invocation.run) return {guarded([&] { return speak(protocol, settings); }), false};
    const base::Interrupt interrupt;
    auto status = guarded([&] { return invocation.run(interrupt.token()); });
    return {std::move(status), interrupt.token().stop_requested()};
}

// One line, on standard error if that can be written to.
int report(int exit_code, std::string_view message) {
    std::fputs(fmt::format("scholar: {}\n", message).c_str(), stderr);
    return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
    cli::CommandLine command_line{
        "Scholar: a chess engine that learns, and the laboratory in which it learns.\n"
        "Without a subcommand it speaks UCI or the xboard protocol, for a chess GUI.",
        "scholar"};
    command_line.set_version("Scholar " SCHOLAR_VERSION);
    command_line.set_column_width(32);
    const cli::Command app = command_line.command();
    app.require_subcommand(0, 1);

    cli::Invocation invocation;
    cli::add_train_commands(app, invocation);
    cli::add_games_command(app, invocation);
    cli::add_book_command(app, invocation);
    cli::add_tablebase_command(app, invocation);
    cli::add_net_command(app, invocation);
    cli::add_selfplay_command(app, invocation);
    cli::add_nodes_command(app, invocation);
    cli::add_match_command(app, invocation);
    cli::add_compare_command(app, invocation);
    cli::add_ics_command(app, invocation);
    cli::add_rate_command(app, invocation);
    cli::add_suite_command(app, invocation);
    cli::add_analyse_command(app, invocation);
    cli::add_tune_command(app, invocation);
    cli::add_perft_command(app, invocation);
    cli::add_bench_command(app, invocation);
    cli::add_options_command(app, invocation);
    const cli::EngineSettings settings = cli::add_engine_settings(app);
    Protocol protocol = Protocol::Either;
    const auto add_protocol = [&](Protocol which, const char* name, const char* help) {
        const cli::Command command = app.add_subcommand(name, help);
        command.fallthrough();  // to --option
        command.callback([&protocol, &invocation, which] {
            protocol = which;
            invocation.run = nullptr;
        });
    };
    add_protocol(Protocol::Uci, "uci", "Speak UCI on standard input and output");
    add_protocol(Protocol::Xboard, "xboard", "Speak the xboard protocol on standard input and output");

    const auto read = command_line.parse(argc, argv);
    if (!read) return report(2, fmt::format("{}; see --help", read.error().message));
    if (*read == cli::CommandLine::Read::Answered)
        invocation.run = [](const std::stop_token&) { return base::Status(); };
    else if ((invocation.run || invocation.become) && !settings->empty())
        return report(2,
                      "--option before a subcommand, expected it alone or after analyse, bench, ics, nodes, "
                      "selfplay, uci or "
                      "xboard; see --help");

    auto [status, interrupted] = run(invocation, protocol, *settings);
    // What went to standard output is the result: where that is lost, the command has failed.
    const auto flushed = cli::flush_output();
    if (status || std::ferror(stdout) != 0) status = flushed;
    const int exit_code = interrupted ? base::kInterruptedStatus : status ? invocation.exit_code : 1;
    return status ? exit_code : report(exit_code, status.error().message);
}
