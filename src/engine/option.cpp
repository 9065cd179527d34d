#include "engine/option.hpp"

#include <algorithm>

#include "base/hint.hpp"
#include "base/text.hpp"

namespace scholar::engine {

namespace {

// "a, b or c".
std::string any_of(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
        text += words[i];
    }
    return text;
}

std::unexpected<base::Error> refused(const Option& option, std::string_view text) {
    return base::fail("option {}: value '{}', expected {}", option.name, base::excerpt(text),
                      values_of(option));
}

}  // namespace

std::string default_of(const Option& option) {
    if (const auto* spin = std::get_if<SpinOption>(&option.kind)) return fmt::format("{}", spin->fallback);
    if (const auto* real = std::get_if<RealOption>(&option.kind)) return fmt::format("{}", real->fallback);
    if (const auto* check = std::get_if<CheckOption>(&option.kind)) return check->fallback ? "true" : "false";
    if (const auto* text = std::get_if<StringOption>(&option.kind)) return text->fallback;
    if (const auto* combo = std::get_if<ComboOption>(&option.kind)) return combo->fallback;
    return "";
}

std::string values_of(const Option& option) {
    if (const auto* spin = std::get_if<SpinOption>(&option.kind))
        return fmt::format("a whole number from {} to {}", spin->min, spin->max);
    if (const auto* real = std::get_if<RealOption>(&option.kind))
        return fmt::format("a number from {} to {}", real->min, real->max);
    if (std::holds_alternative<CheckOption>(option.kind)) return "true or false";
    if (const auto* combo = std::get_if<ComboOption>(&option.kind)) return any_of(combo->choices);
    return std::holds_alternative<StringOption>(option.kind) ? "text" : "no value: it does something";
}

base::Result<OptionValue> parse_option_value(const Option& option, std::string_view text) {
    if (const auto* spin = std::get_if<SpinOption>(&option.kind)) {
        const auto value = base::parse_number<long>(text);
        if (!value || *value < spin->min || *value > spin->max) return refused(option, text);
        return OptionValue(*value);
    }
    if (const auto* real = std::get_if<RealOption>(&option.kind)) {
        const auto value = base::parse_number<double>(text);
        if (!value || *value < real->min || *value > real->max) return refused(option, text);
        return OptionValue(*value);
    }
    if (std::holds_alternative<CheckOption>(option.kind)) {
        if (base::same_ignoring_case(text, "true")) return OptionValue(true);
        if (base::same_ignoring_case(text, "false")) return OptionValue(false);
        return refused(option, text);
    }
    if (const auto* combo = std::get_if<ComboOption>(&option.kind)) {
        for (const std::string& choice : combo->choices)
            if (base::same_ignoring_case(choice, text)) return OptionValue(choice);
        return refused(option, text);
    }
    if (std::holds_alternative<StringOption>(option.kind)) return OptionValue(std::string(text));
    return OptionValue();
}

const Option* find_option(const std::vector<Option>& options, std::string_view name) {
    const auto found = std::ranges::find_if(
        options, [&](const Option& option) { return base::same_ignoring_case(option.name, name); });
    return found == options.end() ? nullptr : &*found;
}

base::Status set_option(const std::vector<Option>& options, std::string_view name, std::string_view value) {
    if (const Option* option = find_option(options, name)) {
        const auto parsed = parse_option_value(*option, value);
        if (!parsed) return std::unexpected(parsed.error());
        return option->apply(*parsed);
    }
    std::vector<std::string> known;
    known.reserve(options.size());
    for (const Option& option : options) known.push_back(option.name);
    return base::fail("unknown option '{}', {}", base::excerpt(name), base::hint(name, known));
}

}  // namespace scholar::engine
