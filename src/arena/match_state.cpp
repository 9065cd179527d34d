#include "arena/match_state.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "arena/engine_identity.hpp"
#include "arena/fingerprint.hpp"
#include "arena/match_output.hpp"
#include "games/pgn_writer.hpp"

namespace scholar::arena {

namespace {

using Json = nlohmann::ordered_json;

const Journal::Kind kKind{"scholar match state 2", "match"};

// Which match it is: all that another outcome could come from.
base::Result<Json> describe(const MatchOptions& options, const MatchOutputs& outputs) {
    Json engines = Json::array();
    for (const auto& engine : options.engines) {
        auto description = describe_engine(engine);
        if (!description) return std::unexpected(description.error());
        engines.push_back(std::move(*description));
    }
    Json draw, resign, tablebases;
    if (options.draw)
        draw = {
            {"moves", options.draw->moves}, {"score", options.draw->score}, {"after", options.draw->after}};
    if (options.resign)
        resign = {{"moves", options.resign->moves},
                  {"score", options.resign->score},
                  {"twosided", options.resign->two_sided}};
    if (options.tablebases) tablebases = options.tablebases->path();
    Json controls = Json::array();
    for (const auto& control : options.time_controls) controls.push_back(to_string(control));
    Json identity{{"engines", std::move(engines)},
                  {"tc", std::move(controls)},
                  {"openings", {{"count", options.openings.size()}, {"hash", fingerprint(options.openings)}}},
                  {"seed", options.seed},
                  {"draw", draw},
                  {"resign", resign},
                  {"tablebases", tablebases},
                  {"max_plies", options.max_plies},
                  {"time_margin", options.time_margin.count()},
                  {"outputs", {{"pgn", outputs.pgn}, {"json", outputs.json}, {"event", outputs.event}}}};
    // Of a match of two there is nothing to say.
    if (options.engines.size() > 2) identity["pairings"] = options.pairings;
    return identity;
}

Json to_json(const EngineRecord& record) {
    return {{"failures", record.failures},   {"moves", record.moves},
            {"depth_sum", record.depth_sum}, {"depth_moves", record.depth_moves},
            {"nodes", record.nodes},         {"node_time", record.node_time.count()},
            {"restarts", record.restarts},   {"false_mates", record.false_mates}};
}

EngineRecord engine_record(const Json& json) {
    EngineRecord record;
    json.at("failures").get_to(record.failures);
    json.at("moves").get_to(record.moves);
    json.at("depth_sum").get_to(record.depth_sum);
    json.at("depth_moves").get_to(record.depth_moves);
    json.at("nodes").get_to(record.nodes);
    record.node_time = std::chrono::microseconds(json.at("node_time").get<std::int64_t>());
    json.at("restarts").get_to(record.restarts);
    json.at("false_mates").get_to(record.false_mates);
    return record;
}

GameSummary game_summary(const Json& json) {
    GameSummary summary;
    json.at("game").get_to(summary.number);
    json.at("white").get_to(summary.white);
    if (json.contains("players")) json.at("players").get_to(summary.engines);
    summary.result = games::parse_result(json.at("result").get<std::string>()).value_or(summary.result);
    for (std::size_t i = 0; i < 2; ++i) summary.records[i] = engine_record(json.at("engines").at(i));
    return summary;
}

}  // namespace

base::Result<std::unique_ptr<MatchState>> MatchState::open(const std::string& path,
                                                           const MatchOptions& options,
                                                           const MatchOutputs& outputs) {
    const auto identity = describe(options, outputs);
    if (!identity) return std::unexpected(identity.error());
    auto journal = Journal::open(path, kKind, *identity, {outputs.pgn, outputs.json});
    if (!journal) return std::unexpected(journal.error());
    std::unique_ptr<MatchState> state(new MatchState(std::move(*journal), options, outputs));
    if (auto status = state->read(); !status) return base::fail_in(path, status.error());
    return state;
}

base::Status MatchState::read() {
    const std::size_t engines = options_.engines.size();
    earlier_.names.resize(engines);
    earlier_.restarts.resize(engines);
    earlier_.unready.resize(engines);
    std::set<int> numbers;
    std::vector<int> restarts(engines);
    int number = 0;
    for (const Json& record : journal_.records()) {
        ++number;
        try {
            earlier_.games.push_back(game_summary(record));
            const GameSummary& game = earlier_.games.back();
            for (std::size_t side = 0; side < 2; ++side) {
                const int engine = game.engines[side];
                if (engine < 0 || engine >= static_cast<int>(engines))
                    return base::fail("game {}: of engine {}, expected one of {}", number, engine + 1,
                                      engines);
                record.at("names").at(side).get_to(earlier_.names[engine]);
                record.at("restarts").at(side).get_to(earlier_.restarts[engine]);
                record.at("unready").at(side).get_to(earlier_.unready[engine]);
                restarts[engine] += game.records[side].restarts;
            }
        } catch (const nlohmann::json::exception& error) {
            return base::fail("game {}: is not a game of a match: {}", number, error.what());
        }
        if (!numbers.insert(earlier_.games.back().number).second)
            return base::fail("game {}: number {} for the second time", number,
                              earlier_.games.back().number + 1);
    }
    // Those of the games are counted with them.
    for (std::size_t i = 0; i < engines; ++i) earlier_.restarts[i] -= restarts[i];
    return {};
}

void MatchState::remove_if_empty() {
    if (earlier_.games.empty() && !has_written_) journal_.remove();
}

base::Status MatchState::game_finished(const MatchGame& game, const MatchResult& so_far) {
    const GameSummary summary = summarise(game);
    const EngineRecord& first = so_far.engines[game.engines[0]];
    const EngineRecord& second = so_far.engines[game.engines[1]];
    Json record{{"game", summary.number},
                {"players", summary.engines},
                {"white", summary.white},
                {"result", games::to_string(summary.result)},
                {"names", game.names},
                {"engines", {to_json(summary.records[0]), to_json(summary.records[1])}},
                {"restarts", {first.restarts, second.restarts}},
                {"unready", {first.unready, second.unready}}};
    has_written_ = true;
    return journal_.append(
        std::move(record),
        {outputs_.pgn.empty() ? "" : to_pgn(game, options_, outputs_.event, games::date_of_today()),
         outputs_.json.empty() ? "" : arena::to_json(game, so_far) + "\n"});
}

}  // namespace scholar::arena
