#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace scholar::base {

// What is made of the numbers first, first + 1, …, `count` of them, in so many threads, and handed over in
// this order in the caller's thread. `make` gets the number of the worker that it is called in, from 0; where
// it makes nothing, or `take` says that it has enough, the rest is left. Gives how many were handed over.
template <class Item>
std::uint64_t in_order(int workers, std::uint64_t first, std::uint64_t count,
                       const std::function<std::optional<Item>(int worker, std::uint64_t number)>& make,
                       const std::function<bool(Item&&)>& take) {
    std::uint64_t taken = 0;
    if (workers <= 1) {
        for (; taken < count; ++taken) {
            std::optional<Item> item = make(0, first + taken);
            if (!item || !take(std::move(*item))) break;
        }
        return taken;
    }
    std::mutex mutex;
    std::condition_variable finished;
    std::map<std::uint64_t, Item> waiting;  // for those with smaller numbers
    std::atomic<std::uint64_t> next = first;
    std::atomic<bool> ended = false;
    int working = workers;
    std::vector<std::jthread> threads;
    threads.reserve(static_cast<std::size_t>(workers));
    for (int worker = 0; worker < workers; ++worker)
        threads.emplace_back([&, worker] {
            while (!ended) {
                const std::uint64_t number = next++;
                if (number >= first + count) break;
                std::optional<Item> item = make(worker, number);
                if (!item) break;
                const std::scoped_lock lock(mutex);
                waiting.emplace(number, std::move(*item));
                finished.notify_one();
            }
            ended = true;
            const std::scoped_lock lock(mutex);
            --working;
            finished.notify_one();
        });
    std::unique_lock lock(mutex);
    while (taken < count) {
        finished.wait(lock, [&] { return waiting.contains(first + taken) || working == 0; });
        const auto found = waiting.find(first + taken);
        if (found == waiting.end()) break;
        Item item = std::move(found->second);
        waiting.erase(found);
        lock.unlock();
        const bool more = take(std::move(item));
        lock.lock();
        if (!more) break;
        ++taken;
    }
    ended = true;
    return taken;
}

}  // namespace scholar::base
