#pragma once

#include <algorithm>
#include <array>

#include "chess/score.hpp"
#include "search/alpha_beta/history.hpp"

// What the nodes of an alpha-beta search are and remember.

namespace scholar::search {

// The kinds of node, as types that name the kinds of their children: `Child` is one searched with the node's
// own window, `Rest` one that a null window asks whether it is better. A principal node hands up a variation
// when its score is within the window; one that `keeps_best` hands up that of its best move whatever the
// score, so that a bound has one too.
struct OtherNode {
    using Child = OtherNode;
    using Rest = OtherNode;
    static constexpr bool is_root = false;
    static constexpr bool is_principal = false;
    static constexpr bool keeps_best = false;
};
struct PrincipalNode {
    using Child = PrincipalNode;
    using Rest = OtherNode;
    static constexpr bool is_root = false;
    static constexpr bool is_principal = true;
    static constexpr bool keeps_best = false;
};
struct RootNode {
    using Child = PrincipalNode;
    using Rest = OtherNode;
    static constexpr bool is_root = true;
    static constexpr bool is_principal = true;
    static constexpr bool keeps_best = false;
};

// The kinds of MTD(f), where the root's window is a null window too and so no node below it is principal.
struct TestNode {
    using Child = TestNode;
    using Rest = TestNode;
    static constexpr bool is_root = false;
    static constexpr bool is_principal = false;
    static constexpr bool keeps_best = true;
};
struct TestRoot {
    using Child = TestNode;
    using Rest = TestNode;
    static constexpr bool is_root = true;
    static constexpr bool is_principal = true;  // nothing may cut it off: it has to come up with a move
    static constexpr bool keeps_best = true;
};

// A variation, as it is handed up from child to parent.
struct Variation {
    std::array<chess::Move, chess::kMaxPly + 1> moves;
    int length = 0;

    void clear() { length = 0; }
    void set(chess::Move first, const Variation& rest) {
        moves[0] = first;
        std::copy_n(rest.moves.begin(), rest.length, moves.begin() + 1);
        length = rest.length + 1;
    }
};

// What one ply of the current path remembers while the plies below it are searched.
struct Frame {
    Variation variation;
    std::array<chess::Move, 2> killers{};
    chess::Move move;      // being searched from here; none: a pass
    chess::Move excluded;  // not to be searched: whether another move is as good is being asked
    ContinuationHistory::Slice* continuation = nullptr;   // what follows `move`
    ContinuationCorrection::Slice* correction = nullptr;  // the same for evaluations
    chess::Score raw_evaluation;                          // what the evaluator says; meaningless in check
    chess::Score evaluation;  // with what was learnt in the search; in check that of two plies ago
    bool in_check = false;
    bool was_principal = false;  // this node was once searched with an open window, or is now
    int cuts = 0;                // of children of the move before this node, that failed high
    int number = 0;              // of the move being searched, from 1
};

}  // namespace scholar::search
