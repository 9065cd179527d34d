#include "base/interrupt.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>

namespace scholar::base {

namespace {

using Clock = std::chrono::steady_clock;

// timeout(1), and shells, may send one to a process and to its group.
constexpr std::chrono::milliseconds kTogether{300};

sigset_t watched_signals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

}  // namespace

// The signals are blocked in every thread (they inherit this one's mask) and taken by one that waits for
// them, so that no code runs inside a signal handler.
Interrupt::Interrupt() {
    const sigset_t set = watched_signals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    waiter_ = std::jthread([this](const std::stop_token& end) {
        const sigset_t signals = watched_signals();
        std::optional<Clock::time_point> stopping;
        while (true) {
            const int signal = sigwaitinfo(&signals, nullptr);
            if (end.stop_requested()) return;
            if (signal <= 0) continue;
            const auto now = Clock::now();
            if (stopping && now - *stopping < kTogether) continue;
            if (stopping) std::_Exit(128 + signal);
            stopping = now;
            source_.request_stop();
        }
    });
}

Interrupt::~Interrupt() {
    waiter_.request_stop();
    // To the waiting thread alone, so that it wakes and sees that it is over.
    pthread_kill(waiter_.native_handle(), SIGINT);
    waiter_.join();
    const sigset_t set = watched_signals();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace scholar::base
