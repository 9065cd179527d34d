#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "chess/position.hpp"
#include "games/game.hpp"
#include "games/scan.hpp"
#include "games/store.hpp"

// The positions by which is measured how well a player's moves are foretold: always the same ones, chosen by
// a rule from games that no training sees.

namespace scholar::games {

// Which positions. Games take part that split_of() calls test games, each once, whatever copies there are of
// it; Chess960 games do not. Of their positions those count in which there are at least two legal moves and
// one was played. A position's draw is
//
//   mix(mix(mix(seed) ^ game hash) + ply),   mix(x): what split_mix() makes of the state x
//
// and those with the lowest draws are taken: of each game `per_game`, then of all that are the same but for
// clocks and move numbers one (unless the rule says otherwise), then `positions`. So the order of games and
// stores does not matter, unless copies of a game have other tags: the first is taken.
struct HeldOutRule {
    SplitShares shares{};
    std::uint64_t positions = 10'000;  // at most; in each band of ratings, if there are bands
    int per_game = 0;                  // at most; 0: no limit
    int min_ply = 10;                  // half-moves from the start of the game; those before are book
    // Width of the bands of ratings of the player to move, 100: 0 to 99, 100 to 199, … . Each is then a set
    // of its own, and a position without a rating is in none. 0: one set, whatever the ratings.
    int band = 0;
    std::uint64_t seed = 1;
    // Whether of positions that are the same one stands for all; if not, openings count as often as they were
    // played.
    bool distinct = true;
};
// In one line.
std::string to_string(const HeldOutRule& rule);

struct HeldOutGame {
    std::uint64_t hash = 0;
    chess::Position start;
    std::vector<chess::Move> moves;
    std::array<int, 2> ratings{};  // by colour; 0: not known
    GameResult result = GameResult::Unknown;
};

struct HeldOutPosition {
    std::size_t game = 0;  // index into HeldOutSet::games
    int ply = 0;           // half-moves since the game's start position
    chess::Position position;
    chess::Move played;
    int rating = 0;  // of the player to move; 0: not known
};

struct HeldOutSet {
    HeldOutRule rule;
    std::uint64_t data_hash = 0;   // of the stores
    std::uint64_t test_games = 0;  // that take part
    std::uint64_t candidates = 0;  // positions from which was drawn, copies among them
    std::vector<HeldOutGame> games;
    std::vector<HeldOutPosition> positions;  // by the game's hash, then by ply

    const HeldOutGame& game_of(const HeldOutPosition& position) const { return games[position.game]; }
    // The moves that led to it.
    std::span<const chess::Move> past(const HeldOutPosition& position) const {
        return std::span(game_of(position).moves).first(static_cast<std::size_t>(position.ply));
    }
    // Of games' hashes and plies, of which it depends alone: two sets with one hash are the same.
    std::uint64_t hash() const;
};

// An error says why there is none, if no position satisfies the rule. `progress` is told of games passed, all
// games of the stores twice.
base::Result<HeldOutSet> draw_held_out(std::span<const StoreReader> stores, const HeldOutRule& rule,
                                       const std::stop_token& stop,
                                       const std::function<void(std::uint64_t)>& progress = {});

}  // namespace scholar::games
