#pragma once

#include <array>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace scholar::arena {

// Both ends close by themselves, also in programs that other threads start meanwhile.
struct Pipe {
    int read_end = -1;
    int write_end = -1;

    Pipe() = default;
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
        if (read_end >= 0) ::close(read_end);
        if (write_end >= 0) ::close(write_end);
    }
    // False: errno says why.
    bool open() {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
        read_end = ends[0];
        write_end = ends[1];
        return true;
    }
    int take_read_end() { return std::exchange(read_end, -1); }
    int take_write_end() { return std::exchange(write_end, -1); }
};

}  // namespace scholar::arena
