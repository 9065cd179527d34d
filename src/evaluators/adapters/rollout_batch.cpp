#include "evaluators/adapters/rollout_batch.hpp"

#include "chess/movegen.hpp"

namespace scholar::evaluators {

void RolloutBatch::submit_part(const chess::Line& line, const chess::MoveList& moves, Wanted wanted) {
    const chess::Position& position = line.current();
    policy_->submit_part(line, moves, Wanted::Policy);
    const bool wants_value = wanted != Wanted::Policy;
    games_.push_back({.line = wants_value ? line : chess::Line(position),
                      .moves = moves,
                      .random = base::Random(position.key()),
                      .asked = position.side_to_move(),
                      .is_over = !wants_value,
                      .wants_value = wants_value});
}

void RolloutBatch::play(Game& game, const Opinion& opinion) {
    double draw = game.random.unit();
    int chosen = 0;
    // Of what rounding leaves over, the last move has it.
    while (chosen + 1 < game.moves.size()) {
        draw -= static_cast<double>(opinion.probabilities[static_cast<std::size_t>(chosen)]);
        if (draw < 0) break;
        ++chosen;
    }
    game.line.push(game.moves[chosen]);
    ++game.plies;
    const chess::Terminal terminal = game.line.terminal();
    game.is_over = terminal != chess::Terminal::None || game.plies == kLongestRollout;
    if (terminal == chess::Terminal::Checkmate) {
        const bool lost = game.line.current().side_to_move() == game.asked;
        game.result = {.win = lost ? 0.0 : 1.0, .draw = 0, .loss = lost ? 1.0 : 0.0};
    } else if (game.is_over) {
        game.result = {.win = 0, .draw = 1, .loss = 0};
    } else {
        game.moves = chess::legal_moves(game.line.current());
    }
}

base::Status RolloutBatch::collect(std::vector<Opinion>& opinions) {
    std::vector<Game> games = std::exchange(games_, {});
    if (auto status = policy_->collect(opinions); !status) return status;
    std::vector<std::size_t> going_on;
    const auto go_on = [&](std::size_t i, const Opinion& opinion) {
        play(games[i], opinion);
        if (games[i].is_over) return;
        policy_->submit_part(games[i].line, games[i].moves, Wanted::Policy);
        going_on.push_back(i);
    };
    for (std::size_t i = 0; i < games.size(); ++i)
        if (!games[i].is_over) go_on(i, opinions[i]);
    std::vector<Opinion> on_the_way;
    while (!going_on.empty()) {
        if (auto status = policy_->collect(on_the_way); !status) {
            opinions.clear();
            return status;
        }
        const std::vector<std::size_t> asked = std::exchange(going_on, {});
        for (std::size_t i = 0; i < asked.size(); ++i) go_on(asked[i], on_the_way[i]);
    }
    for (std::size_t i = 0; i < games.size(); ++i) {
        opinions[i].value.reset();
        opinions[i].moves_left.reset();
        opinions[i].wdl.reset();
        if (games[i].wants_value) opinions[i].wdl = games[i].result;
    }
    return {};
}

}  // namespace scholar::evaluators
