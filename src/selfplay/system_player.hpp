#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/random.hpp"
#include "engine/engine.hpp"
#include "games/game.hpp"
#include "games/openings.hpp"
#include "search/limits.hpp"
#include "selfplay/early_end.hpp"

namespace scholar::selfplay {

// How an engine, whichever system it is, plays itself.
struct SystemPlan {
    std::uint64_t seed = 1;
    search::Limit limit = search::NodeLimit{1'000};  // of every move
    // Where games begin; none: at the start position. All come equally often, in an order by the seed.
    std::vector<games::Opening> openings;
    // Half-moves by lot that follow, uniformly from these bounds.
    int least_random_plies = 0;
    int most_random_plies = 0;
    std::optional<ResignTerms> resign;
    std::optional<DrawTerms> draw;
    int max_plies =
        400;  // then the game is a draw, and adjudicated; what made the opening counted in. 0: no limit
    std::string name = "Scholar";                           // of both players
    std::vector<std::pair<std::string, std::string>> tags;  // more of them, the same for every game
};

// One engine that plays both sides.
class SystemPlayer {
  public:
    // The plan outlives the player. The engine's options Seed, and what new_game() forgets, are the player's.
    SystemPlayer(const SystemPlan& plan, std::unique_ptr<engine::Engine> engine);

    // The game of that number, from 0: unless its limit is a time, the same whatever was played before.
    // Nothing: it was told to stop. An error: the engine has no move that is legal.
    base::Result<std::optional<games::Game>> play(std::uint64_t number, const std::stop_token& stop);

  private:
    // Its moves go into the game.
    chess::Line opening(std::uint64_t number, base::Random& random, games::Game& game) const;
    base::Status begin(std::uint64_t number, base::Random& random);
    base::Status move(chess::Line& line, games::Game& game, EarlyEnd& early, const std::stop_token& stop);

    const SystemPlan& plan_;
    std::unique_ptr<engine::Engine> engine_;
    std::vector<std::uint32_t> order_;  // of the openings
};

}  // namespace scholar::selfplay
