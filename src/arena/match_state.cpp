#include "arena/match_state.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "arena/engine_identity.hpp"
#include "arena/fingerprint.hpp"
#include "arena/match_output.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "games/pgn_writer.hpp"

namespace scholar::arena {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "scholar match state 1";

std::string to_line(const Json& json) {
    // An engine may put anything into what it sends; JSON has to be UTF-8.
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

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
    Json identity{{"format", kFormat},
                  {"engines", std::move(engines)},
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

// The first few things that two descriptions do not agree in.
std::string differences(const Json& there, const Json& here) {
    constexpr int kMost = 3;
    const auto old_values = there.flatten();
    const auto new_values = here.flatten();
    std::string text;
    int count = 0;
    const auto value_in = [](const Json& values, const std::string& key) {
        const auto at = values.find(key);
        return at == values.end() ? std::string("nothing") : at->dump();
    };
    const auto compare = [&](const std::string& key) {
        const std::string old_value = value_in(old_values, key), new_value = value_in(new_values, key);
        if (old_value == new_value || count == kMost) return;
        text += fmt::format("{}{} is {} there and {} here", count++ > 0 ? "; " : "", key.substr(1), old_value,
                            new_value);
    };
    for (const auto& [key, value] : old_values.items()) compare(key);
    for (const auto& [key, value] : new_values.items())
        if (!old_values.contains(key)) compare(key);
    return text;
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

enum class Content { Nothing, ThisMatch };

// What is in a state's file: nothing that could be gone on with, or games of the match whose first line this
// is. Anything else is an error.
base::Result<Content> look_at(const std::string& path, const std::string& content,
                              const std::string& first_line) {
    const auto end = content.find('\n');
    if (end == std::string::npos) {
        // Killed while it wrote its first line.
        const std::string begin = to_line({{"format", kFormat}});
        const auto any = std::string_view(begin).substr(0, begin.find('}'));
        if (content.starts_with(any) || any.starts_with(content)) return Content::Nothing;
    }
    const Json there = Json::parse(content.substr(0, end), nullptr, false);
    if (there.is_discarded() || !there.is_object() || there.value("format", Json()) != kFormat)
        return base::fail("{}: is not the state of a match, expected one or a new name", path);
    // Before a game has ended it may be any match: the command may have been wrong.
    if (content.find('\n', end + 1) == std::string::npos) return Content::Nothing;
    if (const auto differs = differences(there, Json::parse(first_line)); !differs.empty())
        return base::fail("{}: is the state of another match: {}", path, differs);
    return Content::ThisMatch;
}

}  // namespace

base::Result<std::unique_ptr<MatchState>> MatchState::open(const std::string& path,
                                                           const MatchOptions& options,
                                                           const MatchOutputs& outputs) {
    const auto identity = describe(options, outputs);
    if (!identity) return std::unexpected(identity.error());
    const std::string first_line = to_line(*identity);
    std::error_code error;
    if (std::filesystem::exists(path, error)) {
        // Looked at before anything is changed.
        const auto content = base::read_text(path);
        if (!content) return std::unexpected(content.error());
        if (const auto looked = look_at(path, *content, first_line); !looked)
            return std::unexpected(looked.error());
    }
    auto file = LockedAppender::open(path);
    if (!file) return std::unexpected(file.error());
    // Again, now that nobody else writes it.
    const auto content = base::read_text(path);
    if (!content) return std::unexpected(content.error());
    const auto looked = look_at(path, *content, first_line);
    if (!looked) return std::unexpected(looked.error());

    std::unique_ptr<MatchState> state(new MatchState(std::move(*file), options, outputs));
    for (auto [name, output] :
         {std::pair(&outputs.pgn, &state->pgn_), std::pair(&outputs.json, &state->json_)}) {
        if (name->empty()) continue;
        auto opened = LockedAppender::open(*name);
        if (!opened) return std::unexpected(opened.error());
        output->emplace(std::move(*opened));
    }
    if (*looked == Content::Nothing) {
        if (auto status = state->state_.resize(0); !status) return std::unexpected(status.error());
        if (auto status = state->state_.append(first_line); !status) return std::unexpected(status.error());
    } else if (auto status = state->read(*content); !status) {
        return base::fail_in(path, status.error());
    }
    return state;
}

base::Status MatchState::read(const std::string& text) {
    std::set<int> numbers;
    const std::size_t engines = options_.engines.size();
    earlier_.names.resize(engines);
    earlier_.restarts.resize(engines);
    earlier_.unready.resize(engines);
    std::vector<int> restarts(engines);
    Json last;
    std::size_t begin = text.find('\n') + 1;
    for (int line = 2; begin < text.size(); ++line) {
        const auto end = text.find('\n', begin);
        if (end == std::string::npos) break;  // cut off: that game is played again
        try {
            last = Json::parse(text.substr(begin, end - begin));
            earlier_.games.push_back(game_summary(last));
            const GameSummary& game = earlier_.games.back();
            for (std::size_t side = 0; side < 2; ++side) {
                const int engine = game.engines[side];
                if (engine < 0 || engine >= static_cast<int>(engines))
                    return base::fail("line {}: engine {}, expected one of {}", line, engine + 1, engines);
                last.at("names").at(side).get_to(earlier_.names[engine]);
                last.at("restarts").at(side).get_to(earlier_.restarts[engine]);
                last.at("unready").at(side).get_to(earlier_.unready[engine]);
                restarts[engine] += game.records[side].restarts;
            }
        } catch (const nlohmann::json::exception& error) {
            return base::fail("line {}: not a game of a match: {}", line, error.what());
        }
        if (!numbers.insert(earlier_.games.back().number).second)
            return base::fail("line {}: game {} for the second time", line, earlier_.games.back().number + 1);
        begin = end + 1;
    }
    // Those of the games are counted with them.
    for (std::size_t i = 0; i < engines; ++i) earlier_.restarts[i] -= restarts[i];
    if (auto status = state_.resize(begin); !status) return status;
    if (last.is_null()) return {};
    try {
        for (auto [name, output] : {std::pair("pgn", &pgn_), std::pair("json", &json_)})
            if (*output)
                if (auto status = mend(**output, last.at(name).at("at").get<std::uint64_t>(),
                                       last.at(name).at("text").get<std::string>());
                    !status)
                    return status;
    } catch (const nlohmann::json::exception& error) {
        return base::fail("the last game: {}", error.what());
    }
    return {};
}

// Of the last game's text there may be nothing in the output, a part, or all.
base::Status MatchState::mend(LockedAppender& output, std::uint64_t at, const std::string& text) {
    const std::string& path = output.path();
    const auto content = base::read_text(path);
    if (!content) return std::unexpected(content.error());
    if (content->size() < at)
        return base::fail("{} has {} bytes, expected the {} of the games before the last", path,
                          content->size(), at);
    const std::string_view tail = std::string_view(*content).substr(at);
    if (tail.starts_with(text)) return {};
    if (!std::string_view(text).starts_with(tail))
        return base::fail("{} has something else at byte {}, expected the last game of this match", path, at);
    if (auto status = output.resize(at); !status) return status;
    return output.append(text);
}

base::Status MatchState::game_finished(const MatchGame& game, const MatchResult& so_far) {
    const GameSummary summary = summarise(game);
    const EngineRecord& first = so_far.engines[game.engines[0]];
    const EngineRecord& second = so_far.engines[game.engines[1]];
    Json line{{"game", summary.number},
              {"players", summary.engines},
              {"white", summary.white},
              {"result", games::to_string(summary.result)},
              {"names", game.names},
              {"engines", {to_json(summary.records[0]), to_json(summary.records[1])}},
              {"restarts", {first.restarts, second.restarts}},
              {"unready", {first.unready, second.unready}}};
    if (pgn_)
        line["pgn"] = {{"at", pgn_->size()},
                       {"text", to_pgn(game, options_, outputs_.event, games::date_of_today())}};
    if (json_) line["json"] = {{"at", json_->size()}, {"text", arena::to_json(game, so_far) + "\n"}};
    const std::string text = to_line(line);
    if (auto status = state_.append(text); !status) return status;
    // As it was written, so that it is recognised again.
    line = Json::parse(text);
    for (auto [name, output] : {std::pair("pgn", &pgn_), std::pair("json", &json_)})
        if (*output)
            if (auto status = (*output)->append(line.at(name).at("text").get<std::string>()); !status)
                return status;
    return {};
}

}  // namespace scholar::arena
