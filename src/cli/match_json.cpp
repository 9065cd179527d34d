#include "cli/match_json.hpp"

#include "arena/statistics.hpp"

namespace scholar::cli {

namespace {

Json encounter_json(const arena::MatchResult& result, const arena::Encounter& encounter) {
    const auto& [wins, draws, losses] = encounter.score;
    Json json{{"first", result.engines[static_cast<std::size_t>(encounter.engines[0])].name},
              {"second", result.engines[static_cast<std::size_t>(encounter.engines[1])].name},
              {"games", encounter.score.games()},
              {"wins", wins},
              {"draws", draws},
              {"losses", losses},
              {"pentanomial", encounter.pairs}};
    if (const auto rating = arena::rate(encounter.score, encounter.pairs)) {
        json["score"] = rating->score;
        json["elo"] = rating->elo;
        json["elo_low"] = rating->elo_low;
        json["elo_high"] = rating->elo_high;
        json["normalised"] = rating->normalised;
        json["normalised_error"] = rating->normalised_error;
        json["superiority"] = rating->superiority;
    }
    return json;
}

}  // namespace

Json match_json(const arena::MatchResult& result) {
    Json encounters = Json::array();
    for (const auto& encounter : result.encounters) encounters.push_back(encounter_json(result, encounter));
    Json engines = Json::array();
    for (const auto& engine : result.engines) {
        Json counts{{"name", engine.name}, {"moves", engine.moves}};
        for (const auto failure : arena::kFailures)
            counts[std::string(to_string(failure))] = engine.count(failure);
        counts["false mate"] = engine.false_mates;
        counts["not ready"] = engine.unready;
        counts["restarts"] = engine.restarts;
        engines.push_back(std::move(counts));
    }
    return {{"games", result.games()},
            {"encounters", std::move(encounters)},
            {"engines", std::move(engines)},
            {"withdrawn", result.withdrawn},
            {"interrupted", result.interrupted}};
}

}  // namespace scholar::cli
