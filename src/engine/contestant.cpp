#include "engine/contestant.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "games/ending.hpp"
#include "games/judgement.hpp"

namespace scholar::engine {

namespace {

games::Ending to_ending(GameEnd end) {
    switch (end) {
        case GameEnd::Checkmate:
            return games::Ending::Checkmate;
        case GameEnd::Stalemate:
            return games::Ending::Stalemate;
        case GameEnd::InsufficientMaterial:
            return games::Ending::InsufficientMaterial;
        case GameEnd::Repetition:
            return games::Ending::Repetition;
        case GameEnd::FiftyMoves:
            return games::Ending::FiftyMoves;
        case GameEnd::Resignation:
            return games::Ending::Resignation;
        case GameEnd::TimeForfeit:
            return games::Ending::TimeForfeit;
        case GameEnd::Disconnection:
            return games::Ending::Forfeit;
        case GameEnd::Adjudication:
            return games::Ending::Adjudication;
        case GameEnd::Aborted:
        case GameEnd::Adjourned:
            return games::Ending::Abandoned;
        case GameEnd::Agreement:
        case GameEnd::Unknown:
            break;
    }
    return games::Ending::Unknown;
}

std::string time_control_tag(const GameHeader& header) {
    if (!header.is_timed()) return "-";
    const auto seconds = [](std::chrono::milliseconds time) { return time.count() / 1'000; };
    if (header.increment.count() == 0) return fmt::format("{}", seconds(header.base));
    return fmt::format("{}+{}", seconds(header.base), seconds(header.increment));
}

}  // namespace

std::string_view to_string(GameEnd end) {
    switch (end) {
        case GameEnd::Agreement:
            return "agreement";
        case GameEnd::Disconnection:
            return "disconnection";
        case GameEnd::Aborted:
            return "aborted";
        case GameEnd::Adjourned:
            return "adjourned";
        default:
            return games::name_of(to_ending(end));
    }
}

games::Evaluation evaluation_of(const search::SearchResult& result, int centipawns, chess::Color side) {
    const int depth = result.counters.depth;
    return result.score->is_mate() ? games::evaluation_of_mate(result.score->moves_to_mate(), side, depth)
                                   : games::evaluation_of_centipawns(centipawns, side, depth);
}

games::Game to_game(const PlayedGame& played) {
    const GameHeader& header = played.header;
    games::Game game;
    const auto tag = [&game](std::string name, std::string value) {
        game.tags.emplace_back(std::move(name), std::move(value));
    };
    tag("Event", fmt::format("{} {} game", header.rated ? "Rated" : "Unrated",
                             header.kind.empty() ? "chess" : header.kind));
    tag("Site", header.site);
    tag("Date", played.date);
    tag("Round", "-");
    tag("White", header.names[chess::White]);
    tag("Black", header.names[chess::Black]);
    if (header.ratings[chess::White]) tag("WhiteElo", fmt::format("{}", *header.ratings[chess::White]));
    if (header.ratings[chess::Black]) tag("BlackElo", fmt::format("{}", *header.ratings[chess::Black]));
    tag("TimeControl", time_control_tag(header));
    game.start = played.start;
    game.result = played.result;
    game.ending = to_ending(played.end);
    if (game.ending == games::Ending::Unknown && played.end == GameEnd::Agreement)
        tag("Termination", "agreement");
    const auto any = [&](auto member) {
        return std::ranges::any_of(played.moves,
                                   [&](const PlayedMove& m) { return (m.*member).has_value(); });
    };
    const bool has_evaluations = any(&PlayedMove::evaluation);
    const bool has_clocks = any(&PlayedMove::clock);
    for (const PlayedMove& move : played.moves) {
        game.moves.push_back(move.move);
        if (has_evaluations) game.evaluations.push_back(move.evaluation);
        if (!has_clocks) continue;
        game.clocks.push_back(
            move.clock ? std::optional<std::uint64_t>(std::max<long>(0, move.clock->count())) : std::nullopt);
    }
    return game;
}

}  // namespace scholar::engine
