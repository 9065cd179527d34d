#pragma once

#include <cstdint>
#include <optional>

#include "base/error.hpp"
#include "protocols/words.hpp"
#include "search/limits.hpp"

namespace scholar::protocols {

// What xboard's commands level, st, sd, nps and time say about how long the engine may think.
class XboardClock {
  public:
    // "level MOVES BASE INCREMENT": moves in a control (0: all), minutes or minutes:seconds, seconds.
    base::Status set_level(const Words& words);
    // "st SECONDS": for each move.
    base::Status set_time_per_move(const Words& words);
    // "sd DEPTH": beside the others, until the next game.
    base::Status set_depth(const Words& words);
    // "nps NODES": time is counted in nodes, so many to the second, until the next game; 0: by the watch
    // again.
    base::Status set_nodes_per_second(const Words& words);
    // "time CENTISECONDS": on the engine's clock. May be negative.
    base::Status set_remaining(const Words& words);
    void new_game();
    // A move has been made, the `moves_made`th of the player in this game: the clock as it stands until
    // "time" says it better.
    void spend(search::Milliseconds used, int moves_made);
    // What a search has used, by the watch that counts.
    search::Milliseconds used(search::Milliseconds elapsed, std::uint64_t nodes) const;

    // For the next move of a player who has made `moves_made` in this game. `used`: what has already gone by
    // on this move.
    search::Limits limits(int moves_made, search::Milliseconds used = search::Milliseconds(0)) const;

  private:
    int moves_per_control_ = 40;
    search::Milliseconds base_{300'000};
    search::Milliseconds increment_{0};
    std::optional<search::Milliseconds> per_move_;
    std::optional<int> depth_;
    std::uint64_t nodes_per_second_ = 0;  // 0: by the watch
    search::Milliseconds remaining_{300'000};
};

}  // namespace scholar::protocols
