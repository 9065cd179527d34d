#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace scholar::nets {

// Memory on cache-line boundaries, as the widest vector loads want it.
template <class T>
struct AlignedAllocator {
    using value_type = T;
    static constexpr std::align_val_t kAlignment{64};

    AlignedAllocator() = default;
    template <class U>
    AlignedAllocator(const AlignedAllocator<U>&) {}

    T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kAlignment)); }
    void deallocate(T* pointer, std::size_t) { ::operator delete(pointer, kAlignment); }
    bool operator==(const AlignedAllocator&) const = default;
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace scholar::nets
