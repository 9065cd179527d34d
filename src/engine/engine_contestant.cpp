#include "engine/engine_contestant.hpp"

#include <algorithm>
#include <utility>

namespace scholar::engine {

namespace {

constexpr int kMateCentipawns = 30'000;

// A mate lies beyond every evaluation.
int own_centipawns(const Engine& engine, chess::Score score) {
    if (score.is_mate()) return score.plies_to_mate() > 0 ? kMateCentipawns : -kMateCentipawns;
    return engine.to_centipawns(score);
}

}  // namespace

EngineContestant::EngineContestant(std::unique_ptr<Engine> engine, ContestantRules rules,
                                   std::optional<search::Limit> limit, std::chrono::milliseconds untimed)
    : engine_(std::move(engine)), rules_(rules), limit_(std::move(limit)), untimed_(untimed) {}

void EngineContestant::game_starts(const GameHeader& header) {
    lost_moves_ = 0;
    even_moves_ = 0;
    if (!header.resumed) engine_->new_game();
    engine_->meet(header.opponent());
}

// Of games that are whole and have a result.
base::Status EngineContestant::game_ends(const PlayedGame& game) {
    if (!game.is_whole || game.result == games::GameResult::Unknown) return {};
    chess::Line line(game.start);
    for (const PlayedMove& played : game.moves) line.push(played.move);
    return engine_->end_game(line, game.result);
}

search::Limits EngineContestant::limits(const Turn& turn) const {
    search::Limits limits;
    if (limit_)
        limits.limits.push_back(*limit_);
    else if (!turn.game.is_timed())
        limits.limits.push_back(search::MoveTimeLimit{untimed_});
    else
        limits.limits.push_back(search::ClockLimit{.remaining = turn.clocks[turn.game.side],
                                                   .increment = turn.game.increment,
                                                   .moves_to_go = std::nullopt});
    return limits;
}

Decision EngineContestant::decide(const Turn& turn, std::stop_token stop) {
    engine_->set_line(turn.line);
    search::Silence silence;
    Decision decision;
    search::SearchResult result = engine_->search(limits(turn), silence, stop);
    decision.move = result.best;
    // A move of the book has no score to judge by, nor has one that was chosen without.
    if (!result.principal_variation.empty() && result.counters.nodes > 0 && result.score) {
        const int score = own_centipawns(*engine_, *result.score);
        decision.accepts_draw = score <= rules_.accept_draw;
        if (rules_.resign) {
            lost_moves_ = score <= -rules_.resign->score ? lost_moves_ + 1 : 0;
            decision.resigns = lost_moves_ >= rules_.resign->moves;
        }
        if (rules_.offer_draw) {
            const auto& rule = *rules_.offer_draw;
            even_moves_ = std::abs(score) <= rule.score ? even_moves_ + 1 : 0;
            decision.offers_draw =
                even_moves_ >= rule.moves && turn.line.current().fullmove_number() > rule.after;
        }
        decision.evaluation = evaluation_of(result, score, turn.game.side);
        decision.search = std::move(result);
    }
    return decision;
}

}  // namespace scholar::engine
