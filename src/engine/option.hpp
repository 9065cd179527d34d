#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.hpp"

namespace scholar::engine {

struct SpinOption {
    long fallback;
    long min;
    long max;
};
struct CheckOption {
    bool fallback;
};
struct StringOption {
    std::string fallback;
};
struct ButtonOption {};

using OptionKind = std::variant<SpinOption, CheckOption, StringOption, ButtonOption>;
// A value of the option's kind: long, bool, string, or nothing for a button.
using OptionValue = std::variant<std::monostate, long, bool, std::string>;

// One option, declared once: what protocols announce, what the command line takes, what the help says.
struct Option {
    std::string name;
    std::string help;
    OptionKind kind;
    // Puts a checked value into effect; on an error nothing has changed.
    std::function<base::Status(const OptionValue&)> apply;
};

// Reads a value as the option's kind wants it; refused with the range or the form that was expected.
base::Result<OptionValue> parse_option_value(const Option& option, std::string_view text);

// Names match whatever their case. Refused: an unknown name, with the known ones, and a value out of range.
base::Status set_option(const std::vector<Option>& options, std::string_view name, std::string_view value);

}  // namespace scholar::engine
