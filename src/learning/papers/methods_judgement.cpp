#include "learning/papers/methods_judgement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "chess/line.hpp"
#include "chess/movegen.hpp"
#include "evaluators/make.hpp"
#include "learning/papers/experiment.hpp"
#include "learning/targets/losses.hpp"

namespace scholar::learning {

namespace {

// Logits beyond are those of numbers that were rounded to 0 or 1.
constexpr double kMostLogit = 12;

struct JudgedResult {
    double logit = 0;
    double result = 0;  // both of the side to move
};

chess::Line line_to(const games::HeldOutSet& set, const games::HeldOutPosition& position) {
    chess::Line line(set.game_of(position).start);
    const auto past = set.past(position);
    line.reserve_ahead(static_cast<int>(past.size()) + 1);
    for (const chess::Move move : past) line.push(move);
    return line;
}

double capped_logit(double expected) {
    return std::clamp(std::log(expected / (1 - expected)), -kMostLogit, kMostLogit);
}

// Every second one, from `first` on, with logits times `scale`.
double loss_of_half(const std::vector<JudgedResult>& judged, std::size_t first, double scale) {
    LossSum sum;
    for (std::size_t i = first; i < judged.size(); i += 2) sum.add(scale * judged[i].logit, judged[i].result);
    return sum.mean().cross_entropy;
}

// The scale that is best for the first half: its loss has one minimum, as it is convex in the scale.
double best_scale(const std::vector<JudgedResult>& judged) {
    double low = 0;
    double high = 20;
    while (high - low > 1e-3) {
        const double third = (high - low) / 3;
        if (loss_of_half(judged, 0, low + third) < loss_of_half(judged, 0, high - third))
            high -= third;
        else
            low += third;
    }
    return (low + high) / 2;
}

class MethodJudge {
  public:
    explicit MethodJudge(std::unique_ptr<evaluators::BatchEvaluator> evaluator)
        : evaluator_(std::move(evaluator)) {}

    base::Status ask(const chess::Line& line, const chess::MoveList& moves) {
        evaluator_->submit(line, moves);
        return evaluator_->collect(opinions_);
    }
    const evaluators::Opinion& opinion() const { return opinions_.front(); }

    // The move to the position that is worst for the other side.
    base::Result<chess::Move> best_ahead(chess::Line& line, const chess::MoveList& moves) {
        double worst = 2;
        chess::Move best = moves[0];
        for (const chess::Move move : moves) {
            line.push(move);
            const auto theirs = value_of_reply(line);
            line.pop();
            if (!theirs) return std::unexpected(theirs.error());
            if (*theirs >= worst) continue;
            worst = *theirs;
            best = move;
        }
        return best;
    }

  private:
    base::Result<double> value_of_reply(const chess::Line& line) {
        if (const chess::Terminal end = line.terminal(); end != chess::Terminal::None)
            return end == chess::Terminal::Checkmate ? -1.0 : 0.5;
        if (auto status = ask(line, chess::legal_moves(line.current())); !status)
            return std::unexpected(status.error());
        return opinion().expected().value_or(0.5);
    }

    std::unique_ptr<evaluators::BatchEvaluator> evaluator_;
    std::vector<evaluators::Opinion> opinions_;
};

// Nothing of a game that was not finished.
std::optional<double> result_for_mover(const games::HeldOutSet& set, const games::HeldOutPosition& position) {
    return games::points(set.game_of(position).result, position.position.side_to_move());
}

}  // namespace

base::Result<MethodJudgement> judge_method(const nets::AnyNetwork& network, const games::HeldOutSet& set,
                                           std::size_t ahead, const std::stop_token& stop) {
    auto evaluator = evaluators::make_batch(network);
    if (!evaluator) return std::unexpected(evaluator.error());
    MethodJudge judge(std::move(*evaluator));
    std::vector<JudgedResult> judged;
    std::size_t asked_of_moves = 0;
    std::size_t right = 0;
    std::size_t asked_ahead = 0;
    std::size_t right_ahead = 0;
    for (std::size_t i = 0; i < set.positions.size(); ++i) {
        if (stop.stop_requested()) return stopped_to_go_on();
        const games::HeldOutPosition& position = set.positions[i];
        chess::Line line = line_to(set, position);
        const chess::MoveList moves = chess::legal_moves(line.current());
        if (auto status = judge.ask(line, moves); !status) return std::unexpected(status.error());
        const auto expected = judge.opinion().expected();
        if (const auto& shares = judge.opinion().probabilities; !shares.empty()) {
            ++asked_of_moves;
            const auto likeliest = std::ranges::max_element(shares) - shares.begin();
            right += moves[static_cast<int>(likeliest)] == position.played ? 1 : 0;
        }
        if (!expected) continue;
        if (const auto result = result_for_mover(set, position))
            judged.push_back({capped_logit(*expected), *result});
        if (i >= ahead) continue;
        const auto best = judge.best_ahead(line, moves);
        if (!best) return std::unexpected(best.error());
        ++asked_ahead;
        right_ahead += *best == position.played ? 1 : 0;
    }
    const auto share = [](std::size_t of, std::size_t all) -> std::optional<double> {
        if (all == 0) return std::nullopt;
        return static_cast<double>(of) / static_cast<double>(all);
    };
    MethodJudgement judgement;
    judgement.by_policy = share(right, asked_of_moves);
    judgement.by_value = share(right_ahead, asked_ahead);
    if (judged.size() < 2) return judgement;
    LossSum sum;
    for (const JudgedResult& each : judged) sum.add(each.logit, each.result);
    judgement.log_loss = sum.mean().cross_entropy;
    judgement.scaled_log_loss = loss_of_half(judged, 1, best_scale(judged));
    return judgement;
}

namespace {

constexpr std::array<std::pair<const char*, std::optional<double> MethodJudgement::*>, 4> kJudgements{
    {{"log_loss", &MethodJudgement::log_loss},
     {"scaled_log_loss", &MethodJudgement::scaled_log_loss},
     {"by_policy", &MethodJudgement::by_policy},
     {"by_value", &MethodJudgement::by_value}}};

}  // namespace

std::string to_text(const MethodJudgement& judgement) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const auto& [name, figure] : kJudgements)
        json[name] =
            judgement.*figure ? nlohmann::ordered_json(*(judgement.*figure)) : nlohmann::ordered_json();
    return base::json_line(json) + "\n";
}

std::optional<MethodJudgement> judgement_from(const std::string& text) {
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object()) return std::nullopt;
    MethodJudgement judgement;
    for (const auto& [name, figure] : kJudgements) {
        const auto found = json.find(name);
        if (found == json.end() || !(found->is_null() || found->is_number())) return std::nullopt;
        if (found->is_number()) judgement.*figure = found->get<double>();
    }
    return judgement;
}

double constant_log_loss(const games::HeldOutSet& set) {
    std::vector<float> results;
    results.reserve(set.positions.size());
    for (const games::HeldOutPosition& position : set.positions)
        if (const auto result = result_for_mover(set, position))
            results.push_back(static_cast<float>(*result));
    return constant_cross_entropy(results);
}

}  // namespace scholar::learning
