#include "base/interrupt.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>

namespace scholar::base {

namespace {

using Clock = std::chrono::steady_clock;

// timeout(1), and shells, may send one to a process and to its group.
constexpr std::chrono::milliseconds kTogether{300};

constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};

bool is_ignored(int signal) {
    struct sigaction action{};
    return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

// The signals are blocked in every thread (they inherit this one's mask) and taken by one that waits for
// them, so that no code runs inside a signal handler.
Interrupt::Interrupt() {
    sigemptyset(&watched_);
    // Who waits for a signal would get it although it is ignored.
    for (const int signal : kSignals)
        if (!is_ignored(signal)) sigaddset(&watched_, signal);
    pthread_sigmask(SIG_BLOCK, &watched_, &blocked_before_);
    if (sigisemptyset(&watched_) != 0) return;
    waiter_ = std::jthread([this](const std::stop_token& end) {
        std::optional<Clock::time_point> stopping;
        while (true) {
            const int signal = sigwaitinfo(&watched_, nullptr);
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
    if (waiter_.joinable()) {
        waiter_.request_stop();
        // To the waiting thread alone, so that it wakes and sees that it is over.
        for (const int signal : kSignals) {
            if (sigismember(&watched_, signal) != 1) continue;
            pthread_kill(waiter_.native_handle(), signal);
            break;
        }
        waiter_.join();
    }
    pthread_sigmask(SIG_SETMASK, &blocked_before_, nullptr);
}

}  // namespace scholar::base
