#include "cli/engine_words.hpp"

#include "arena/words.hpp"
#include "base/hint.hpp"
#include "base/program.hpp"
#include "base/text.hpp"

namespace scholar::cli {

base::Result<std::vector<std::pair<std::string, std::string>>> split_settings(std::string_view option,
                                                                              std::string_view text) {
    const auto words = base::split_shell_words(text);
    if (!words) return base::fail_in(std::string(option), words.error());
    std::vector<std::pair<std::string, std::string>> settings;
    for (const auto& word : *words) {
        const auto equals = word.find('=');
        if (equals == std::string::npos || equals == 0)
            return base::fail("{}: '{}', expected words KEY=VALUE", option, word);
        settings.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    }
    return settings;
}

base::Status read_number_settings(std::string_view option, std::string_view text,
                                  const std::vector<std::pair<std::string_view, int*>>& fields) {
    const auto settings = split_settings(option, text);
    if (!settings) return std::unexpected(settings.error());
    std::vector<std::string> known;
    known.reserve(fields.size());
    for (const auto& [name, field] : fields) known.emplace_back(name);
    for (const auto& [key, value] : *settings) {
        int* into = nullptr;
        for (const auto& [name, field] : fields)
            if (name == key) into = field;
        if (into == nullptr) return base::fail("{}: key '{}', {}", option, key, base::hint(key, known));
        const auto number = base::parse_number<int>(value);
        if (!number || *number < 0)
            return base::fail("{}: {} is '{}', expected a whole number from 0", option, key, value);
        *into = *number;
    }
    return {};
}

base::Result<EngineWords> parse_engine_words(std::string_view text) {
    constexpr std::string_view kOption = "option.";
    const auto settings = split_settings("--engine", text);
    if (!settings) return std::unexpected(settings.error());
    EngineWords engine;
    std::optional<arena::Protocol> protocol;
    for (const auto& [key, value] : *settings) {
        if (key == "cmd") {
            auto command = arena::split_command(value);
            if (!command) return base::fail_in("--engine: cmd", command.error());
            engine.config.command = std::move(*command);
        } else if (key == "name") {
            engine.config.name = value;
        } else if (key == "proto") {
            protocol = arena::parse_protocol(value);
            if (!protocol)
                return base::fail("--engine: proto is '{}', expected uci, xboard or internal", value);
        } else if (key == "dir") {
            engine.config.directory = value;
        } else if (key == "tc") {
            auto control = arena::parse_time_control(value);
            if (!control) return base::fail_in("--engine", control.error());
            engine.time_control = *control;
        } else if (key.starts_with(kOption) && key.size() > kOption.size()) {
            engine.config.options.emplace_back(key.substr(kOption.size()), value);
        } else {
            const std::vector<std::string> known{"cmd", "proto", "name", "dir", "tc", "option.NAME"};
            return base::fail("--engine: key '{}', {}", key, base::hint(key, known));
        }
    }
    auto& command = engine.config.command;
    engine.config.protocol =
        protocol.value_or(command.empty() ? arena::Protocol::Internal : arena::Protocol::Uci);
    const bool internal = engine.config.protocol == arena::Protocol::Internal;
    if (internal && !command.empty())
        return base::fail("--engine: proto=internal is this program without a cmd, expected no cmd '{}'",
                          command.front());
    if (internal && !engine.config.directory.empty())
        return base::fail("--engine: key 'dir' has no meaning for an engine in this process");
    if (!internal && command.empty())
        return base::fail("--engine: proto={} without a program, expected cmd=PROGRAM",
                          to_string(engine.config.protocol));
    if (!command.empty() && command.front() == "scholar") {
        const auto self = base::program_command();
        if (!self) return base::fail("--engine: {}", self.error().message);
        command.front() = *self;
    }
    return engine;
}

}  // namespace scholar::cli
