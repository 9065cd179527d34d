#include "selfplay/labelled_games.hpp"

#include <algorithm>
#include <chrono>

#include "chess/movegen.hpp"
#include "games/judgement.hpp"

namespace scholar::selfplay {

namespace {

// Games that one thread labels at a time: a second or so of an engine that is asked for its static
// evaluation.
constexpr std::uint64_t kBatch = 64;
constexpr auto kPatience = std::chrono::minutes(10);

games::Evaluation from_white(const arena::SearchInfo& info, chess::Color side) {
    return info.mate ? games::evaluation_of_mate(*info.mate, side, info.depth)
                     : games::evaluation_of_centipawns(info.centipawns.value_or(0), side, info.depth);
}

// Of one position; nothing where the engine has none, or was told to stop.
base::Result<std::optional<games::Evaluation>> label(arena::Player& engine, const LabelPlan& plan,
                                                     const chess::Position& position,
                                                     const std::stop_token& stop) {
    if (!plan.nodes) {
        const auto value = engine.static_value(position);
        if (!value) return std::unexpected(value.error());
        if (!*value) return std::nullopt;
        arena::SearchInfo info;
        info.centipawns = *value;
        return from_white(info, chess::White);
    }
    const arena::Reply reply =
        engine.go(position, {}, position, arena::NodeLimit{*plan.nodes}, kPatience, stop);
    if (reply.answer == arena::Answer::Stopped) return std::nullopt;
    if (reply.answer != arena::Answer::Move && reply.answer != arena::Answer::Resign)
        return base::fail("engine {}: {}", engine.name(), reply.detail.empty() ? "no move" : reply.detail);
    if (!reply.info.has_score()) return std::nullopt;
    return from_white(reply.info, position.side_to_move());
}

}  // namespace

base::Result<std::optional<games::Game>> label_game(arena::Player& engine, const LabelPlan& plan,
                                                    const games::Game& game, const std::stop_token& stop) {
    games::Game labelled = game;
    if (!plan.annotator.empty()) labelled.set_tag("Annotator", plan.annotator);
    // A game without moves is just a position.
    const std::size_t positions = std::max<std::size_t>(game.moves.size(), 1);
    labelled.evaluations.assign(positions, std::nullopt);
    chess::Position position = game.start;
    for (std::size_t ply = 0; ply < positions; ++ply) {
        if (chess::legal_moves(position).empty()) break;
        if (stop.stop_requested()) return std::nullopt;
        const auto value = label(engine, plan, position, stop);
        if (!value) return base::fail("half-move {}: {}", ply + 1, value.error().message);
        if (stop.stop_requested()) return std::nullopt;
        labelled.evaluations[ply] = *value;
        if (ply < game.moves.size()) position.make(game.moves[ply]);
    }
    return labelled;
}

base::Result<FilledStore> label_games(LabelledGames how, const PlayerStarter& start_engine,
                                      const std::function<void(std::uint64_t)>& told,
                                      const std::stop_token& stop) {
    if (how.plan.games.empty()) return base::fail("no game to label, expected at least one");
    how.games = how.plan.games.size();
    how.batch = kBatch;
    // In this thread, for an engine ends with the thread that started it.
    std::vector<std::unique_ptr<arena::Player>> engines;
    for (int i = 0; i < workers_of(how); ++i) {
        auto engine = start_engine();
        if (!engine) return std::unexpected(engine.error());
        engines.push_back(std::move(*engine));
    }
    return fill_store(
        how,
        [&](int worker, std::uint64_t batch,
            const std::stop_token& told_to_stop) -> base::Result<std::optional<std::vector<games::Game>>> {
            arena::Player& engine = *engines[static_cast<std::size_t>(worker)];
            std::vector<games::Game> games;
            const std::uint64_t first = batch * kBatch;
            for (std::uint64_t i = first; i < std::min(first + kBatch, how.games); ++i) {
                const games::Game& game = how.plan.games[i];
                const auto in_game = [&](const base::Error& error) {
                    return base::fail("game {} of those to label: {}", i + 1, error.message);
                };
                // A label is the same whoever gives it, whatever he labelled before.
                if (auto status =
                        engine.new_game({.chess960 = game.chess960, .time_control = {}, .number = i});
                    !status)
                    return in_game(status.error());
                auto labelled = label_game(engine, how.plan, game, told_to_stop);
                if (!labelled) return in_game(labelled.error());
                if (!*labelled) return std::nullopt;
                games.push_back(std::move(**labelled));
            }
            return games;
        },
        told, stop);
}

}  // namespace scholar::selfplay
