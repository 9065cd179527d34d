#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace scholar::arena {

// The path of a program, as a shell finds it: one without '/' is looked for in PATH, then in `more_folders`.
base::Result<std::string> find_program(const std::string& program,
                                       const std::vector<std::string>& more_folders = {});

// The path of the program that a command begins with; also refused if the command has no word.
base::Result<std::string> find_program(const std::vector<std::string>& command,
                                       const std::vector<std::string>& more_folders = {});

// Raises this process's limit of open files, which programs that it starts inherit, as far as it may and a
// match can need: an engine takes five or so.
void allow_many_files();

// A program that we talk to in lines, through its standard input and output. It runs in a process group of
// its own (arena/process_group.hpp): a Ctrl-C on the terminal reaches us and not it, and it ends with us
// together with all that it started, even if we are killed. Besides, it is killed when the thread that
// started it ends. For one thread at a time.
class ChildProcess {
  public:
    using Clock = std::chrono::steady_clock;

    // `directory` empty: this process's own. A program without '/' is looked for in PATH. `on_error` hears
    // the lines of its standard error, from a thread of its own; without it they are discarded.
    static base::Result<ChildProcess> start(const std::vector<std::string>& command,
                                            const std::string& directory,
                                            std::function<void(std::string_view)> on_error = {});
    ChildProcess(ChildProcess&&) noexcept;
    ChildProcess& operator=(ChildProcess&&) = delete;
    // Kills what still runs, in the whole group.
    ~ChildProcess();

    // Sends the line and a newline. False: the program does not read, or has ended. Never raises SIGPIPE.
    bool write_line(std::string_view line, Clock::time_point deadline);

    enum class Read { Line, Timeout, Closed };
    // The next line, without its end ("\n" or "\r\n").
    Read read_line(std::string& line, Clock::time_point deadline);

    bool running();
    // "ended with exit status 3", "killed by signal 11 (Segmentation fault)", or "closed its output".
    std::string describe_end();
    // Waits until it has ended by itself.
    bool wait(Clock::time_point deadline);
    // SIGTERM or SIGKILL to its process group.
    void signal_group(int signal);

  private:
    struct State;
    explicit ChildProcess(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace scholar::arena
