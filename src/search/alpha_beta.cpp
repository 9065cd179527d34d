#include "search/alpha_beta.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "evaluators/network_evaluator.hpp"
#include "search/history.hpp"
#include "search/move_picker.hpp"
#include "search/time_plan.hpp"

namespace scholar::search {

namespace {

using namespace chess;
using Clock = std::chrono::steady_clock;

constexpr int kAspirationDepth = 5;
constexpr int kReverseFutilityDepth = 7;
constexpr int kNullMoveDepth = 3;
constexpr int kInternalReductionDepth = 4;
constexpr int kLateMoveDepth = 3;

// How many half-moves less deep the `number`th move of a node is looked at first.
class ReductionTable {
  public:
    explicit ReductionTable(const Tunables& tunables) {
        for (int depth = 1; depth < kSize; ++depth)
            for (int number = 1; number < kSize; ++number)
                table_[depth][number] = static_cast<int>(tunables.reduction_offset / 100.0 +
                                                         std::log(depth) * std::log(number) /
                                                             (tunables.reduction_divisor / 100.0));
    }
    int at(int depth, int number) const {
        return table_[std::min(depth, kSize - 1)][std::min(number, kSize - 1)];
    }

  private:
    static constexpr int kSize = 64;
    std::array<std::array<int, kSize>, kSize> table_{};
};

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
    std::array<Move, kMaxPly + 1> moves;
    int length = 0;

    void clear() { length = 0; }
    void set(Move first, const Variation& rest) {
        moves[0] = first;
        std::copy_n(rest.moves.begin(), rest.length, moves.begin() + 1);
        length = rest.length + 1;
    }
};

template <evaluators::LeafEvaluator Evaluator>
class AlphaBeta final : public Search {
  public:
    AlphaBeta(Evaluator evaluator, Table& table, const Tunables& tunables)
        : tunables_(kTuning ? tunables : Tunables{}), evaluator_(std::move(evaluator)), table_(table) {}

    SearchResult run(const Line& line, const Limits& limits, std::stop_token stop,
                     Observer& observer) override {
        begin(line, limits, std::move(stop), observer);
        SearchResult result;
        for (const Move move : legal_moves(line_.current()))
            if (limits.root_moves.empty() ||
                std::ranges::find(limits.root_moves, move) != limits.root_moves.end())
                root_moves_.push_back({move});
        if (root_moves_.empty()) {
            result.score = line_.current().in_check() ? Score::mated_in(0) : Score::draw();
            result.leaf = line_.current();
            result.leaf_kind = result.score.is_mate() ? LeafKind::Mate : LeafKind::Draw;
            return result;
        }
        result.best = root_moves_.front().move;
        result.principal_variation = {result.best};
        deepen(result);
        finish(result);
        return result;
    }

    void new_game() override {
        butterfly_.clear();
        replies_->clear();
    }

  private:
    struct RootMove {
        Move move;
        std::uint64_t nodes = 0;  // spent below it in all iterations
    };

    // What one ply of the current path needs to remember.
    struct Frame {
        Variation variation;
        std::array<Move, 2> killers{};
        Move move;                                 // being searched from here
        ReplyHistory::Replies* replies = nullptr;  // to that move
        Score evaluation;                          // static; meaningless in check
        bool in_check = false;
    };

    // ---- one search, from the outside in ----

    void begin(const Line& line, const Limits& limits, std::stop_token stop, Observer& observer) {
        started_ = Clock::now();
        line_ = line;
        line_.reserve_ahead(kMaxPly + 8);  // nodes hold references to their positions
        root_ply_ = line_.ply();
        limits_ = &limits;
        stop_ = std::move(stop);
        observer_ = &observer;
        node_limit_ = limits.find<NodeLimit>() ? limits.find<NodeLimit>()->nodes : UINT64_MAX;
        time_ = plan_time(limits);
        proving_mate_ = limits.find<MateLimit>().has_value();
        aborted_ = false;
        counters_ = {};
        root_moves_.clear();
        for (Frame& frame : frames_) frame = Frame{};
        butterfly_.age();
        table_.next_generation();
        evaluator_.reset(line_.current());
    }

    void deepen(SearchResult& result) {
        const int last = limits_->find<DepthLimit>()
                             ? std::clamp(limits_->find<DepthLimit>()->depth, 1, kMaxPly - 1)
                             : kMaxPly - 1;
        for (int depth = 1; depth <= last; ++depth) {
            counters_.selective_depth = 0;
            const Score score = search_window(depth, result);
            if (aborted_) {
                // An unfinished iteration counts as far as it got: its first move is the best so far.
                adopt_variation(result, root_score_);
                report(counters_.depth, result.score, Bound::Exact, result.principal_variation);
                break;
            }
            counters_.depth = depth;
            adopt_variation(result, score);
            report(depth, score, Bound::Exact, result.principal_variation);
            if (!worth_going_on(score, depth)) break;
        }
    }

    // Around the last iteration's score first; the window opens on the side where it failed.
    Score search_window(int depth, const SearchResult& last) {
        int width = tunables_.aspiration_window;
        const bool narrow = depth >= kAspirationDepth && !last.score.is_mate();
        Score alpha = narrow ? last.score - width : -Score::infinite();
        Score beta = narrow ? last.score + width : Score::infinite();
        while (true) {
            const Score score = search<RootNode>(depth, alpha, beta, 0, true);
            if (aborted_) return score;
            width *= 4;
            Bound bound = Bound::Exact;
            if (score <= alpha && alpha > -Score::infinite()) {
                bound = Bound::Upper;
                alpha = width > 1000 ? -Score::infinite() : std::max(-Score::infinite(), score - width);
            } else if (score >= beta && beta < Score::infinite()) {
                bound = Bound::Lower;
                beta = width > 1000 ? Score::infinite() : std::min(Score::infinite(), score + width);
            } else {
                return score;
            }
            // Failing low leaves no variation: the last one stands.
            if (elapsed() > std::chrono::seconds(1))
                report(depth, score, bound,
                       bound == Bound::Lower ? root_variation() : last.principal_variation);
        }
    }

    bool worth_going_on(Score score, int depth) const {
        if (const auto mate = limits_->find<MateLimit>();
            mate && score.is_mate() && score.plies_to_mate() > 0 && score.plies_to_mate() <= 2 * mate->moves)
            return false;
        if (limits_->is_infinite() || !time_) return true;
        if (elapsed() >= time_->soft) return false;
        // On the clock, nothing is gained by thinking about the only move or about a mate that is already
        // proved.
        if (limits_->find<ClockLimit>()) {
            if (root_moves_.size() == 1) return false;
            if (score.is_mate() && depth > 2 * std::abs(score.plies_to_mate())) return false;
        }
        return true;
    }

    std::vector<Move> root_variation() const {
        const Variation& found = frames_[0].variation;
        return {found.moves.begin(), found.moves.begin() + found.length};
    }

    // Takes over what the root has found, if it has found anything. Move, score and variation belong
    // together.
    void adopt_variation(SearchResult& result, Score score) const {
        if (frames_[0].variation.length == 0) return;
        result.principal_variation = root_variation();
        result.best = result.principal_variation.front();
        result.ponder = result.principal_variation.size() > 1 ? result.principal_variation[1] : Move::none();
        result.score = score;
    }

    void finish(SearchResult& result) {
        counters_.elapsed = elapsed();
        counters_.table_permille = table_.permille_full();
        result.counters = counters_;
        classify_leaf(result);
        std::uint64_t total = 0;
        for (const RootMove& root : root_moves_) total += root.nodes;
        if (total == 0) return;
        for (const RootMove& root : root_moves_)
            result.root_distribution.emplace_back(
                root.move, static_cast<double>(root.nodes) / static_cast<double>(total));
    }

    // Walks to the end of the principal variation and asks whether the score comes from there.
    void classify_leaf(SearchResult& result) {
        Line path = line_;
        for (const Move move : result.principal_variation) path.push(move);
        result.leaf = path.current();
        const Terminal terminal = path.terminal();
        if (result.score.is_mate()) {
            result.leaf_kind = LeafKind::Mate;
        } else if (result.score == Score::draw() &&
                   (terminal != Terminal::None || path.is_repetition_in_search(root_ply_))) {
            result.leaf_kind = LeafKind::Draw;
        } else {
            evaluator_.reset(path.current());
            const PovScore leaf(evaluator_.value(path.current()), path.current().side_to_move());
            const bool exact = leaf.from(line_.current().side_to_move()) == result.score;
            result.leaf_kind = exact ? LeafKind::Exact : LeafKind::CutShort;
        }
    }

    void report(int depth, Score score, Bound bound, const std::vector<Move>& variation) {
        counters_.elapsed = elapsed();
        counters_.table_permille = table_.permille_full();
        observer_->on_iteration({depth, 1, counters_, score, bound, std::nullopt, variation});
    }

    Clock::duration elapsed() const { return Clock::now() - started_; }

    // ---- a node ----

    template <class Node>
    Score search(int depth, Score alpha, Score beta, int ply, bool cut_node) {
        const Position& position = line_.current();
        Frame& frame = frames_[ply];
        frame.variation.clear();
        if (depth <= 0) return quiescence<Node>(alpha, beta, ply);
        if (!visit(ply)) return Score::draw();

        if constexpr (!Node::is_root) {
            if (is_draw()) return Score::draw();
            if (ply >= kMaxPly) return evaluator_.value(position);
            if (narrow_to_possible_mates(alpha, beta, ply)) return alpha;
        }

        const auto entry = table_.probe(position.key());
        if constexpr (!Node::is_principal)
            if (const auto score = score_from_table(entry, depth, alpha, beta, ply)) return *score;
        const Move table_move = entry ? entry->move : Move::none();

        frame.in_check = position.in_check();
        if (!frame.in_check) {
            frame.evaluation = entry && entry->evaluation ? *entry->evaluation : evaluator_.value(position);
            if constexpr (!Node::is_principal) {
                if (const auto score = prune_when_far_ahead(frame, depth, beta)) return *score;
                if (const auto score = try_null_move(frame, depth, beta, ply, cut_node)) return *score;
            }
        }
        // Without a table move the node is searched badly ordered; one half-move less, and the next iteration
        // knows.
        if (depth >= kInternalReductionDepth && !table_move && !frame.in_check && !proving_mate_) --depth;

        return search_moves<Node>(frame, table_move, depth, alpha, beta, ply, cut_node);
    }

    template <class Node>
    Score search_moves(Frame& frame, Move table_move, int depth, Score alpha, Score beta, int ply,
                       bool cut_node) {
        const Position& position = line_.current();
        const Score original_alpha = alpha;
        if (ply + 1 <= kMaxPly) frames_[ply + 1].killers = {};
        MovePicker picker(position, MoveSet::All, hints_for(frame, table_move, ply),
                          evaluator_.piece_values());
        MovePicker::Pick pick;
        Score best = -Score::infinite();
        Move best_move;
        MoveList quiets_tried;
        int number = 0;
        while (picker.next(pick)) {
            if (Node::is_root && !is_root_move(pick.move)) continue;
            ++number;
            const std::uint64_t nodes_before = counters_.nodes;
            if (Node::is_root && elapsed() > std::chrono::seconds(3))
                observer_->on_root_move(depth, pick.move, number, counters_);

            const bool quiet = !position.is_noisy(pick.move);
            const int reduction = reduction_for<Node>(frame, pick, quiet, depth, number, cut_node);
            push(pick.move, frame);
            const int extension = line_.current().in_check() ? 1 : 0;
            const int next_depth = depth - 1 + extension;
            const Score score = search_child<Node>(next_depth, reduction, alpha, beta, ply, number, cut_node);
            pop();
            if (aborted_) return Score::draw();

            if constexpr (Node::is_root) root_move(pick.move).nodes += counters_.nodes - nodes_before;
            if (score > best) {
                best = score;
                if (score > alpha) {
                    best_move = pick.move;
                    alpha = score;
                    if (Node::is_principal) frame.variation.set(pick.move, frames_[ply + 1].variation);
                    if (Node::is_root) root_score_ = score;
                    if (alpha >= beta) {
                        learn_from_cut(frame, pick.move, quiets_tried, depth, ply);
                        break;
                    }
                }
            }
            if (quiet) quiets_tried.push(pick.move);
        }
        if (number == 0) return frame.in_check ? Score::mated_in(ply) : Score::draw();

        const Bound bound = best >= beta ? Bound::Lower : best > original_alpha ? Bound::Exact : Bound::Upper;
        store(position, frame, best_move, best, depth, bound, ply);
        return best;
    }

    // Null windows for all but the first move; late moves less deep at first.
    template <class Node>
    Score search_child(int depth, int reduction, Score alpha, Score beta, int ply, int number,
                       bool cut_node) {
        if (number > 1 || !Node::is_principal) {
            Score score;
            if (reduction > 0) {
                const int reduced = std::max(1, depth - reduction);
                score = -search<OtherNode>(reduced, -(alpha + 1), -alpha, ply + 1, true);
                if (score > alpha && reduced < depth)
                    score = -search<OtherNode>(depth, -(alpha + 1), -alpha, ply + 1, !cut_node);
            } else {
                score = -search<OtherNode>(depth, -(alpha + 1), -alpha, ply + 1, !cut_node);
            }
            if (!Node::is_principal || score <= alpha || (score >= beta && !Node::is_root) || aborted_)
                return score;
        }
        return -search<typename Node::Child>(depth, -beta, -alpha, ply + 1, false);
    }

    template <class Node>
    Score quiescence(Score alpha, Score beta, int ply) {
        const Position& position = line_.current();
        Frame& frame = frames_[ply];
        frame.variation.clear();
        if (!visit(ply)) return Score::draw();
        if (is_draw()) return Score::draw();
        if (ply >= kMaxPly) return evaluator_.value(position);

        const auto entry = table_.probe(position.key());
        if constexpr (!Node::is_principal)
            if (const auto score = score_from_table(entry, 0, alpha, beta, ply)) return *score;

        frame.in_check = position.in_check();
        Score best = Score::mated_in(ply);
        const Score original_alpha = alpha;
        if (!frame.in_check) {
            frame.evaluation = entry && entry->evaluation ? *entry->evaluation : evaluator_.value(position);
            best = frame.evaluation;
            if (best >= beta) return best;
            alpha = std::max(alpha, best);
        }

        const MoveSet which = frame.in_check ? MoveSet::All : MoveSet::Noisy;
        MovePicker picker(position, which, hints_for(frame, entry ? entry->move : Move::none(), ply),
                          evaluator_.piece_values());
        MovePicker::Pick pick;
        Move best_move;
        while (picker.next(pick)) {
            if (!frame.in_check && pick.rank == MovePicker::Rank::LosingCapture) break;
            push(pick.move, frame);
            const Score score = -quiescence<Node>(-beta, -alpha, ply + 1);
            pop();
            if (aborted_) return Score::draw();
            if (score <= best) continue;
            best = score;
            if (score <= alpha) continue;
            best_move = pick.move;
            alpha = score;
            if (Node::is_principal) frame.variation.set(pick.move, frames_[ply + 1].variation);
            if (alpha >= beta) break;
        }
        const Bound bound = best >= beta ? Bound::Lower : best > original_alpha ? Bound::Exact : Bound::Upper;
        store(position, frame, best_move, best, 0, bound, ply);
        return best;
    }

    // ---- the steps of a node ----

    // Counts the node; false when the search must end.
    bool visit(int ply) {
        if (aborted_) return false;
        ++counters_.nodes;
        counters_.selective_depth = std::max(counters_.selective_depth, ply + 1);
        // In the first iteration too: where pieces have no values yet, exchanges alone can go on without end.
        if (counters_.nodes >= node_limit_) aborted_ = true;
        if (counters_.nodes % 1024 == 0 && (stop_.stop_requested() || (time_ && elapsed() >= time_->hard)))
            aborted_ = true;
        return !aborted_;
    }

    bool is_draw() const {
        const Position& position = line_.current();
        if (line_.is_repetition_in_search(root_ply_) || position.has_insufficient_material()) return true;
        return position.halfmove_clock() >= 100 && (!position.in_check() || has_legal_move(position));
    }

    // No line from here is better than mating at once or worse than being mated here.
    static bool narrow_to_possible_mates(Score& alpha, Score& beta, int ply) {
        alpha = std::max(alpha, Score::mated_in(ply));
        beta = std::min(beta, Score::mate_in(ply + 1));
        return alpha >= beta;
    }

    static std::optional<Score> score_from_table(const std::optional<TableEntry>& entry, int depth,
                                                 Score alpha, Score beta, int ply) {
        if (!entry || entry->draft < depth) return std::nullopt;
        const Score score = entry->score.from_table(ply);
        const bool decides = entry->bound == Bound::Exact ||
                             (entry->bound == Bound::Lower && score >= beta) ||
                             (entry->bound == Bound::Upper && score <= alpha);
        return decides ? std::optional(score) : std::nullopt;
    }

    // So far above beta that the few half-moves left will hardly lose it.
    std::optional<Score> prune_when_far_ahead(const Frame& frame, int depth, Score beta) const {
        if (depth > kReverseFutilityDepth || beta.is_mate() || proving_mate_) return std::nullopt;
        if (frame.evaluation - tunables_.reverse_futility_margin * depth < beta) return std::nullopt;
        return frame.evaluation;
    }

    // If even passing keeps the score above beta, a real move will. Not where passing could be the best move
    // of all: with pawns only. Two passes in a row prove nothing.
    std::optional<Score> try_null_move(Frame& frame, int depth, Score beta, int ply, bool cut_node) {
        const Position& position = line_.current();
        const Color us = position.side_to_move();
        const bool has_piece = position.pieces(us) & ~position.pieces(Pawn) & ~position.pieces(King);
        const bool just_passed = ply > 0 && !frames_[ply - 1].move;
        if (depth < kNullMoveDepth || frame.evaluation < beta || !has_piece || just_passed ||
            beta.is_mate() || proving_mate_)
            return std::nullopt;

        const int surplus =
            std::min(3, (frame.evaluation.value() - beta.value()) / tunables_.null_move_surplus);
        const int reduction = 3 + depth / 4 + surplus;
        frame.move = Move::none();
        frame.replies = nullptr;
        evaluator_.push_null(position);
        line_.push_null();
        const Score score = -search<OtherNode>(depth - reduction, -beta, -(beta - 1), ply + 1, !cut_node);
        line_.pop();
        evaluator_.pop();
        if (aborted_) return Score::draw();
        if (score < beta) return std::nullopt;
        return score.is_mate() ? beta : score;  // a mate after a pass is no proved mate
    }

    template <class Node>
    int reduction_for(const Frame& frame, const MovePicker::Pick& pick, bool quiet, int depth, int number,
                      bool cut_node) const {
        if (depth < kLateMoveDepth || number <= (Node::is_principal ? 3 : 1) || proving_mate_) return 0;
        if (pick.rank == MovePicker::Rank::TableMove || pick.rank == MovePicker::Rank::WinningCapture)
            return 0;
        int reduction = reductions_.at(depth, number);
        if (quiet) reduction -= pick.history / tunables_.history_divisor;
        if (Node::is_principal) --reduction;
        if (cut_node) ++reduction;
        if (frame.in_check || pick.rank == MovePicker::Rank::Killer) --reduction;
        return std::max(0, reduction);
    }

    void learn_from_cut(Frame& frame, Move move, const MoveList& quiets_tried, int depth, int ply) {
        const Position& position = line_.current();
        if (position.is_noisy(move)) return;
        if (frame.killers[0] != move) frame.killers = {move, frame.killers[0]};
        const int bonus = std::min(16 * depth * depth + 64 * depth, 2000);
        const auto teach = [&](Move quiet, int amount) {
            butterfly_.at(position.side_to_move(), quiet).add(amount);
            if (ply > 0 && frames_[ply - 1].replies)
                (*frames_[ply - 1].replies)[position.piece_on(quiet.from())][quiet.to()].add(amount);
        };
        teach(move, bonus);
        for (const Move other : quiets_tried) teach(other, -bonus);
    }

    void store(const Position& position, const Frame& frame, Move move, Score score, int depth, Bound bound,
               int ply) {
        TableEntry entry;
        entry.move = move;
        entry.score = score.to_table(ply);
        if (!frame.in_check) entry.evaluation = frame.evaluation;
        entry.draft = static_cast<std::int16_t>(depth);
        entry.bound = bound;
        table_.store(position.key(), entry);
    }

    OrderingHints hints_for(const Frame& frame, Move table_move, int ply) const {
        return {table_move, frame.killers, &butterfly_, ply > 0 ? frames_[ply - 1].replies : nullptr};
    }

    void push(Move move, Frame& frame) {
        const Position& position = line_.current();
        frame.move = move;
        frame.replies = &replies_->after(position.piece_on(move.from()), move.to());
        evaluator_.push(position, move);
        line_.push(move);
        table_.prefetch(line_.current().key());
    }

    void pop() {
        line_.pop();
        evaluator_.pop();
    }

    bool is_root_move(Move move) const {
        return std::ranges::find(root_moves_, move, &RootMove::move) != root_moves_.end();
    }
    RootMove& root_move(Move move) { return *std::ranges::find(root_moves_, move, &RootMove::move); }

    const Tunables tunables_;
    Evaluator evaluator_;
    Table& table_;
    const ReductionTable reductions_{tunables_};
    ButterflyHistory butterfly_;
    std::unique_ptr<ReplyHistory> replies_ = std::make_unique<ReplyHistory>();

    Line line_;
    int root_ply_ = 0;
    std::vector<RootMove> root_moves_;
    const Limits* limits_ = nullptr;
    Observer* observer_ = nullptr;
    std::stop_token stop_;
    std::optional<TimePlan> time_;
    std::uint64_t node_limit_ = 0;
    Clock::time_point started_;
    Counters counters_;
    Score root_score_;           // of the root's variation
    bool proving_mate_ = false;  // asked for a mate in so many moves: nothing is pruned or reduced on a guess
    bool aborted_ = false;
    std::array<Frame, kMaxPly + 2> frames_;
};

}  // namespace

std::unique_ptr<Search> make_alpha_beta(std::shared_ptr<const nets::Network> network, Table& table,
                                        const AlphaBetaOptions& options) {
    return std::make_unique<AlphaBeta<evaluators::NetworkEvaluator>>(
        evaluators::NetworkEvaluator(std::move(network)), table, options.tunables);
}

}  // namespace scholar::search
