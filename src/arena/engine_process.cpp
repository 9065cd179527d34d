#include "arena/engine_process.hpp"

#include <csignal>
#include <filesystem>

namespace scholar::arena {

namespace {

using namespace std::chrono_literals;

}  // namespace

EngineProcess::EngineProcess(ChildProcess child, std::string name, const PlayerPatience& patience)
    : child_(std::make_unique<ChildProcess>(std::move(child))), name_(std::move(name)), patience_(patience) {}

EngineProcess::~EngineProcess() {
    if (!child_ || !child_->running()) return;
    send("quit");
    if (child_->wait(Clock::now() + patience_.quit)) return;
    child_->signal_group(SIGTERM);
    child_->wait(Clock::now() + patience_.quit);
    // What is then left is killed by the ChildProcess.
}

base::Result<EngineProcess> EngineProcess::start(const EngineConfig& config, const PlayerPatience& patience) {
    std::string name = config.name;
    if (name.empty() && !config.command.empty())
        name = std::filesystem::path(config.command.front()).filename().string();
    auto child = ChildProcess::start(config.command, config.directory);
    if (!child) return base::fail_in("engine " + name, child.error());
    return EngineProcess(std::move(*child), std::move(name), patience);
}

bool EngineProcess::send(std::string_view line) {
    return child_->write_line(line, Clock::now() + 2s);
}

std::string EngineProcess::describe(Heard heard, std::string_view awaited, std::chrono::milliseconds waited) {
    if (heard == Heard::Closed) return child_->describe_end();
    return fmt::format("no {} within {:.3g} s", awaited, std::chrono::duration<double>(waited).count());
}

}  // namespace scholar::arena
