#include "arena/process_group.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "arena/pipe.hpp"

namespace scholar::arena {

namespace {

// `kill 0` is to the shell's own group.
constexpr const char* kGuard = "trap '' HUP INT QUIT TERM; read -r line; kill -s KILL 0";

struct Attributes {
    posix_spawnattr_t value{};
    Attributes() { ::posix_spawnattr_init(&value); }
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;
    ~Attributes() { ::posix_spawnattr_destroy(&value); }
};

struct FileActions {
    posix_spawn_file_actions_t value{};
    FileActions() { ::posix_spawn_file_actions_init(&value); }
    FileActions(const FileActions&) = delete;
    FileActions& operator=(const FileActions&) = delete;
    ~FileActions() { ::posix_spawn_file_actions_destroy(&value); }
};

}  // namespace

base::Result<ProcessGroup> ProcessGroup::start() {
    Pipe lifeline;
    if (!lifeline.open()) return base::fail("no pipe to its guard: {}", std::strerror(errno));

    Attributes attributes;
    sigset_t none;
    sigemptyset(&none);
    ::posix_spawnattr_setsigmask(&attributes.value, &none);
    ::posix_spawnattr_setpgroup(&attributes.value, 0);
    ::posix_spawnattr_setflags(&attributes.value, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    FileActions files;
    ::posix_spawn_file_actions_adddup2(&files.value, lifeline.read_end, STDIN_FILENO);
    ::posix_spawn_file_actions_addopen(&files.value, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_adddup2(&files.value, STDOUT_FILENO, STDERR_FILENO);

    std::array<std::string, 3> words{"sh", "-c", kGuard};
    const std::array<char*, 4> arguments{words[0].data(), words[1].data(), words[2].data(), nullptr};
    pid_t leader = 0;
    const int error =
        ::posix_spawn(&leader, "/bin/sh", &files.value, &attributes.value, arguments.data(), ::environ);
    if (error != 0) return base::fail("no guard (/bin/sh): {}", std::strerror(error));
    return ProcessGroup(leader, lifeline.take_write_end());
}

ProcessGroup::ProcessGroup(ProcessGroup&& other) noexcept
    : leader_(std::exchange(other.leader_, 0)), lifeline_(std::exchange(other.lifeline_, -1)) {}

ProcessGroup::~ProcessGroup() {
    if (leader_ <= 0) return;
    signal(SIGKILL);
    ::close(lifeline_);
    // Only now may another process have its number.
    while (::waitpid(leader_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

void ProcessGroup::signal(int signal) {
    if (leader_ > 0) ::kill(-leader_, signal);
}

}  // namespace scholar::arena
