#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "engine/engine.hpp"

namespace scholar::cli {

namespace {

std::string_view kind_of(const engine::Option& option) {
    if (std::holds_alternative<engine::SpinOption>(option.kind)) return "spin";
    if (std::holds_alternative<engine::RealOption>(option.kind)) return "real";
    if (std::holds_alternative<engine::CheckOption>(option.kind)) return "check";
    if (std::holds_alternative<engine::ComboOption>(option.kind)) return "combo";
    if (std::holds_alternative<engine::StringOption>(option.kind)) return "string";
    return "button";
}

Json to_json(const engine::Option& option) {
    Json json{{"name", option.name}, {"kind", kind_of(option)}, {"help", option.help}};
    if (const auto* spin = std::get_if<engine::SpinOption>(&option.kind)) {
        json["default"] = spin->fallback;
        json["min"] = spin->min;
        json["max"] = spin->max;
    } else if (const auto* real = std::get_if<engine::RealOption>(&option.kind)) {
        json["default"] = real->fallback;
        json["min"] = real->min;
        json["max"] = real->max;
    } else if (const auto* check = std::get_if<engine::CheckOption>(&option.kind)) {
        json["default"] = check->fallback;
    } else if (const auto* combo = std::get_if<engine::ComboOption>(&option.kind)) {
        json["default"] = combo->fallback;
        json["choices"] = combo->choices;
    } else if (const auto* text = std::get_if<engine::StringOption>(&option.kind)) {
        json["default"] = text->fallback;
    }
    return json;
}

base::Status run_options(bool as_json) {
    const auto engine = engine::Engine::create();
    if (!engine) return std::unexpected(engine.error());
    for (const engine::Option& option : (*engine)->options()) {
        if (as_json) {
            print(to_json(option));
            continue;
        }
        const std::string fallback = engine::default_of(option);
        fmt::print("{}\n    {}\n    {}{}\n", option.name, option.help, engine::values_of(option),
                   kind_of(option) == "button" ? "" : fmt::format("; default: {}", fallback));
    }
    return {};
}

}  // namespace

void add_options_command(Command app, Invocation& invocation) {
    const Command command =
        app.add_subcommand("options", "List the engine's options, for UCI, xboard and --option NAME=VALUE");
    auto as_json = std::make_shared<bool>(false);
    command.add_flag("--json", *as_json, "One JSON object a line");
    command.callback([&invocation, as_json] {
        invocation.run = [as_json](std::stop_token) { return run_options(*as_json); };
    });
}

}  // namespace scholar::cli
