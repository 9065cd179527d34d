#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "chess/position.hpp"
#include "games/learnt_book_graph.hpp"

// What a learnt book believes: the expected result, from 0 to 1, of each of its positions and moves for the
// side that moves.
//
// A move's own record is its results, drawn towards what searches said of it:
//
//     own = (S · searched + Σ n_o · mean_o) / (S + Σ n_o)          n_o = games_o / (1 + games_o / M)
//
// over the opponents o. S is `search_games`; where nothing was searched, an even result stands in its place.
// n_o is the weight of a mean of games that have an opponent in common, with an opponent's own variance
// beside each game's (a model of random effects, DerSimonian and Laird 1986): however often one opponent
// repeats a line, it counts as less than M games, `opponent_games`. Only for a game against that opponent
// itself do its games count in full, and only those in which the move was played by the one who would play it
// then: games in which we played a move and those in which the opponent did are two means.
//
// A move is also worth what can be made of the position after it, by both sides (negamax):
//
//     move      = (1 − c) · own + c · (1 − position after it)      c = continuation · share of the games that
//                                                                      the position after it knows
//     otherwise = (S · (searched − gap) + w · Σ n · move) / (S + w · Σ n)        over the known moves
//     position  = the largest of its moves and `otherwise`
//
// `otherwise` is what a move would be worth that the book does not know (0 if it knows all), w is `sibling`.
// It is why a loss is blamed on the move after which nothing better was to be had, and why one opponent who
// throws games does not make its line look good: others would play otherwise. The equations have one
// solution, since a change of positions changes them by c < 1 times as much at most.

namespace scholar::games {

struct BeliefOptions {
    double search_games = 4;
    double opponent_games = 3;
    double continuation = 0.8;
    double sibling = 0.5;
    double gap = 0.02;
    // A move is good enough that is worth less than the best, and than one that the book does not know, by no
    // more than this.
    double clearly = 0.05;
    // How much must be known of a move that is played: games, of as many opponents that count as so many. A
    // search counts as `search_games`.
    double reliable = 2;
    // How far chance may prefer the less known of good enough moves: a move's value is drawn from a normal
    // distribution, whose deviation is so many times that of a mean of the games known (Thompson 1933). 0:
    // always the best.
    double exploration = 0.2;
};

// The weight of a mean of `games` games, n_o above; `most` is M.
constexpr double effective_games(double games, double most) {
    return games / (1 + games / most);
}

struct MoveBelief {
    chess::Move move;
    const LearntMove* learnt = nullptr;
    double value = 0.5;
    double games = 0;  // Σ n_o
};

struct PositionBelief {
    double value = 0.5;
    double otherwise = 0.5;         // 0: all legal moves are known
    std::vector<MoveBelief> moves;  // legal ones, the best first
};

// What to do in a position.
struct BookAdvice {
    std::optional<chess::Move> play;  // nothing: out of book
    // Moves that the book knows to be clearly worse than others; never all legal ones.
    std::vector<chess::Move> avoid;
};

// Whom a game is against.
struct BookOpponent {
    std::uint32_t number = 0;        // index into BookState::opponents
    chess::Color us = chess::White;  // our colour
    bool operator==(const BookOpponent&) const = default;
};
// None if the book has no game against a player of that name.
std::optional<BookOpponent> book_opponent(const BookGraph& graph, std::string_view name, chess::Color us);

class BookBeliefs {
  public:
    // Of a graph, which must outlive this and not change meanwhile. `opponent` is the one to be played.
    BookBeliefs(const BookGraph& graph, const BeliefOptions& options, std::optional<BookOpponent> opponent);

    // Nothing for a position that is not in the book.
    std::optional<PositionBelief> find(const chess::Position& position) const;
    BookAdvice advise(const chess::Position& position, base::Random& random) const;
    // Of what find() gave: moves good enough to be played, and clearly bad ones.
    bool is_playable(const PositionBelief& belief, const MoveBelief& move) const;
    bool is_bad(const PositionBelief& belief, const MoveBelief& move) const;

  private:
    struct Move {
        std::ptrdiff_t child = -1;  // index into nodes_; −1: not in the book
        double own = 0.5;
        double games = 0;
        double continuation = 0;
        double value = 0.5;
    };
    struct Node {
        const LearntPosition* learnt = nullptr;
        double searched = 0.5;
        bool has_others = true;  // legal moves that the book does not know
        double otherwise = 0.5;
        double value = 0.5;
        std::vector<Move> moves;  // as in `learnt`
    };
    Move own_belief(const LearntPosition& position, const LearntMove& learnt) const;
    double revise(Node& node);
    bool is_reliable(const MoveBelief& move) const;

    BeliefOptions options_;
    std::optional<BookOpponent> opponent_;
    std::vector<Node> nodes_;  // the deepest first
    std::map<std::uint64_t, std::ptrdiff_t> index_;
};

}  // namespace scholar::games
