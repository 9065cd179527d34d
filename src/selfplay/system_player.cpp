#include "selfplay/system_player.hpp"

#include <algorithm>

#include "arena/player.hpp"
#include "chess/movegen.hpp"
#include "selfplay/game_end.hpp"
#include "selfplay/openings.hpp"
#include "selfplay/score_record.hpp"

namespace scholar::selfplay {

SystemPlayer::SystemPlayer(const SystemPlan& plan, std::unique_ptr<engine::Engine> engine)
    : plan_(plan), engine_(std::move(engine)), order_(order_by_lot(plan.openings.size(), plan.seed)) {}

chess::Line SystemPlayer::opening(std::uint64_t number, base::Random& random, games::Game& game) const {
    games::Opening from;
    if (!order_.empty()) from = plan_.openings[order_[number % order_.size()]];
    chess::Line line(from.start);
    for (const chess::Move move : from.moves) line.push(move);
    const auto choices = static_cast<std::uint64_t>(plan_.most_random_plies - plan_.least_random_plies) + 1;
    const int by_lot = plan_.least_random_plies + static_cast<int>(random.below(choices));
    Opening drawn = random_opening(line.current(), by_lot, random);
    game.start = from.start;
    game.chess960 = arena::needs_chess960(from.start);
    game.moves = std::move(from.moves);
    for (const chess::Move move : drawn.moves) {
        line.push(move);
        game.moves.push_back(move);
    }
    game.evaluations.assign(game.moves.size(), std::nullopt);
    game.nodes.assign(game.moves.size(), std::nullopt);
    return line;
}

base::Status SystemPlayer::begin(std::uint64_t number, base::Random& random) {
    const std::uint64_t seed = draw_engine_seed(random);
    // The searches are made anew by it, and number their games from here: nothing of earlier games is left.
    if (auto status = engine_->set_option("Seed", fmt::format("{}", seed)); !status)
        return base::fail_in(fmt::format("game {}", number + 1), status.error());
    if (auto status = engine_->prepare(); !status) return status;
    engine_->new_game();
    return {};
}

base::Status SystemPlayer::move(chess::Line& line, games::Game& game, EarlyEnd& early,
                                const std::stop_token& stop) {
    search::Limits limits;
    limits.limits.push_back(plan_.limit);
    search::Silence silence;
    engine_->set_line(line);
    const search::SearchResult result = engine_->search(limits, silence, stop);
    if (stop.stop_requested()) return {};  // the search was cut short
    if (!result.trouble.empty()) return base::fail("{}", result.trouble);
    const chess::Position& position = line.current();
    const chess::MoveList legal = chess::legal_moves(position);
    if (std::ranges::find(legal, result.best) == legal.end())
        return base::fail("{} has no legal move at half-move {}", plan_.name, line.ply() + 1);
    const std::optional<chess::Score>& score = result.score;  // nothing: this search has none
    const chess::Color side = position.side_to_move();
    early.note(score, side, position.fullmove_number());
    game.moves.push_back(result.best);
    game.evaluations.push_back(score ? std::optional(evaluation_of(*score, side, result.counters.depth))
                                     : std::nullopt);
    game.nodes.emplace_back(result.counters.nodes);
    line.push(result.best);
    return {};
}

base::Result<std::optional<games::Game>> SystemPlayer::play(std::uint64_t number,
                                                            const std::stop_token& stop) {
    base::Random random(plan_.seed, number);
    if (auto status = begin(number, random); !status) return std::unexpected(status.error());
    games::Game game;
    game.tags = {{"Event", "Scholar against itself"},
                 {"Round", fmt::format("{}", number + 1)},
                 {"White", plan_.name},
                 {"Black", plan_.name}};
    game.tags.insert(game.tags.end(), plan_.tags.begin(), plan_.tags.end());
    const bool resigns =
        plan_.resign && random.below(100) >= static_cast<std::uint64_t>(plan_.resign->played_out);
    EarlyEnd early(resigns ? plan_.resign : std::nullopt, plan_.draw);
    chess::Line line = opening(number, random, game);
    chess::Terminal terminal = chess::Terminal::None;
    while ((terminal = line.terminal()) == chess::Terminal::None) {
        if (const auto winner = early.resigned_to()) {
            game.result =
                *winner == chess::White ? games::GameResult::WhiteWins : games::GameResult::BlackWins;
            game.ending = games::Ending::Resignation;
            return game;
        }
        if (early.is_drawn() || (plan_.max_plies > 0 && line.ply() >= plan_.max_plies)) break;
        if (auto status = move(line, game, early, stop); !status)
            return base::fail_in(fmt::format("game {}", number + 1), status.error());
        if (stop.stop_requested()) return std::nullopt;
    }
    end_game(game, line, terminal);
    return game;
}

}  // namespace scholar::selfplay
