#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/error.hpp"
#include "nets/container/any_network.hpp"
#include "selfplay/record.hpp"
#include "selfplay/treestrap.hpp"

// The interface between those who play and those who learn: weights go one way, finished games the other, and
// nothing else is shared. A game is decided by the assignment and its number alone, whoever plays it and
// when, so that players may stand on any number of threads or machines. (Matches between networks of a run,
// selfplay/duel.hpp, are the trainer's own.)

namespace scholar::selfplay {

// How games are played; unless somebody says otherwise as the built-in recipe does, recipes/learn.toml.
struct PlayPlan {
    std::uint64_t nodes = 100;  // a move
    // Of the moves, the share that is searched with so many; the others, with `quick_nodes`, are only played,
    // and nothing is learnt from them (playout cap randomisation: D. Wu, "Accelerating self-play learning in
    // Go", 2019, section 3.1).
    double full_share = 1;
    std::uint64_t quick_nodes = 20;
    // Search so that scores are exactly the static values of leaves, which TDLeaf(λ) needs and which costs
    // some strength; else as in play.
    bool exact_leaves = false;
    // Each game begins with a number of random moves, uniformly from these bounds.
    int least_random_moves = 2;
    int most_random_moves = 9;
    // What a search of `nodes` says of an opening at most, in Score units, either way; others are drawn
    // again, but for those that lose a piece; 0: any will do.
    int opening_score = 0;
    // Of the games, the share that begins from a position of an earlier game (Assignment::starts) instead of
    // the start position, with at most `own_start_moves` random moves.
    double own_start = 0.1;
    int own_start_moves = 2;
    // Of the games, the share whose opening then loses one of its pieces or pawns: what that is worth is soon
    // seen.
    double unbalanced = 0.25;
    // At every later half-move, the chance of a move drawn by lot.
    double random_move = 0;
    int most_moves = 300;  // half-moves; then the game is a draw, and adjudicated
    // The game is over when the searches of both sides have agreed for four half-moves in a row that one is
    // so far ahead, in Score units; 0: games are played to their end.
    int resign_score = 1'000;
    // Of those games, the share played on all the same, so that what resignations hide is seen.
    double resign_not = 0.2;
    // The game is a draw when, after so many full moves, the searches of both sides have for eight moves said
    // that nobody is further ahead than so many Score units; 0: never.
    int draw_score = 0;
    int draw_after = 40;
    std::size_t table_megabytes = 1;
    // The nodes inside searches that records keep, of those that are not quick; nothing: none.
    std::optional<TreeStrapPlan> treestrap{};
};

// What a trainer hands to players.
struct Assignment {
    std::uint64_t seed = 1;  // of the run
    std::uint32_t generation = 0;
    nets::AnyNetwork network;
    PlayPlan plan;
    std::shared_ptr<const std::vector<chess::Position>> starts = nullptr;  // none: no game begins from one
};

class Players {
  public:
    virtual ~Players() = default;
    // For the games that are asked for from now on.
    virtual void assign(const Assignment& assignment) = 0;
    // Plays the games numbered first, first + 1, …, `count` of them, and hands them over in this order. When
    // asked to stop it ends early: a part of them, from the first on, has then been handed over. Gives their
    // number. An error: who plays cannot go on.
    virtual base::Result<std::uint64_t> play(std::uint64_t first, std::uint64_t count, std::stop_token stop,
                                             const std::function<void(Record&&)>& take) = 0;
};

// Players in so many threads of this process.
std::unique_ptr<Players> make_local_players(int threads);

}  // namespace scholar::selfplay
