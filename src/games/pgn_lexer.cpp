#include "games/pgn_lexer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "chess/san.hpp"

namespace scholar::games {

namespace {

// Every token but a comment ends within so many characters, so that it lies whole in the buffer.
constexpr std::size_t kLookahead = std::size_t{1} << 16;
constexpr std::size_t kMaxMoveText = 64;
constexpr std::size_t kMaxTags = 1'000;
constexpr std::size_t kMaxMoves = 65'535;
constexpr std::size_t kMaxCharacters = std::size_t{1} << 24;  // of a game's tags
constexpr std::size_t kMaxComment = 4'096;  // kept of a comment that does not lie whole in the buffer
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kEllipsis = "…";
constexpr std::string_view kEventTag = "[Event \"";

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// 1 for what ends a move, a move number or a result: everything that is not visible or has a meaning of its
// own.
constexpr std::array<std::uint8_t, 256> make_token_ends() {
    std::array<std::uint8_t, 256> table{};
    for (int c = 0; c < 33; ++c) table[c] = 1;
    for (const char c : {'[', ']', '{', '}', '(', ')', ';', '"', '$', '*', '<', '>', '\x7F'})
        table[static_cast<unsigned char>(c)] = 1;
    return table;
}
constexpr auto kTokenEnds = make_token_ends();
constexpr bool is_token_character(char c) {
    return !kTokenEnds[static_cast<unsigned char>(c)];
}

std::optional<GameResult> result_of(std::string_view token) {
    if (token == "1-0" || token == "1:0") return GameResult::WhiteWins;
    if (token == "0-1" || token == "0:1") return GameResult::BlackWins;
    if (token == "1/2-1/2" || token == "1/2") return GameResult::Draw;
    if (token == "½-½" || token == "\xBD-\xBD") return GameResult::Draw;  // UTF-8, Latin-1
    return std::nullopt;
}

// A bit for each tag that two games run into one would have twice; 0 for all others.
unsigned bit_of_tag(std::string_view name) {
    constexpr std::array<std::string_view, 8> kOnce{"Event", "Site",  "Date",   "Round",
                                                    "White", "Black", "Result", "FEN"};
    const auto found = std::ranges::find(kOnce, name);
    return found == kOnce.end() ? 0 : 1U << (found - kOnce.begin());
}

std::string too_large() {
    return fmt::format("tags larger than {} MiB", kMaxCharacters >> 20);
}

}  // namespace

PgnLexer::PgnLexer(PgnText text)
    : buffer_(std::move(text.buffer)), rest_(std::move(text.rest)), event_follows_(text.event_follows) {
    const std::size_t needed =
        rest_ ? std::max({text.room, 2 * kLookahead, text.size + kLookahead}) : text.size;
    if (buffer_.size() < needed + PgnText::kPadding) buffer_.resize(needed + PgnText::kPadding);
    at_ = buffer_.data();
    end_ = at_ + text.size;
    std::fill_n(buffer_.data() + text.size, PgnText::kPadding, '\0');
    const bool whole = !rest_ || text.size >= kByteOrderMark.size();
    if (whole && std::string_view(at_, end_).starts_with(kByteOrderMark)) at_ += kByteOrderMark.size();
}

// Moves what is left to the front and reads until the buffer is full or the stream ends; then there is no
// stream any more.
base::Status PgnLexer::refill() {
    const auto left = static_cast<std::size_t>(end_ - at_);
    const bool first = at_ == buffer_.data() && left < kByteOrderMark.size() && games_ == 0;
    std::memmove(buffer_.data(), at_, left);
    at_ = buffer_.data();
    std::size_t size = left;
    const std::size_t room = buffer_.size() - PgnText::kPadding;
    while (size < room && rest_) {
        const auto got = rest_->read(std::span(buffer_).subspan(size, room - size));
        if (!got) return std::unexpected(got.error());
        if (*got == 0) rest_.reset();
        size += *got;
    }
    end_ = buffer_.data() + size;
    std::fill_n(buffer_.data() + size, PgnText::kPadding, '\0');
    if (first && std::string_view(at_, end_).starts_with(kByteOrderMark)) at_ += kByteOrderMark.size();
    return {};
}

void PgnLexer::begin_game() {
    if (begun_) return;
    begun_ = true;
    ++games_;
    listener_->game_begins(line_);
}

void PgnLexer::complain_at(std::uint64_t line, std::string message) {
    begin_game();
    if (!complained_) listener_->problem(line, std::move(message), cut_off_);
    complained_ = true;
}

// Whether a tag begins here: "[Name". A comment's "[%eval" does not look like one.
bool PgnLexer::at_tag() const {
    const char* at = at_ + 1;
    while (*at == ' ') ++at;
    return is_letter(*at) || *at == '_';
}

bool PgnLexer::at_event_tag() const {
    return std::string_view(at_, end_).starts_with(kEventTag);
}

void PgnLexer::read_tag() {
    begin_game();
    const std::size_t window = std::min<std::size_t>(kLookahead, static_cast<std::size_t>(end_ - at_));
    const auto* newline = static_cast<const char*>(std::memchr(at_, '\n', window));
    const char* line_end = newline ? newline : at_ + window;
    std::string_view rest(at_, line_end);
    if (rest.ends_with('\r')) rest.remove_suffix(1);

    const auto give_up = [&](std::string message) {
        if (!newline && window == static_cast<std::size_t>(end_ - at_) && !rest_) {
            message = "the file ends inside a tag, expected [Name \"value\"]";
            cut_off_ = true;
        } else if (!newline) {
            message = fmt::format("a tag longer than {} characters", kLookahead);
        }
        complain(std::move(message));
        tags_broken_ = true;
        at_ = line_end;
    };

    rest.remove_prefix(1);
    const auto skip_blanks = [&rest] {
        while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t')) rest.remove_prefix(1);
    };
    skip_blanks();
    std::size_t name_size = 0;
    while (name_size < rest.size() && (is_letter(rest[name_size]) || is_digit(rest[name_size]) ||
                                       std::string_view("_+#=:-").contains(rest[name_size])))
        ++name_size;
    const std::string_view name = rest.substr(0, name_size);
    rest.remove_prefix(name_size);
    skip_blanks();
    if (!rest.starts_with('"'))
        return give_up(fmt::format("tag {}: no value, expected [{} \"value\"]", name, name));
    rest.remove_prefix(1);

    // The value ends at the quote before the bracket; people forget to escape those before it.
    std::size_t close = 0;
    std::size_t after = 0;
    bool escaped = false;
    while (true) {
        close = rest.find_first_of("\"\\", close);
        if (close == std::string_view::npos)
            return give_up(
                fmt::format("tag {}: the value has no end, expected a quote and ']' on this line", name));
        if (rest[close] == '\\') {
            const bool pair = close + 1 < rest.size() && (rest[close + 1] == '"' || rest[close + 1] == '\\');
            escaped |= pair;
            close += pair ? 2 : 1;
            continue;
        }
        const std::size_t bracket = rest.find_first_not_of(" \t", close + 1);
        if (bracket != std::string_view::npos && rest[bracket] == ']') {
            after = bracket + 1;
            break;
        }
        ++close;
    }
    std::string_view value = rest.substr(0, close);
    at_ = rest.data() + after;
    if (escaped) {
        scratch_.clear();
        for (std::size_t i = 0; i < value.size(); ++i) {
            if (value[i] == '\\' && i + 1 < value.size() && (value[i + 1] == '"' || value[i + 1] == '\\'))
                ++i;
            scratch_ += value[i];
        }
        value = scratch_;
    }
    characters_ += name.size() + value.size();
    if (++tags_ > kMaxTags) return complain(fmt::format("more than {} tags", kMaxTags));
    if (characters_ > kMaxCharacters) return complain(too_large());
    has_event_ = has_event_ || name == "Event";
    const unsigned bit = bit_of_tag(name);
    if (seen_tags_ & bit)
        return complain(
            fmt::format("tag {} for the second time, expected moves or a result before it", name));
    seen_tags_ |= bit;
    listener_->tag(name, value);
}

// From behind the brace to behind the closing one. A tag [Event "…"] at the beginning of a line inside a
// comment is the next game: the brace was never closed.
base::Status PgnLexer::read_comment() {
    const std::uint64_t opened = line_;
    scratch_.clear();
    bool line_begins = false;  // at_ stands where a line begins
    while (true) {
        const auto* close =
            static_cast<const char*>(std::memchr(at_, '}', static_cast<std::size_t>(end_ - at_)));
        const char* limit = close ? close : end_;
        const char* begin = at_;
        bool next_game = line_begins && at_event_tag();
        while (!next_game) {
            const auto* newline =
                static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(limit - at_)));
            if (!newline) break;
            ++line_;
            at_ = newline + 1;
            line_begins = true;
            next_game = at_event_tag();
        }
        if (next_game) {
            first_in_line_ = in_moves_ = true;
            complain_at(opened, "a comment that is never closed, expected '}' before the next game");
            return {};
        }
        if (close) {
            at_ = close + 1;
            if (variations_ > 0 || !begun_) return {};
            std::string_view text(begin, close);
            if (!scratch_.empty()) {
                scratch_ += text.substr(0, kMaxComment);
                text = scratch_;
            }
            listener_->comment(text);
            return {};
        }
        // Keep enough to see a tag that lies across two fillings of the buffer.
        constexpr std::size_t kTail = 16;
        const char* kept = !rest_ ? end_ : std::max(at_, end_ - std::min<std::ptrdiff_t>(kTail, end_ - at_));
        if (scratch_.size() < kMaxComment)
            scratch_ += std::string_view(begin, kept).substr(0, kMaxComment - scratch_.size());
        line_begins = line_begins && kept == at_;
        at_ = kept;
        if (!rest_) {
            cut_off_ = !event_follows_;
            complain_at(opened, cut_off_
                                    ? "the file ends inside a comment, expected '}'"
                                    : "a comment that is never closed, expected '}' before the next game");
            return {};
        }
        if (auto status = refill(); !status) return status;
    }
}

base::Status PgnLexer::skip_line() {
    while (true) {
        if (const auto* newline =
                static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)))) {
            at_ = newline;
            return {};
        }
        at_ = end_;
        if (!rest_) return {};
        if (auto status = refill(); !status) return status;
    }
}

void PgnLexer::tell_result(GameResult result) {
    if (!begun_) return;  // a second result: there is no game for it
    listener_->result(result);
    ended_ = true;
}

void PgnLexer::tell_move(std::string_view token) {
    begin_game();
    if (complained_) return;
    if (token.size() > kMaxMoveText)
        return complain(fmt::format("'{}…', expected a move or a result", token.substr(0, kMaxMoveText / 2)));
    if (moves_ >= kMaxMoves) return complain(fmt::format("more than {} half-moves", kMaxMoves));
    ++moves_;
    listener_->move(token, line_);
}

// A move number, a move, a result, or several of them written together ("1.e4").
void PgnLexer::read_token() {
    // Most tokens are shorter than eight characters: their end is found without asking at each of them.
    const char* const begin = at_;
    unsigned ends = 0;
    for (int i = 0; i < 8; ++i) ends |= unsigned{kTokenEnds[static_cast<unsigned char>(begin[i])]} << i;
    at_ += std::countr_zero(ends | 0x100);
    if (!ends) {
        const char* const limit = begin + std::min<std::ptrdiff_t>(end_ - begin, kLookahead - 1);
        while (at_ < limit && is_token_character(*at_)) ++at_;
    }
    // "e8(Q)": no variation begins there.
    if (*at_ == '(' && end_ - at_ >= 3 && at_[2] == ')' && std::string_view("QRBNqrbn").contains(at_[1]))
        at_ += 3;
    if (variations_ > 0) return;
    const std::string_view token(begin, at_);
    if (is_letter(*begin)) {
        // Most moves end with a rank, no word about them does.
        if (is_digit(token.back()) || !chess::is_annotation(token)) tell_move(token);
        return;
    }
    read_unusual_token(token);
}

void PgnLexer::read_unusual_token(std::string_view token) {
    if (is_digit(token.front())) {
        // "12." and "12": by far the most.
        std::size_t digits = 1;
        while (digits < token.size() && is_digit(token[digits])) ++digits;
        // Two or three zeros are castling.
        const bool number =
            (digits == token.size() || token[digits] == '.' || token.substr(digits).starts_with(kEllipsis)) &&
            !token.starts_with("00");
        if (number) {
            std::uint64_t value = 0;
            for (const char c : token.substr(0, std::min<std::size_t>(digits, 18)))
                value = 10 * value + static_cast<std::uint64_t>(c - '0');
            if (begun_ && !complained_) listener_->number(value);
            token.remove_prefix(digits);
        } else if (const auto result = result_of(token)) {
            return tell_result(*result);
        }
    }
    while (token.starts_with('.') || token.starts_with(kEllipsis))
        token.remove_prefix(token.starts_with('.') ? 1 : kEllipsis.size());
    if (token.empty()) return;
    if (const auto result = result_of(token)) return tell_result(*result);
    // "--" alone is a null move.
    if (token != "--" && chess::is_annotation(token)) return;
    tell_move(token);
}

// The game ends where another begins.
void PgnLexer::end_before_next() {
    if (variations_ > 0) complain("a variation that is never closed, expected ')'");
    if (moves_ == 0) complain("tags without moves, expected moves or a result before the next game");
}

// At the end of the text: whether there is one more game, which then is not whole, if the file ends here.
bool PgnLexer::finish() {
    if (!begun_) return false;
    if (event_follows_) {
        end_before_next();
        return true;
    }
    // A game without its result is whole if the file goes to the end of a line; then nothing was cut off.
    if (moves_ > 0 && variations_ == 0 && first_in_line_) return true;
    cut_off_ = true;
    if (moves_ > 0 || variations_ > 0) {
        complain("the file ends in the middle of a game, expected a result (1-0, 0-1, 1/2-1/2 or *)");
    } else {
        complain("the file ends after the tags of a game, expected moves or a result");
    }
    return true;
}

base::Result<bool> PgnLexer::next(PgnListener& listener) {
    listener_ = &listener;
    begun_ = in_moves_ = ended_ = has_event_ = tags_broken_ = complained_ = cut_off_ = false;
    tags_ = moves_ = 0;
    seen_tags_ = 0;
    characters_ = 0;
    variations_ = 0;

    while (true) {
        if (end_ - at_ < static_cast<std::ptrdiff_t>(kLookahead)) {
            if (rest_)
                if (auto status = refill(); !status) return std::unexpected(status.error());
            if (at_ == end_) return finish();
        }

        const char c = *at_;
        if (c == ' ') {
            column_one_ = false;
            ++at_;
            continue;
        }
        if (c == '\n') {
            ++line_;
            first_in_line_ = column_one_ = true;
            ++at_;
            continue;
        }
        const bool first_in_line = first_in_line_;
        const bool column_one = column_one_;
        column_one_ = false;
        if (is_token_character(c) && (c != '%' || !column_one)) {
            if (c == kByteOrderMark.front() && column_one &&
                std::string_view(at_, end_).starts_with(kByteOrderMark)) {
                // Several files were joined.
                at_ += kByteOrderMark.size();
                column_one_ = true;
                continue;
            }
            first_in_line_ = false;
            read_token();
            begin_moves();
            if (ended_) return true;
            continue;
        }
        if (c == '\t' || c == '\r' || c == '\v' || c == '\f') {
            ++at_;
            continue;
        }
        first_in_line_ = false;
        switch (c) {
            case '%':
            case ';':
                if (auto status = skip_line(); !status) return std::unexpected(status.error());
                continue;
            case '[':
                // Several tags may share a line; among moves a tag must begin one.
                if (at_[1] == ']' && begun_) {
                    // The only move, as those write it who have no sign for it.
                    begin_moves();
                    at_ += 2;
                } else if (at_tag() && (first_in_line || !in_moves_)) {
                    // After a broken tag the rest of that game's tags may still come; then only [Event begins
                    // another.
                    const bool event = at_event_tag();
                    const bool next_game =
                        begun_ && ((in_moves_ && (event || !tags_broken_)) || (event && has_event_));
                    if (next_game) {
                        first_in_line_ = true;
                        end_before_next();
                        return true;
                    }
                    read_tag();
                } else {
                    in_moves_ = true;
                    complain("'[' among the moves, expected a move, a comment or a result");
                    ++at_;
                }
                continue;
            case '{': {
                ++at_;
                begin_moves();
                if (auto status = read_comment(); !status) return std::unexpected(status.error());
                continue;
            }
            case '(':
                // Outside a game it opens nothing.
                if (begun_) ++variations_;
                begin_moves();
                ++at_;
                continue;
            case ')':
                begin_moves();
                if (variations_ > 0) --variations_;
                ++at_;
                continue;
            case '$':
                begin_moves();
                ++at_;
                while (is_digit(*at_)) ++at_;
                continue;
            case '*':
                ++at_;
                if (variations_ > 0 || !begun_) continue;
                listener_->result(GameResult::Unknown);
                return true;
            case '}':
            case '<':
            case '>':
                begin_moves();
                ++at_;
                continue;
            default:
                in_moves_ = true;
                complain(
                    static_cast<unsigned char>(c) < 32 || c == '\x7F'
                        ? fmt::format("a byte of value {}, expected text", static_cast<unsigned char>(c))
                        : fmt::format("'{}' among the moves, expected a move, a comment or a result", c));
                ++at_;
                continue;
        }
    }
}

}  // namespace scholar::games
