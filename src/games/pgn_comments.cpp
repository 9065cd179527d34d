#include "games/pgn_comments.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>

namespace scholar::games {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";
// A thousand years: times and numbers beyond are read as this.
constexpr std::uint64_t kMostMilliseconds = 31'557'600'000'000;
constexpr std::uint64_t kMostNodes = std::uint64_t{1} << 60;

constexpr bool is_decimal(char c) {
    return c >= '0' && c <= '9';
}

// A number in front of `text`, which is moved behind it; nothing if there is none.
std::optional<int> take_integer(std::string_view& text, int limit) {
    bool negative = false;
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        negative = text.front() == '-';
        text.remove_prefix(1);
    }
    if (text.empty() || !is_decimal(text.front())) return std::nullopt;
    int value = 0;
    while (!text.empty() && is_decimal(text.front())) {
        value = std::min(limit, value * 10 + (text.front() - '0'));
        text.remove_prefix(1);
    }
    return negative ? -value : value;
}

// A number without sign of any length.
std::optional<std::uint64_t> take_count(std::string_view& text, std::uint64_t limit) {
    if (text.empty() || !is_decimal(text.front())) return std::nullopt;
    std::uint64_t value = 0;
    while (!text.empty() && is_decimal(text.front())) {
        value = std::min(limit, value * 10 + static_cast<std::uint64_t>(text.front() - '0'));
        text.remove_prefix(1);
    }
    return value;
}

// Units as thousandths, rounded down beyond the third digit: "12", "0.25", ".5". Moved behind it; nothing if
// there is none.
std::optional<std::uint64_t> take_thousandths(std::string_view& text, std::uint64_t limit) {
    std::uint64_t thousandths = 0;
    int decimals = -1;  // digits seen behind the point; −1 before it
    bool any = false;
    for (; !text.empty(); text.remove_prefix(1)) {
        const char c = text.front();
        if (c == '.' && decimals < 0) {
            decimals = 0;
        } else if (is_decimal(c)) {
            any = true;
            if (decimals < 3)
                thousandths = std::min(limit, thousandths * 10 + static_cast<std::uint64_t>(c - '0'));
            if (decimals >= 0 && decimals < 3) ++decimals;
        } else {
            break;
        }
    }
    if (!any) return std::nullopt;
    for (decimals = std::max(decimals, 0); decimals < 3; ++decimals)
        thousandths = std::min(limit, thousandths * 10);
    return thousandths;
}

// Pawns as centipawns, rounded: "0.25", "-1", "+.5". Moved behind it; nothing if there is none.
std::optional<int> take_pawns(std::string_view& text, int limit) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    const auto thousandths = take_thousandths(text, 1'000'000'000'000);
    if (!thousandths) return std::nullopt;
    const auto value =
        static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(limit), (*thousandths + 5) / 10));
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

// The same, where mates are "M12" and "-M3" and counted in half-moves: mate in 3 half-moves is mate in 2,
// mated in 4 is mated in 2.
std::optional<Evaluation> parse_with_letter_mates(std::string_view score, std::string_view depth) {
    std::string text;
    if (const std::size_t mate = score.find('M'); mate <= 1)
        text = "#" + std::string(score.substr(0, mate)) + std::string(score.substr(mate + 1));
    else
        text = score;
    if (!depth.empty()) text.append(",").append(depth);
    auto evaluation = parse_evaluation(text);
    if (evaluation && evaluation->mate != 0) {
        const int moves = (std::abs(evaluation->mate) + 1) / 2;
        evaluation->mate = static_cast<std::int16_t>(evaluation->mate > 0 ? moves : -moves);
    }
    return evaluation;
}

// "1:30:43.5", "0:12", "12": hours, minutes and seconds, as milliseconds.
std::optional<std::uint64_t> parse_clock(std::string_view text) {
    std::uint64_t total = 0;  // milliseconds, as if what was read so far were seconds
    for (int part = 0; part < 3; ++part) {
        const auto value = take_thousandths(text, kMostMilliseconds);
        if (!value) return std::nullopt;
        total = std::min(kMostMilliseconds, total * 60 + *value);
        if (text.empty()) return total;
        if (!text.starts_with(':')) return std::nullopt;
        text.remove_prefix(1);
    }
    return std::nullopt;
}

// What stands behind "[%name " up to the bracket; nothing if it does not occur.
std::optional<std::string_view> command(std::string_view comment, std::string_view opening) {
    const std::size_t begin = comment.find(opening);
    if (begin == std::string_view::npos) return std::nullopt;
    comment.remove_prefix(begin + opening.size());
    const std::size_t end = comment.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    comment = comment.substr(0, end);
    comment.remove_prefix(std::min(comment.find_first_not_of(kBlanks), comment.size()));
    return comment.substr(0, comment.find_last_not_of(kBlanks) + 1);
}

// "d=33, sd=33, mt=37918, tl=1765082, s=54971964, n=2084481913, pv=d4 e6, tb=0, wv=0.60, ": what the TCEC's
// program writes.
void read_assignments(std::string_view comment, MoveNotes& notes) {
    std::string_view score;
    std::string_view depth;
    while (!comment.empty()) {
        const std::size_t end = std::min(comment.find(','), comment.size());
        std::string_view field = comment.substr(0, end);
        comment.remove_prefix(std::min(end + 1, comment.size()));
        field.remove_prefix(std::min(field.find_first_not_of(kBlanks), field.size()));
        const std::size_t sign = field.find('=');
        if (sign == std::string_view::npos) continue;
        const std::string_view name = field.substr(0, sign);
        std::string_view value = field.substr(sign + 1);
        if (name == "d")
            depth = value;
        else if (name == "wv")
            score = value;
        else if (name == "mt")
            notes.time = take_count(value, kMostMilliseconds);
        else if (name == "tl")
            notes.clock = take_count(value, kMostMilliseconds);
        else if (name == "n")
            notes.nodes = take_count(value, kMostNodes);
    }
    if (!score.empty()) notes.evaluation = parse_with_letter_mates(score, depth);
}

// "+0.35/12 0.10s", "-M4/20 0.05s, Black mates": pawns (or half-moves to mate) from the view of the player
// who made the move, the depth, the seconds. A fraction or a score of points is none.
void read_match_program(std::string_view comment, MoveNotes& notes) {
    comment.remove_prefix(std::min(comment.find_first_not_of(kBlanks), comment.size()));
    const std::size_t end = std::min(comment.find_first_of(" \t\r\n,"), comment.size());
    const std::string_view word = comment.substr(0, end);
    comment.remove_prefix(end);
    const std::size_t slash = word.find('/');
    if (slash == std::string_view::npos || slash + 1 == word.size() || !is_decimal(word[slash + 1])) return;
    const std::string_view score = word.substr(0, slash);
    const bool mate = score.find('M') <= 1;
    if (!mate && !score.contains('.')) return;
    const auto evaluation = parse_with_letter_mates(score, word.substr(slash + 1));
    if (!evaluation) return;
    if (!notes.evaluation) {
        notes.evaluation = evaluation;
        notes.from_mover = true;
    }
    comment.remove_prefix(std::min(comment.find_first_not_of(kBlanks), comment.size()));
    const auto time = take_thousandths(comment, kMostMilliseconds);
    if (time && comment.starts_with('s') && !notes.time) notes.time = time;
}

}  // namespace

MoveNotes read_notes(std::string_view comment) {
    MoveNotes notes;
    if (comment.contains("[%")) {
        if (const auto text = command(comment, "[%eval ")) notes.evaluation = parse_evaluation(*text);
        if (const auto text = command(comment, "[%clk ")) notes.clock = parse_clock(*text);
        if (const auto text = command(comment, "[%emt ")) notes.time = parse_clock(*text);
        if (auto text = command(comment, "[%nodes ")) notes.nodes = take_count(*text, kMostNodes);
        if (notes.evaluation) return notes;
    }
    if (comment.contains("wv="))
        read_assignments(comment, notes);
    else
        read_match_program(comment, notes);
    return notes;
}

}  // namespace scholar::games
