#include "arena/outcome_curve.hpp"

#include <chrono>
#include <string>

#include "chess/position.hpp"

namespace scholar::arena {

namespace {

constexpr auto kPatienceOfCurve = std::chrono::minutes(10);

// Of the side to move.
base::Result<double> expected_by(const SearchInfo& info, const Player& judge) {
    if (!info.wdl)
        return base::fail("engine {}: it says nothing of wins, draws and losses, expected 'info … wdl …'",
                          judge.name());
    return (static_cast<double>((*info.wdl)[0]) + static_cast<double>((*info.wdl)[1]) / 2) / 1'000;
}

void add(std::vector<OutcomePoint>& points, std::size_t move, double expected) {
    while (points.size() <= move) points.push_back({.move = static_cast<int>(points.size())});
    ++points[move].games;
    points[move].expected += expected;
}

}  // namespace

base::Result<std::optional<std::vector<OutcomePoint>>> judge_games(std::span<const games::Game> games,
                                                                   std::string_view player, Player& judge,
                                                                   std::uint64_t nodes,
                                                                   const std::stop_token& stop) {
    std::vector<OutcomePoint> points;
    if (auto status = judge.new_game({}); !status) return std::unexpected(status.error());
    for (const games::Game& game : games) {
        const bool is_white = game.tag("White") == player;
        if (!is_white && game.tag("Black") != player) continue;
        const chess::Color color = is_white ? chess::White : chess::Black;
        chess::Position position = game.start;
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
            if (position.side_to_move() == color) {
                const Reply reply = judge.go(game.start, std::span(game.moves).first(ply), position,
                                             NodeLimit{nodes}, kPatienceOfCurve, stop);
                if (reply.answer == Answer::Stopped || stop.stop_requested()) return std::nullopt;
                if (reply.answer != Answer::Move)
                    return base::fail("engine {}: {}", judge.name(), reply.detail);
                const auto expected = expected_by(reply.info, judge);
                if (!expected) return std::unexpected(expected.error());
                add(points, ply / 2, *expected);
            }
            position.make(game.moves[ply]);
        }
    }
    for (OutcomePoint& point : points)
        if (point.games > 0) point.expected /= static_cast<double>(point.games);
    return points;
}

}  // namespace scholar::arena
