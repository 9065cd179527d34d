#include "protocols/ics_throttle.hpp"

#include <algorithm>
#include <utility>

namespace scholar::protocols::ics {

void CommandQueue::push(Command command) {
    for (const Command& other : waiting_)
        if (other.text == command.text) return;
    if (!command.urgent) {
        if (waiting_.size() < settings_.most_waiting) waiting_.push_back(std::move(command));
        return;
    }
    const auto first = std::ranges::find_if(waiting_, [](const Command& other) { return !other.urgent; });
    waiting_.insert(first, std::move(command));
    if (waiting_.size() > settings_.most_waiting && !waiting_.back().urgent) waiting_.pop_back();
}

void CommandQueue::fill(Clock::time_point now) {
    if (now < filled_ + settings_.interval) return;
    const auto intervals = (now - filled_) / settings_.interval;
    filled_ += intervals * settings_.interval;
    tokens_ = static_cast<int>(std::min<std::int64_t>(settings_.burst, tokens_ + intervals));
}

std::optional<Command> CommandQueue::next(Clock::time_point now) {
    fill(now);
    if (waiting_.empty() || tokens_ == 0) return std::nullopt;
    --tokens_;
    Command command = std::move(waiting_.front());
    waiting_.pop_front();
    return command;
}

void CommandQueue::withdraw(std::string_view text) {
    std::erase_if(waiting_, [&](const Command& command) { return command.text == text; });
}

}  // namespace scholar::protocols::ics
