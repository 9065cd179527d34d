#include <nlohmann/json.hpp>

#include "arena/analysis/report.hpp"
#include "base/json.hpp"
#include "chess/fen.hpp"
#include "chess/san.hpp"
#include "chess/uci_move.hpp"

namespace scholar::arena {

namespace {

using Json = nlohmann::ordered_json;

Json optional_json(const std::optional<double>& number) {
    return number ? Json(*number) : Json(nullptr);
}

void put_score(Json& json, const std::optional<games::Evaluation>& shown) {
    if (!shown) return;
    if (shown->mate != 0)
        json["mate"] = shown->mate;
    else
        json["centipawns"] = shown->centipawns;
}

Json san_line(const chess::Position& start, const std::vector<chess::Move>& moves) {
    Json line = Json::array();
    chess::Position position = start;
    for (const chess::Move move : moves) {
        line.push_back(chess::to_san(position, move));
        position.make(move);
    }
    return line;
}

// Of the moves that are likely all that round to a tenth of a percent.
Json view_json(const chess::Position& position, const View& view) {
    Json json{{"expected", optional_json(view.expected)}};
    put_score(json, view.shown);
    json["depth"] = view.depth;
    json["nodes"] = view.nodes;
    json["best"] = view.best() ? Json(chess::to_san(position, view.best())) : Json(nullptr);
    json["lines"] = Json::array();
    for (const ViewedLine& line : view.lines) {
        Json one{{"expected", optional_json(line.expected)}};
        put_score(one, line.shown);
        one["moves"] = san_line(position, line.moves);
        json["lines"].push_back(std::move(one));
    }
    if (!view.likely.empty()) {
        Json& likely = json[view.likely_are_visits ? "visits" : "likely"] = Json::object();
        for (const auto& [move, share] : view.likely)
            if (share >= 0.0005) likely[chess::to_san(position, move)] = share;
    }
    if (!view.trouble.empty()) json["trouble"] = view.trouble;
    return json;
}

Json explanation_json(const chess::Position& before, const Explanation& why) {
    Json json{{"words", why.words()},
              {"played", san_line(before, why.played)},
              {"better", san_line(before, why.better)},
              {"cost",
               {{"pawns", why.cost[0]},
                {"knights", why.cost[1]},
                {"bishops", why.cost[2]},
                {"rooks", why.cost[3]},
                {"queens", why.cost[4]}}}};
    if (why.misses_mate) json["misses_mate"] = *why.misses_mate;
    if (why.allows_mate) json["allows_mate"] = *why.allows_mate;
    return json;
}

Json names_json(const GameAnalysis& analysis, const std::vector<std::size_t>& systems) {
    Json names = Json::array();
    for (const std::size_t system : systems) names.push_back(analysis.systems[system]);
    return names;
}

Json move_json(const GameAnalysis& analysis, std::size_t ply, const chess::Position& before) {
    const chess::Move played = analysis.game.moves[ply];
    const auto notation =
        analysis.game.chess960 ? chess::CastlingNotation::Chess960 : chess::CastlingNotation::Standard;
    Json json{{"ply", ply + 1},
              {"move", chess::to_san(before, played)},
              {"uci", chess::to_uci(played, notation)},
              {"fen", chess::to_fen(before)},
              {"sign", sign_of(analysis.verdict(ply))},
              {"objectors", names_json(analysis, analysis.objectors(ply))}};
    Json& systems = json["systems"] = Json::object();
    for (std::size_t system = 0; system < analysis.systems.size(); ++system) {
        const SystemGame& seen = analysis.by_system[system];
        Json one = view_json(before, seen.views[ply]);
        one["loss"] = optional_json(seen.moves[ply].loss);
        one["likelihood"] = optional_json(seen.moves[ply].likelihood);
        one["objects"] = analysis.objects(system, ply);
        if (const auto why = analysis.explanation(system, ply))
            one["explanation"] = explanation_json(before, *why);
        systems[analysis.systems[system]] = std::move(one);
    }
    return json;
}

Json side_json(const AnalysisSummary::Side& side) {
    return {{"moves", side.moves},
            {"mean_loss", side.mean_loss},
            {"inaccuracies", side.inaccuracies},
            {"mistakes", side.mistakes},
            {"blunders", side.blunders}};
}

}  // namespace

std::string to_json_line(const GameAnalysis& analysis, const GameSource& source, const std::string& limit) {
    Json tags = Json::object();
    for (const auto& [name, value] : analysis.game.tags) tags[name] = value;
    Json json{{"game", source.number}};
    if (!source.file.empty()) json["file"] = source.file;
    json["tags"] = std::move(tags);
    json["result"] = games::to_string(analysis.game.result);
    json["start"] = chess::to_fen(analysis.game.start);
    json["chess960"] = analysis.game.chess960;
    json["limit"] = limit;
    json["systems"] = analysis.systems;
    const auto judge = analysis.judge();
    json["judge"] = judge ? Json(analysis.systems[*judge]) : Json(nullptr);
    const AnalysisSummary summary = summary_of(analysis, source);
    json["white"] = side_json(summary.sides[0]);
    json["black"] = side_json(summary.sides[1]);
    Json& moves = json["moves"] = Json::array();
    chess::Position position = analysis.game.start;
    for (std::size_t ply = 0; ply < analysis.game.moves.size(); ++ply) {
        moves.push_back(move_json(analysis, ply, position));
        position.make(analysis.game.moves[ply]);
    }
    Json& end = json["end"] = Json::object();
    for (std::size_t system = 0; system < analysis.systems.size(); ++system)
        end[analysis.systems[system]] = view_json(position, analysis.by_system[system].views.back());
    return base::json_line(json) + "\n";
}

std::string to_json_line(const PositionAnalysis& analysis, const std::string& limit) {
    Json json{{"fen", chess::to_fen(analysis.position)}, {"limit", limit}};
    Json& systems = json["systems"] = Json::object();
    for (std::size_t system = 0; system < analysis.systems.size(); ++system)
        systems[analysis.systems[system]] = view_json(analysis.position, analysis.by_system[system]);
    json["disagreement"] = analysis.disagreement();
    return base::json_line(json) + "\n";
}

Json to_json(const AnalysisSummary& summary) {
    Json findings = Json::array();
    for (const Finding& finding : summary.findings)
        findings.push_back({{"fen", finding.fen},
                            {"move", finding.move},
                            {"loss", finding.loss},
                            {"expected_better", finding.expected_better},
                            {"expected_played", finding.expected_played},
                            {"words", finding.words},
                            {"played", finding.played},
                            {"better", finding.better},
                            {"disagreement", finding.disagreement}});
    return {{"game", summary.source.number},
            {"file", summary.source.file},
            {"white", summary.white},
            {"black", summary.black},
            {"result", summary.result},
            {"judge", summary.judge},
            {"sides", {side_json(summary.sides[0]), side_json(summary.sides[1])}},
            {"disagreements", summary.disagreements},
            {"findings", std::move(findings)}};
}

std::optional<AnalysisSummary> summary_from(const Json& json) try {
    AnalysisSummary summary;
    summary.source = {.file = json.at("file"), .number = json.at("game")};
    summary.white = json.at("white");
    summary.black = json.at("black");
    summary.result = json.at("result");
    summary.judge = json.at("judge");
    for (std::size_t color = 0; color < summary.sides.size(); ++color) {
        const Json& side = json.at("sides").at(color);
        summary.sides.at(color) = {.moves = side.at("moves"),
                                   .mean_loss = side.at("mean_loss"),
                                   .inaccuracies = side.at("inaccuracies"),
                                   .mistakes = side.at("mistakes"),
                                   .blunders = side.at("blunders")};
    }
    summary.disagreements = json.at("disagreements");
    for (const Json& finding : json.at("findings"))
        summary.findings.push_back({.source = summary.source,
                                    .fen = finding.at("fen"),
                                    .move = finding.at("move"),
                                    .loss = finding.at("loss"),
                                    .expected_better = finding.at("expected_better"),
                                    .expected_played = finding.at("expected_played"),
                                    .words = finding.at("words"),
                                    .played = finding.at("played"),
                                    .better = finding.at("better"),
                                    .disagreement = finding.at("disagreement")});
    return summary;
} catch (const Json::exception&) {
    return std::nullopt;
}

}  // namespace scholar::arena
