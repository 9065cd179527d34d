#include "arena/line_listener.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <sys/eventfd.h>
#include <unistd.h>
#include <utility>

namespace scholar::arena {

namespace {

// A line longer than this is broken up.
constexpr std::size_t kLongestPart = 1 << 16;

}  // namespace

LineListener::LineListener(int descriptor, std::function<void(std::string_view)> on_line)
    : descriptor_(descriptor), wake_up_(::eventfd(0, EFD_CLOEXEC)), on_line_(std::move(on_line)) {
    ::fcntl(descriptor_, F_SETFL, ::fcntl(descriptor_, F_GETFL) | O_NONBLOCK);
    thread_ = std::jthread([this](const std::stop_token& stop) { listen(stop); });
}

LineListener::~LineListener() {
    thread_.request_stop();
    const std::uint64_t one = 1;
    if (wake_up_ >= 0) static_cast<void>(!::write(wake_up_, &one, sizeof one));
    thread_.join();
    if (wake_up_ >= 0) ::close(wake_up_);
    ::close(descriptor_);
}

void LineListener::listen(const std::stop_token& stop) {
    std::string kept;
    std::array<char, 1 << 14> chunk;
    const auto pass_on = [this](std::string_view line) {
        if (line.ends_with('\r')) line.remove_suffix(1);
        on_line_(line);
    };
    while (true) {
        // Asked before the read: what came before the stop is in the pipe.
        const bool last = stop.stop_requested();
        const auto size = ::read(descriptor_, chunk.data(), chunk.size());
        if (size > 0) {
            kept.append(chunk.data(), static_cast<std::size_t>(size));
            std::size_t begin = 0;
            for (auto end = kept.find('\n'); end != std::string::npos; end = kept.find('\n', begin)) {
                pass_on(std::string_view(kept).substr(begin, end - begin));
                begin = end + 1;
            }
            kept.erase(0, begin);
            if (kept.size() < kLongestPart) continue;
            pass_on(kept);
            kept.clear();
            continue;
        }
        if (size < 0 && errno == EINTR) continue;
        const bool is_open = size < 0 && errno == EAGAIN;
        if (!is_open || last) break;
        std::array<pollfd, 2> waiting{{{descriptor_, POLLIN, 0}, {wake_up_, POLLIN, 0}}};
        ::poll(waiting.data(), waiting.size(), wake_up_ >= 0 ? -1 : 100);
    }
    if (!kept.empty()) pass_on(kept);
}

}  // namespace scholar::arena
