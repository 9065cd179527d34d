#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "selfplay/player.hpp"

namespace scholar::selfplay {

namespace {

class LocalPlayers final : public Players {
  public:
    explicit LocalPlayers(int threads) : threads_(std::max(1, threads)) {}

    void assign(const Assignment& assignment) override {
        players_.clear();
        assignment_ = assignment;
        for (int i = 0; i < threads_; ++i) players_.push_back(std::make_unique<Player>(assignment_));
    }

    base::Result<std::uint64_t> play(std::uint64_t first, std::uint64_t count, std::stop_token stop,
                                     const std::function<void(Record&&)>& take) override {
        if (threads_ == 1) return play_alone(first, count, stop, take);
        std::mutex mutex;
        std::condition_variable finished;
        std::map<std::uint64_t, Record> waiting;  // for games with smaller numbers
        std::atomic<std::uint64_t> next = first;
        int playing = threads_;
        std::vector<std::jthread> threads;
        threads.reserve(players_.size());
        for (const auto& player : players_)
            threads.emplace_back([&, player = player.get()] {
                while (true) {
                    const std::uint64_t number = next++;
                    if (number >= first + count) break;
                    auto record = player->play(number, stop);
                    if (!record) break;
                    const std::scoped_lock lock(mutex);
                    waiting.emplace(number, std::move(*record));
                    finished.notify_one();
                }
                const std::scoped_lock lock(mutex);
                --playing;
                finished.notify_one();
            });
        std::uint64_t taken = 0;
        std::unique_lock lock(mutex);
        while (taken < count) {
            finished.wait(lock, [&] { return waiting.contains(first + taken) || playing == 0; });
            const auto found = waiting.find(first + taken);
            if (found == waiting.end()) break;
            Record record = std::move(found->second);
            waiting.erase(found);
            lock.unlock();
            take(std::move(record));
            ++taken;
            lock.lock();
        }
        return taken;
    }

  private:
    std::uint64_t play_alone(std::uint64_t first, std::uint64_t count, const std::stop_token& stop,
                             const std::function<void(Record&&)>& take) {
        for (std::uint64_t i = 0; i < count; ++i) {
            auto record = players_.front()->play(first + i, stop);
            if (!record) return i;
            take(std::move(*record));
        }
        return count;
    }

    int threads_;
    Assignment assignment_;
    std::vector<std::unique_ptr<Player>> players_;
};

}  // namespace

std::unique_ptr<Players> make_local_players(int threads) {
    return std::make_unique<LocalPlayers>(threads);
}

}  // namespace scholar::selfplay
