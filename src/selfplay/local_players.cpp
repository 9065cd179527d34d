#include <algorithm>

#include "base/in_order.hpp"
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
        return base::in_order<Record>(
            threads_, first, count,
            [&](int worker, std::uint64_t number) {
                return players_[static_cast<std::size_t>(worker)]->play(number, stop);
            },
            [&](Record&& record) {
                take(std::move(record));
                return true;
            });
    }

  private:
    int threads_;
    Assignment assignment_;
    std::vector<std::unique_ptr<Player>> players_;
};

}  // namespace

std::unique_ptr<Players> make_local_players(int threads) {
    return std::make_unique<LocalPlayers>(threads);
}

}  // namespace scholar::selfplay
