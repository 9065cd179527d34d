#include "games/learnt_book_record.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "chess/fen.hpp"
#include "chess/uci_move.hpp"

namespace scholar::games {

namespace {

constexpr int kJournalVersion = 1;
constexpr std::size_t kLongestName = 120;
constexpr int kMaxDepth = 1'000;
constexpr std::string_view kStandardStart = "startpos";

// What stands before the next `separator`, which is taken too; all that is left if there is none.
std::string_view take(std::string_view& rest, char separator) {
    const std::size_t end = rest.find(separator);
    const std::string_view taken = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return taken;
}

// A whole number within bounds, written as to_text() writes it: no sign but -, no leading zeros.
template <class T>
base::Result<T> number_of(std::string_view text, std::string_view what, T min, T max) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < min || value > max ||
        fmt::format("{}", value) != text)
        return base::fail("{} '{}', expected a whole number from {} to {}", what, text, min, max);
    return value;
}

bool is_control(char letter) {
    return static_cast<unsigned char>(letter) < ' ' || letter == '\x7F';
}

// So that what is refused can be quoted in one line.
base::Status check_letters(std::string_view record) {
    if (std::ranges::none_of(record, is_control)) return {};
    return base::fail("a control character, expected a record without any");
}

std::string start_to_text(const chess::Position& start) {
    if (start == chess::Position()) return std::string(kStandardStart);
    std::string fen = chess::to_fen(start);
    std::ranges::replace(fen, ' ', '_');
    return fen;
}

base::Result<chess::Position> parse_start(std::string_view text) {
    if (text == kStandardStart) return chess::Position();
    std::string fen(text);
    std::ranges::replace(fen, '_', ' ');
    return chess::parse_fen(fen);
}

std::string moves_to_text(const std::vector<JudgedMove>& moves) {
    if (moves.empty()) return "-";
    std::string text;
    for (const JudgedMove& move : moves) {
        if (!text.empty()) text += ',';
        text += chess::to_uci(move.move);
        if (move.opinion)
            text += fmt::format(":{}:{}:{}", move.opinion->score.value(), move.opinion->depth,
                                move.opinion->nodes);
    }
    return text;
}

base::Result<BookOpinion> parse_opinion(std::string_view text) {
    const auto score =
        number_of(take(text, ':'), "score", -chess::Score::kMateValue, chess::Score::kMateValue);
    if (!score) return std::unexpected(score.error());
    const auto depth = number_of(take(text, ':'), "depth", 0, kMaxDepth);
    if (!depth) return std::unexpected(depth.error());
    const auto nodes = number_of(text, "nodes", std::uint64_t{0}, ~std::uint64_t{0});
    if (!nodes) return std::unexpected(nodes.error());
    return BookOpinion{chess::Score(*score), *depth, *nodes};
}

base::Result<JudgedMove> parse_move(const chess::Position& position, std::string_view text) {
    const auto move = chess::parse_uci_move(position, take(text, ':'));
    if (!move) return std::unexpected(move.error());
    if (text.empty()) return JudgedMove{*move, std::nullopt};
    const auto opinion = parse_opinion(text);
    if (!opinion) return std::unexpected(opinion.error());
    return JudgedMove{*move, *opinion};
}

base::Result<BookRecord> parse_game(std::string_view text) {
    NumberedGame record;
    const auto number = number_of(take(text, ' '), "game number", std::uint64_t{1}, ~std::uint64_t{0} - 1);
    if (!number) return std::unexpected(number.error());
    record.number = *number;
    BookGame& game = record.game;
    const std::string_view color = take(text, ' ');
    if (color != "white" && color != "black")
        return base::fail("colour '{}', expected white or black", color);
    game.color = color == "white" ? chess::White : chess::Black;
    const std::string_view result = take(text, ' ');
    const auto known = parse_result(result);
    if (!known || *known == GameResult::Unknown)
        return base::fail("result '{}', expected 1-0, 0-1 or 1/2-1/2", result);
    game.result = *known;
    const auto start = parse_start(take(text, ' '));
    if (!start) return std::unexpected(start.error());
    game.start = *start;
    std::string_view moves = take(text, ' ');
    chess::Position position = game.start;
    if (moves == "-") moves = {};
    while (!moves.empty()) {
        const auto move = parse_move(position, take(moves, ','));
        if (!move) return base::fail_in(fmt::format("half-move {}", game.moves.size() + 1), move.error());
        game.moves.push_back(*move);
        position.make(move->move);
    }
    game.opponent = text;
    if (book_name(game.opponent) != game.opponent)
        return base::fail("opponent '{}', expected a name of at most {} bytes without blanks around it",
                          book_name(game.opponent), kLongestName);
    return record;
}

base::Result<BookRecord> parse_search(std::string_view text) {
    BookSearch search;
    const auto start = parse_start(take(text, ' '));
    if (!start) return std::unexpected(start.error());
    search.position = *start;
    if (text == "-") text = {};
    while (!text.empty()) {
        const auto move = parse_move(search.position, take(text, ','));
        if (!move) return std::unexpected(move.error());
        if (!move->opinion) return base::fail("a move without a score, expected MOVE:SCORE:DEPTH:NODES");
        search.moves.push_back(*move);
    }
    return search;
}

}  // namespace

std::string book_name(std::string_view name) {
    std::string text(name);
    for (char& letter : text)
        if (is_control(letter)) letter = ' ';
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string::npos) return "";
    text = text.substr(first, kLongestName);
    return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::string to_text(const BookBounds& bounds) {
    return fmt::format("book {} {} {}", kJournalVersion, bounds.max_plies, bounds.max_positions);
}

std::string to_text(const BookGame& game, std::uint64_t number) {
    return fmt::format("game {} {} {} {} {} {}", number, game.color == chess::White ? "white" : "black",
                       to_string(game.result), start_to_text(game.start), moves_to_text(game.moves),
                       game.opponent);
}

std::string to_text(const BookSearch& search) {
    return fmt::format("search {} {}", start_to_text(search.position), moves_to_text(search.moves));
}

base::Result<BookBounds> parse_book_bounds(std::string_view text) {
    if (auto status = check_letters(text); !status) return std::unexpected(status.error());
    if (take(text, ' ') != "book") return base::fail("expected the bounds of a learnt book");
    const auto version = number_of(take(text, ' '), "version", 0, 1'000'000);
    if (!version) return std::unexpected(version.error());
    if (*version != kJournalVersion)
        return base::fail("a learnt book of version {}, expected version {}", *version, kJournalVersion);
    const auto plies = number_of(take(text, ' '), "half-moves", 1, kMostBookPlies);
    if (!plies) return std::unexpected(plies.error());
    const auto positions = number_of(text, "positions", std::size_t{1}, kMostBookPositions);
    if (!positions) return std::unexpected(positions.error());
    return BookBounds{*plies, *positions};
}

base::Result<BookRecord> parse_book_record(std::string_view text) {
    if (auto status = check_letters(text); !status) return std::unexpected(status.error());
    const std::string_view kind = take(text, ' ');
    if (kind == "game") return parse_game(text);
    if (kind == "search") return parse_search(text);
    return base::fail("'{}', expected game or search", kind);
}

}  // namespace scholar::games
