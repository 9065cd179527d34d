#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

// When a run keeps the network that it has come to.

namespace scholar::learning {

// By core-minutes: these, and then each after twice as long as the one before.
class Milestones {
  public:
    static constexpr int minutes(std::size_t number) {
        return number < kFirst.size() ? kFirst.at(number) : kFirst.back() << (number - kFirst.size() + 1);
    }
    // Whether number `number`, from 0, is there after so many core-seconds.
    static constexpr bool is_due(std::size_t number, double core_seconds) {
        return number < kMost && core_seconds >= 60.0 * minutes(number);
    }

  private:
    static constexpr std::array kFirst{1, 2, 5, 10, 20, 40, 60};
    static constexpr std::size_t kMost = kFirst.size() + 16;
};

// By games: 0, 25, 50, 100, 200, then every hundred.
constexpr bool is_games_milestone(std::uint64_t games) {
    return games == 25 || games == 50 || games % 100 == 0;
}

}  // namespace scholar::learning
