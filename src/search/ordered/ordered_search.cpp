#include "search/ordered/ordered_search.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "evaluators/make.hpp"
#include "search/alpha_beta/shared_search.hpp"
#include "search/mate_attempt.hpp"
#include "search/ordered/ordered_tree.hpp"
#include "search/root.hpp"

namespace scholar::search {

namespace {

using chess::Move;

class IteratedOrder final : public OrderedSearch, private OrderedTree::Watch {
  public:
    IteratedOrder(std::unique_ptr<evaluators::Comparator> comparator, const OrderedOptions& options)
        : tree_(std::move(comparator), options.megabytes << 20, options.plain) {}

    SearchResult run(const chess::Line& line, const Limits& limits, std::stop_token stop,
                     Observer& observer) override {
        SharedSearch shared(limits, std::move(stop), 1);
        shared.time = plan_time(limits, game_ply(line), Tunables{});
        shared_ = &shared;
        moves_.clear();
        for (const Move move : allowed_moves(line.current(), limits)) moves_.push_back({move, {}, {move}, 0});
        if (moves_.empty()) return result_without_moves(line.current());
        if (const auto mate = limits.find<MateLimit>()) {
            MateAttempt attempt =
                attempt_mate(*mate, line, limits, shared.time, shared.started, shared.outer_stop);
            if (attempt.found) {
                attempt.found->counters.elapsed = shared.elapsed();
                report_lines(*attempt.found, observer);
                return std::move(*attempt.found);
            }
            shared.counters.front().nodes = attempt.nodes;
        }
        tree_.begin(line, *this);
        completed_ = selective_depth_ = 0;
        for (int depth = 1; depth <= shared.last_depth; ++depth) {
            search_root(depth);
            if (!tree_.is_over()) completed_ = depth;
            if (observer.listens()) report_lines(result_for(line), observer);
            if (tree_.is_over() || !worth_going_on()) break;
        }
        return result_for(line);
    }
    void new_game() override { tree_.forget(); }
    const OrderCounts& counts() const override { return tree_.order().counts(); }

  private:
    struct RootChoice {
        Move move;
        Standing standing;  // as the last iteration found that came to it; of the best alone
        std::vector<Move> variation;
        std::uint64_t nodes;  // below it
    };
    static constexpr std::uint64_t kBetweenLooks = 64;

    bool may_go_on(int ply) override {
        auto& nodes = shared_->counters.front().nodes;
        ThreadCounters::increment(nodes);
        selective_depth_ = std::max(selective_depth_, ply);
        const std::uint64_t count = nodes.load(std::memory_order_relaxed);
        if (count >= shared_->node_limit) return false;
        if (count % kBetweenLooks != 0) return true;
        return !shared_->outer_stop.stop_requested() &&
               !(shared_->time && shared_->may_end() && shared_->used() >= shared_->time->maximum);
    }

    // Leaves the best move in front, and behind it those that were so before it.
    void search_root(int depth) {
        const chess::Color side = tree_.position().side_to_move();
        Standing best;
        for (std::size_t i = 0; i < moves_.size(); ++i) {
            const std::uint64_t before = shared_->nodes();
            RootChoice choice = moves_[i];
            tree_.push(choice.move);
            bool better = i == 0 || !tree_.is_reached(depth - 1, {best, ~side}, 1);
            if (better) choice.standing = tree_.work_out(depth - 1, 1);
            tree_.pop();
            choice.nodes += shared_->nodes() - before;
            // Of a first move that was not worked out, what the iteration before has found stands.
            if (tree_.is_over()) return;
            if (better) {
                best = choice.standing;
                choice.variation.assign(1, choice.move);
                const Variation& rest = tree_.variation(1);
                choice.variation.insert(choice.variation.end(), rest.moves.begin(),
                                        rest.moves.begin() + rest.length);
                moves_.erase(moves_.begin() + static_cast<std::ptrdiff_t>(i));
                moves_.insert(moves_.begin(), std::move(choice));
            } else {
                moves_[i] = std::move(choice);
            }
        }
    }

    bool worth_going_on() const {
        const chess::Score decided = moves_.front().standing.decided();
        if (const auto mate = shared_->limits.find<MateLimit>();
            mate && decided.is_mate() && for_side(decided).is_win() &&
            for_side(decided).plies_to_mate() <= 2 * mate->moves)
            return false;
        if (!shared_->time || !shared_->may_end()) return true;
        // The next iteration takes longer than all so far; and there is nothing to choose.
        if (shared_->time->flexible && moves_.size() == 1) return false;
        return shared_->used() <
               (shared_->time->flexible ? shared_->time->optimum / 2 : shared_->time->maximum);
    }

    chess::Score for_side(chess::Score white) const {
        return tree_.position().side_to_move() == chess::White ? white : -white;
    }

    SearchResult result_for(const chess::Line& line) const {
        const RootChoice& best = moves_.front();
        SearchResult result;
        result.best = best.move;
        if (best.variation.size() > 1) result.ponder = best.variation[1];
        result.principal_variation = best.variation;
        const bool known = completed_ > 0 && !best.standing.position();
        if (known) result.score = for_side(best.standing.decided());
        chess::Line end = line;
        for (const Move move : best.variation) end.push(move);
        result.leaf = end.current();
        result.leaf_kind = !known                    ? LeafKind::CutShort
                           : result.score->is_mate() ? LeafKind::Mate
                                                     : LeafKind::Draw;
        result.counters.nodes = shared_->nodes();
        result.counters.depth = completed_;
        result.counters.selective_depth = selective_depth_;
        result.counters.elapsed = shared_->elapsed();
        double all = 0;
        for (const RootChoice& choice : moves_) all += static_cast<double>(choice.nodes);
        for (const RootChoice& choice : moves_)
            if (all > 0)
                result.root_distribution.emplace_back(choice.move, static_cast<double>(choice.nodes) / all);
        // Of the others nothing is known but that the first is preferred: no second line.
        result.lines = {{result.score, Bound::Exact, std::nullopt, completed_, selective_depth_,
                         result.principal_variation}};
        return result;
    }

    OrderedTree tree_;
    std::vector<RootChoice> moves_;
    SharedSearch* shared_ = nullptr;  // of the search in progress
    int completed_ = 0;               // iterations
    int selective_depth_ = 0;
};

}  // namespace

base::Result<std::unique_ptr<OrderedSearch>> make_ordered_search(const nets::AnyNetwork& network,
                                                                 const OrderedOptions& options) {
    auto comparator = evaluators::make_comparator(network);
    if (!comparator) return std::unexpected(comparator.error());
    return make_ordered_search(std::move(*comparator), options);
}

std::unique_ptr<OrderedSearch> make_ordered_search(std::unique_ptr<evaluators::Comparator> comparator,
                                                   const OrderedOptions& options) {
    return std::make_unique<IteratedOrder>(std::move(comparator), options);
}

}  // namespace scholar::search
