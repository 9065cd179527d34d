#include "arena/engine_process.hpp"

#include <csignal>
#include <filesystem>

namespace scholar::arena {

namespace {

using namespace std::chrono_literals;

}  // namespace

EngineProcess::EngineProcess(ChildProcess child, EngineVoice voice, std::string name,
                             const PlayerPatience& patience)
    : voice_(std::move(voice)),
      child_(std::make_unique<ChildProcess>(std::move(child))),
      name_(std::move(name)),
      patience_(patience) {}

EngineProcess::~EngineProcess() {
    if (!child_) return;
    if (child_->running()) {
        send("quit");
        if (!child_->wait(Clock::now() + patience_.quit)) {
            child_->signal_group(SIGTERM);
            child_->wait(Clock::now() + patience_.quit);
        }
    }
    if (voice_) hear_last_words();
    // What is left of its group is killed by the ChildProcess.
}

void EngineProcess::hear_last_words() {
    std::string line;
    // Not for ever: there may be no end of them.
    for (int lines = 0; lines < 1000 && read(line, Clock::now() + 10ms) == Heard::Line; ++lines) {
    }
    if (!child_->running()) voice_.said_as_error("(" + child_->describe_end() + ")");
}

base::Result<EngineProcess> EngineProcess::start(const EngineConfig& config, const PlayerPatience& patience) {
    std::string name = config.name;
    if (name.empty() && !config.command.empty())
        name = std::filesystem::path(config.command.front()).filename().string();
    const EngineVoice voice(config.trace, name);
    std::function<void(std::string_view)> on_error;
    if (voice) on_error = [voice](std::string_view line) { voice.said_as_error(line); };
    auto child = ChildProcess::start(config.command, config.directory, std::move(on_error));
    if (!child) return base::fail_in("engine " + name, child.error());
    return EngineProcess(std::move(*child), voice, std::move(name), patience);
}

bool EngineProcess::send(std::string_view line) {
    voice_.told(line);
    return child_->write_line(line, Clock::now() + 2s);
}

std::string EngineProcess::describe(Heard heard, std::string_view awaited, std::chrono::milliseconds waited) {
    if (heard == Heard::Closed) return child_->describe_end();
    return fmt::format("no {} within {:.3g} s", awaited, std::chrono::duration<double>(waited).count());
}

}  // namespace scholar::arena
