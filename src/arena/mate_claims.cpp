#include "arena/mate_claims.hpp"

#include <algorithm>
#include <cstdlib>

#include "arena/match_game.hpp"
#include "chess/uci_move.hpp"

namespace scholar::arena {

namespace {

using games::Ending;

bool ended_on_the_board(const MatchGame& game) {
    constexpr std::array kEndings{Ending::Checkmate, Ending::Stalemate, Ending::InsufficientMaterial,
                                  Ending::Repetition, Ending::FiftyMoves};
    return std::ranges::find(kEndings, game.ending) != kEndings.end();
}

// Whether the moves from index `at` on, as far as the variation goes for `plies`, are the variation's.
bool follows_variation(const MatchGame& game, chess::Position position, std::size_t at, std::size_t plies) {
    const auto& variation = game.moves[at].info.principal_variation;
    if (variation.size() < plies || game.moves.size() < at + plies) return false;
    for (std::size_t i = 0; i < plies; ++i) {
        const auto expected = chess::parse_uci_move(position, variation[i]);
        if (!expected || *expected != game.moves[at + i].move) return false;
        position.make(*expected);
    }
    return true;
}

}  // namespace

std::vector<FalseMate> find_false_mates(const MatchGame& game) {
    std::vector<FalseMate> found;
    chess::Position position = game.start;
    for (const auto move : game.opening_moves) position.make(move);
    const int first_mover = opening_mover(game);
    std::array<std::size_t, 2> next{};  // by engine: where its claims are looked at again
    for (std::size_t at = 0; at < game.moves.size(); position.make(game.moves[at].move), ++at) {
        const int engine = static_cast<int>((static_cast<std::size_t>(first_mover) + at) % 2);
        const auto& mate = game.moves[at].info.mate;
        if (!mate || *mate == 0 || at < next[engine]) continue;
        const auto moves = static_cast<std::size_t>(std::abs(static_cast<long>(*mate)));
        if (moves > game.moves.size() && (!ended_on_the_board(game) || *mate < 0)) continue;
        const std::size_t plies = *mate > 0 ? 2 * moves - 1 : 2 * moves;
        const bool is_mated = game.ending == Ending::Checkmate;
        const std::size_t left = game.moves.size() - at;
        bool is_false = false;
        if (*mate > 0) {
            const bool mated_the_other = is_mated && game.points(engine) == 1;
            const bool in_time = mated_the_other && left <= plies;
            is_false = !in_time && (left > plies || (left == plies && !is_mated) || ended_on_the_board(game));
        } else {
            is_false = follows_variation(game, position, at, plies) && (!is_mated || left != plies);
        }
        if (!is_false) continue;
        found.push_back({engine, at, *mate});
        next[engine] = at + plies;
    }
    return found;
}

}  // namespace scholar::arena
