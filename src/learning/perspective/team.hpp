#pragma once

#include <barrier>
#include <functional>
#include <thread>
#include <vector>

namespace scholar::learning {

// Threads that do the parts of one piece of work side by side and may wait for each other in the middle of
// it, which a parallel loop does not allow. They sleep while there is nothing to do.
class Team {
  public:
    explicit Team(int size) : begin_(size), middle_(size), end_(size) {
        for (int member = 1; member < size; ++member)
            threads_.emplace_back([this, member] {
                while (true) {
                    begin_.arrive_and_wait();
                    if (work_ == nullptr) return;
                    (*work_)(member);
                    end_.arrive_and_wait();
                }
            });
    }
    ~Team() {
        work_ = nullptr;
        if (!threads_.empty()) begin_.arrive_and_wait();
    }
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    int size() const { return static_cast<int>(threads_.size()) + 1; }
    // Calls work(member) for each of 0 … size − 1, the caller being member 0, and returns when all are done.
    void run(const std::function<void(int)>& work) {
        work_ = &work;
        begin_.arrive_and_wait();
        work(0);
        end_.arrive_and_wait();
    }
    // Called by every member within its work, equally often: waits until all others have come as far.
    void meet() { middle_.arrive_and_wait(); }

  private:
    const std::function<void(int)>* work_ = nullptr;
    std::barrier<> begin_;
    std::barrier<> middle_;
    std::barrier<> end_;
    std::vector<std::jthread> threads_;  // the last: they end before what they use
};

}  // namespace scholar::learning
