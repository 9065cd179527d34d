#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "chess/types.hpp"
#include "search/limits.hpp"

namespace scholar::engine {

// The option nodestime: a clock that runs in nodes, so that a game is the same on every machine. What is on
// the clock at a player's first move of a game, times the rate, is its budget of nodes; from then on this
// class keeps it, adds the increments and, when a new time control begins, the first amount again, and no
// longer looks at the clock that comes with each move. One for each colour, for a player that plays both.
class NodeClock {
  public:
    void new_game() {
        budgets_ = {};
        entered_.reset();
    }
    // Puts the budget in place of the clock among the limits, if there is one, and sets the rate: nodes per
    // millisecond, not 0. Nothing is kept back for transport. Of this class's own state nothing changes yet.
    void enter(search::Limits& limits, chess::Color color, std::uint64_t rate);
    // After the move that enter() was last for has been made. Without it that search was none of the game's,
    // as when the opponent did not play what was pondered on.
    void spend(std::uint64_t nodes);

  private:
    struct Budget {
        std::int64_t nodes = 0;      // left; may be below 0
        std::int64_t first = 0;      // at a time control's beginning
        std::int64_t increment = 0;  // nodes a move
        std::optional<int> moves_to_go;
    };
    struct Entered {
        chess::Color color;
        Budget budget;
    };
    std::array<std::optional<Budget>, 2> budgets_;
    std::optional<Entered> entered_;
};

}  // namespace scholar::engine
