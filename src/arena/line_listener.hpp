#pragma once

#include <functional>
#include <stop_token>
#include <string_view>
#include <thread>

namespace scholar::arena {

// Reads a pipe in a thread of its own, so that whoever writes to it never waits, and passes on each line.
class LineListener {
  public:
    // Takes the descriptor over. `on_line` is called from that thread.
    LineListener(int descriptor, std::function<void(std::string_view)> on_line);
    // What is in the pipe by now is still passed on.
    ~LineListener();
    LineListener(const LineListener&) = delete;
    LineListener& operator=(const LineListener&) = delete;

  private:
    void listen(const std::stop_token& stop);

    int descriptor_;
    int wake_up_;  // an eventfd; -1: there was none, and the thread looks every now and then
    std::function<void(std::string_view)> on_line_;
    std::jthread thread_;
};

}  // namespace scholar::arena
