#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// The text of commands, as all protocols cut it.

namespace scholar::protocols {

// base::split_words() of a line.
using Words = std::vector<std::string_view>;

// Words `from` to before `to`, one blank between each two.
std::string join(const Words& words, std::size_t from, std::size_t to);
// What follows the word at `index`, as it stands in the line; "" if nothing does.
std::string_view rest_after(std::string_view line, const Words& words, std::size_t index);

}  // namespace scholar::protocols
