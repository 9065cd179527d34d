#include "base/interrupt.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <ucontext.h>
#include <unistd.h>

namespace scholar::base {

namespace {

using Clock = std::chrono::steady_clock;

// timeout(1), and shells, may send one to a process and to its group.
constexpr std::chrono::milliseconds kTogether{300};

bool is_ignored(int signal) {
    struct sigaction action{};
    return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

// A thread that a library started before ours (OpenBLAS does as it is loaded) does not block the signals, and
// the kernel may choose it. From now on it blocks this one as well, which goes to the process once more.
void pass_on(int signal, siginfo_t*, void* context) {
    sigaddset(&static_cast<ucontext_t*>(context)->uc_sigmask, signal);
    ::kill(::getpid(), signal);
}

}  // namespace

// The signals are blocked in every thread that comes later (they inherit this one's mask) and taken by one
// that waits for them, so that nothing else runs inside a signal handler.
Interrupt::Interrupt() {
    sigemptyset(&watched_);
    // Who waits for a signal would get it although it is ignored.
    for (const int signal : kInterrupts)
        if (!is_ignored(signal)) sigaddset(&watched_, signal);
    pthread_sigmask(SIG_BLOCK, &watched_, &blocked_before_);
    struct sigaction passing{};
    passing.sa_sigaction = pass_on;
    passing.sa_flags = SA_SIGINFO | SA_RESTART;
    sigfillset(&passing.sa_mask);
    for (std::size_t i = 0; i < kInterrupts.size(); ++i)
        if (sigismember(&watched_, kInterrupts[i]) == 1)
            ::sigaction(kInterrupts[i], &passing, &handled_before_[i]);
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
        for (const int signal : kInterrupts) {
            if (sigismember(&watched_, signal) != 1) continue;
            pthread_kill(waiter_.native_handle(), signal);
            break;
        }
        waiter_.join();
    }
    for (std::size_t i = 0; i < kInterrupts.size(); ++i)
        if (sigismember(&watched_, kInterrupts[i]) == 1)
            ::sigaction(kInterrupts[i], &handled_before_[i], nullptr);
    pthread_sigmask(SIG_SETMASK, &blocked_before_, nullptr);
}

}  // namespace scholar::base
