#include "search/alpha_beta/naive_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "chess/movegen.hpp"
#include "evaluators/make.hpp"
#include "search/plain_search.hpp"

namespace scholar::search {

namespace {

using chess::Move;
using chess::Score;

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
class NaiveSearch final : public PlainSearch<NaiveSearch<Left>> {
    using Root = PlainSearch<NaiveSearch<Left>>;
    friend Root;
    using Root::aborted_;
    using Root::is_draw;
    using Root::line_;
    using Root::take;
    using Root::variations_;
    using Root::visit;

  public:
    NaiveSearch(evaluators::AnyLeaf leaf, const NaiveOptions& options)
        : options_(options), leaf_(std::move(leaf)) {}

  private:
    static constexpr std::uint64_t kBetweenLooks = evaluators::kNodesBetweenLooks<evaluators::AnyLeaf>;

    void begin() { leaf_.reset(line_.current()); }
    void begin_iteration(int number) {
        left_ = Left::of_iteration(number, options_).for_one_of(chess::count_legal_moves(line_.current()));
    }
    Score search_below(Score alpha, Score beta) { return search(left_, alpha, beta, 1); }
    Score static_value() { return leaf_.value(line_.current()); }

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

    void push(Move move) {
        leaf_.push(line_.current(), move);
        line_.push(move);
    }
    void pop() {
        line_.pop();
        leaf_.pop();
    }

    const NaiveOptions options_;
    evaluators::AnyLeaf leaf_;
    Left left_{};  // below a move of the root, in this iteration
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
