#include "engine/option.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace scholar::engine {

namespace {

bool same_name(std::string_view a, std::string_view b) {
    return std::ranges::equal(
        a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

base::Result<OptionValue> parse_option_value(const Option& option, std::string_view text) {
    if (const auto* spin = std::get_if<SpinOption>(&option.kind)) {
        long value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size() || text.empty() || value < spin->min ||
            value > spin->max)
            return base::fail("option {}: value '{}', expected a whole number from {} to {}", option.name,
                              text, spin->min, spin->max);
        return OptionValue(value);
    }
    if (std::holds_alternative<CheckOption>(option.kind)) {
        if (same_name(text, "true")) return OptionValue(true);
        if (same_name(text, "false")) return OptionValue(false);
        return base::fail("option {}: value '{}', expected true or false", option.name, text);
    }
    if (std::holds_alternative<StringOption>(option.kind)) return OptionValue(std::string(text));
    return OptionValue();
}

base::Status set_option(const std::vector<Option>& options, std::string_view name, std::string_view value) {
    for (const Option& option : options) {
        if (!same_name(option.name, name)) continue;
        const auto parsed = parse_option_value(option, value);
        if (!parsed) return std::unexpected(parsed.error());
        return option.apply(*parsed);
    }
    std::string known;
    for (const Option& option : options) known += (known.empty() ? "" : ", ") + option.name;
    return base::fail("unknown option '{}', expected one of: {}", name, known);
}

}  // namespace scholar::engine
