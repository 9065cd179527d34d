#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <utility>

namespace scholar::protocols {

// What happens elsewhere, in the order in which it happened, for one thread to deal with.
template <class Event>
class EventQueue {
  public:
    void push(Event event) {
        {
            const std::lock_guard lock(mutex_);
            events_.push_back(std::move(event));
        }
        there_is_one_.notify_one();
    }
    // How many wait.
    std::size_t size() {
        const std::lock_guard lock(mutex_);
        return events_.size();
    }
    // Waits for one.
    Event pop() {
        std::unique_lock lock(mutex_);
        there_is_one_.wait(lock, [this] { return !events_.empty(); });
        Event event = std::move(events_.front());
        events_.pop_front();
        return event;
    }

  private:
    std::mutex mutex_;
    std::condition_variable there_is_one_;
    std::deque<Event> events_;
};

}  // namespace scholar::protocols
