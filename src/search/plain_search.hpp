#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "chess/movegen.hpp"
#include "search/alpha_beta/node.hpp"
#include "search/alpha_beta/shared_search.hpp"
#include "search/mate_attempt.hpp"
#include "search/root.hpp"
#include "search/root_moves.hpp"

namespace scholar::search {

// The root of searches that are plain: iterations one deeper than the other, of which the next knows the
// order of the root's moves, alpha-beta below each of these, draws by rule, limits, a report. One thread,
// whatever the limits. What is searched below a root's move is up to `Tree`, which derives from this and has
//
//   begin()                        the search of line_ begins; leaves in moves_ those that are to be tried
//   begin_iteration(number)        from 1
//   search_below(alpha, beta)      of line_, after one of the root's moves: for who is to move there
//   push(move), pop()              on line_, and whatever follows it
//   static_value()                 of line_, for who is to move there
//   kBetweenLooks                  nodes between two looks at the watch
template <class Tree>
class PlainSearch : public Search {
  public:
    SearchResult run(const chess::Line& line, const Limits& limits, std::stop_token stop,
                     Observer& observer) final {
        SharedSearch shared(limits, std::move(stop), 1);
        shared.time = plan_time(limits, game_ply(line), Tunables{});
        shared_ = &shared;
        moves_.clear();
        for (const chess::Move move : allowed_moves(line.current(), limits)) moves_.emplace_back(move);
        if (moves_.empty()) return result_without_moves(line.current());
        if (const auto mate = limits.find<MateLimit>(); mate && limits.multi_pv == 1) {
            MateAttempt attempt =
                attempt_mate(*mate, line, limits, shared.time, shared.started, shared.outer_stop);
            if (attempt.found) {
                attempt.found->counters.elapsed = shared.elapsed();
                report_lines(*attempt.found, observer);
                return std::move(*attempt.found);
            }
            shared.counters.front().nodes = attempt.nodes;
            if (attempt.complete)
                shared.last_depth = std::min(shared.last_depth, kPlainIterationsWithoutMate);
        }
        line_ = line;
        line_.reserve_ahead(chess::kMaxPly + 2);  // nodes hold references to their positions
        root_ply_ = line_.ply();
        aborted_ = false;
        trouble_.clear();
        tree().begin();
        iterate(observer);
        return result();
    }

    void new_game() override {}

  protected:
    // Keeps the better one; whether it is enough.
    bool take(chess::Move move, chess::Score score, chess::Score& best, chess::Score alpha, chess::Score beta,
              int ply) {
        if (score <= best) return false;
        best = score;
        const auto index = static_cast<std::size_t>(ply);
        if (score > alpha) variations_[index].set(move, variations_[index + 1]);
        return score >= beta;
    }

    bool visit(int ply) {
        if (aborted_) return false;
        auto& nodes = shared_->counters.front().nodes;
        ThreadCounters::increment(nodes);
        selective_depth_ = std::max(selective_depth_, ply);
        const std::uint64_t count = nodes.load(std::memory_order_relaxed);
        aborted_ = count >= shared_->node_limit;
        if (count % Tree::kBetweenLooks == 0)
            aborted_ = aborted_ || shared_->outer_stop.stop_requested() ||
                       (shared_->time && shared_->may_end() && shared_->used() >= shared_->time->maximum);
        return !aborted_;
    }

    bool is_draw() const {
        const chess::Position& position = line_.current();
        if (line_.is_repetition_in_search(root_ply_) || position.has_insufficient_material()) return true;
        return position.halfmove_clock() >= 100 && (!position.in_check() || chess::has_legal_move(position));
    }

    chess::Line line_;
    std::vector<Variation> variations_;  // by ply
    std::vector<RootMove> moves_;        // the best first, between iterations
    SharedSearch* shared_ = nullptr;     // of the search in progress
    bool aborted_ = false;
    std::string trouble_;  // why nothing more can be searched (SearchResult::trouble)

  private:
    friend Tree;
    PlainSearch() : variations_(chess::kMaxPly + 2) {}

    // Iterations where a mate was asked for and trying everything has shown that there is none.
    static constexpr int kPlainIterationsWithoutMate = 4;

    Tree& tree() { return static_cast<Tree&>(*this); }

    void iterate(Observer& observer) {
        completed_ = 0;
        for (int number = 1; number <= shared_->last_depth; ++number) {
            for (RootMove& root : moves_) root.begin_iteration();
            search_root(number);
            if (aborted_)
                for (RootMove& root : moves_) root.end_unfinished();
            else
                completed_ = number;
            sort_root_moves(moves_, 0, moves_.size());
            if (!moves_.front().has_score()) evaluate_first_move();
            if (observer.listens()) {
                SearchResult report;
                report.lines = lines();
                report.counters = counters();
                report_lines(report, observer);
            }
            if (aborted_ || !worth_going_on()) return;
        }
    }

    bool worth_going_on() const {
        const chess::Score best = moves_.front().latest();
        if (const auto mate = shared_->limits.find<MateLimit>();
            mate && best.is_mate() && best.is_win() && best.plies_to_mate() <= 2 * mate->moves)
            return false;
        if (!shared_->time || !shared_->may_end()) return true;
        // The next iteration takes longer than all so far.
        return shared_->used() <
               (shared_->time->flexible ? shared_->time->optimum / 2 : shared_->time->maximum);
    }

    std::size_t multi_pv() const { return line_count(shared_->limits, moves_.size()); }

    // A move has a score if it is among the best so far.
    void search_root(int iteration) {
        tree().begin_iteration(iteration);
        std::vector<chess::Score> best(multi_pv(),
                                       -chess::Score::infinite());  // of the moves before, the best first
        for (RootMove& root : moves_) {
            const std::uint64_t before = shared_->nodes();
            const chess::Score alpha = best.back();
            selective_depth_ = 1;
            tree().push(root.move());
            const chess::Score score = -tree().search_below(-chess::Score::infinite(), -alpha);
            tree().pop();
            root.nodes += shared_->nodes() - before;
            if (aborted_) return;
            if (score <= alpha) continue;
            root.score = score;
            root.bound = Bound::Exact;
            root.depth = iteration;
            root.selective_depth = selective_depth_;
            root.variation.assign(1, root.move());
            const Variation& rest = variations_[1];
            root.variation.insert(root.variation.end(), rest.moves.begin(), rest.moves.begin() + rest.length);
            best.insert(std::ranges::upper_bound(best, score, std::greater()), score);
            best.pop_back();
        }
    }

    // For a search that was stopped before any move had a score.
    void evaluate_first_move() {
        RootMove& first = moves_.front();
        tree().push(first.move());
        const chess::Position& after = line_.current();
        if (!is_draw() && chess::has_legal_move(after))
            first.score = -tree().static_value();
        else
            first.score = !is_draw() && after.in_check() ? chess::Score::mate_in(1) : chess::Score::draw();
        tree().pop();
        first.depth = first.selective_depth = 1;
    }

    Counters counters() const {
        Counters counters;
        counters.nodes = shared_->nodes();
        counters.depth = completed_;
        counters.selective_depth = moves_.front().selective_depth;
        counters.elapsed = shared_->elapsed();
        return counters;
    }

    std::vector<RootLine> lines() const {
        std::vector<RootLine> lines;
        for (std::size_t i = 0; i < multi_pv() && moves_[i].has_score(); ++i)
            lines.push_back({moves_[i].latest(), Bound::Exact, std::nullopt, moves_[i].depth,
                             moves_[i].selective_depth, moves_[i].variation});
        return lines;
    }

    SearchResult result() {
        SearchResult result;
        result.trouble = trouble_;
        result.lines = lines();
        result.counters = counters();
        result.score = result.lines.front().score;
        result.principal_variation = result.lines.front().variation;
        result.best = result.principal_variation.front();
        if (result.principal_variation.size() > 1) result.ponder = result.principal_variation[1];
        double all = 0;
        for (const RootMove& root : moves_) all += static_cast<double>(root.nodes);
        for (const RootMove& root : moves_)
            if (all > 0) result.root_distribution.emplace_back(root.move(), root.nodes / all);
        classify_leaf(result);
        return result;
    }

    void classify_leaf(SearchResult& result) {
        const chess::Color side = line_.current().side_to_move();
        for (const chess::Move move : result.principal_variation) tree().push(move);
        result.leaf = line_.current();
        const chess::PovScore value(tree().static_value(), result.leaf.side_to_move());
        if (result.score->is_mate())
            result.leaf_kind = LeafKind::Mate;
        else if (*result.score == chess::Score::draw() && (is_draw() || !chess::has_legal_move(result.leaf)))
            result.leaf_kind = LeafKind::Draw;
        else
            result.leaf_kind = value.from(side) == *result.score ? LeafKind::Exact : LeafKind::CutShort;
    }

    int root_ply_ = 0;
    int completed_ = 0;        // iterations
    int selective_depth_ = 0;  // below a move of the root
};

}  // namespace scholar::search
