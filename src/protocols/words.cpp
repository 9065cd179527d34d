#include "protocols/words.hpp"

#include <fmt/format.h>

namespace scholar::protocols {

std::string join(const Words& words, std::size_t from, std::size_t to) {
    return fmt::format("{}", fmt::join(words.begin() + static_cast<std::ptrdiff_t>(from),
                                       words.begin() + static_cast<std::ptrdiff_t>(to), " "));
}

std::string_view rest_after(std::string_view line, const Words& words, std::size_t index) {
    if (index + 1 >= words.size()) return {};
    const std::string_view last = words.back();
    const auto begin = static_cast<std::size_t>(words[index + 1].data() - line.data());
    const auto end = static_cast<std::size_t>(last.data() - line.data()) + last.size();
    return line.substr(begin, end - begin);
}

}  // namespace scholar::protocols
