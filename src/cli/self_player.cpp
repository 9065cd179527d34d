#include "cli/self_player.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <variant>

#include "base/text.hpp"

namespace scholar::cli {

namespace {

// What is said of an option of the engine, without its value; "" for another one.
bool is_setting_of(const std::string& setting, std::string_view name) {
    return base::same_ignoring_case(std::string_view(setting).substr(0, setting.find('=')), name);
}

// "", "oneply", …: what stands for the system in the players' name; nothing for the one that is played unless
// another is named.
std::string system_of(const engine::Engine& engine, const std::vector<std::string>& settings) {
    const engine::Option* option = engine::find_option(engine.options(), "System");
    if (option == nullptr) return "";
    std::string system;
    for (const std::string& setting : settings)
        if (is_setting_of(setting, "System"))
            if (const auto value = engine::parse_option_value(*option, setting.substr(setting.find('=') + 1)))
                system = std::get<std::string>(*value);
    return system == engine::default_of(*option) ? "" : system;
}

}  // namespace

base::Status check_self_player(const std::vector<std::string>& settings) {
    for (const std::string& setting : settings) {
        if (is_setting_of(setting, "Seed"))
            return base::fail("--option {}: each game has a seed of its own, expected --seed", setting);
        if (is_setting_of(setting, "Threads"))
            return base::fail(
                "--option {}: a game is played by one thread, expected --threads for games at a time",
                setting);
    }
    return {};
}

SelfPlayer describe_self_player(engine::Engine& engine, const std::vector<std::string>& settings) {
    SelfPlayer player;
    const nets::AnyNetwork& network = engine.network();
    player.network = network ? network.content_name() : "";
    player.name = "Scholar";
    for (const std::string& word : {system_of(engine, settings), player.network})
        if (!word.empty()) player.name += " " + word;
    player.options = fmt::format("{}", fmt::join(settings, ", "));
    return player;
}

}  // namespace scholar::cli
