#include "arena/words.hpp"

#include "base/text.hpp"

namespace scholar::arena {

base::Result<std::vector<std::string>> split_command(std::string_view text) {
    auto words = base::split_shell_words(text);
    if (words && (words->empty() || words->front().empty()))
        return base::fail("'{}' names no program, expected one and perhaps its arguments",
                          base::excerpt(text));
    return words;
}

}  // namespace scholar::arena
