#include "games/pgn_lexer.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

namespace scholar::games {

namespace {

constexpr std::size_t kBufferSize = std::size_t{1} << 20;
// Every token but a comment ends within so many characters, so that it lies whole in the buffer.
constexpr std::size_t kLookahead = std::size_t{1} << 16;
constexpr std::size_t kMaxMoveText = 64;
constexpr std::size_t kMaxTags = 1'000;
constexpr std::size_t kMaxMoves = 65'535;
constexpr std::size_t kMaxCharacters = std::size_t{1} << 24;  // of a game's tags and moves
constexpr std::size_t kMaxComment = 4'096;  // kept of a comment that does not lie whole in the buffer
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Characters that a move, a move number or a result is made of: everything visible that has no meaning of its
// own.
constexpr std::array<bool, 256> make_token_characters() {
    std::array<bool, 256> table{};
    for (int c = 33; c < 256; ++c) table[c] = true;
    for (const char c : {'[', ']', '{', '}', '(', ')', ';', '"', '$', '*', '<', '>', '\x7F'})
        table[static_cast<unsigned char>(c)] = false;
    return table;
}
constexpr auto kTokenCharacters = make_token_characters();
constexpr bool is_token_character(char c) {
    return kTokenCharacters[static_cast<unsigned char>(c)];
}

std::optional<GameResult> result_of(std::string_view token) {
    if (token == "1-0" || token == "1:0") return GameResult::WhiteWins;
    if (token == "0-1" || token == "0:1") return GameResult::BlackWins;
    if (token == "1/2-1/2" || token == "1/2") return GameResult::Draw;
    return std::nullopt;
}

// Signs of approval and judgement that stand apart from their move.
bool is_annotation(std::string_view token) {
    return token != "--" && token.find_first_not_of("!?+-=/\\~^") == std::string_view::npos;
}

// A number in front of `text`, which is moved behind it; nothing if there is none.
std::optional<int> take_integer(std::string_view& text, int limit) {
    bool negative = false;
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        negative = text.front() == '-';
        text.remove_prefix(1);
    }
    if (text.empty() || !is_digit(text.front())) return std::nullopt;
    int value = 0;
    while (!text.empty() && is_digit(text.front())) {
        value = std::min(limit, value * 10 + (text.front() - '0'));
        text.remove_prefix(1);
    }
    return negative ? -value : value;
}

// Pawns as centipawns, rounded: "0.25", "-1", "+.5". Moved behind it; nothing if there is none.
std::optional<int> take_pawns(std::string_view& text, int limit) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    std::int64_t thousandths = 0;
    int decimals = -1;  // digits seen behind the point; −1 before it
    bool any = false;
    for (; !text.empty(); text.remove_prefix(1)) {
        const char c = text.front();
        if (c == '.' && decimals < 0) {
            decimals = 0;
        } else if (is_digit(c)) {
            any = true;
            if (decimals < 3 && thousandths < 1'000'000'000) thousandths = thousandths * 10 + (c - '0');
            if (decimals >= 0 && decimals < 3) ++decimals;
        } else {
            break;
        }
    }
    if (!any) return std::nullopt;
    for (decimals = std::max(decimals, 0); decimals < 3; ++decimals) thousandths *= 10;
    const auto value = static_cast<int>(std::min<std::int64_t>(limit, (thousandths + 5) / 10));
    return negative ? -value : value;
}

// "0.25,33", "-1", "#-5,20": pawns (or moves to mate) from White's view, then perhaps the depth.
std::optional<Evaluation> parse_evaluation(std::string_view text) {
    constexpr int kLimit = std::numeric_limits<std::int16_t>::max();
    Evaluation evaluation;
    if (text.starts_with('#')) {
        text.remove_prefix(1);
        const auto mate = take_integer(text, kLimit);
        if (!mate || *mate == 0) return std::nullopt;
        evaluation.mate = static_cast<std::int16_t>(*mate);
    } else {
        const auto centipawns = take_pawns(text, kLimit);
        if (!centipawns) return std::nullopt;
        evaluation.centipawns = static_cast<std::int16_t>(*centipawns);
    }
    if (text.starts_with(',')) {
        text.remove_prefix(1);
        const auto depth = take_integer(text, 255);
        if (!depth || *depth < 0) return std::nullopt;
        evaluation.depth = static_cast<std::uint8_t>(*depth);
    }
    if (!text.empty()) return std::nullopt;
    return evaluation;
}

std::optional<Evaluation> evaluation_in(std::string_view comment) {
    constexpr std::string_view kOpening = "[%eval ";
    const std::size_t begin = comment.find(kOpening);
    if (begin == std::string_view::npos) return std::nullopt;
    comment.remove_prefix(begin + kOpening.size());
    const std::size_t end = comment.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    return parse_evaluation(comment.substr(0, end));
}

// "+0.35/12 0.10s", "-M4/20 0.05s, Black mates": what match programs write of a move, pawns (or half-moves to
// mate) from the view of the player who made it, then the depth. A fraction or a score of points is none.
std::optional<Evaluation> movers_evaluation_in(std::string_view comment) {
    constexpr std::string_view kBlanks = " \t\r\n";
    comment.remove_prefix(std::min(comment.find_first_not_of(kBlanks), comment.size()));
    comment = comment.substr(0, comment.find_first_of(" \t\r\n,"));
    const std::size_t slash = comment.find('/');
    if (slash == std::string_view::npos || slash + 1 == comment.size() || !is_digit(comment[slash + 1]))
        return std::nullopt;
    const std::string_view score = comment.substr(0, slash);
    // As the other notation has it.
    std::string text;
    if (const std::size_t mate = score.find('M'); mate <= 1) {
        text = "#" + std::string(score.substr(0, mate)) + std::string(score.substr(mate + 1));
    } else if (score.contains('.')) {
        text = score;
    } else {
        return std::nullopt;
    }
    auto evaluation = parse_evaluation(text.append(",").append(comment.substr(slash + 1)));
    // Half-moves to moves: mate in 3 half-moves is mate in 2, mated in 4 is mated in 2.
    if (evaluation && evaluation->mate != 0) {
        const int moves = (std::abs(evaluation->mate) + 1) / 2;
        evaluation->mate = static_cast<std::int16_t>(evaluation->mate > 0 ? moves : -moves);
    }
    return evaluation;
}

std::string too_large() {
    return fmt::format("game text larger than {} MiB", kMaxCharacters >> 20);
}

}  // namespace

std::string_view PgnText::tag(std::string_view name) const {
    for (const Tag& tag : tags)
        if (view(tag.name) == name) return view(tag.value);
    return {};
}

void PgnText::clear() {
    characters.clear();
    tags.clear();
    moves.clear();
    result.reset();
    problem.reset();
    cut_off = false;
    line = 0;
}

PgnLexer::PgnLexer(std::unique_ptr<base::InputStream> input)
    : input_(std::move(input)), buffer_(kBufferSize), at_(buffer_.data()), end_(buffer_.data()) {}

// Moves what is left to the front and reads until the buffer is full or the file ends.
base::Status PgnLexer::refill() {
    const auto left = static_cast<std::size_t>(end_ - at_);
    std::memmove(buffer_.data(), at_, left);
    at_ = buffer_.data();
    std::size_t size = left;
    while (size < buffer_.size() && !input_ended_) {
        const auto got = input_->read(std::span(buffer_).subspan(size));
        if (!got) return std::unexpected(got.error());
        input_ended_ = *got == 0;
        size += *got;
        bytes_read_ += *got;
    }
    end_ = buffer_.data() + size;
    return {};
}

// False if nothing at all is left.
base::Result<bool> PgnLexer::ensure_lookahead() {
    if (static_cast<std::size_t>(end_ - at_) < kLookahead && !input_ended_) {
        const bool first = bytes_read_ == 0;
        if (auto status = refill(); !status) return std::unexpected(status.error());
        if (first && std::string_view(at_, end_).starts_with(kByteOrderMark)) at_ += kByteOrderMark.size();
    }
    return at_ != end_;
}

void PgnLexer::begin_game(PgnText& out) {
    if (begun_) return;
    begun_ = true;
    out.line = line_;
    out.number = ++games_;
}

void PgnLexer::complain(PgnText& out, std::string message) {
    begin_game(out);
    if (!out.problem) out.problem = PgnText::Problem{line_, std::move(message)};
}

// Whether a tag begins here: "[Name". A comment's "[%eval" does not look like one.
bool PgnLexer::at_tag() const {
    const char* at = at_ + 1;
    while (at != end_ && *at == ' ') ++at;
    return at != end_ && (is_letter(*at) || *at == '_');
}

bool PgnLexer::at_event_tag() const {
    return std::string_view(at_, end_).starts_with("[Event \"");
}

PgnText::Span PgnLexer::keep(PgnText& out, std::string_view text) {
    const PgnText::Span span{static_cast<std::uint32_t>(out.characters.size()),
                             static_cast<std::uint32_t>(text.size())};
    out.characters += text;
    return span;
}

void PgnLexer::read_tag(PgnText& out) {
    begin_game(out);
    const std::size_t window = std::min<std::size_t>(kLookahead, static_cast<std::size_t>(end_ - at_));
    const auto* newline = static_cast<const char*>(std::memchr(at_, '\n', window));
    const char* line_end = newline ? newline : at_ + window;
    std::string_view rest(at_, line_end);
    if (rest.ends_with('\r')) rest.remove_suffix(1);
    const std::size_t kept = out.characters.size();

    const auto give_up = [&](std::string message) {
        if (!newline && window == static_cast<std::size_t>(end_ - at_) && input_ended_) {
            message = "the file ends inside a tag, expected [Name \"value\"]";
            out.cut_off = true;
        } else if (!newline) {
            message = fmt::format("a tag longer than {} characters", kLookahead);
        }
        complain(out, std::move(message));
        out.characters.resize(kept);
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
    const PgnText::Span name_span = keep(out, name);
    const auto value_begin = static_cast<std::uint32_t>(out.characters.size());
    while (true) {
        if (rest.empty())
            return give_up(
                fmt::format("tag {}: the value has no end, expected a quote and ']' on this line", name));
        const char c = rest.front();
        if (c == '\\' && rest.size() > 1 && (rest[1] == '"' || rest[1] == '\\')) {
            out.characters += rest[1];
            rest.remove_prefix(2);
            continue;
        }
        rest.remove_prefix(1);
        if (c == '"') {
            const std::size_t bracket = rest.find_first_not_of(" \t");
            if (bracket != std::string_view::npos && rest[bracket] == ']') {
                rest.remove_prefix(bracket + 1);
                break;
            }
        }
        out.characters += c;
    }
    at_ = rest.data();
    if (out.tags.size() >= kMaxTags || out.characters.size() > kMaxCharacters) {
        out.characters.resize(kept);
        return complain(
            out, out.tags.size() >= kMaxTags ? fmt::format("more than {} tags", kMaxTags) : too_large());
    }
    const auto value_size = static_cast<std::uint32_t>(out.characters.size()) - value_begin;
    out.tags.push_back({name_span, {value_begin, value_size}});
}

// From behind the brace to behind the closing one. A tag [Event "…"] at the beginning of a line inside a
// comment is the next game: the brace was never closed.
base::Status PgnLexer::read_comment(PgnText& out) {
    const std::uint64_t opened = line_;
    comment_.clear();
    const auto finish_with = [&](std::string_view last) {
        if (variations_ > 0 || out.moves.empty() || out.moves.back().evaluation) return;
        if (!comment_.empty()) {
            comment_ += last.substr(0, kMaxComment);
            last = comment_;
        }
        PgnText::MoveText& move = out.moves.back();
        move.evaluation = evaluation_in(last);
        if (move.evaluation) return;
        move.evaluation = movers_evaluation_in(last);
        move.from_mover = move.evaluation.has_value();
    };
    // Named by the line of its opening brace.
    const auto unclosed = [&](std::string_view what) {
        const std::uint64_t here = std::exchange(line_, opened);
        complain(out, std::string(what));
        line_ = here;
    };
    while (true) {
        const auto* close =
            static_cast<const char*>(std::memchr(at_, '}', static_cast<std::size_t>(end_ - at_)));
        const char* limit = close ? close : end_;
        const char* begin = at_;
        while (const auto* newline =
                   static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(limit - at_)))) {
            ++line_;
            at_ = newline + 1;
            if (at_ == limit || *at_ != '[' || !at_event_tag()) continue;
            first_in_line_ = true;
            unclosed("a comment that is never closed, expected '}' before the next game");
            return {};
        }
        if (close) {
            at_ = close + 1;
            finish_with(std::string_view(begin, close));
            return {};
        }
        // Keep enough to see a tag that lies across two fillings of the buffer.
        constexpr std::size_t kTail = 16;
        const char* kept =
            input_ended_ ? end_ : std::max(at_, end_ - std::min<std::ptrdiff_t>(kTail, end_ - at_));
        if (comment_.size() < kMaxComment)
            comment_ += std::string_view(begin, kept).substr(0, kMaxComment - comment_.size());
        at_ = kept;
        if (input_ended_) {
            unclosed("the file ends inside a comment, expected '}'");
            out.cut_off = true;
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
        if (input_ended_) return {};
        if (auto status = refill(); !status) return status;
    }
}

// A move number, a move, a result, or several of them written together ("1.e4").
void PgnLexer::read_token(PgnText& out) {
    const char* begin = at_;
    const char* limit = begin + std::min<std::ptrdiff_t>(end_ - begin, kLookahead - 1);
    while (at_ != limit && is_token_character(*at_)) ++at_;
    std::string_view token(begin, at_);
    if (variations_ > 0) return;

    if (const auto result = is_digit(token.front()) ? result_of(token) : std::nullopt) {
        if (!begun_) return;  // a second result: there is no game for it
        out.result = result;
        ended_ = true;
        return;
    }
    if (is_digit(token.front()) && !token.starts_with("0-0")) {
        const std::size_t digits = std::min(token.find_first_not_of("0123456789"), token.size());
        if (digits == token.size() || token[digits] == '.') token.remove_prefix(digits);
    }
    while (token.starts_with('.')) token.remove_prefix(1);
    if (token.empty()) return;
    if (const auto result = is_digit(token.front()) ? result_of(token) : std::nullopt) {
        if (!begun_) return;
        out.result = result;
        ended_ = true;
        return;
    }
    if (is_annotation(token) || token == "e.p.") return;

    begin_game(out);
    if (token.size() > kMaxMoveText)
        return complain(out,
                        fmt::format("'{}…', expected a move or a result", token.substr(0, kMaxMoveText / 2)));
    if (out.moves.size() >= kMaxMoves)
        return complain(out, fmt::format("more than {} half-moves", kMaxMoves));
    if (out.problem) return;
    if (out.characters.size() + token.size() > kMaxCharacters) return complain(out, too_large());
    out.moves.push_back({keep(out, token), line_, std::nullopt});
}

// At the end of the file: whether there is one more game, which then is not whole.
bool PgnLexer::finish(PgnText& out) {
    if (!begun_) return false;
    out.cut_off = true;
    if (in_moves_) {
        complain(out, "the file ends in the middle of a game, expected a result (1-0, 0-1, 1/2-1/2 or *)");
    } else {
        complain(out, "the file ends after the tags of a game, expected moves or a result");
    }
    return true;
}

base::Result<bool> PgnLexer::next(PgnText& out) {
    out.clear();
    begun_ = in_moves_ = ended_ = tags_broken_ = false;
    variations_ = 0;

    while (true) {
        const auto more = ensure_lookahead();
        if (!more) return more;
        if (!*more) return finish(out);

        const char c = *at_;
        const bool first_in_line = first_in_line_;
        const bool column_one = column_one_;
        column_one_ = false;
        switch (c) {
            case '\n':
                ++line_;
                first_in_line_ = column_one_ = true;
                ++at_;
                continue;
            case ' ':
            case '\t':
            case '\r':
            case '\v':
            case '\f':
                ++at_;
                continue;
            default:
                break;
        }
        first_in_line_ = false;
        if (c == '%' && column_one) {
            if (auto status = skip_line(); !status) return std::unexpected(status.error());
            continue;
        }
        switch (c) {
            case '[':
                // Several tags may share a line; among moves a tag must begin one.
                if (at_tag() && (first_in_line || !in_moves_)) {
                    // After a broken tag the rest of that game's tags may still come; then only [Event begins
                    // another.
                    const bool event = at_event_tag();
                    const bool next_game = begun_ && ((in_moves_ && (event || !tags_broken_)) ||
                                                      (event && !out.tag("Event").empty()));
                    if (next_game) {
                        first_in_line_ = true;
                        if (variations_ > 0) complain(out, "a variation that is never closed, expected ')'");
                        return true;
                    }
                    read_tag(out);
                } else {
                    in_moves_ = true;
                    complain(out, "'[' among the moves, expected a move, a comment or a result");
                    ++at_;
                }
                continue;
            case '{': {
                ++at_;
                if (auto status = read_comment(out); !status) return std::unexpected(status.error());
                continue;
            }
            case ';':
                if (auto status = skip_line(); !status) return std::unexpected(status.error());
                continue;
            case '(':
                in_moves_ = true;
                ++variations_;
                ++at_;
                continue;
            case ')':
                if (variations_ > 0) --variations_;
                ++at_;
                continue;
            case '$':
                ++at_;
                while (at_ != end_ && is_digit(*at_)) ++at_;
                continue;
            case '*':
                ++at_;
                if (variations_ > 0 || !begun_) continue;
                in_moves_ = true;
                out.result = GameResult::Unknown;
                return true;
            case '}':
            case '<':
            case '>':
                ++at_;
                continue;
            default:
                break;
        }
        if (is_token_character(c)) {
            read_token(out);
            in_moves_ = in_moves_ || begun_;
            if (ended_) return true;
            continue;
        }
        in_moves_ = true;
        complain(out, static_cast<unsigned char>(c) < 32 || c == '\x7F'
                          ? fmt::format("a byte of value {}, expected text", static_cast<unsigned char>(c))
                          : fmt::format("'{}' among the moves, expected a move, a comment or a result", c));
        ++at_;
    }
}

}  // namespace scholar::games
