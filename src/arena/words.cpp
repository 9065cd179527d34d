#include "arena/words.hpp"

namespace scholar::arena {

base::Result<std::vector<std::string>> split_words(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    bool in_word = false;
    char quote = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '\\' && quote != '\'') {
            if (++at == text.size()) return base::fail("'{}': nothing follows the last backslash", text);
            word += text[at];
            in_word = true;
        } else if (quote != 0) {
            if (c == quote)
                quote = 0;
            else
                word += c;
        } else if (c == '\'' || c == '"') {
            quote = c;
            in_word = true;
        } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            if (in_word) words.push_back(std::move(word));
            word.clear();
            in_word = false;
        } else {
            word += c;
            in_word = true;
        }
    }
    if (quote != 0) return base::fail("'{}': a {} is not closed", text, quote);
    if (in_word) words.push_back(std::move(word));
    return words;
}

base::Result<std::vector<std::string>> split_command(std::string_view text) {
    auto words = split_words(text);
    if (words && (words->empty() || words->front().empty()))
        return base::fail("'{}' names no program, expected one and perhaps its arguments", text);
    return words;
}

}  // namespace scholar::arena
