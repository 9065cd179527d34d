#include "cli/engine_options.hpp"

namespace scholar::cli {

EngineSettings add_engine_settings(Command command) {
    auto settings = std::make_shared<std::vector<std::string>>();
    command
        .add_option(
            "--option", *settings,
            "NAME=VALUE: an option of the engine, as Hash=64 or 'Move Overhead=20' (`scholar options` "
            "lists them); may be given several times")
        .type_name("NAME=VALUE")
        .allow_extra_args(false);
    return settings;
}

base::Result<std::unique_ptr<engine::Engine>> make_engine(const std::vector<std::string>& settings) {
    auto engine = engine::Engine::create();
    if (!engine) return engine;
    for (const std::string& setting : settings) {
        const auto equals = setting.find('=');
        const std::string name = setting.substr(0, equals);
        const std::string value = equals == std::string::npos ? "" : setting.substr(equals + 1);
        if (equals == std::string::npos) {
            // Only what has no value can be given without one.
            const engine::Option* option = engine::find_option((*engine)->options(), name);
            if (option != nullptr && !std::holds_alternative<engine::ButtonOption>(option->kind))
                return base::fail("--option '{}', expected NAME=VALUE", setting);
        }
        if (const auto status = (*engine)->set_option(name, value); !status)
            return std::unexpected(status.error());
    }
    if (const auto status = (*engine)->prepare(); !status) return std::unexpected(status.error());
    for (const std::string& note : (*engine)->take_notes()) fmt::print(stderr, "note: {}\n", note);
    return engine;
}

}  // namespace scholar::cli
