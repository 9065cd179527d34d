#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

// Reading what engines say, a token at a time.

namespace scholar::arena {

inline bool equal_ignoring_case(std::string_view a, std::string_view b) {
    return std::ranges::equal(
        a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// Takes the next word from the front of `text`; empty at its end.
inline std::string_view next_token(std::string_view& text) {
    const auto begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return text = {};
    text.remove_prefix(begin);
    const auto token = text.substr(0, text.find_first_of(" \t"));
    text.remove_prefix(token.size());
    return token;
}

// The whole text as a number, without a plus sign.
template <class T>
std::optional<T> parse_number(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// The same as engines may write it: also with a plus sign.
template <class T>
std::optional<T> parse_signed(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    return parse_number<T>(text);
}

// For messages: what an engine sent may be long and may hold anything.
inline std::string printable(std::string_view text, std::size_t most = 80) {
    std::string result(text.substr(0, most));
    for (char& c : result)
        if (std::iscntrl(static_cast<unsigned char>(c))) c = '?';
    return result;
}

}  // namespace scholar::arena
