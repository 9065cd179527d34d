#include "search/mcts/mcts.hpp"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "evaluators/make.hpp"
#include "search/mate_attempt.hpp"
#include "search/mcts/playouts.hpp"
#include "search/mcts/quiet_value.hpp"
#include "search/mcts/report.hpp"
#include "search/mcts/watch.hpp"
#include "search/root.hpp"
#include "search/tablebase_root.hpp"

namespace scholar::search::mcts {

namespace {

using evaluators::BatchEvaluator;

// After how many playouts it is seen whether there is something to report, or nothing more to find: so many,
// or a share of those that were made.
constexpr std::uint64_t kBetweenLooks = 128;
constexpr std::uint64_t kLookShare = 32;
// A long search is heard of that often.
constexpr std::chrono::seconds kBetweenReports{1};
// Iterations where a mate was asked for and there is none: what is best without is soon told.
constexpr int kDepthWithoutMate = 12;
// And where there may be one: in a dead draw neither a proof nor the memory would ever end it.
constexpr int kDepthForMate = 22;

// Tells an observer of each iteration, of another best move, and that a long search still goes on.
class Reports {
  public:
    explicit Reports(const Watch& watch) : watch_(watch), last_(watch.started()) {}

    // `edges` are sorted.
    void tell(const Playouts& playouts, const std::vector<RootEdge>& edges, Observer& observer) {
        const auto now = Watch::Clock::now();
        const int depth = depth_of(playouts.count());
        if (depth == depth_ && edges.front().edge == best_ && now - last_ < kBetweenReports) return;
        told_ = playouts.count();
        depth_ = depth;
        best_ = edges.front().edge;
        last_ = now;
        SearchResult result;
        result.lines = lines_of(playouts, edges, watch_.limits());
        result.counters = counters_of(playouts, watch_);
        report_lines(result, observer);
    }

    // Of how many playouts it was told last.
    std::uint64_t told() const { return told_; }

  private:
    const Watch& watch_;
    Watch::Clock::time_point last_;
    std::uint64_t told_ = 0;
    int depth_ = 0;
    int best_ = -1;  // the edge
};

class TreeSearch final : public Search {
  public:
    TreeSearch(Playouts::Evaluators evaluators, const MctsOptions& options)
        : options_(options), playouts_(std::move(evaluators), options) {}

    SearchResult run(const chess::Line& line, const Limits& limits, std::stop_token stop,
                     Observer& observer) override {
        Watch watch(limits, line, std::move(stop));
        std::vector<RootMove> moves;
        for (const chess::Move move : allowed_moves(line.current(), limits)) moves.emplace_back(move);
        if (moves.empty()) return result_without_moves(line.current());
        const bool known = rank_by_tablebases(options_.tablebases, line, moves);
        // Among moves of one result the search is free to choose.
        if (known && limits.multi_pv == 1)
            std::erase_if(moves, [best = moves.front().tablebase_rank](const RootMove& move) {
                return move.tablebase_rank < best;
            });
        const auto mate = limits.find<MateLimit>();
        if (mate && limits.multi_pv == 1) {
            MateAttempt attempt =
                attempt_mate(*mate, line, limits, watch.time(), watch.started(), watch.stop());
            if (attempt.found) {
                attempt.found->counters.elapsed = watch.elapsed();
                report_lines(*attempt.found, observer);
                return std::move(*attempt.found);
            }
            if (attempt.complete) watch.limit_depth(kDepthWithoutMate);
            watch.spend(attempt.nodes);
        }
        if (mate) watch.limit_depth(kDepthForMate);
        base::Status status = playouts_.begin(line);
        if (!status) return failed(line, moves, status.error(), observer);
        std::vector<RootEdge> edges = edges_of(moves);
        Reports reports(watch);
        status = search(edges, watch, reports, observer);
        sort_best_first(playouts_.tree(), edges);
        leave_to_chance(line, limits, edges);
        SearchResult result = result_of(playouts_, watch, line, edges);
        result.counters.tablebase_hits += known ? 1 : 0;
        if (playouts_.count() == 0 || playouts_.count() != reports.told()) report_lines(result, observer);
        if (!status) {
            result.trouble = status.error().message;
            playouts_.clear();  // what waited for an evaluation would wait for ever
        }
        return result;
    }

    void new_game() override { playouts_.clear(); }

  private:
    // The root's edges of those moves, which are then all that is looked at.
    std::vector<RootEdge> edges_of(const std::vector<RootMove>& moves) {
        const auto all = playouts_.tree().edges(playouts_.tree().root());
        std::vector<RootEdge> edges;
        std::vector<std::uint8_t> allowed(all.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto move =
                std::ranges::find_if(moves, [&](const RootMove& m) { return m.move() == all[i].move; });
            if (move == moves.end()) continue;
            allowed[i] = 1;
            edges.push_back({static_cast<int>(i), move->tablebase_rank, move->tablebase_score});
        }
        playouts_.allow(std::move(allowed));
        return edges;
    }

    // Puts another move first than the best, if a temperature says so. What is proven, or known by endgame
    // tables to be better, is no matter of chance.
    void leave_to_chance(const chess::Line& line, const Limits& limits, std::vector<RootEdge>& edges) const {
        const Chance& chance = options_.chance;
        const int move = game_ply(line) / 2 + 1;
        const bool is_late = chance.temperature_moves > 0 && move > chance.temperature_moves;
        if (chance.temperature <= 0 || is_late || limits.is_infinite() || limits.find<MateLimit>()) return;
        const Tree& tree = playouts_.tree();
        if (is_decided(tree, edges) || visits_of(tree, edges.front()) == 0) return;
        std::vector<std::uint32_t> visits;
        for (const RootEdge& edge : edges) {
            const bool is_worse = edge.tablebase_rank < edges.front().tablebase_rank;
            visits.push_back(is_worse || is_proven_edge(tree, edge) ? 0 : visits_of(tree, edge));
        }
        base::Random random(chance.seed, ~static_cast<std::uint64_t>(line.ply()));
        const auto drawn = static_cast<std::ptrdiff_t>(draw_by_visits(visits, chance.temperature, random));
        std::rotate(edges.begin(), edges.begin() + drawn, edges.begin() + drawn + 1);
    }

    // Playouts, until the limits end them, or nothing is left to find.
    base::Status search(std::vector<RootEdge>& edges, const Watch& watch, Reports& reports,
                        Observer& observer) {
        std::uint64_t next_look = 1;
        const auto is_over = [&watch](std::uint64_t done) { return watch.is_over(done); };
        while (true) {
            const std::uint64_t done = playouts_.count();
            const Tree& tree = playouts_.tree();
            if (tree[tree.root()].visits >= kMostVisits) return {};
            if (playouts_.is_full() && !playouts_.make_room()) return {};
            if (watch.left(done) == 0 || watch.is_over(done)) return {};
            if (is_proven(edges, watch)) return {};
            if (done >= next_look) {
                next_look =
                    std::min(done + std::max(kBetweenLooks, done / kLookShare), std::bit_ceil(done + 1));
                sort_best_first(playouts_.tree(), edges);
                if (is_settled(edges, watch)) return {};
                if (observer.listens()) reports.tell(playouts_, edges, observer);
            }
            const std::uint64_t most = std::min(watch.left(done), next_look - done);
            if (auto status = playouts_.run(most, is_over); !status) return status;
            // All that may be played is proven.
            if (playouts_.count() == done && !playouts_.is_full()) return {};
        }
    }

    bool is_proven(const std::vector<RootEdge>& edges, const Watch& watch) const {
        const Tree& tree = playouts_.tree();
        return watch.limits().multi_pv == 1 && tree[tree.root()].is_proven() && is_decided(tree, edges);
    }

    // On a clock, whether the most visited move will stay that in what time is left. `edges` are sorted.
    bool is_settled(const std::vector<RootEdge>& edges, const Watch& watch) const {
        const auto expected = watch.expected(playouts_.count());
        if (!expected || watch.limits().multi_pv > 1) return false;
        if (edges.size() == 1) return true;
        const Tree& tree = playouts_.tree();
        const double ahead = static_cast<double>(visits_of(tree, edges[0])) - visits_of(tree, edges[1]);
        return ahead > *expected;
    }

    // The root could not be evaluated: any move.
    static SearchResult failed(const chess::Line& line, const std::vector<RootMove>& moves,
                               const base::Error& error, Observer& observer) {
        SearchResult result;
        result.trouble = error.message;
        result.best = moves.front().move();
        result.principal_variation = {result.best};
        result.leaf = line.current().after(result.best);
        result.counters.depth = 1;
        result.counters.selective_depth = 1;
        result.lines = {one_move_line(result.best, std::nullopt)};
        report_lines(result, observer);
        return result;
    }

    const MctsOptions options_;
    Playouts playouts_;
};

}  // namespace

}  // namespace scholar::search::mcts

namespace scholar::search {

mcts::Exploration default_exploration(const nets::AnyNetwork& value, bool quiescence) {
    mcts::Exploration exploration;
    if (!value.abilities().has(nets::Ability::Leaf)) return exploration;
    // Tried with the embedded network and the sparse policy, in games (docs/mcts.md).
    exploration.cpuct = 1.2;
    // To look more widely pays where values are right.
    if (!quiescence) return exploration;
    exploration.fpu_reduction = 0.15;
    exploration.policy_temperature = 2.5;
    return exploration;
}

namespace {

base::Result<std::unique_ptr<evaluators::BatchEvaluator>> make_evaluator(const nets::AnyNetwork& value,
                                                                         const nets::AnyNetwork& policy,
                                                                         bool quiescence) {
    if (!quiescence || !value.abilities().has(nets::Ability::Leaf))
        return evaluators::make_joined_batch(value, policy);
    return evaluators::with_leaf(
        value, [&](auto leaf) -> base::Result<std::unique_ptr<evaluators::BatchEvaluator>> {
            return evaluators::make_joined_batch(
                std::make_unique<mcts::QuietBatch<decltype(leaf)>>(std::move(leaf)), policy);
        });
}

}  // namespace

base::Result<std::unique_ptr<Search>> make_mcts(const nets::AnyNetwork& value, const nets::AnyNetwork& policy,
                                                const MctsOptions& options) {
    mcts::Playouts::Evaluators evaluators;
    for (int thread = 0; thread < options.threads; ++thread) {
        auto evaluator = make_evaluator(value, policy, options.quiescence);
        if (!evaluator) return std::unexpected(evaluator.error());
        evaluators.push_back(std::move(*evaluator));
    }
    return make_mcts(std::move(evaluators), options);
}

std::unique_ptr<Search> make_mcts(std::vector<std::unique_ptr<evaluators::BatchEvaluator>> evaluators,
                                  const MctsOptions& options) {
    return std::make_unique<mcts::TreeSearch>(std::move(evaluators), options);
}

}  // namespace scholar::search
