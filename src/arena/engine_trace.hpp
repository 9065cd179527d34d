#pragma once

#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace scholar::arena {

// A log of all that passes between engines and us, for whoever wonders what an engine was told and what it
// said. A line each:
//     12.345678 Stockfish_15.1#2 > go nodes 1000
// seconds since the log was opened; the engine's name, with '_' for blanks, and which start of an engine this
// is; '>' told to the engine, '<' heard from it, '!' its standard error; the text, with control characters as
// \xNN. A line heard has the time at which we read it. An engine in this process is not told anything: its
// lines say in UCI's words what it is made to do. For several threads.
class EngineTrace {
  public:
    enum class Direction : char { ToEngine = '>', FromEngine = '<', Error = '!' };

    // Goes on at the end of a file that exists; a line that begins with '#' says when.
    static base::Result<std::shared_ptr<EngineTrace>> open(const std::string& path);
    EngineTrace(const EngineTrace&) = delete;
    EngineTrace& operator=(const EngineTrace&) = delete;
    ~EngineTrace() = default;

    // What the lines of an engine that is started now begin with.
    std::string next_label(std::string_view name);
    void write(std::string_view label, Direction direction, std::string_view text);
    // An error if some line could not be written.
    base::Status status();

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    EngineTrace(std::FILE* file, std::string path) : file_(file), path_(std::move(path)) {}

    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    std::mutex mutex_;  // of all below
    std::unique_ptr<std::FILE, Close> file_;
    std::string path_;
    int starts_ = 0;
    base::Status status_;
};

// Where one engine's lines go; nowhere without a trace.
class EngineVoice {
  public:
    EngineVoice() = default;
    EngineVoice(std::shared_ptr<EngineTrace> trace, std::string_view name) : trace_(std::move(trace)) {
        if (trace_) label_ = trace_->next_label(name);
    }

    explicit operator bool() const { return trace_ != nullptr; }
    void told(std::string_view text) const { write(EngineTrace::Direction::ToEngine, text); }
    void said(std::string_view text) const { write(EngineTrace::Direction::FromEngine, text); }
    void said_as_error(std::string_view text) const { write(EngineTrace::Direction::Error, text); }

  private:
    void write(EngineTrace::Direction direction, std::string_view text) const {
        if (trace_) trace_->write(label_, direction, text);
    }

    std::shared_ptr<EngineTrace> trace_;
    std::string label_;
};

}  // namespace scholar::arena
