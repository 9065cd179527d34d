#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace scholar::search::mcts {

// Threads that do the same piece of work beside whoever gives it, and sleep in between.
class Crew {
  public:
    // With the caller so many. Where no more threads are to be had, there are fewer.
    explicit Crew(std::size_t size);
    ~Crew();
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    // work(0) here and work(1), … in the others; returns when all have.
    void run(const std::function<void(std::size_t)>& work);

  private:
    void help(std::size_t number);

    std::mutex mutex_;
    std::condition_variable begins_;
    std::condition_variable ends_;
    const std::function<void(std::size_t)>* work_ = nullptr;
    std::uint64_t round_ = 0;
    std::size_t busy_ = 0;
    bool leaves_ = false;
    std::vector<std::jthread> helpers_;  // the last: they end before what they use
};

}  // namespace scholar::search::mcts
