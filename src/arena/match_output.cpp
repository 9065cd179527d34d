#include "arena/match_output.hpp"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "arena/match_game.hpp"
#include "base/json.hpp"
#include "base/progress.hpp"
#include "base/text.hpp"
#include "chess/fen.hpp"
#include "chess/uci_move.hpp"
#include "games/pgn_writer.hpp"

namespace scholar::arena {

namespace {

double seconds(std::chrono::microseconds time) {
    return std::chrono::duration<double>(time).count();
}

std::string score_text(const SearchInfo& info) {
    // Half-moves to mate, as cutechess and fastchess write them; UCI counts moves.
    if (info.mate) {
        const int moves = *info.mate;
        return moves > 0 ? fmt::format("+M{}", 2 * moves - 1) : fmt::format("-M{}", -2 * moves);
    }
    if (info.centipawns) return fmt::format("{:+.2f}", *info.centipawns / 100.0);
    return "";
}

std::string comment_for(const PlayedMove& played) {
    std::string comment = score_text(played.info);
    if (!comment.empty()) comment += fmt::format("/{} ", played.info.depth);
    return comment + fmt::format("{:.2f}s", seconds(played.elapsed));
}

std::string_view termination(const MatchGame& game) {
    switch (game.failure) {
        case Failure::TimeLoss:
            return "time forfeit";
        case Failure::IllegalMove:
        case Failure::Garbage:
            return "rules infraction";
        case Failure::Flood:
        case Failure::Crash:
        case Failure::Stall:
            return "abandoned";
        case Failure::None:
            break;
    }
    return game.ending == games::Ending::Adjudication ? "adjudication" : "normal";
}

}  // namespace

std::string to_pgn(const MatchGame& game, const MatchOptions& options, const std::string& event,
                   const std::string& date) {
    const int black = 1 - game.white;
    games::PgnWriter writer;
    writer.tag("Event", event);
    writer.tag("Site", "?");
    writer.tag("Date", date);
    writer.tag("Round", fmt::format("{}.{}", game.number / 2 + 1, game.number % 2 + 1));
    writer.tag("White", game.names[game.white]);
    writer.tag("Black", game.names[black]);
    writer.tag("Result", games::to_string(game.result));
    writer.start(game.start, game.chess960 ? "Chess960" : "");
    writer.tag("PlyCount", fmt::format("{}", game.opening_moves.size() + game.moves.size()));
    const std::array<std::string, 2> controls{to_pgn_tag(options.time_controls[game.engines[0]]),
                                              to_pgn_tag(options.time_controls[game.engines[1]])};
    if (controls[0] == controls[1]) {
        writer.tag("TimeControl", controls[0]);
    } else {
        writer.tag("WhiteTimeControl", controls[game.white]);
        writer.tag("BlackTimeControl", controls[black]);
    }
    writer.tag("Termination", termination(game));
    writer.tag("TerminationDetails", game.reason);

    for (const auto move : game.opening_moves) writer.move(move);
    for (std::size_t i = 0; i < game.moves.size(); ++i) {
        std::string comment = comment_for(game.moves[i]);
        for (const FalseMate& claim : game.false_mates)
            if (claim.move == i) comment += ", false mate";
        if (i + 1 == game.moves.size()) comment += ", " + game.reason;
        writer.move(game.moves[i].move, comment);
    }
    return writer.finish(game.result);
}

std::string to_json(const MatchGame& game, const MatchResult& so_far) {
    nlohmann::ordered_json record;
    record["game"] = game.number + 1;
    record["pair"] = game.number / 2 + 1;
    record["opening"] = game.opening + 1;
    record["white"] = game.names[game.white];
    record["black"] = game.names[1 - game.white];
    record["result"] = games::to_string(game.result);
    record["reason"] = game.reason;
    if (game.failure != Failure::None) {
        record["failure"] = to_string(game.failure);
        record["failed"] = game.names[game.failed];
    }
    if (!game.false_mates.empty()) {
        auto& claims = record["false_mates"] = nlohmann::ordered_json::array();
        for (const FalseMate& claim : game.false_mates)
            claims.push_back(
                {{"engine", game.names[claim.engine]}, {"move", claim.move + 1}, {"mate", claim.mate}});
    }
    record["start"] = chess::to_fen(game.start);
    const auto notation =
        game.chess960 ? chess::CastlingNotation::Chess960 : chess::CastlingNotation::Standard;
    auto& opening = record["opening_moves"] = nlohmann::ordered_json::array();
    for (const auto move : game.opening_moves) opening.push_back(chess::to_uci(move, notation));
    auto& moves = record["moves"] = nlohmann::ordered_json::array();
    for (const auto& played : game.moves) {
        nlohmann::ordered_json move{{"move", chess::to_uci(played.move, notation)}};
        if (played.info.mate)
            move["mate"] = *played.info.mate;
        else if (played.info.centipawns)
            move["cp"] = *played.info.centipawns;
        if (played.info.depth > 0) move["depth"] = played.info.depth;
        if (played.info.nodes > 0) move["nodes"] = played.info.nodes;
        move["seconds"] = seconds(played.elapsed);
        moves.push_back(std::move(move));
    }
    for (const Encounter& encounter : so_far.encounters) {
        if (encounter.engines != game.engines) continue;
        const auto& [wins, draws, losses] = encounter.score;
        record["score"] = {{"wins", wins}, {"draws", draws}, {"losses", losses}};
        record["pentanomial"] = encounter.pairs;
    }
    auto& engines = record["engines"] = nlohmann::ordered_json::array();
    for (const int number : game.engines) {
        const EngineRecord& engine = so_far.engines[static_cast<std::size_t>(number)];
        nlohmann::ordered_json counts{{"name", engine.name}};
        for (const Failure failure : kFailures)
            counts[std::string(to_string(failure))] = engine.count(failure);
        counts["false mate"] = engine.false_mates;
        counts["not ready"] = engine.unready;
        counts["restarts"] = engine.restarts;
        engines.push_back(std::move(counts));
    }
    return base::json_line(record);
}

base::Result<LineAppender> LineAppender::open(const std::string& path) {
    std::FILE* file = std::fopen(path.c_str(), "ae");
    if (file == nullptr) return base::fail("{}: cannot write: {}", path, std::strerror(errno));
    return LineAppender(file, path);
}

base::Status LineAppender::append(const std::string& text) {
    const bool written = std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size();
    if (!written || std::fflush(file_.get()) != 0)
        return base::fail("{}: cannot write: {}", path_, std::strerror(errno));
    return {};
}

base::Status PgnOutput::game_finished(const MatchGame& game, const MatchResult&) {
    return file_.append(to_pgn(game, options_, event_, games::date_of_today()));
}

base::Status JsonOutput::game_finished(const MatchGame& game, const MatchResult& so_far) {
    return file_.append(to_json(game, so_far) + "\n");
}

std::string describe_briefly(const MatchResult& result) {
    const auto& [wins, draws, losses] = result.score();
    std::string text = fmt::format("+{} ={} -{}", wins, draws, losses);
    const auto rating = rate(result.score(), result.pairs());
    // A match won throughout has a bound, and no Elo.
    if (!rating || rating->score == 0 || rating->score == 1) return text;
    return text + fmt::format(", Elo {} ± {:.0f}", elo_text(rating->elo, 0), rating->elo_error);
}

std::string describe(const MatchResult& result) {
    const auto games = result.score().games();
    const auto& [wins, draws, losses] = result.score();
    std::string text = fmt::format("{} against {}: {}\n", result.engines[0].name, result.engines[1].name,
                                   base::counted(games, "game"));
    if (const auto rating = rate(result.score(), result.pairs())) {
        text += fmt::format("  score        {:.1f} of {} ({:.1f} %): +{} ={} -{}\n",
                            rating->score * static_cast<double>(games), games, rating->score * 100, wins,
                            draws, losses);
        if (rating->score > 0 && rating->score < 1) {
            text +=
                fmt::format("  Elo          {} ± {:.1f} (95 %)\n", elo_text(rating->elo), rating->elo_error);
            text += fmt::format("  normalised   {} ± {:.1f}\n", elo_text(rating->normalised),
                                rating->normalised_error);
        } else {
            const double bound = elo_bound_of_sweep(games);
            text += rating->score > 0.5 ? fmt::format("  Elo          at least {:+.0f} (95 %)\n", bound)
                                        : fmt::format("  Elo          at most {:+.0f} (95 %)\n", -bound);
        }
        text += fmt::format("  LOS          {:.1f} %\n", rating->superiority * 100);
        text += fmt::format("  draws        {:.1f} %\n", rating->draw_rate * 100);
    }
    const auto& pairs = result.pairs();
    text += fmt::format("  pairs 0-2    {} {} {} {} {}\n", pairs[0], pairs[1], pairs[2], pairs[3], pairs[4]);
    return text + describe_engines(result) + describe_end(result);
}

std::string describe_engines(const MatchResult& result) {
    std::string text;
    for (const auto& engine : result.engines) {
        text += fmt::format("  {}: {}", engine.name, base::counted(engine.moves, "move"));
        if (engine.depth_moves > 0)
            text += fmt::format(", depth {:.1f}", static_cast<double>(engine.depth_sum) /
                                                      static_cast<double>(engine.depth_moves));
        if (engine.node_time.count() > 0)
            text += fmt::format(", {} nodes/s", base::short_count(static_cast<double>(engine.nodes) /
                                                                  seconds(engine.node_time)));
        const auto add = [&text](std::string_view what, std::uint64_t count) {
            if (count > 0) text += fmt::format(", {}: {}", what, count);
        };
        for (const auto failure : kFailures) add(to_string(failure), engine.count(failure));
        add("false mate", static_cast<std::uint64_t>(engine.false_mates));
        add("not ready", static_cast<std::uint64_t>(engine.unready));
        add("restarts", static_cast<std::uint64_t>(engine.restarts));
        text += "\n";
    }
    return text;
}

std::string describe_end(const MatchResult& result) {
    std::string text;
    for (const auto& reason : result.withdrawn) text += "  withdrawn: " + reason + "\n";
    if (result.interrupted) text += "  interrupted: games under way do not count\n";
    if (!result.problem.empty()) text += "  ended early: " + result.problem + "\n";
    return text;
}

}  // namespace scholar::arena
