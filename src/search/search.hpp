#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "chess/line.hpp"
#include "chess/score.hpp"
#include "search/limits.hpp"

namespace scholar::search {

enum class Bound : std::uint8_t { None, Upper, Lower, Exact };

// Whether the root's score is exactly the static value of the position that the principal variation ends in,
// turned to the root's view. Learning by temporal differences needs it to be so, or the sample is dropped.
enum class LeafKind {
    Exact,
    Mate,       // the score is a mate
    Draw,       // the variation ends in a draw by rule
    Tablebase,  // the score is an endgame table's
    CutShort,   // a table entry, a corrected evaluation or a stopped search stands between root and leaf
};

// What a distribution over the root's moves is made of.
enum class RootShare : std::uint8_t {
    Effort,       // nodes spent below a move: says neither how good nor how likely it is
    Visits,       // of a tree search: the more, the better it holds the move to be
    Probability,  // with which the move is chosen, or expected
};

struct Counters {
    std::uint64_t nodes = 0;
    int depth = 0;            // last iteration completed
    int selective_depth = 0;  // longest line looked at, in half-moves
    std::uint64_t tablebase_hits = 0;
    std::chrono::nanoseconds elapsed{0};
    int table_permille = 0;  // share of the table filled by this search, where somebody listens
};

// One of the best moves with what follows it.
struct RootLine {
    std::optional<chess::Score> score;  // nothing: who chose it has none
    Bound bound = Bound::Exact;
    std::optional<chess::Wdl> wdl;  // where the evaluator has it
    int depth = 0;                  // of the iteration it comes from
    int selective_depth = 0;
    std::vector<chess::Move> variation;  // its first move is the one at the root
};

// The one record that protocols, matches and learners read. Scores are from the root's side to move.
struct SearchResult {
    chess::Move best;    // none only if the root has no legal move
    chess::Move ponder;  // the expected reply, if known
    // Nothing where moves are chosen without one: by a policy, by an order of positions, by lot.
    std::optional<chess::Score> score;
    std::optional<chess::Wdl> wdl;
    std::vector<chess::Move> principal_variation;
    std::vector<RootLine> lines;  // the best first, Limits::multi_pv of them if there are so many moves
    chess::Position leaf;         // where the principal variation ends
    LeafKind leaf_kind = LeafKind::CutShort;
    // How the search's effort was spread over the root's moves; sums to 1 (empty if nothing was searched).
    std::vector<std::pair<chess::Move, double>> root_distribution;
    RootShare root_share = RootShare::Effort;  // of what root_distribution has the shares
    Counters counters;
    // Why the search could not do what it is for (an evaluation that failed), in one line; "": it could. The
    // move is legal all the same.
    std::string trouble;
};

// A searcher's report while it works: after each iteration, when a long one leaves its window, and at the end
// of a search that was cut off.
struct Iteration {
    int depth = 0;   // the iteration that the score belongs to; counters.depth is the last completed one
    int number = 1;  // among the best moves, from 1
    Counters counters;
    std::optional<chess::Score> score;  // as SearchResult::score
    Bound bound = Bound::Exact;
    std::optional<chess::Wdl> wdl;  // where the evaluator has it
    std::vector<chess::Move> principal_variation;
};

// Who wants to hear of a search's progress. Called from the searching thread.
class Observer {
  public:
    virtual ~Observer() = default;
    // Whether reports are wanted at all. What goes into them takes longer than a very small search.
    virtual bool listens() const { return true; }
    virtual void on_iteration(const Iteration&) {}
    // The root's `number`th move (from 1) is being searched.
    virtual void on_root_move(int /*depth*/, chess::Move /*move*/, int /*number*/, const Counters&) {}
    // From the engine, not the search: nothing more will be found. The answer may still have to wait, where
    // the limits have no end or the opponent is thinking.
    virtual void on_end(const SearchResult&) {}
};

// Who does not.
class Silence final : public Observer {
  public:
    bool listens() const override { return false; }
};

// What picks a move. One thread at a time may call it.
class Search {
  public:
    virtual ~Search() = default;
    // Searches the line's current position; the line's past counts for repetition. Ends by the limits or when
    // `stop` is requested, whichever is first, and always has a legal move if there is one.
    virtual SearchResult run(const chess::Line& line, const Limits& limits, std::stop_token stop,
                             Observer& observer) = 0;
    // Forgets what earlier games taught: the next search is as the first.
    virtual void new_game() = 0;
};

}  // namespace scholar::search
