#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "arena/child_process.hpp"
#include "arena/engine_trace.hpp"
#include "arena/player.hpp"

namespace scholar::arena {

// The process behind an engine, whatever its protocol: what it is called in messages, what it may say, how
// it is ended.
class EngineProcess {
  public:
    using Clock = ChildProcess::Clock;

    // Names it as configured, else as its program.
    static base::Result<EngineProcess> start(const EngineConfig& config, const PlayerPatience& patience);
    EngineProcess(EngineProcess&&) noexcept = default;
    EngineProcess& operator=(EngineProcess&&) = delete;
    // "quit", then SIGTERM, then SIGKILL, to the engine and what it started.
    ~EngineProcess();

    const std::string& name() const { return name_; }
    void set_name(std::string name) { name_ = std::move(name); }
    const PlayerPatience& patience() const { return patience_; }

    // False: it does not read, or has ended.
    bool send(std::string_view line);

    using Heard = ChildProcess::Read;
    Heard read(std::string& line, Clock::time_point deadline) {
        const auto heard = child_->read_line(line, deadline);
        if (heard == Heard::Line) voice_.said(line);
        return heard;
    }

    // Why a wait for `awaited` ended without it.
    std::string describe(Heard heard, std::string_view awaited, std::chrono::milliseconds waited);
    std::string describe_end() { return child_->describe_end(); }
    bool running() { return child_->running(); }

    // Reads the lines of a search that began at `begin` until `on_line` answers true, or else fills in the
    // reply's answer and detail: the engine ended, its patience did, it says more than any search has to say,
    // or a stop was requested. The elapsed time in any case.
    template <class OnLine>
    void await(Reply& reply, std::string_view awaited, std::chrono::milliseconds patience,
               Clock::time_point begin, const std::stop_token& stop, OnLine on_line);

  private:
    EngineProcess(ChildProcess child, EngineVoice voice, std::string name, const PlayerPatience& patience);
    void hear_last_words();

    EngineVoice voice_;
    std::unique_ptr<ChildProcess> child_;
    std::string name_;
    PlayerPatience patience_;

    // What one search may say: the most talkative engines stay under a hundredth of this.
    static constexpr std::size_t kFloodBytes = 16 << 20;
    static constexpr std::size_t kFloodBytesPerSecond = 8 << 20;
};

template <class OnLine>
void EngineProcess::await(Reply& reply, std::string_view awaited, std::chrono::milliseconds patience,
                          Clock::time_point begin, const std::stop_token& stop, OnLine on_line) {
    // Time to wait for a line before the stop token is asked again.
    constexpr auto kSlice = std::chrono::milliseconds(50);
    const auto deadline = begin + patience;
    std::string line;
    std::size_t said = 0;
    while (true) {
        const auto heard = read(line, std::min(deadline, Clock::now() + kSlice));
        reply.elapsed = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);
        if (heard == Heard::Closed) {
            reply.answer = Answer::Crash;
            reply.detail = describe_end();
            return;
        }
        if (stop.stop_requested()) {
            reply.answer = Answer::Stopped;
            return;
        }
        if (heard == Heard::Line) {
            if (on_line(std::string_view(line))) return;
            said += line.size() + 1;
            const auto seconds = static_cast<std::size_t>(reply.elapsed.count() / 1'000'000);
            if (said > kFloodBytes + seconds * kFloodBytesPerSecond) {
                reply.answer = Answer::Flood;
                reply.detail = fmt::format("{} MiB of output and no {}", said >> 20, awaited);
                return;
            }
        }
        // Other lines are tolerated, but not for ever.
        if (Clock::now() >= deadline) {
            reply.answer = Answer::Stall;
            reply.detail = describe(Heard::Timeout, awaited, patience);
            return;
        }
    }
}

}  // namespace scholar::arena
