#include "search/alpha_beta/naive_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "chess/movegen.hpp"
#include "evaluators/make.hpp"
#include "search/alpha_beta/node.hpp"
#include "search/alpha_beta/shared_search.hpp"
#include "search/mate_attempt.hpp"
#include "search/root.hpp"
#include "search/root_moves.hpp"

namespace scholar::search {

namespace {

using chess::Move;
using chess::Score;

// Iterations where a mate was asked for and trying everything has shown that there is none.
constexpr int kNaiveIterationsWithoutMate = 4;

// What a node has left before the tree ends: all in which the two searches differ.
struct DepthLeft {
    static DepthLeft of_iteration(int number, const NaiveOptions&) { return {number}; }
    bool is_spent() const { return half_moves <= 0; }
    DepthLeft for_one_of(int /*moves*/) const { return {half_moves - 1}; }

    int half_moves;
};

struct ProbabilityLeft {
    static ProbabilityLeft of_iteration(int number, const NaiveOptions& options) {
        constexpr double kNoTreeComesThere = 1e300;
        return {std::min(kNoTreeComesThere, std::pow(options.threshold_base, number))};
    }
    bool is_spent() const { return in_thresholds < 1; }
    ProbabilityLeft for_one_of(int moves) const { return {in_thresholds / moves}; }

    double in_thresholds;  // the node's probability, 1 being the least that is searched
};

template <class Left>
class NaiveSearch final : public Search {
  public:
    NaiveSearch(evaluators::AnyLeaf leaf, const NaiveOptions& options)
        : options_(options), leaf_(std::move(leaf)), variations_(chess::kMaxPly + 2) {}

    SearchResult run(const chess::Line& line, const Limits& limits, std::stop_token stop,
                     Observer& observer) override {
        SharedSearch shared(limits, std::move(stop), 1);
        shared.time = plan_time(limits, game_ply(line), Tunables{});
        shared_ = &shared;
        moves_.clear();
        for (const Move move : allowed_moves(line.current(), limits)) moves_.emplace_back(move);
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
                shared.last_depth = std::min(shared.last_depth, kNaiveIterationsWithoutMate);
        }
        line_ = line;
        line_.reserve_ahead(chess::kMaxPly + 2);  // nodes hold references to their positions
        root_ply_ = line_.ply();
        leaf_.reset(line_.current());
        iterate(observer);
        return result();
    }

    void new_game() override {}

  private:
    void iterate(Observer& observer) {
        aborted_ = false;
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
        const Score best = moves_.front().latest();
        if (const auto mate = shared_->limits.find<MateLimit>();
            mate && best.is_mate() && best.is_win() && best.plies_to_mate() <= 2 * mate->moves)
            return false;
        if (!shared_->time || !shared_->may_end()) return true;
        // The next iteration takes longer than all so far.
        return shared_->used() <
               (shared_->time->flexible ? shared_->time->optimum / 2 : shared_->time->maximum);
    }

    std::size_t multi_pv() const {
        return std::min(static_cast<std::size_t>(std::max(1, shared_->limits.multi_pv)), moves_.size());
    }

    // A move has a score if it is among the best so far.
    void search_root(int iteration) {
        const Left left =
            Left::of_iteration(iteration, options_).for_one_of(chess::count_legal_moves(line_.current()));
        std::vector<Score> best(multi_pv(), -Score::infinite());  // of the moves before, the best first
        for (RootMove& root : moves_) {
            const std::uint64_t before = shared_->nodes();
            const Score alpha = best.back();
            selective_depth_ = 1;
            push(root.move());
            const Score score = -search(left, -Score::infinite(), -alpha, 1);
            pop();
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

    Score search(Left left, Score alpha, Score beta, int ply) {
        if (left.is_spent()) return quiesce(alpha, beta, ply);
        variations_[static_cast<std::size_t>(ply)].clear();
        if (!visit(ply) || is_draw()) return Score::draw();
        const chess::Position& position = line_.current();
        if (ply >= chess::kMaxPly) return leaf_.value(position);
        chess::MoveList moves = chess::legal_moves(position);
        if (moves.empty()) return position.in_check() ? Score::mated_in(ply) : Score::draw();
        const Left share = left.for_one_of(moves.size());
        put_captures_first(moves);
        Score best = -Score::infinite();
        for (const Move move : moves) {
            push(move);
            const Score score = -search(share, -beta, -std::max(alpha, best), ply + 1);
            pop();
            if (aborted_) return Score::draw();
            if (take(move, score, best, alpha, beta, ply)) break;
        }
        return best;
    }

    // Captures and promotions, or nothing; in check every way out.
    Score quiesce(Score alpha, Score beta, int ply) {
        variations_[static_cast<std::size_t>(ply)].clear();
        if (!visit(ply) || is_draw()) return Score::draw();
        const chess::Position& position = line_.current();
        if (ply >= chess::kMaxPly) return leaf_.value(position);
        const bool in_check = position.in_check();
        Score best = in_check ? Score::mated_in(ply) : leaf_.value(position);
        if (best >= beta) return best;
        chess::MoveList moves =
            chess::legal_moves(position, in_check ? chess::MoveSet::All : chess::MoveSet::Noisy);
        put_captures_first(moves);
        for (const Move move : moves) {
            push(move);
            const Score score = -quiesce(-beta, -std::max(alpha, best), ply + 1);
            pop();
            if (aborted_) return Score::draw();
            if (take(move, score, best, alpha, beta, ply)) break;
        }
        return best;
    }

    // Keeps the better one; whether it is enough.
    bool take(Move move, Score score, Score& best, Score alpha, Score beta, int ply) {
        if (score <= best) return false;
        best = score;
        const auto index = static_cast<std::size_t>(ply);
        if (score > alpha) variations_[index].set(move, variations_[index + 1]);
        return score >= beta;
    }

    // The most valuable victim first, taken by the least valuable piece, as the network values them.
    void put_captures_first(chess::MoveList& moves) const {
        const chess::Position& position = line_.current();
        const nets::PieceValues& values = leaf_.piece_values();
        const auto gain = [&](Move move) {
            if (!position.is_noisy(move)) return INT32_MIN;
            const chess::PieceKind victim = position.captured_kind(move);
            const int taken = victim == chess::NoKind ? 0 : values[victim];
            const int made = move.is_promotion() ? values[move.promotion_kind()] - values[chess::Pawn] : 0;
            return 64 * (taken + made) - values[chess::kind_of(position.piece_on(move.from()))];
        };
        std::array<std::pair<int, Move>, chess::kMaxMoves> rated;
        const auto size = static_cast<std::size_t>(moves.size());
        for (std::size_t i = 0; i < size; ++i) {
            const Move move = moves[static_cast<int>(i)];
            rated[i] = {gain(move), move};
        }
        std::stable_sort(rated.begin(), rated.begin() + static_cast<std::ptrdiff_t>(size),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        moves = {};
        for (std::size_t i = 0; i < size; ++i) moves.push(rated[i].second);
    }

    bool visit(int ply) {
        if (aborted_) return false;
        constexpr std::uint64_t kBetweenLooks = 512;
        auto& nodes = shared_->counters.front().nodes;
        ThreadCounters::increment(nodes);
        selective_depth_ = std::max(selective_depth_, ply);
        const std::uint64_t count = nodes.load(std::memory_order_relaxed);
        aborted_ = count >= shared_->node_limit;
        if (count % kBetweenLooks == 0)
            aborted_ = aborted_ || shared_->outer_stop.stop_requested() ||
                       (shared_->time && shared_->may_end() && shared_->used() >= shared_->time->maximum);
        return !aborted_;
    }

    bool is_draw() const {
        const chess::Position& position = line_.current();
        if (line_.is_repetition_in_search(root_ply_) || position.has_insufficient_material()) return true;
        return position.halfmove_clock() >= 100 && (!position.in_check() || chess::has_legal_move(position));
    }

    void push(Move move) {
        leaf_.push(line_.current(), move);
        line_.push(move);
    }
    void pop() {
        line_.pop();
        leaf_.pop();
    }

    // For a search that was stopped before any move had a score.
    void evaluate_first_move() {
        RootMove& first = moves_.front();
        push(first.move());
        const chess::Position& after = line_.current();
        if (!is_draw() && chess::has_legal_move(after))
            first.score = -leaf_.value(after);
        else
            first.score = !is_draw() && after.in_check() ? Score::mate_in(1) : Score::draw();
        pop();
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
        for (const Move move : result.principal_variation) line_.push(move);
        result.leaf = line_.current();
        leaf_.reset(result.leaf);
        const chess::PovScore value(leaf_.value(result.leaf), result.leaf.side_to_move());
        if (result.score->is_mate())
            result.leaf_kind = LeafKind::Mate;
        else if (*result.score == Score::draw() && (is_draw() || !chess::has_legal_move(result.leaf)))
            result.leaf_kind = LeafKind::Draw;
        else
            result.leaf_kind = value.from(side) == *result.score ? LeafKind::Exact : LeafKind::CutShort;
    }

    const NaiveOptions options_;
    evaluators::AnyLeaf leaf_;
    std::vector<Variation> variations_;  // by ply
    std::vector<RootMove> moves_;        // the best first, between iterations
    chess::Line line_;
    int root_ply_ = 0;
    SharedSearch* shared_ = nullptr;  // of the search in progress
    int completed_ = 0;               // iterations
    int selective_depth_ = 0;         // below a move of the root
    bool aborted_ = false;
};

}  // namespace

base::Result<std::unique_ptr<Search>> make_naive_search(const nets::AnyNetwork& network,
                                                        const NaiveOptions& options) {
    auto leaf = evaluators::make_leaf(network);
    if (!leaf) return std::unexpected(leaf.error());
    if (options.bound == NaiveBound::Depth)
        return std::make_unique<NaiveSearch<DepthLeft>>(std::move(*leaf), options);
    return std::make_unique<NaiveSearch<ProbabilityLeft>>(std::move(*leaf), options);
}

}  // namespace scholar::search
