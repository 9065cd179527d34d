#include "learning/online/online_contestant.hpp"

#include <cmath>
#include <fmt/format.h>

#include "games/pgn_writer.hpp"

namespace scholar::learning {

namespace {

// What a server's ratings are off by, a standard deviation: the paper's footnote 3.
constexpr double kServerDeviation = 50;

}  // namespace

OnlineContestant::OnlineContestant(const OnlineRecipe& recipe, OnlineStudent& student, std::stop_source stop)
    : recipe_(recipe), student_(student), stop_(std::move(stop)), table_(recipe.table_megabytes) {}

void OnlineContestant::game_starts(const engine::GameHeader& /*header*/) {
    table_.clear();
    lots_ = base::Random(student_.seed(), student_.games());
    nodes_.clear();
    search_.reset();
    tap_ = student_.tap();
    search_ = student_.search(table_, tap_.get());
}

engine::Decision OnlineContestant::decide(const engine::Turn& turn, std::stop_token stop) {
    search::Limits limits;
    limits.limits.emplace_back(search::NodeLimit{recipe_.nodes});
    if (turn.game.is_timed())
        limits.limits.emplace_back(search::ClockLimit{.remaining = turn.clocks[turn.game.side],
                                                      .increment = turn.game.increment,
                                                      .moves_to_go = std::nullopt});
    search::Silence silence;
    engine::Decision decision;
    search::SearchResult result = search_->run(turn.line, limits, std::move(stop), silence);
    if (tap_) nodes_[turn.line.ply()] = tap_->take(lots_);
    decision.move = result.best;
    decision.accepts_draw = *result.score <= chess::Score::draw();
    const double pawns = result.score->value() / nets::kPawnScore;
    decision.evaluation =
        engine::evaluation_of(result, static_cast<int>(std::lround(100 * pawns)), turn.game.side);
    decision.search = std::move(result);
    return decision;
}

base::Status OnlineContestant::game_ends(const engine::PlayedGame& game) {
    if (!game.is_whole || !game.points()) return {};
    StudentGame lesson;
    lesson.start = game.start;
    std::vector<selfplay::Thought> thoughts;
    for (const engine::PlayedMove& played : game.moves) {
        const int ply = static_cast<int>(lesson.moves.size());
        if (played.search) thoughts.push_back({ply, *played.search, std::move(nodes_[ply])});
        lesson.moves.push_back(played.move);
    }
    lesson.sides.push_back({game.header.side, thoughts});
    lesson.result = game.result;
    lesson.reason = game.reason;
    lesson.opponent = game.header.opponent();
    if (const auto rating = game.header.opponent_rating())
        lesson.opponent_rating = arena::Glicko{static_cast<double>(*rating), kServerDeviation};
    const games::Game record = engine::to_game(game);
    lesson.ending = record.ending;
    lesson.pgn = games::to_pgn(record);
    status_ = student_.learn(lesson);
    if (!status_) stop_.request_stop();
    return status_;
}

}  // namespace scholar::learning
