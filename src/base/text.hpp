#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

// Text as files, engines, servers and users write it. Letters are those of ASCII: what a name, an option or a
// keyword is does not depend on the locale.

namespace scholar::base {

std::string lower_case(std::string_view text);
// Whether they are the same but for the case of their letters.
bool same_ignoring_case(std::string_view a, std::string_view b);

// What separates words.
inline constexpr std::string_view kBlanks = " \t\r\n";

std::string_view without_blanks(std::string_view text, std::string_view blanks = kBlanks);
// The parts between blanks; they point into the text.
std::vector<std::string_view> split_words(std::string_view text);
// Takes the next word from the front of `text`; empty at its end.
std::string_view next_word(std::string_view& text);
// Splits as a shell does, without expanding anything: words between blanks, '…' and "…" around blanks (also
// within a word), a backslash before a character that is to lose its meaning. A quote that is not closed is
// refused.
Result<std::vector<std::string>> split_shell_words(std::string_view text);

enum class Quoting : std::uint8_t {
    Json,   // and TOML: line ends and other control characters are escaped; what is no UTF-8 is replaced
    Epd,    // line ends and tabs are escaped
    Pgn,    // control characters become blanks, since a tag's value has one line and no escape for them
    Csv,    // quotes are doubled (RFC 4180)
    Shell,  // '…', for sh
};

// The text in the quotes of a format, so that its readers read the same text again. Csv and Shell put none
// where the text needs none.
std::string quoted(std::string_view text, Quoting quoting);

// The text with U+FFFD in place of each byte that belongs to no character of UTF-8.
std::string utf8_text(std::string_view text);
bool is_utf8(std::string_view text);

// Text from outside as a part of a message: at most `most` bytes of it, then "…"; control characters, and
// bytes that are no UTF-8, as \xNN. It never breaks a line, and a terminal shows it as it is.
std::string excerpt(std::string_view text, std::size_t most = 80);

// Columns that a text takes on a terminal: its characters, not its bytes.
std::size_t width_of(std::string_view text);
// With blanks behind it, or before it, up to `width` columns.
std::string padded(std::string_view text, std::size_t width);
std::string right_aligned(std::string_view text, std::size_t width);

// "game" for one, else "games": `many` is for words that end in another way.
std::string noun(bool is_one, std::string_view one, std::string_view many = {});
template <std::integral Number>
std::string noun(Number count, std::string_view one, std::string_view many = {}) {
    return noun(count == 1, one, many);
}
// "1,234,567".
std::string grouped(std::int64_t number);
// "1 game", "1,234 games".
template <std::integral Number>
std::string counted(Number count, std::string_view one, std::string_view many = {}) {
    return grouped(static_cast<std::int64_t>(count)) + ' ' + noun(count == 1, one, many);
}

// The whole text as a number, without a plus sign; nothing if it is none or too large. Infinities and NaN are
// none: nothing that is read from text may be one.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    if constexpr (std::floating_point<Number>)
        if (!std::isfinite(value)) return std::nullopt;
    return value;
}

}  // namespace scholar::base
