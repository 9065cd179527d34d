#pragma once

#include <atomic>

// Numbers in a tree that several threads read and change at once. Where no thread but one is at work, they
// are plain numbers.

namespace scholar::search::mcts {

template <class T>
T load(const T& shared, std::memory_order order = std::memory_order_relaxed) {
    // Only the reference is not constant: nothing is written.
    return std::atomic_ref<T>(const_cast<T&>(shared)).load(order);
}
template <class T>
void store(T& shared, T value, std::memory_order order = std::memory_order_relaxed) {
    std::atomic_ref<T>(shared).store(value, order);
}
template <class T>
void add(T& shared, T more) {
    std::atomic_ref<T>(shared).fetch_add(more, std::memory_order_relaxed);
}
// Puts `value` in place of `expected`; false, and nothing has changed, where another thread was quicker.
template <class T>
bool replace(T& shared, T expected, T value) {
    return std::atomic_ref<T>(shared).compare_exchange_strong(expected, value, std::memory_order_acq_rel);
}

}  // namespace scholar::search::mcts
