#pragma once

#include <algorithm>
#include <array>

#include "chess/score.hpp"
#include "search/history.hpp"

// What the nodes of an alpha-beta search are and remember.

namespace scholar::search {

// The kinds of node, as types that name the kind of a child searched with an open window.
struct OtherNode {
    using Child = OtherNode;
    static constexpr bool is_root = false;
    static constexpr bool is_principal = false;
};
struct PrincipalNode {
    using Child = PrincipalNode;
    static constexpr bool is_root = false;
    static constexpr bool is_principal = true;
};
struct RootNode {
    using Child = PrincipalNode;
    static constexpr bool is_root = true;
    static constexpr bool is_principal = true;
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
