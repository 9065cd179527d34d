#pragma once

#include <array>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "games/held_out.hpp"
#include "support/random_games.hpp"

namespace scholar::arena {

// Every position of some games, in their order.
class SetMaker {
  public:
    void add(const std::vector<std::string>& sans, std::array<int, 2> ratings = {}, int first_ply = 0,
             games::GameResult result = games::GameResult::Unknown) {
        games::HeldOutGame game{
            .hash = set_.games.size() + 1, .start = {}, .moves = {}, .ratings = ratings, .result = result};
        chess::Position position;
        for (const std::string& san : sans) {
            const auto move = chess::parse_san(position, san);
            ASSERT_TRUE(move) << san;
            game.moves.push_back(*move);
            position.make(*move);
        }
        add(std::move(game), first_ply);
    }
    void add_random(base::Random& random, int plies, int first_ply = 0) {
        games::HeldOutGame game;
        game.hash = random.next();
        tests::play_random_game(random, game.start, plies, [&](const auto&, chess::Move move, const auto&) {
            game.moves.push_back(move);
        });
        add(std::move(game), first_ply);
    }
    const games::HeldOutSet& set() const { return set_; }

  private:
    void add(games::HeldOutGame game, int first_ply) {
        chess::Position position = game.start;
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
            if (static_cast<int>(ply) >= first_ply && chess::count_legal_moves(position) > 1)
                set_.positions.push_back({.game = set_.games.size(),
                                          .ply = static_cast<int>(ply),
                                          .position = position,
                                          .played = game.moves[ply],
                                          .rating = game.ratings[position.side_to_move()]});
            position.make(game.moves[ply]);
        }
        set_.games.push_back(std::move(game));
    }
    games::HeldOutSet set_;
};

}  // namespace scholar::arena
