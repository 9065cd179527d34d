#pragma once

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "chess/checks.hpp"
#include "chess/exchange.hpp"
#include "chess/legality.hpp"
#include "chess/line.hpp"
#include "chess/movegen.hpp"
#include "evaluators/leaf_evaluator.hpp"
#include "search/alpha_beta/bracket.hpp"
#include "search/alpha_beta/move_cost.hpp"
#include "search/alpha_beta/move_picker.hpp"
#include "search/alpha_beta/node.hpp"
#include "search/alpha_beta/priors.hpp"
#include "search/alpha_beta/reductions.hpp"
#include "search/alpha_beta/shared_search.hpp"
#include "search/effort.hpp"
#include "search/node_tap.hpp"
#include "search/root_moves.hpp"

namespace scholar::search {

// One thread of an alpha-beta search: iterations from the root down, with an evaluator, a path and histories
// of its own. Its parts stand in files of their own: worker_root.hpp (iterations, windows, the end of a
// search), worker_mtdf.hpp (the windows of MTD(f)), worker_node.hpp (a node, step by step),
// worker_guesses.hpp (guesses at a whole node), worker_moves.hpp (its moves), worker_path.hpp (the way
// there), worker_quiescence.hpp (what lies below the horizon) and worker_lessons.hpp (what is learnt on the
// way).
template <evaluators::LeafEvaluator Evaluator>
class Worker {
  public:
    Worker(Evaluator evaluator, Table& table, const AlphaBetaOptions& options, std::size_t number);

    // Forgets what earlier searches taught.
    void new_game() { histories_ = std::make_unique<Histories>(); }

    // Searches iteration after iteration until a limit is reached or the others stop. `root_moves` not empty.
    // The first worker watches the limits and reports to the observer.
    void run(SharedSearch& shared, const chess::Line& line, const std::vector<RootMove>& root_moves,
             Observer& observer);

    // After run(): the best first; as far as the last iteration got.
    const std::vector<RootMove>& root_moves() const { return root_moves_; }
    int completed_depth() const { return completed_depth_; }
    // A root move's variation and the bound of its latest score, as others get to see them: a mate is whole,
    // to the last half-move, or its score is only a bound.
    struct Shown {
        std::vector<chess::Move> variation;
        Bound bound;
    };
    Shown shown(const RootMove& root, Bound bound) const;
    // The answer to a root move: of its variation or, where the search was stopped before it had one, the
    // table's.
    chess::Move expected_reply(const RootMove& root) const;
    // For a search that was stopped before any move had a score: the best move's becomes the evaluation after
    // it, as if it were the only one.
    void evaluate_first_move();
    // Whether a root move's score comes from the end of its variation, a rule or its own entry in the endgame
    // tables, and nothing stands in between.
    bool has_settled_leaf(const RootMove& root);
    // Walks to the end of the best variation and asks whether the score comes from there.
    void classify_leaf(SearchResult& result);

  private:
    using Score = chess::Score;
    using Move = chess::Move;
    using Position = chess::Position;

    // ---- the root (worker_root.hpp) ----
    void iterate();
    void search_root(int depth);
    void aspire(int depth);
    void search_window(int depth, Score alpha, Score beta);
    void show_mate(int depth);
    void report(int depth) const;
    void report_line(int depth, std::size_t index, Bound bound) const;
    bool worth_going_on(int depth);
    void watch_limits();
    bool is_first() const { return number_ == 0; }
    // Whether it has anybody to report to: the clock alone, asked at each move of the
    // root, is dear for small searches.
    bool reports() const { return is_first() && observer_->listens(); }
    std::size_t multi_pv() const;
    RootMove* find_root_move(Move move);
    // Whether all legal moves compete at the root, so that its score is the position's.
    bool root_is_whole() const { return pv_index_ == 0 && pv_end_ == legal_moves_; }
    Counters counters() const;

    // Where a root move's variation ends, and whether its score comes from there. The evaluator is left at
    // that position.
    std::pair<Position, LeafKind> leaf_of(const RootMove& root, const std::vector<Move>& variation,
                                          Score score);

    // ---- the root by MTD(f) (worker_mtdf.hpp) ----
    void converge(int depth);
    void settle_leaf(int depth, const Bracket& bracket);

    // ---- a node (worker_node.hpp) ----
    template <class Node>
    Score search(Effort effort, Score alpha, Score beta, int ply, bool cut_node);
    template <class Node>
    Score search_moves(const std::optional<TableEntry>& entry, Effort effort, Score alpha, Score beta,
                       int ply, bool cut_node, bool improving, Score best_so_far, Score most);
    // The score of the move that was just made, for the side that made it.
    struct Child {
        const MovePicker::Pick& pick;
        bool quiet;
        int number;     // among the node's moves, from 1
        int reduction;  // 1/1024 half-moves; below 0 for a move that costs less than one
    };
    template <class Node>
    Score search_child(const Child& child, Effort effort, Score alpha, Score beta, Score best, int ply,
                       bool cut_node);

    bool visit(int ply);
    bool is_draw() const;
    std::optional<Score> score_from_table(const std::optional<TableEntry>& entry, Effort effort, Score alpha,
                                          Score beta, int ply) const;
    struct TablebaseScore {
        Score score;
        Bound bound;
    };
    std::optional<TablebaseScore> ask_tablebases(int depth, int ply);
    // Fills in the frame's evaluations; the best guess at the node's score, for pruning.
    Score evaluate(Frame& frame, const std::optional<TableEntry>& entry, int ply);
    bool is_improving(const Frame& frame, int ply) const;
    std::optional<Score> razor(Score estimate, int depth, Score alpha, Score beta, int ply);
    std::optional<Score> prune_when_far_ahead(Score estimate, const std::optional<TableEntry>& entry,
                                              int depth, Score beta, bool improving) const;
    std::optional<Score> try_null_move(Score estimate, Effort effort, Score beta, int ply, bool cut_node);
    std::optional<Score> try_probcut(const std::optional<TableEntry>& entry, Effort effort, Score beta,
                                     int ply, bool cut_node, bool improving);
    // Whether a move of little promise need not be searched at all.
    struct MoveContext {
        const MovePicker::Pick& pick;
        bool quiet;
        bool gives_check;
        int depth;
        int reduction;  // 1/1024 half-moves
        Score alpha;
        Score best;
        int ply;
    };
    bool is_hopeless(const MoveContext& context, MovePicker& picker, bool improving);
    // By how many half-moves more to search the table's move; or the score, if even without it the node fails
    // high.
    struct Extension {
        int half_moves = 0;
        std::optional<Score> cut;
    };
    template <class Node>
    Extension ask_singular(const TableEntry& entry, Move move, Effort effort, Score beta, int ply,
                           bool cut_node);
    int reduction_of(const MovePicker::Pick& pick, std::optional<Effort> cost, bool quiet,
                     bool table_move_is_noisy, int depth, int ply, bool cut_node, bool improving) const;
    // By its probability, where moves cost by that; else nothing. `moves` are the node's legal ones.
    std::optional<Effort> cost_of(Move move, const MovePriors* priors, int moves) const;
    bool is_by_probability() const { return options_.cost.by_probability(); }

    // ---- below (worker_quiescence.hpp) ----
    template <class Node>
    Score quiescence(Score alpha, Score beta, int ply, int depth = 0);

    // ---- what is learnt on the way (worker_lessons.hpp) ----
    void learn_from_best(Move best, const chess::MoveList& quiets, const chess::MoveList& noisy, int depth,
                         int ply);
    void teach_quiet(Move move, int bonus, int ply);
    void teach_continuations(chess::Piece piece, chess::Square to, int bonus, int ply);
    Score corrected(Score raw, const Position& position, int ply) const;
    void learn_correction(const Frame& frame, Score score, int depth, int ply);

    // ---- the path (worker_path.hpp) ----
    void push(Move move, Frame& frame);
    void push_null(Frame& frame);
    void pop();
    // Where there is a policy and the node is worth it: what it says of the node's moves, until the next time
    // at this ply; else null.
    const MovePriors* ask_policy(Effort effort, int ply);
    OrderingHints hints_for(const Frame& frame, Move table_move, int ply) const;
    void store(std::uint64_t key, const Frame& frame, Move move, Score score, Effort effort, Bound bound,
               int ply);

    // From 7 half-moves before the root, so that nobody needs to ask whether there is a past.
    static constexpr int kBefore = 7;
    Frame& frame_at(int ply) { return frames_[index_of(ply)]; }
    const Frame& frame_at(int ply) const { return frames_[index_of(ply)]; }
    static constexpr std::size_t index_of(int ply) {
        const int index = ply + kBefore;
        return static_cast<std::size_t>(index);
    }

    // In an ordinary build these are constants of the compiler.
    const Tunables& tunables() const {
        static constexpr Tunables constants;
        if constexpr (kTuning) return options_.tunables;
        return constants;
    }

    const AlphaBetaOptions options_;
    const std::size_t number_;
    Evaluator evaluator_;
    Table& table_;
    std::unique_ptr<evaluators::MovePolicy> policy_;  // null: none
    Effort policy_effort_;                            // the least for which it is asked
    std::vector<MovePriors> priors_;                  // by ply, where there is a policy
    const ReductionTable reductions_;
    const ProbabilityCosts costs_;
    std::unique_ptr<Histories> histories_ = std::make_unique<Histories>();

    SharedSearch* shared_ = nullptr;
    Observer* observer_ = nullptr;
    chess::Line line_;
    int root_ply_ = 0;
    int root_depth_ = 0;
    int completed_depth_ = 0;
    int selective_depth_ = 0;
    int deepest_ = chess::kMaxPly;  // of the search's lines before, in half-moves
    std::vector<RootMove> root_moves_;
    std::size_t pv_index_ = 0;            // the best move that is being looked for; those before it are found
    std::size_t pv_end_ = 0;              // of the root moves that compete with it
    std::size_t legal_moves_ = 0;         // of the root
    int null_move_from_ply_ = 0;          // while a null move is being verified: none before this ply
    int stable_iterations_ = 0;           // since the best move last changed
    std::array<Score, 4> last_scores_{};  // of the iterations before, by depth modulo 4
    bool aborted_ = false;
    std::array<Frame, chess::kMaxPly + kBefore + 4> frames_;
};

}  // namespace scholar::search

#include "search/alpha_beta/worker_guesses.hpp"
#include "search/alpha_beta/worker_lessons.hpp"
#include "search/alpha_beta/worker_moves.hpp"
#include "search/alpha_beta/worker_mtdf.hpp"
#include "search/alpha_beta/worker_node.hpp"
#include "search/alpha_beta/worker_path.hpp"
#include "search/alpha_beta/worker_quiescence.hpp"
#include "search/alpha_beta/worker_root.hpp"
