#include "arena/process_group.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "arena/child_process.hpp"
#include "arena/engine_process.hpp"
#include "support/test_data.hpp"

namespace scholar::arena {
namespace {

using namespace std::chrono_literals;

// A pipe with a name, which tells when all who have it open for writing are gone.
class Witness {
  public:
    explicit Witness(const tests::TemporaryFolder& folder) : path_(folder / "witness") {
        EXPECT_EQ(::mkfifo(path_.c_str(), 0600), 0);
        read_end_ = ::open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    }
    ~Witness() { ::close(read_end_); }
    const std::string& path() const { return path_; }
    // Waits for as long as it takes, within reason.
    bool all_gone() const {
        char byte = 0;
        while (true) {
            pollfd waiting{read_end_, POLLIN, 0};
            if (::poll(&waiting, 1, 20'000) <= 0) return false;
            if (::read(read_end_, &byte, 1) == 0) return true;
        }
    }

  private:
    std::string path_;
    int read_end_;
};

// A script behind which an engine runs that minds neither the end of its input nor a request to end.
std::string wrapper(const Witness& witness, const std::string& then) {
    return "exec 3>'" + witness.path() + "'; (trap '' HUP INT TERM; while :; do sleep 1000; done) & " + then;
}

// Starts the command in a process of its own, hears a line of it, and is killed.
void start_and_be_killed(const std::vector<std::string>& command) {
    std::array<int, 2> heard{};
    ASSERT_EQ(::pipe2(heard.data(), O_CLOEXEC), 0);
    const pid_t process = ::fork();
    ASSERT_GE(process, 0);
    if (process == 0) {
        auto child = ChildProcess::start(command, "");
        std::string line;
        const bool is_there =
            child && child->read_line(line, ChildProcess::Clock::now() + 20s) == ChildProcess::Read::Line;
        static_cast<void>(!::write(heard[1], is_there ? "y" : "n", 1));
        while (true) ::pause();
    }
    char answer = 0;
    EXPECT_EQ(::read(heard[0], &answer, 1), 1);
    EXPECT_EQ(answer, 'y');
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
    for (const int end : heard) ::close(end);
}

TEST(ProcessGroup, AnEngineBehindAScriptDoesNotOutliveUsWhenWeAreKilled) {
    const tests::TemporaryFolder folder;
    const Witness witness(folder);
    start_and_be_killed({"sh", "-c", wrapper(witness, "echo ready; wait")});
    EXPECT_TRUE(witness.all_gone());
}

TEST(ProcessGroup, NorWhenTheScriptHasEndedBefore) {
    const tests::TemporaryFolder folder;
    const Witness witness(folder);
    start_and_be_killed({"sh", "-c", wrapper(witness, "echo ready; exit 0")});
    EXPECT_TRUE(witness.all_gone());
}

TEST(ProcessGroup, WhatAnEngineStartedEndsWithIt) {
    // A script that goes when it is told to, one that is killed, one that ended by itself.
    for (const std::string end : {"while read -r line; do [ \"$line\" = quit ] && exit 0; done",
                                  "trap '' TERM; while :; do sleep 1000; done", "exit 0"}) {
        const tests::TemporaryFolder folder;
        const Witness witness(folder);
        EngineConfig config;
        config.command = {"sh", "-c", wrapper(witness, "echo ready; " + end)};
        {
            auto engine = EngineProcess::start(config, {.quit = 50ms});
            ASSERT_TRUE(engine) << engine.error().message;
            std::string line;
            ASSERT_EQ(engine->read(line, EngineProcess::Clock::now() + 20s), EngineProcess::Heard::Line);
        }
        EXPECT_TRUE(witness.all_gone()) << end;
    }
}

// Whoever starts a program waits for a pipe that a guard which another thread starts must not hold open.
TEST(ProcessGroup, ManyThreadsStartProgramsAtOnce) {
    std::vector<std::jthread> threads;
    std::atomic<int> started = 0;
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([&] {
            for (int j = 0; j < 40; ++j)
                if (ChildProcess::start({"true"}, "")) ++started;
        });
    threads.clear();
    EXPECT_EQ(started, 8 * 40);
}

TEST(ProcessGroup, ItsNumberStaysOursUntilWeLetGo) {
    auto group = ProcessGroup::start();
    ASSERT_TRUE(group) << group.error().message;
    const pid_t id = group->id();
    EXPECT_EQ(::getpgid(id), id);
    EXPECT_NE(::getpgid(0), id);
    // The guard minds no request to end, and even when it is gone its number is not free.
    group->signal(SIGTERM);
    group->signal(SIGINT);
    EXPECT_EQ(::waitpid(id, nullptr, WNOHANG), 0);
    group->signal(SIGKILL);
    siginfo_t info{};
    EXPECT_EQ(::waitid(P_PID, static_cast<id_t>(id), &info, WEXITED | WNOWAIT), 0);
    EXPECT_EQ(::getpgid(id), id);
}

}  // namespace
}  // namespace scholar::arena
