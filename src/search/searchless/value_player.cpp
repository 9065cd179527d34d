#include "search/searchless/value_player.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "chess/movegen.hpp"
#include "evaluators/make.hpp"
#include "search/root.hpp"

namespace scholar::search {

namespace {

// A root move with what is known of the position after it.
struct Candidate {
    chess::Move move;
    std::optional<chess::Score> score;  // for who makes the move
    std::optional<chess::Wdl> wdl;
    LeafKind kind = LeafKind::Exact;
};

// A mate or a draw by rule is known without a network.
std::optional<Candidate> by_rule(const chess::Line& after, chess::Move move) {
    switch (after.terminal()) {
        case chess::Terminal::None:
            return std::nullopt;
        case chess::Terminal::Checkmate:
            return Candidate{move, chess::Score::mate_in(1), std::nullopt, LeafKind::Mate};
        default:
            return Candidate{move, chess::Score::draw(), std::nullopt, LeafKind::Draw};
    }
}

// `candidates` with the best first, not empty.
SearchResult result_of(const chess::Position& root, const std::vector<Candidate>& candidates,
                       std::chrono::steady_clock::time_point started, const Limits& limits,
                       Observer& observer) {
    SearchResult result;
    for (const Candidate& candidate : candidates)
        result.root_distribution.emplace_back(candidate.move, 1.0 / static_cast<double>(candidates.size()));
    const Candidate& best = candidates.front();
    result.best = best.move;
    result.score = best.score;
    result.wdl = best.wdl;
    result.principal_variation = {best.move};
    result.leaf = root.after(best.move);
    result.leaf_kind = best.kind;
    result.counters.nodes = candidates.size();
    result.counters.depth = 1;
    result.counters.selective_depth = 1;
    result.counters.elapsed = std::chrono::steady_clock::now() - started;
    add_one_move_lines(result, limits, candidates.size(), [&candidates](std::size_t i) {
        return one_move_line(candidates[i].move, candidates[i].score, candidates[i].wdl);
    });
    report_lines(result, observer);
    return result;
}

class ValuePlayer final : public Search {
  public:
    explicit ValuePlayer(std::unique_ptr<evaluators::BatchEvaluator> batch) : batch_(std::move(batch)) {}

    SearchResult run(const chess::Line& line, const Limits& limits, std::stop_token stop,
                     Observer& observer) override {
        const auto started = std::chrono::steady_clock::now();
        const std::vector<chess::Move> moves = allowed_moves(line.current(), limits);
        if (moves.empty()) return result_without_moves(line.current());

        std::vector<Candidate> candidates;
        std::vector<std::size_t> asked;  // of candidates, of which a batch is to tell
        chess::Line path = line;
        base::Status status;
        const auto collect = [&] {
            if (!asked.empty() && status) status = take_opinions(candidates, asked);
            asked.clear();
        };
        for (const chess::Move move : moves) {
            path.push(move);
            if (auto known = by_rule(path, move)) {
                candidates.push_back(*known);
            } else {
                candidates.push_back({move, std::nullopt, std::nullopt, LeafKind::Exact});
                asked.push_back(candidates.size() - 1);
                batch_->submit(path, chess::legal_moves(path.current()));
            }
            path.pop();
            if (asked.size() == batch_->capacity()) collect();
            if (stop.stop_requested()) break;
        }
        collect();
        // What failed has no score and comes last. Equals stay in the order of allowed_moves().
        std::ranges::stable_sort(candidates, [](const Candidate& a, const Candidate& b) {
            return a.score && (!b.score || *a.score > *b.score);
        });
        SearchResult result = result_of(line.current(), candidates, started, limits, observer);
        if (!status) result.trouble = status.error().message;
        return result;
    }

    void new_game() override {}

  private:
    base::Status take_opinions(std::vector<Candidate>& candidates, const std::vector<std::size_t>& asked) {
        if (auto status = batch_->collect(opinions_); !status) return status;
        for (std::size_t i = 0; i < asked.size(); ++i) {
            const evaluators::Opinion& opinion = opinions_[i];
            Candidate& candidate = candidates[asked[i]];
            if (opinion.value)
                candidate.score = -*opinion.value;
            else if (const auto expected = opinion.expected())
                candidate.score = -chess::Score::from_expected(*expected);
            if (opinion.wdl) candidate.wdl = -*opinion.wdl;
        }
        return {};
    }

    std::unique_ptr<evaluators::BatchEvaluator> batch_;
    std::vector<evaluators::Opinion> opinions_;
};

class OrderPlayer final : public Search {
  public:
    explicit OrderPlayer(std::unique_ptr<evaluators::Comparator> comparator)
        : comparator_(std::move(comparator)) {}

    SearchResult run(const chess::Line& line, const Limits& limits, std::stop_token stop,
                     Observer& observer) override {
        const auto started = std::chrono::steady_clock::now();
        const std::vector<chess::Move> moves = allowed_moves(line.current(), limits);
        if (moves.empty()) return result_without_moves(line.current());

        std::vector<Candidate> candidates;
        std::vector<evaluators::Embedding> embeddings;
        chess::Line path = line;
        std::size_t best = 0;
        for (const chess::Move move : moves) {
            path.push(move);
            const auto known = by_rule(path, move);
            candidates.push_back(known ? *known
                                       : Candidate{move, std::nullopt, std::nullopt, LeafKind::CutShort});
            // A draw by rule is as the root with the move passed on.
            chess::Position shown = path.current();
            if (known) {
                shown = line.current();
                if (!shown.in_check()) shown.make_null();
            }
            comparator_->embed(shown, embeddings.emplace_back());
            path.pop();
            const std::size_t last = candidates.size() - 1;
            if (candidates[last].kind == LeafKind::Mate) {
                best = last;
                break;
            }
            if (last > 0 && is_better(line.current().side_to_move(), embeddings[last], embeddings[best]))
                best = last;
            if (stop.stop_requested()) break;
        }
        std::rotate(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(best),
                    candidates.begin() + static_cast<std::ptrdiff_t>(best) + 1);
        // Of the others nothing is known but that the first is preferred: no second line.
        Limits one = limits;
        one.multi_pv = 1;
        return result_of(line.current(), candidates, started, one, observer);
    }

    void new_game() override {}

  private:
    // For who moves at the root.
    bool is_better(chess::Color side, const evaluators::Embedding& a, const evaluators::Embedding& b) {
        return side == chess::White ? comparator_->prefers(a, b) : comparator_->prefers(b, a);
    }

    std::unique_ptr<evaluators::Comparator> comparator_;
};

}  // namespace

base::Result<std::unique_ptr<Search>> make_value_player(const nets::AnyNetwork& network) {
    auto batch = evaluators::make_batch(network);
    if (!batch) return std::unexpected(batch.error());
    if (!(*batch)->abilities().has_any({nets::Ability::Value, nets::Ability::Wdl}))
        return base::fail("{}: gives {}, expected a value", network.description(),
                          nets::to_string(network.abilities()));
    return std::make_unique<ValuePlayer>(std::move(*batch));
}

base::Result<std::unique_ptr<Search>> make_order_player(const nets::AnyNetwork& network) {
    auto comparator = evaluators::make_comparator(network);
    if (!comparator) return std::unexpected(comparator.error());
    return std::make_unique<OrderPlayer>(std::move(*comparator));
}

}  // namespace scholar::search
