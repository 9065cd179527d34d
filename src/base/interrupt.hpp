#pragma once

#include <array>
#include <csignal>
#include <stop_token>
#include <thread>

namespace scholar::base {

// What a program exits with after it was interrupted, whatever it did before it ended: as a shell reports
// Ctrl-C.
inline constexpr int kInterruptedStatus = 130;

// Ctrl-C (SIGINT), SIGTERM, and SIGHUP, which comes where a terminal is closed.
inline constexpr std::array kInterrupts{SIGINT, SIGTERM, SIGHUP};

// These signals as a stop token: long work asks it between steps, leaves something to resume and ends
// cleanly. A second signal, if it does not come with the first, ends the process at once. Signals that were
// ignored when the process began (nohup, the background of a shell without job control) stay ignored. One
// instance a process, made by main().
class Interrupt {
  public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    // Nothing but a signal asks it to stop.
    std::stop_token token() const { return source_.get_token(); }

  private:
    sigset_t watched_{};
    sigset_t blocked_before_{};
    std::array<struct sigaction, kInterrupts.size()> handled_before_{};
    std::stop_source source_;
    std::jthread waiter_;
};

}  // namespace scholar::base
