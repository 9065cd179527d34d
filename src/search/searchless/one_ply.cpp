#include "search/searchless/one_ply.hpp"

#include <algorithm>
#include <utility>

#include "evaluators/any_evaluator.hpp"
#include "search/searchless/root.hpp"

namespace scholar::search {

namespace {

template <evaluators::LeafEvaluator Evaluator>
class OnePly final : public Search {
  public:
    explicit OnePly(Evaluator evaluator) : evaluator_(std::move(evaluator)) {}

    SearchResult run(const chess::Line& line, const Limits& limits, std::stop_token stop,
                     Observer& observer) override {
        const auto started = std::chrono::steady_clock::now();
        const std::vector<chess::Move> moves = allowed_moves(line.current(), limits);
        if (moves.empty()) return result_without_moves(line.current());

        std::vector<Candidate> candidates;
        chess::Line path = line;
        evaluator_.reset(line.current());
        for (const chess::Move move : moves) {
            candidates.push_back(look_at(path, move));
            if (stop.stop_requested()) break;
        }
        // Equals stay in the order of allowed_moves().
        std::ranges::stable_sort(candidates, std::ranges::greater(), &Candidate::score);

        SearchResult result;
        for (const Candidate& candidate : candidates)
            result.root_distribution.emplace_back(candidate.move,
                                                  1.0 / static_cast<double>(candidates.size()));
        const Candidate& best = candidates.front();
        result.best = best.move;
        result.score = best.score;
        result.principal_variation = {best.move};
        result.leaf = line.current().after(best.move);
        result.leaf_kind = best.kind;
        result.counters.nodes = candidates.size();
        result.counters.depth = 1;
        result.counters.selective_depth = 1;
        result.counters.elapsed = std::chrono::steady_clock::now() - started;
        const auto wanted = static_cast<std::size_t>(std::max(1, limits.multi_pv));
        for (std::size_t i = 0; i < std::min(wanted, candidates.size()); ++i)
            result.lines.push_back(one_move_line(candidates[i].move, candidates[i].score));
        report_lines(result, observer);
        return result;
    }

    void new_game() override {}

  private:
    struct Candidate {
        chess::Move move;
        chess::Score score;
        LeafKind kind;
    };

    Candidate look_at(chess::Line& path, chess::Move move) {
        evaluator_.push(path.current(), move);
        path.push(move);
        Candidate candidate{move, chess::Score::draw(), LeafKind::Draw};
        switch (path.terminal()) {
            case chess::Terminal::Checkmate:
                candidate.score = chess::Score::mate_in(1);
                candidate.kind = LeafKind::Mate;
                break;
            case chess::Terminal::None:
                candidate.score = -evaluator_.value(path.current());
                candidate.kind = LeafKind::Exact;
                break;
            default:
                break;
        }
        path.pop();
        evaluator_.pop();
        return candidate;
    }

    Evaluator evaluator_;
};

}  // namespace

std::unique_ptr<Search> make_one_ply(const nets::AnyNetwork& network) {
    return evaluators::with_evaluator(network, [](auto evaluator) -> std::unique_ptr<Search> {
        return std::make_unique<OnePly<decltype(evaluator)>>(std::move(evaluator));
    });
}

}  // namespace scholar::search
