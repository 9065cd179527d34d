#pragma once

#include <stop_token>
#include <thread>

namespace scholar::base {

// Ctrl-C (SIGINT) and SIGTERM as a stop token: long work asks it between steps, leaves something to resume
// and ends cleanly. A second signal, if it does not come with the first, ends the process at once. One
// instance a process, made by main().
class Interrupt {
  public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    std::stop_token token() const { return source_.get_token(); }

  private:
    std::stop_source source_;
    std::jthread waiter_;
};

}  // namespace scholar::base
