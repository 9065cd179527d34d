#include "search/likely/likely_search.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "evaluators/make.hpp"
#include "search/plain_search.hpp"

namespace scholar::search {

namespace {

using chess::Move;
using chess::Score;

// What was said of a position.
struct Judgement {
    Score value;
    std::vector<std::pair<Move, float>> likely;  // the likeliest first, no more than are tried
};

// Of the table's entry, its place among the buckets, and the moves' own memory, as allocators round it; an
// estimate.
std::size_t bytes_of(const Judgement& judgement) {
    constexpr std::size_t unit = 16;
    const auto chunk = [](std::size_t bytes) { return (bytes + sizeof(void*) + unit - 1) / unit * unit; };
    return chunk(2 * sizeof(std::uint64_t) + sizeof(Judgement)) + 2 * sizeof(void*) +
           chunk(judgement.likely.capacity() * sizeof(judgement.likely.front()));
}

class LikelySearch final : public PlainSearch<LikelySearch> {
    friend PlainSearch<LikelySearch>;

  public:
    LikelySearch(std::unique_ptr<evaluators::BatchEvaluator> evaluator, const LikelyOptions& options)
        : options_(options), evaluator_(std::move(evaluator)) {}

    void new_game() override { forget(); }

  private:
    static constexpr std::uint64_t kBetweenLooks = 1;  // each is worth a thousand of another search

    void begin() {
        // A search needs room.
        if (bytes_ >= most_bytes() / 2) forget();
        if (options_.depth > 0) shared_->last_depth = std::min(shared_->last_depth, options_.depth);
        judge_root();
        if (aborted_) return;
        for (const RootMove& root : moves_) ask_about(root.move());
        answer();
    }
    // Leaves the likeliest of the moves that the root may play.
    void judge_root() {
        const chess::MoveList moves = chess::legal_moves(line_.current());
        evaluator_->submit(line_, moves);
        if (const auto status = evaluator_->collect(opinions_); !status)
            return give_up(status.error().message);
        remember(key(), judgement_of(opinions_.front(), moves));
        const auto unlikelihood = [&](const RootMove& root) {
            const auto at = std::ranges::find(moves, root.move()) - moves.begin();
            return -opinions_.front().probabilities[static_cast<std::size_t>(at)];
        };
        std::ranges::stable_sort(moves_, {}, unlikelihood);
        const auto few = static_cast<std::size_t>(std::max(options_.breadth, shared_->limits.multi_pv));
        if (moves_.size() > few)
            moves_.erase(moves_.begin() + static_cast<std::ptrdiff_t>(few), moves_.end());
    }
    void begin_iteration(int number) { depth_ = number - 1; }
    Score search_below(Score alpha, Score beta) { return search(depth_, alpha, beta, 1); }

    Score search(int depth, Score alpha, Score beta, int ply) {
        const auto index = static_cast<std::size_t>(ply);
        variations_[index].clear();
        if (!visit(ply) || is_draw()) return Score::draw();
        const chess::Position& position = line_.current();
        if (!chess::has_legal_move(position))
            return position.in_check() ? Score::mated_in(ply) : Score::draw();
        if (!known_.contains(key())) {
            ask();
            answer();
            if (aborted_) return Score::draw();
        }
        const Judgement& here = judged();
        if (depth <= 0 || ply >= chess::kMaxPly) return here.value;
        for (const auto& [move, probability] : here.likely) ask_about(move);
        answer();
        if (aborted_) return Score::draw();
        Score best = -Score::infinite();
        for (const Move move : best_first(here.likely)) {
            push(move);
            const Score score = -search(depth - 1, -beta, -std::max(alpha, best), ply + 1);
            pop();
            if (aborted_) return Score::draw();
            if (take(move, score, best, alpha, beta, ply)) break;
        }
        return best;
    }

    // By what the positions behind them are worth; of ends of the game nothing is said, and they come first.
    std::vector<Move> best_first(const std::vector<std::pair<Move, float>>& likely) {
        std::vector<std::pair<Score, Move>> rated;
        rated.reserve(likely.size());
        for (const auto& [move, probability] : likely) {
            push(move);
            const auto known = known_.find(key());
            rated.emplace_back(known == known_.end() ? -Score::infinite() : known->second.value, move);
            pop();
        }
        std::ranges::stable_sort(rated, {}, &std::pair<Score, Move>::first);
        std::vector<Move> moves;
        moves.reserve(rated.size());
        for (const auto& [score, move] : rated) moves.push_back(move);
        return moves;
    }

    Score static_value() {
        if (!known_.contains(key())) {
            ask();
            answer();
        }
        const auto known = known_.find(key());
        return known == known_.end() ? Score::draw() : known->second.value;
    }

    std::uint64_t key() const { return evaluator_->key(line_); }
    const Judgement& judged() const { return known_.at(key()); }
    std::size_t most_bytes() const { return options_.megabytes << 20; }

    // Submits the current position, if nothing is known of it and anything can be.
    void ask() {
        const chess::MoveList moves = chess::legal_moves(line_.current());
        if (moves.empty() || known_.contains(key())) return;
        if (std::ranges::find(asked_, key(), &Asked::key) != asked_.end()) return;
        if (asked_.size() == evaluator_->capacity()) answer();
        evaluator_->submit(line_, moves);
        asked_.push_back({key(), moves});
    }
    void ask_about(Move move) {
        push(move);
        ask();
        pop();
    }
    // Collects what was asked for.
    void answer() {
        if (asked_.empty()) return;
        const auto status = evaluator_->collect(opinions_);
        if (!status) give_up(status.error().message);
        for (std::size_t i = 0; status && i < asked_.size(); ++i)
            remember(asked_[i].key, judgement_of(opinions_[i], asked_[i].moves));
        asked_.clear();
    }
    void remember(std::uint64_t of, Judgement judgement) {
        const std::size_t bytes = bytes_of(judgement);
        if (!known_.emplace(of, std::move(judgement)).second) return;
        bytes_ += bytes;
        if (bytes_ >= most_bytes()) aborted_ = true;
    }
    void give_up(std::string why) {
        trouble_ = std::move(why);
        aborted_ = true;
    }
    void forget() {
        known_.clear();
        bytes_ = 0;
    }
    Judgement judgement_of(const evaluators::Opinion& opinion, const chess::MoveList& moves) const {
        Judgement judgement;
        judgement.value = opinion.value ? *opinion.value : Score::from_expected(*opinion.expected());
        for (int i = 0; i < moves.size(); ++i)
            judgement.likely.emplace_back(moves[i], opinion.probabilities[static_cast<std::size_t>(i)]);
        std::ranges::stable_sort(judgement.likely, std::greater(), &std::pair<Move, float>::second);
        const auto few = static_cast<std::size_t>(options_.breadth);
        if (judgement.likely.size() > few) judgement.likely.resize(few);
        judgement.likely.shrink_to_fit();
        return judgement;
    }

    void push(Move move) { line_.push(move); }
    void pop() { line_.pop(); }

    struct Asked {
        std::uint64_t key;
        chess::MoveList moves;
    };

    const LikelyOptions options_;
    std::unique_ptr<evaluators::BatchEvaluator> evaluator_;
    std::unordered_map<std::uint64_t, Judgement> known_;  // by all that the evaluator reads
    std::size_t bytes_ = 0;                               // of what is known
    std::vector<Asked> asked_;                            // submitted, and not collected yet
    std::vector<evaluators::Opinion> opinions_;
    int depth_ = 0;  // below a move of the root, in this iteration
};

}  // namespace

base::Result<std::unique_ptr<Search>> make_likely_search(const nets::AnyNetwork& value,
                                                         const nets::AnyNetwork& policy,
                                                         const LikelyOptions& options) {
    auto evaluator = evaluators::make_joined_batch(value, policy);
    if (!evaluator) return std::unexpected(evaluator.error());
    return make_likely_search(std::move(*evaluator), options);
}

std::unique_ptr<Search> make_likely_search(std::unique_ptr<evaluators::BatchEvaluator> evaluator,
                                           const LikelyOptions& options) {
    return std::make_unique<LikelySearch>(std::move(evaluator), options);
}

}  // namespace scholar::search
