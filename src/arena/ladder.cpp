#include "arena/ladder.hpp"

#include <cmath>
#include <filesystem>

#include "arena/words.hpp"
#include "base/files.hpp"
#include "base/streams.hpp"
#include "base/strict_toml.hpp"
#include "base/text.hpp"

namespace scholar::arena {

namespace {

using Section = base::StrictToml::Section;

TimeControl control(Section& section, const std::optional<std::string>& fallback) {
    const auto parsed = parse_time_control(section.text("time_control", fallback));
    if (parsed) return *parsed;
    if (section.has("time_control")) section.refuse("time_control", parsed.error().message);
    return {};
}

LadderPlayer read_player(Section& section, const std::string& name) {
    LadderPlayer player;
    player.config.name = name;
    player.config.protocol =
        *parse_protocol(section.choice("protocol", "uci", {"uci", "xboard", "internal"}));
    const bool internal = player.config.protocol == Protocol::Internal;
    const std::string command =
        section.text("command", internal ? std::optional<std::string>("") : std::nullopt);
    if (internal && !command.empty())
        section.refuse("command", "has no meaning for an engine in this process, expected none");
    if (auto words = internal ? base::split_shell_words(command) : split_command(command); words)
        player.config.command = std::move(*words);
    else if (section.has("command"))
        section.refuse("command", words.error().message);
    for (std::size_t i = 0; const auto& option : section.texts("options", std::vector<std::string>())) {
        const auto equals = option.find('=');
        if (equals == std::string::npos || equals == 0)
            section.refuse("options", "has '" + option + "', expected NAME=VALUE", i);
        else
            player.config.options.emplace_back(option.substr(0, equals), option.substr(equals + 1));
        ++i;
    }
    if (const TimeControl own = control(section, "1"); section.has("time_control")) player.time_control = own;
    if (const double elo = section.real("anchor", 0, -10'000, 10'000); section.has("anchor"))
        player.anchor = elo;
    player.version = section.text("version", "");
    player.note = section.text("note", "");
    return player;
}

}  // namespace

base::Result<Ladder> parse_ladder(
    std::string_view text, const std::string& name,
    const std::function<base::Result<LadderRecord>(const std::string& file)>& read_games) {
    auto toml = base::StrictToml::parse(text, name);
    if (!toml) return std::unexpected(toml.error());
    Ladder ladder;
    std::string games;
    toml->section("ladder", [&](Section& section) {
        ladder.time_control = control(section, std::nullopt);
        ladder.time_margin =
            std::chrono::milliseconds(std::llround(1000 * section.real("time_margin", 0.1, 0, 60)));
        ladder.folders = section.texts("folders", std::vector<std::string>());
        games = section.text("games", "");
    });
    for (const auto& player : toml->section_names())
        if (player != "ladder")
            toml->section(player,
                          [&](Section& section) { ladder.players.push_back(read_player(section, player)); });
    if (auto status = toml->finish(); !status) return std::unexpected(status.error());
    if (ladder.players.empty()) return base::fail("{}: no players, expected a section for each", name);
    if (!games.empty()) {
        if (!read_games) return base::fail("{}: has games in {}, expected none", name, games);
        auto record = read_games(games);
        if (!record) return std::unexpected(record.error());
        ladder.record = std::move(*record);
    }
    return ladder;
}

base::Result<Ladder> read_ladder(const std::string& path) {
    const auto text = base::read_text(path);
    if (!text) return std::unexpected(text.error());
    return parse_ladder(*text, path, [&path](const std::string& file) {
        return read_ladder_games((std::filesystem::path(path).parent_path() / file).string());
    });
}

base::Result<Ladder> built_in_ladder() {
    const std::string name = "the built-in ladder";
    return parse_ladder(embedded_ladder(), name, [&name](const std::string&) -> base::Result<LadderRecord> {
        const auto text = base::decompress_frame(embedded_ladder_games());
        if (!text) return base::fail_in(name, text.error());
        return parse_ladder_games(*text, name + "'s games");
    });
}

}  // namespace scholar::arena
