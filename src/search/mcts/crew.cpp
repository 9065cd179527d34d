#include "search/mcts/crew.hpp"

#include <system_error>

namespace scholar::search::mcts {

Crew::Crew(std::size_t size) {
    try {
        while (helpers_.size() + 1 < size)
            helpers_.emplace_back([this, number = helpers_.size() + 1] { help(number); });
    } catch (const std::system_error&) {
        return;  // fewer of them: the work is only slower
    }
}

Crew::~Crew() {
    const std::scoped_lock lock(mutex_);
    leaves_ = true;
    begins_.notify_all();
}

void Crew::run(const std::function<void(std::size_t)>& work) {
    if (helpers_.empty()) return work(0);
    {
        const std::scoped_lock lock(mutex_);
        work_ = &work;
        busy_ = helpers_.size();
        ++round_;
    }
    begins_.notify_all();
    work(0);
    std::unique_lock lock(mutex_);
    ends_.wait(lock, [&] { return busy_ == 0; });
}

void Crew::help(std::size_t number) {
    std::uint64_t done = 0;
    std::unique_lock lock(mutex_);
    while (true) {
        begins_.wait(lock, [&] { return leaves_ || round_ != done; });
        if (leaves_) return;
        done = round_;
        lock.unlock();
        (*work_)(number);
        lock.lock();
        if (--busy_ == 0) ends_.notify_one();
    }
}

}  // namespace scholar::search::mcts
