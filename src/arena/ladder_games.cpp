#include "arena/ladder_games.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "arena/result_files.hpp"
#include "base/files.hpp"
#include "base/json.hpp"
#include "base/streams.hpp"

namespace scholar::arena {

namespace {

using Json = nlohmann::ordered_json;

std::string line_of(const Json& json) {
    return base::json_line(json) + "\n";
}

// What a kill left in the middle of a line is no game.
std::string_view whole_lines(std::string_view text) {
    const auto end = text.rfind('\n');
    return text.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

Json to_json(const LadderGame& game) {
    Json json{{"pair", game.pair},
              {"opening", game.opening},
              {"white", game.white},
              {"black", game.black},
              {"result", games::to_string(game.result)}};
    if (!game.reason.empty()) json["reason"] = game.reason;
    if (!game.failure.empty()) {
        json["failure"] = game.failure;
        json["failed"] = game.failed;
    }
    json["plies"] = game.plies;
    json["seconds"] = game.seconds;
    return json;
}

Json identity_json(const std::string& name, const std::string& engine, const std::string& time_control) {
    return {{"player", name}, {"engine", engine}, {"time_control", time_control}};
}

}  // namespace

base::Result<LadderGames> LadderGames::open(const std::string& path) {
    auto file = LockedAppender::open(path);
    if (!file) return std::unexpected(file.error());
    const auto text = base::read_text(path);
    if (!text) return std::unexpected(text.error());
    const std::string_view whole = whole_lines(*text);
    if (whole.size() != text->size())
        if (auto status = file->resize(whole.size()); !status) return std::unexpected(status.error());
    auto content = parse_ladder_games(whole, path);
    if (!content) return std::unexpected(content.error());
    return LadderGames(std::move(*file), std::move(*content));
}

base::Result<LadderRecord> read_ladder_games(const std::string& path) {
    auto input = base::open_input(path);
    if (!input) return std::unexpected(input.error());
    const auto text = base::read_all(**input);
    if (!text) return std::unexpected(text.error());
    return parse_ladder_games(whole_lines(*text), path);
}

base::Result<LadderRecord> parse_ladder_games(std::string_view text, const std::string& name) {
    LadderRecord content;
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = text.find('\n', begin);
        const std::string_view line = text.substr(begin, end - begin);
        begin = end + 1;
        ++number;
        const std::string where = fmt::format("{}: line {}", name, number);
        const auto json = Json::parse(line, nullptr, false);
        if (json.is_discarded() || !json.is_object())
            return base::fail("{}: expected one JSON object", where);
        const auto text_of = [&](const char* key) {
            const auto found = json.find(key);
            return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
        };
        const auto number_of = [&](const char* key) {
            const auto found = json.find(key);
            return found != json.end() && found->is_number() ? found->get<double>() : 0.0;
        };
        if (json.contains("player")) {
            content.players.insert_or_assign(
                text_of("player"),
                LadderRecord::Identity{number, text_of("engine"), text_of("time_control")});
            continue;
        }
        const auto result = parse_result_line(line);
        if (!result) return base::fail_in(where, result.error());
        if (!*result) return base::fail("{}: expected a game with 'white', 'black' and 'result'", where);
        content.games.push_back({.pair = static_cast<int>(number_of("pair")),
                                 .opening = static_cast<int>(number_of("opening")),
                                 .white = (*result)->white,
                                 .black = (*result)->black,
                                 .result = (*result)->result,
                                 .reason = text_of("reason"),
                                 .failure = text_of("failure"),
                                 .failed = text_of("failed"),
                                 .plies = static_cast<int>(number_of("plies")),
                                 .seconds = number_of("seconds")});
    }
    return content;
}

base::Status LadderGames::declare(const std::string& name, const std::string& engine,
                                  const std::string& time_control) {
    if (const auto known = content_.players.find(name); known != content_.players.end()) {
        const auto& before = known->second;
        if (before.engine == engine && before.time_control == time_control) return {};
        return base::fail(
            "{}: line {}: '{}' was '{}' at {} there, expected '{}' at {}: give it another name or the games "
            "another file",
            file_.path(), before.line, name, before.engine, before.time_control, engine, time_control);
    }
    content_.players.emplace(name, LadderRecord::Identity{0, engine, time_control});
    return file_.append(line_of(identity_json(name, engine, time_control)));
}

base::Status LadderGames::append(const LadderGame& game) {
    content_.games.push_back(game);
    return file_.append(line_of(to_json(game)));
}

bool LadderGames::is_between(const LadderGame& game, const std::string& a, const std::string& b) {
    return (game.white == a && game.black == b) || (game.white == b && game.black == a);
}

int LadderGames::next_pair(const std::string& a, const std::string& b) const {
    int next = 0;
    for (const auto& game : content_.games)
        if (is_between(game, a, b)) next = std::max(next, game.pair + 1);
    return next;
}

std::optional<double> LadderRecord::mean_seconds(const std::string& player) const {
    double sum = 0;
    int count = 0;
    for (const auto& game : games) {
        if (game.white != player && game.black != player) continue;
        sum += game.seconds;
        ++count;
    }
    return count == 0 ? std::nullopt : std::optional(sum / count);
}

ResultPool LadderRecord::pool() const {
    ResultPool pool;
    for (const auto& game : games) {
        const auto white = pool.player(game.white);
        pool.add(white, pool.player(game.black), game.result);
    }
    return pool;
}

std::string compact_text(const LadderRecord& record) {
    std::string text;
    for (const auto& [name, identity] : record.players)
        text += line_of(identity_json(name, identity.engine, identity.time_control));
    for (LadderGame game : record.games) {
        if (game.failure.empty()) game.reason.clear();
        game.seconds = std::round(game.seconds * 100) / 100;
        text += line_of(to_json(game));
    }
    return text;
}

}  // namespace scholar::arena
