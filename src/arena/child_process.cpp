#include "arena/child_process.hpp"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/write.hpp>
#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/extend.hpp>
#include <boost/process/posix.hpp>
#include <boost/process/start_dir.hpp>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "arena/line_listener.hpp"
#include "arena/pipe.hpp"
#include "arena/process_group.hpp"
#include "base/interrupt.hpp"

namespace scholar::arena {

namespace {

namespace asio = boost::asio;
namespace bp = boost::process;
using namespace std::chrono_literals;

// A line longer than this is broken up: a program that never ends its line must not fill our memory.
constexpr std::size_t kLongestLine = 1 << 16;

// Blocks SIGPIPE in this thread while we write, and takes back the one that our write may have raised: a
// program that died must not end us, and the process's own handling is not ours to change.
class PipeSignalGuard {
  public:
    PipeSignalGuard() {
        sigemptyset(&set_);
        sigaddset(&set_, SIGPIPE);
        sigset_t pending;
        sigpending(&pending);
        was_pending_ = sigismember(&pending, SIGPIPE) == 1;
        pthread_sigmask(SIG_BLOCK, &set_, &old_);
    }
    ~PipeSignalGuard() {
        const timespec at_once{0, 0};
        if (!was_pending_) sigtimedwait(&set_, nullptr, &at_once);
        pthread_sigmask(SIG_SETMASK, &old_, nullptr);
    }
    PipeSignalGuard(const PipeSignalGuard&) = delete;
    PipeSignalGuard& operator=(const PipeSignalGuard&) = delete;

  private:
    sigset_t set_;
    sigset_t old_;
    bool was_pending_ = false;
};

// Undone in the child between fork and exec: our blocked signals (a child that cannot be terminated) and what
// we do with them, and our process group. And it is to be killed with the thread that started it. Only calls
// that are safe between fork and exec in a process with threads.
struct DetachFromParent : bp::extend::handler {
    explicit DetachFromParent(pid_t process_group) : group(process_group) {}

    pid_t parent = ::getpid();
    pid_t group;

    template <class Executor>
    void on_exec_setup(Executor&) const {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) ::_exit(1);  // it died before we asked
        for (const int signal : base::kInterrupts) {
            struct sigaction action{};
            if (::sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN)
                ::signal(signal, SIG_DFL);
        }
        sigset_t none;
        sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        if (::setpgid(0, group) != 0) ::_exit(1);  // where nothing would end it with us
    }
};

bool may_be_run(const std::filesystem::path& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

// (Boost's own search would need its filesystem library linked.)
base::Result<std::string> find_program(const std::string& program,
                                       const std::vector<std::string>& more_folders) {
    if (program.find('/') != std::string::npos) {
        // Absolute, because the child changes its directory before the program replaces it.
        std::error_code error;
        const auto path = std::filesystem::absolute(program, error);
        if (error || !std::filesystem::exists(path, error))
            return base::fail("there is no program '{}'", program);
        if (!may_be_run(path)) return base::fail("'{}' is not a program that may be run", program);
        return path.string();
    }
    const char* variable = std::getenv("PATH");
    const std::string_view path = variable != nullptr ? variable : "/usr/local/bin:/usr/bin:/bin";
    std::vector<std::string> folders;
    for (std::size_t begin = 0; begin <= path.size();) {
        const auto end = std::min(path.find(':', begin), path.size());
        folders.emplace_back(end > begin ? path.substr(begin, end - begin) : ".");
        begin = end + 1;
    }
    folders.insert(folders.end(), more_folders.begin(), more_folders.end());
    for (const std::filesystem::path folder : folders)
        if (may_be_run(folder / program)) return std::filesystem::absolute(folder / program).string();
    return base::fail("there is no program '{}' in PATH", program);
}

base::Result<std::string> find_program(const std::vector<std::string>& command,
                                       const std::vector<std::string>& more_folders) {
    if (command.empty() || command.front().empty())
        return base::fail("the command is empty, expected a program");
    return find_program(command.front(), more_folders);
}

struct ChildProcess::State {
    explicit State(ProcessGroup process_group) : group(std::move(process_group)) {}

    ProcessGroup group;
    asio::io_context io;
    asio::posix::stream_descriptor input{io};   // ours to write
    asio::posix::stream_descriptor output{io};  // ours to read
    bp::child child;
    std::optional<LineListener> errors;

    std::array<char, 1 << 14> chunk{};
    std::string received;
    std::size_t given = 0;     // of it, given out
    std::size_t searched = 0;  // of it, without a newline
    bool reading = false;      // a read is under way
    bool closed = false;

    void start_reading() {
        reading = true;
        output.async_read_some(asio::buffer(chunk),
                               [this](const boost::system::error_code& error, std::size_t size) {
                                   reading = false;
                                   received.erase(0, given);
                                   searched -= given;
                                   given = 0;
                                   received.append(chunk.data(), size);
                                   if (error) closed = true;
                               });
    }

    bool take_line(std::string& line) {
        auto end = received.find('\n', searched);
        searched = received.size();
        if (end == std::string::npos) {
            const std::size_t left = received.size() - given;
            if (left < kLongestLine && (!closed || left == 0)) return false;
            end = received.size();
        }
        line.assign(received, given, end - given);
        if (line.ends_with('\r')) line.pop_back();
        given = std::min(end + 1, received.size());
        searched = given;
        return true;
    }
};

ChildProcess::ChildProcess(std::unique_ptr<State> state) : state_(std::move(state)) {}
ChildProcess::ChildProcess(ChildProcess&&) noexcept = default;

ChildProcess::~ChildProcess() {
    if (!state_) return;
    state_->group.signal(SIGKILL);
    std::error_code error;
    if (state_->child.valid()) state_->child.wait(error);
}

base::Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& command,
                                               const std::string& directory,
                                               std::function<void(std::string_view)> on_error) {
    const auto program = find_program(command);
    if (!program) return std::unexpected(program.error());
    std::error_code error;
    if (!directory.empty() && !std::filesystem::is_directory(directory, error))
        return base::fail("there is no folder '{}' to start it in", directory);

    // The library throws where it gets no descriptor.
    try {
        // The library waits on a pipe of its own for the child's exec, which whatever another thread starts
        // at the same moment would hold open: a program, or the guard of its group.
        static std::mutex one_at_a_time;
        const std::scoped_lock lock(one_at_a_time);
        auto group = ProcessGroup::start();
        if (!group) return base::fail("'{}' did not start: {}", *program, group.error().message);
        auto state = std::make_unique<State>(std::move(*group));
        Pipe to_child, from_child, errors;
        if (!to_child.open() || !from_child.open() || (on_error && !errors.open()))
            return base::fail("'{}' did not start: no pipe to it: {}", *program, std::strerror(errno));
        if (!on_error) errors.write_end = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (errors.write_end < 0)
            return base::fail("'{}' did not start: /dev/null: {}", *program, std::strerror(errno));
        state->child = bp::child(
            bp::exe = *program, bp::args = std::vector(command.begin() + 1, command.end()),
            bp::start_dir = directory.empty() ? std::string(".") : directory,
            bp::posix::fd.bind(STDIN_FILENO, to_child.read_end),
            bp::posix::fd.bind(STDOUT_FILENO, from_child.write_end),
            bp::posix::fd.bind(STDERR_FILENO, errors.write_end), DetachFromParent{state->group.id()}, error);
        if (error) return base::fail("'{}' did not start: {}", *program, error.message());
        state->input.assign(to_child.take_write_end());
        state->output.assign(from_child.take_read_end());
        if (on_error) state->errors.emplace(errors.take_read_end(), std::move(on_error));
        return ChildProcess(std::move(state));
    } catch (const std::exception& exception) {
        return base::fail("'{}' did not start: {}", *program, exception.what());
    }
}

void allow_many_files() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    // No further than any match needs: some programs walk through all descriptors that they might have.
    limit.rlim_cur = std::max(limit.rlim_cur, std::min<rlim_t>(limit.rlim_max, 1 << 16));
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

bool ChildProcess::write_line(std::string_view line, Clock::time_point deadline) {
    const PipeSignalGuard guard;
    const std::string text = std::string(line) + "\n";
    bool done = false;
    bool sent = false;
    asio::async_write(state_->input, asio::buffer(text),
                      [&](const boost::system::error_code& error, std::size_t) {
                          done = true;
                          sent = !error;
                      });
    state_->io.restart();
    while (!done && state_->io.run_one_until(deadline) > 0) {
    }
    if (!done) {
        // The handler refers to this frame: it has to run, cancelled, before we leave.
        state_->input.cancel();
        while (!done) {
            state_->io.restart();
            state_->io.run_one();
        }
        return false;
    }
    return sent;
}

ChildProcess::Read ChildProcess::read_line(std::string& line, Clock::time_point deadline) {
    while (true) {
        if (state_->take_line(line)) return Read::Line;
        if (state_->closed) return Read::Closed;
        if (!state_->reading) state_->start_reading();
        state_->io.restart();
        if (state_->io.run_one_until(deadline) == 0) return Read::Timeout;
    }
}

bool ChildProcess::running() {
    std::error_code error;
    return state_->child.valid() && state_->child.running(error);
}

bool ChildProcess::wait(Clock::time_point deadline) {
    while (running()) {
        if (Clock::now() >= deadline) return false;
        std::this_thread::sleep_for(2ms);
    }
    return true;
}

std::string ChildProcess::describe_end() {
    if (!wait(Clock::now() + 200ms)) return "closed its output";
    const int status = state_->child.native_exit_code();
    if (WIFSIGNALED(status))
        return fmt::format("killed by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
    return fmt::format("ended with exit status {}", WEXITSTATUS(status));
}

void ChildProcess::signal_group(int signal) {
    state_->group.signal(signal);
}

}  // namespace scholar::arena
