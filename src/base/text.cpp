#include "base/text.hpp"

#include <algorithm>

namespace scholar::base {

namespace {

constexpr char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr std::uint8_t code(char c) {
    return static_cast<std::uint8_t>(c);
}

constexpr bool is_control(char c) {
    return code(c) < 0x20 || code(c) == 0x7F;
}

// The bytes of the character at the front of `text`, which is not empty; 0 if it is none of UTF-8 (the
// Unicode Standard, table 3-7: no surrogates, nothing longer than it must be, nothing above U+10FFFF).
std::size_t character_size(std::string_view text) {
    const std::uint8_t first = code(text.front());
    if (first < 0x80) return 1;
    const std::size_t size = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    if (size == 0 || size > text.size()) return 0;
    const std::uint8_t least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const std::uint8_t most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (code(text[1]) < least || code(text[1]) > most) return 0;
    for (std::size_t i = 2; i < size; ++i)
        if ((code(text[i]) & 0xC0) != 0x80) return 0;
    return size;
}

// Of two bytes: U+0080 to U+009F, which terminals obey as they do escape sequences.
bool is_late_control(std::string_view character) {
    return character.size() == 2 && code(character[0]) == 0xC2 && code(character[1]) < 0xA0;
}

std::string escaped_json(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '"':
            case '\\':
                out += '\\';
                out += c;
                break;
            case '\n':
                out += "\\n";
                break;
            case '\r':
                out += "\\r";
                break;
            case '\t':
                out += "\\t";
                break;
            default:
                if (is_control(c))
                    out += fmt::format("\\u{:04x}", code(c));
                else
                    out += c;
        }
    }
    return out;
}

std::string escaped_epd(std::string_view text) {
    std::string out;
    for (const char c : text) {
        constexpr std::string_view kMeanings = "\"\\\n\r\t";
        constexpr std::string_view kLetters = "\"\\nrt";
        const auto escape = kMeanings.find(c);
        if (escape == std::string_view::npos) {
            out += c;
        } else {
            out += '\\';
            out += kLetters[escape];
        }
    }
    return out;
}

std::string escaped_pgn(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += is_control(c) ? ' ' : c;
    }
    return out;
}

// Each `what` replaced.
std::string replaced(std::string_view text, char what, std::string_view by) {
    std::string out;
    for (const char c : text) {
        if (c == what)
            out += by;
        else
            out += c;
    }
    return out;
}

bool is_plain_to_shells(std::string_view text) {
    return !text.empty() && text.find_first_not_of(
                                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-+=./,:@%") == std::string_view::npos;
}

}  // namespace

std::string lower_case(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), lower);
    return out;
}

bool same_ignoring_case(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, {}, lower, lower);
}

std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string padded(std::string_view text, std::size_t width) {
    std::string result(text);
    result.append(width - std::min(width, width_of(text)), ' ');
    return result;
}

std::string right_aligned(std::string_view text, std::size_t width) {
    std::string result(width - std::min(width, width_of(text)), ' ');
    result.append(text);
    return result;
}

std::string_view without_blanks(std::string_view text, std::string_view blanks) {
    const auto begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

std::vector<std::string_view> split_words(std::string_view text) {
    std::vector<std::string_view> words;
    for (auto word = next_word(text); !word.empty(); word = next_word(text)) words.push_back(word);
    return words;
}

std::string_view next_word(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    const auto word = text.substr(0, text.find_first_of(kBlanks));
    text.remove_prefix(word.size());
    return word;
}

Result<std::vector<std::string>> split_shell_words(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    bool in_word = false;
    char quote = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '\\' && quote != '\'') {
            if (++at == text.size()) return fail("'{}': nothing follows the last backslash", excerpt(text));
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
        } else if (kBlanks.contains(c)) {
            if (in_word) words.push_back(std::move(word));
            word.clear();
            in_word = false;
        } else {
            word += c;
            in_word = true;
        }
    }
    if (quote != 0) return fail("'{}': a {} is not closed", excerpt(text), quote);
    if (in_word) words.push_back(std::move(word));
    return words;
}

std::string quoted(std::string_view text, Quoting quoting) {
    switch (quoting) {
        case Quoting::Json:
            return '"' + escaped_json(utf8_text(text)) + '"';
        case Quoting::Epd:
            return '"' + escaped_epd(text) + '"';
        case Quoting::Pgn:
            return '"' + escaped_pgn(text) + '"';
        case Quoting::Csv:
            if (text.find_first_of("\",\r\n") == std::string_view::npos) break;
            return '"' + replaced(text, '"', "\"\"") + '"';
        case Quoting::Shell:
            if (is_plain_to_shells(text)) break;
            return '\'' + replaced(text, '\'', "'\\''") + '\'';
    }
    return std::string(text);
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t size = character_size(text);
        if (size == 0) return false;
        text.remove_prefix(size);
    }
    return true;
}

std::string utf8_text(std::string_view text) {
    if (is_utf8(text)) return std::string(text);
    std::string out;
    while (!text.empty()) {
        const std::size_t size = character_size(text);
        out += size == 0 ? std::string_view("\uFFFD") : text.substr(0, size);
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return out;
}

std::string excerpt(std::string_view text, std::size_t most) {
    std::string out;
    std::size_t left = most;
    while (!text.empty()) {
        const std::size_t size = std::max<std::size_t>(character_size(text), 1);
        if (size > left) return out + "…";
        const std::string_view character = text.substr(0, size);
        if ((size == 1 && (is_control(character[0]) || code(character[0]) >= 0x80)) ||
            is_late_control(character)) {
            for (const char c : character) out += fmt::format("\\x{:02x}", code(c));
        } else {
            out += character;
        }
        text.remove_prefix(size);
        left -= size;
    }
    return out;
}

std::string noun(bool is_one, std::string_view one, std::string_view many) {
    if (is_one) return std::string(one);
    return many.empty() ? std::string(one) + 's' : std::string(many);
}

std::string grouped(std::int64_t number) {
    std::string digits = fmt::format("{}", number);
    const std::size_t first = number < 0 ? 1 : 0;
    for (std::size_t at = digits.size(); at > first + 3; at -= 3) digits.insert(at - 3, 1, ',');
    return digits;
}

}  // namespace scholar::base
