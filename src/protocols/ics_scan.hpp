#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace scholar::protocols::ics {

// Reads a line of a chess server's from left to right. What does not fit leaves the place as it was.
class Scan {
  public:
    explicit Scan(std::string_view text) : rest_(text) {}

    std::string_view rest() const { return rest_; }
    bool at_end() const { return rest_.empty(); }

    bool literal(std::string_view text) {
        if (!rest_.starts_with(text)) return false;
        rest_.remove_prefix(text.size());
        return true;
    }
    void blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }
    // What is before the next `end`, which is passed over.
    std::optional<std::string_view> until(char end) {
        const auto at = rest_.find(end);
        if (at == std::string_view::npos) return std::nullopt;
        const auto found = rest_.substr(0, at);
        rest_.remove_prefix(at + 1);
        return found;
    }
    // Up to the next blank or the end; nothing if there is none.
    std::optional<std::string_view> word() {
        const auto found = rest_.substr(0, rest_.find(' '));
        if (found.empty()) return std::nullopt;
        rest_.remove_prefix(found.size());
        return found;
    }
    template <class Number>
    std::optional<Number> number() {
        Number value{};
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (error != std::errc()) return std::nullopt;
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return value;
    }
    // A user's name ("handle"): letters, and on some servers digits, '-' and '_'; then the titles that may
    // follow it, as "(C)" or "(TM)(*)", are passed over.
    std::optional<std::string> name() {
        std::size_t size = 0;
        while (size < rest_.size() && is_name_letter(rest_[size])) ++size;
        if (size == 0 || size > kMaxName) return std::nullopt;
        std::string found(rest_.substr(0, size));
        rest_.remove_prefix(size);
        while (rest_.size() > 2 && rest_[0] == '(' &&
               (std::isupper(static_cast<unsigned char>(rest_[1])) || rest_[1] == '*')) {
            const auto end = rest_.find(')');
            if (end > 4) break;
            rest_.remove_prefix(end + 1);
        }
        return found;
    }
    // "(1500)", "( 857)", "(1500E)", "(1500P)": a number. "(----)", "(++++)", "(UNR)", "()": unrated. The
    // outer value is empty if it is none of these.
    std::optional<std::optional<int>> rating() {
        Scan scan(*this);
        if (!scan.literal("(")) return std::nullopt;
        const auto inner = scan.until(')');
        if (!inner || inner->size() > 8) return std::nullopt;
        Scan text(*inner);
        text.blanks();
        const auto value = text.number<int>();
        // With pluses and hyphens alone there is no number.
        const bool valid = value ? *value >= 0 && *value < 10'000
                                 : text.rest().find_first_not_of("-+UNR ") == std::string_view::npos;
        if (!valid) return std::nullopt;
        *this = scan;
        return std::optional<std::optional<int>>(std::in_place, value);
    }

    static constexpr std::size_t kMaxName = 30;

  private:
    static bool is_name_letter(char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
    }

    std::string_view rest_;
};

}  // namespace scholar::protocols::ics
