#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The text of commands, as all protocols cut it.

namespace scholar::protocols {

using Words = std::vector<std::string_view>;

// The parts between blanks; they point into the line.
Words split(std::string_view line);
// Words `from` to before `to`, one blank between each two.
std::string join(const Words& words, std::size_t from, std::size_t to);
// What follows the word at `index`, as it stands in the line; "" if nothing does.
std::string_view rest_after(std::string_view line, const Words& words, std::size_t index);

// All of the text as a number; nothing if it is none or too large.
template <class Number>
std::optional<Number> to_number(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace scholar::protocols
