#pragma once

#include <cstdint>
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
// A number that need not be whole. UCI has no type for it: it is announced as text.
struct RealOption {
    double fallback;
    double min;
    double max;
};
struct CheckOption {
    bool fallback;
};
struct StringOption {
    std::string fallback;
};
struct ButtonOption {};
// One of several words.
struct ComboOption {
    std::string fallback;
    std::vector<std::string> choices;
};

using OptionKind = std::variant<SpinOption, RealOption, CheckOption, StringOption, ButtonOption, ComboOption>;
// A value of the option's kind: long, double, bool, string (a combo's as it is declared), or nothing for a
// button.
using OptionValue = std::variant<std::monostate, long, double, bool, std::string>;

// Whom an option is announced to. Everyone may set it.
enum class Audience : std::uint8_t {
    Everyone,
    Uci,  // the protocol's own, or xboard has a command of its own for it
};

// One option, declared once: what protocols announce, what the command line takes, what the help says.
struct Option {
    std::string name;
    std::string help;
    OptionKind kind;
    // Puts a checked value into effect; on an error nothing has changed.
    std::function<base::Status(const OptionValue&)> apply;
    Audience audience = Audience::Everyone;
};

// The default as text: "16", "false", "<empty>"; "" for a button.
std::string default_of(const Option& option);
// What values there are, for people: "a whole number from 1 to 64", "a number from 0 to 1", "true or false",
// "scholar, oneply or random".
std::string values_of(const Option& option);

// Reads a value as the option's kind wants it; refused with the range or the form that was expected.
base::Result<OptionValue> parse_option_value(const Option& option, std::string_view text);

// By its name, whatever the case; none if there is no such option.
const Option* find_option(const std::vector<Option>& options, std::string_view name);
// Refused: an unknown name, with the known ones, and a value out of range.
base::Status set_option(const std::vector<Option>& options, std::string_view name, std::string_view value);

}  // namespace scholar::engine
