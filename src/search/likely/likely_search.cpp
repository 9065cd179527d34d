#include "search/likely/likely_search.hpp"

#include <algorithm>
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

// Of the table's nodes and of the moves' places; an estimate.
std::size_t bytes_of(const Judgement& judgement) {
    return sizeof(std::uint64_t) + sizeof(Judgement) + 4 * sizeof(void*) +
           judgement.likely.capacity() * sizeof(judgement.likely.front());
}

class LikelySearch final : public PlainSearch<LikelySearch> {
    friend PlainSearch<LikelySearch>;

  public:
    LikelySearch(std::unique_ptr<evaluators::BatchEvaluator> evaluator, const LikelyOptions& options)
        : options_(options), evaluator_(std::move(evaluator)) {}

  private:
    static constexpr std::uint64_t kBetweenLooks = 1;  // each is worth a thousand of another search

    void begin() {
        if (bytes_ >= most_bytes()) {
            known_.clear();
            bytes_ = 0;
        }
        if (options_.depth > 0) shared_->last_depth = std::min(shared_->last_depth, options_.depth);
        ask();
        answer();
        if (aborted_) return;
        // Of the moves that the root may play, the likeliest.
        const auto rank = [&likely = judged().likely](const RootMove& root) {
            return std::ranges::find(likely, root.move(), &std::pair<Move, float>::first) - likely.begin();
        };
        std::ranges::stable_sort(moves_, {}, rank);
        const auto few =
            static_cast<std::size_t>(std::max(options_.breadth, std::max(1, shared_->limits.multi_pv)));
        if (moves_.size() > few)
            moves_.erase(moves_.begin() + static_cast<std::ptrdiff_t>(few), moves_.end());
        ask_about(judged().likely);
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
        ask_about(here.likely);
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
        for (const auto& [move, probability] : likely) {
            push(move);
            const auto known = known_.find(key());
            rated.emplace_back(known == known_.end() ? -Score::infinite() : known->second.value, move);
            pop();
        }
        std::ranges::stable_sort(rated, {}, &std::pair<Score, Move>::first);
        std::vector<Move> moves;
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
    void ask_about(const std::vector<std::pair<Move, float>>& likely) {
        for (const auto& [move, probability] : likely) {
            push(move);
            ask();
            pop();
        }
        answer();
    }
    // Collects what was asked for.
    void answer() {
        if (asked_.empty()) return;
        if (const auto status = evaluator_->collect(opinions_); !status) {
            trouble_ = status.error().message;
            aborted_ = true;
        }
        for (std::size_t i = 0; i < asked_.size() && !aborted_; ++i) {
            Judgement judgement = judgement_of(opinions_[i], asked_[i].moves);
            bytes_ += bytes_of(judgement);
            known_.emplace(asked_[i].key, std::move(judgement));
        }
        asked_.clear();
        if (bytes_ >= most_bytes()) aborted_ = true;
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
