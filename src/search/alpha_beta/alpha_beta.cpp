#include "search/alpha_beta/alpha_beta.hpp"

#include <algorithm>
#include <span>
#include <system_error>
#include <thread>

#include "evaluators/make.hpp"
#include "evaluators/noisy_evaluator.hpp"
#include "search/alpha_beta/election.hpp"
#include "search/alpha_beta/worker.hpp"
#include "search/mate_attempt.hpp"
#include "search/root.hpp"
#include "search/tablebase_root.hpp"

namespace scholar::search {

namespace {

// The workers of a search together: they share the table and nothing else, so that each makes use of what the
// others have found ("Lazy SMP"). The first runs in the caller's thread.
template <evaluators::LeafEvaluator Evaluator>
class AlphaBeta final : public Search {
  public:
    AlphaBeta(const Evaluator& evaluator, Table& table, const AlphaBetaOptions& options)
        : options_(options), table_(table) {
        for (int number = 0; number < std::max(1, options.threads); ++number)
            workers_.push_back(std::make_unique<Worker<Evaluator>>(evaluator, table, options,
                                                                   static_cast<std::size_t>(number)));
    }

    SearchResult run(const chess::Line& line, const Limits& limits, std::stop_token stop,
                     Observer& observer) override {
        SharedSearch shared(limits, std::move(stop), static_cast<int>(workers_.size()));
        shared.time = plan_time(limits, game_ply(line), tunables());
        const std::vector<RootMove> root_moves = moves_to_search(line, limits, shared);
        if (root_moves.empty()) return result_without_moves(line.current());
        if (const auto mate = limits.find<MateLimit>(); mate && limits.multi_pv == 1)
            return find_mate(*mate, line, root_moves, shared, observer);
        return search(line, root_moves, shared, observer);
    }

    void new_game() override {
        for (const auto& worker : workers_) worker->new_game();
    }

  private:
    SearchResult search(const chess::Line& line, const std::vector<RootMove>& root_moves,
                        SharedSearch& shared, Observer& observer) {
        table_.next_generation();
        {
            Silence silent;
            std::vector<std::jthread> helpers;
            // Where no more threads are to be had, the search is only slower.
            const auto starts = [&](std::size_t number) {
                try {
                    helpers.emplace_back(
                        [&, number] { workers_[number]->run(shared, line, root_moves, silent); });
                    return true;
                } catch (const std::system_error&) {
                    return false;
                }
            };
            active_ = 1;
            while (active_ < workers_.size() && starts(active_)) ++active_;
            // Whatever happens here, the others end, or they would be waited for in vain.
            struct Stop {
                std::atomic<bool>& sign;
                ~Stop() { sign = true; }
            } const at_the_end{shared.stop};
            workers_.front()->run(shared, line, root_moves, observer);
        }
        return result_of(shared, observer);
    }

    SearchResult find_mate(const MateLimit& mate, const chess::Line& line,
                           const std::vector<RootMove>& root_moves, SharedSearch& shared,
                           Observer& observer) {
        MateAttempt attempt =
            attempt_mate(mate, line, shared.limits, shared.time, shared.started, shared.outer_stop);
        shared.counters.front().nodes.store(attempt.nodes, std::memory_order_relaxed);
        if (attempt.found) {
            SearchResult& result = *attempt.found;
            result.counters.elapsed = shared.elapsed();
            report_lines(result, observer);
            return std::move(result);
        }
        // There is none: what is best without is soon told.
        if (attempt.complete) shared.last_depth = std::min(shared.last_depth, 12);
        return search(line, root_moves, shared, observer);
    }

    const Tunables& tunables() const {
        static constexpr Tunables constants;
        return kTuning ? options_.tunables : constants;
    }

    std::vector<RootMove> moves_to_search(const chess::Line& line, const Limits& limits,
                                          SharedSearch& shared) const {
        std::vector<RootMove> moves;
        for (const chess::Move move : allowed_moves(line.current(), limits)) moves.emplace_back(move);
        if (rank_by_tablebases(options_.tablebases, line, moves))
            ThreadCounters::increment(shared.counters.front().tablebase_hits);
        return moves;
    }

    std::size_t elect_thread(const Limits& limits) const {
        if (active_ == 1 || limits.multi_pv > 1) return 0;
        std::vector<Ballot> ballots;
        for (const auto& worker : std::span(workers_.data(), active_)) {
            const RootMove& best = worker->root_moves().front();
            ballots.push_back({best.move(), best.latest(), best.latest_bound(), worker->completed_depth()});
        }
        return elect(ballots);
    }

    SearchResult result_of(const SharedSearch& shared, Observer& observer) {
        const Limits& limits = shared.limits;
        const std::size_t elected = elect_thread(limits);
        Worker<Evaluator>& worker = *workers_[elected];
        const bool unscored = !worker.root_moves().front().has_score();
        if (unscored) worker.evaluate_first_move();
        const std::vector<RootMove>& moves = worker.root_moves();
        SearchResult result;
        const RootMove& best = moves.front();
        result.best = best.move();
        result.ponder = worker.expected_reply(best);
        const auto score_of = [](const RootMove& root) { return root.known_score(root.latest()); };
        result.score = score_of(best);
        for (std::size_t i = 0; i < line_count(limits, moves.size()) && moves[i].has_score(); ++i) {
            auto [variation, bound] = worker.shown(moves[i], moves[i].latest_bound());
            result.lines.push_back({score_of(moves[i]), bound, std::nullopt, moves[i].depth,
                                    moves[i].selective_depth, std::move(variation)});
        }
        result.principal_variation = result.lines.front().variation;
        result.counters.nodes = shared.nodes();
        result.counters.tablebase_hits = shared.tablebase_hits();
        result.counters.depth = worker.completed_depth();
        result.counters.selective_depth = best.selective_depth;
        result.counters.elapsed = shared.elapsed();
        if (observer.listens()) result.counters.table_permille = table_.permille_full();
        std::uint64_t total = 0;
        for (const RootMove& root : moves) total += root.nodes;
        if (total > 0)
            for (const RootMove& root : moves)
                result.root_distribution.emplace_back(
                    root.move(), static_cast<double>(root.nodes) / static_cast<double>(total));
        worker.classify_leaf(result);
        if (elected != 0 || unscored) {
            // What was shown last is the first worker's, or nothing was.
            Iteration iteration;
            iteration.depth = std::max(1, result.counters.depth);
            iteration.counters = result.counters;
            iteration.score = result.score;
            iteration.bound = result.lines.front().bound;
            iteration.principal_variation = result.principal_variation;
            observer.on_iteration(iteration);
        }
        return result;
    }

    const AlphaBetaOptions options_;
    Table& table_;
    std::vector<std::unique_ptr<Worker<Evaluator>>> workers_;
    std::size_t active_ = 1;  // of them, in the last search
};

}  // namespace

base::Result<std::unique_ptr<Search>> make_alpha_beta(const nets::AnyNetwork& network, Table& table,
                                                      const AlphaBetaOptions& options) {
    using Made = base::Result<std::unique_ptr<Search>>;
    if (options.evaluation_noise > 0) {
        // Who plays weakly is in no hurry: the search is not compiled for each kind of network once more.
        auto leaf = evaluators::make_leaf(network);
        if (!leaf) return std::unexpected(leaf.error());
        return std::make_unique<AlphaBeta<evaluators::NoisyEvaluator<evaluators::AnyLeaf>>>(
            evaluators::NoisyEvaluator(std::move(*leaf), options.evaluation_noise, options.noise_seed), table,
            options);
    }
    return evaluators::with_leaf(network, [&](const auto& leaf) -> Made {
        return std::make_unique<AlphaBeta<std::remove_cvref_t<decltype(leaf)>>>(leaf, table, options);
    });
}

}  // namespace scholar::search
