#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "engine/contestant.hpp"
#include "engine/engine.hpp"

namespace scholar::engine {

// When the engine gives up, and when a draw is enough for it. In centipawns, from its own view, as its scores
// are shown.
struct ContestantRules {
    // Resigns when its score has been at or below −score for `moves` of its moves in a row.
    struct Resign {
        int score = 0;
        int moves = 1;
    };
    std::optional<Resign> resign;
    // Offers a draw when its score has stayed within ±score for `moves` of its moves in a row, after move
    // `after` of the game.
    struct OfferDraw {
        int score = 0;
        int moves = 1;
        int after = 0;
    };
    std::optional<OfferDraw> offer_draw;
    // Accepts a draw when its score is at or below this.
    int accept_draw = 0;
};

// The engine as one who plays games. Its learnt book, if it has one, hears how they end.
class EngineContestant : public Contestant {
  public:
    // `limit`: for every move, instead of the clock's. Untimed games have `untimed` for each move if there is
    // no limit.
    EngineContestant(std::unique_ptr<Engine> engine, ContestantRules rules,
                     std::optional<search::Limit> limit = std::nullopt,
                     std::chrono::milliseconds untimed = std::chrono::seconds(5));

    void game_starts(const GameHeader& header) override;
    Decision decide(const Turn& turn, std::stop_token stop) override;
    base::Status game_ends(const PlayedGame& game) override;

  private:
    search::Limits limits(const Turn& turn) const;

    std::unique_ptr<Engine> engine_;
    ContestantRules rules_;
    std::optional<search::Limit> limit_;
    std::chrono::milliseconds untimed_;
    int lost_moves_ = 0;  // in a row, by the rules above
    int even_moves_ = 0;
};

}  // namespace scholar::engine
