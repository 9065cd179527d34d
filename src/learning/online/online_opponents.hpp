#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "arena/opponent_pool.hpp"
#include "arena/player.hpp"
#include "base/error.hpp"
#include "base/random.hpp"
#include "learning/online/online_recipe.hpp"

namespace scholar::learning {

// Whom a run of on-line learning plays, with the engines that have been started. One that fails, three times
// running, to start, to be ready or to end a game as it should plays no more.
class OnlineOpponents {
  public:
    // Lines for people.
    using Tell = std::function<void(const std::string&)>;

    // Of a recipe that does not play itself. Refused if nobody can play.
    static base::Result<OnlineOpponents> find(const OnlineRecipe& recipe, Tell tell);

    std::span<const arena::RatedOpponent> all() const { return pool_.opponents(); }
    // Why others do not play.
    std::span<const arena::SkippedPlayer> skipped() const { return pool_.skipped(); }
    std::chrono::milliseconds time_margin() const { return pool_.time_margin(); }

    // One near the player's rating whose engine is ready for a game. Refused if nobody is left.
    base::Result<std::size_t> choose(const arena::Glicko& player, double spread, base::Random& random);
    arena::Player& engine(std::size_t number) { return *engines_[number].player; }

    // After a game: `failed` if the engine did not play it to its end by the rules of the game. It is then
    // started again for another.
    void note_game(std::size_t number, bool failed, const std::string& reason);
    // A player's with an anchor stays.
    void set_rating(std::size_t number, const arena::Glicko& rating);

  private:
    struct Engine {
        std::unique_ptr<arena::Player> player;  // none: it has to be started
        int failures = 0;                       // running
    };
    OnlineOpponents(arena::OpponentPool pool, Tell tell);
    base::Status make_ready(std::size_t number);
    void note_failure(std::size_t number, const std::string& reason);

    arena::OpponentPool pool_;
    std::vector<Engine> engines_;
    Tell tell_;
};

}  // namespace scholar::learning
