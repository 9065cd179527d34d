#include "base/interrupt.hpp"

#include <csignal>
#include <cstdlib>

namespace scholar::base {

namespace {

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
        int received = 0;
        while (true) {
            const int signal = sigwaitinfo(&signals, nullptr);
            if (end.stop_requested()) return;
            if (signal <= 0) continue;
            if (++received > 1) std::_Exit(128 + signal);
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
