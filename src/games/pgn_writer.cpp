#include "games/pgn_writer.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <fmt/core.h>
#include <utility>

#include "base/text.hpp"
#include "chess/fen.hpp"
#include "chess/san.hpp"
#include "games/ending.hpp"

namespace scholar::games {

namespace {

constexpr std::size_t kLine = 79;  // characters

// Hours, minutes and seconds, with as many decimals as there are.
std::string clock_text(std::uint64_t milliseconds) {
    const std::uint64_t seconds = milliseconds / 1'000;
    std::string text = fmt::format("{}:{:02}:{:02}", seconds / 3'600, seconds / 60 % 60, seconds % 60);
    if (milliseconds % 1'000 != 0) {
        text += fmt::format(".{:03}", milliseconds % 1'000);
        text.erase(text.find_last_not_of('0') + 1);
    }
    return text;
}

}  // namespace

std::string eval_note(const Evaluation& evaluation) {
    const std::string depth = evaluation.depth ? fmt::format(",{}", evaluation.depth) : "";
    const int value = evaluation.centipawns;
    if (evaluation.mate != 0) return fmt::format("[%eval #{}{}]", evaluation.mate, depth);
    return fmt::format("[%eval {}{}.{:02}{}]", value < 0 ? "-" : "", std::abs(value) / 100,
                       std::abs(value) % 100, depth);
}

std::string notes_of(const Game& game, std::size_t ply) {
    std::string notes;
    const auto add = [&notes](const std::string& note) {
        if (!notes.empty()) notes += ' ';
        notes += note;
    };
    if (ply < game.evaluations.size() && game.evaluations[ply]) add(eval_note(*game.evaluations[ply]));
    const auto number = [ply](const PlyNumbers& numbers) {
        return ply < numbers.size() ? numbers[ply] : std::nullopt;
    };
    if (const auto clock = number(game.clocks)) add(fmt::format("[%clk {}]", clock_text(*clock)));
    if (const auto time = number(game.times)) add(fmt::format("[%emt {}]", clock_text(*time)));
    if (const auto nodes = number(game.nodes)) add(fmt::format("[%nodes {}]", *nodes));
    return notes;
}

void PgnWriter::tag(std::string_view name, std::string_view value) {
    text_ += fmt::format("[{} {}]\n", name, base::quoted(value, base::Quoting::Pgn));
}

void PgnWriter::start(const chess::Position& position, std::string_view chess960_name) {
    position_ = position;
    if (!chess960_name.empty()) tag("Variant", chess960_name);
    if (position == chess::Position()) return;
    tag("SetUp", "1");
    tag("FEN", chess::to_fen(position));
}

void PgnWriter::word(std::string_view word) {
    if (!in_moves_) text_ += '\n';
    in_moves_ = true;
    if (column_ > 0 && column_ + 1 + word.size() > kLine) {
        text_ += '\n';
        column_ = 0;
    }
    if (column_ > 0) {
        text_ += ' ';
        ++column_;
    }
    text_ += word;
    column_ += word.size();
}

void PgnWriter::move_words(const chess::Position& position, chess::Move move, bool number_is_due,
                           std::string_view before, std::string_view behind) {
    const bool white = position.side_to_move() == chess::White;
    const bool numbered = white || number_is_due;
    if (numbered) word(fmt::format("{}{}{}", before, position.fullmove_number(), white ? "." : "..."));
    word(fmt::format("{}{}{}", numbered ? "" : before, chess::to_san(position, move), behind));
}

void PgnWriter::move(chess::Move move, std::string_view comment) {
    move_words(position_, move, number_is_due_);
    before_ = position_;
    position_.make(move);
    number_is_due_ = false;
    this->comment(comment);
}

void PgnWriter::glyph(int number) {
    word(fmt::format("${}", number));
}

void PgnWriter::comment(std::string_view comment) {
    if (comment.empty()) return;
    comment_words(comment);
    number_is_due_ = true;
}

void PgnWriter::variation(std::span<const chess::Move> moves, std::string_view comment) {
    if (moves.empty()) return;
    chess::Position position = before_;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const bool ends = i + 1 == moves.size() && comment.empty();
        move_words(position, moves[i], i == 0, i == 0 ? "(" : "", ends ? ")" : "");
        position.make(moves[i]);
    }
    if (!comment.empty()) comment_words(comment, ")");
    number_is_due_ = true;
}

void PgnWriter::comment_words(std::string_view comment, std::string_view behind) {
    std::string text(comment);
    std::erase_if(text, [](char c) { return c == '{' || c == '}'; });
    text = fmt::format("{{{}}}{}", text, behind);
    std::size_t begin = 0;
    int brackets = 0;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        const char c = at < text.size() ? text[at] : ' ';
        if (c == '[') ++brackets;
        if (c == ']') --brackets;
        if (at < text.size() && (c != ' ' || brackets > 0)) continue;
        if (at > begin) word(std::string_view(text).substr(begin, at - begin));
        begin = at + 1;
    }
}

std::string PgnWriter::finish(GameResult result) {
    word(to_string(result));
    return std::move(text_) + "\n\n";
}

void write_tags(PgnWriter& writer, const Game& game) {
    // The seven that every game has, in the standard's order, then the rest in the file's.
    constexpr std::array<std::string_view, 6> kRoster{"Event", "Site", "Date", "Round", "White", "Black"};
    for (const std::string_view name : kRoster) {
        const std::string_view value = game.tag(name);
        writer.tag(name, !value.empty() ? value : name == "Date" ? "????.??.??" : "?");
    }
    writer.tag("Result", to_string(game.result));
    for (const auto& [name, value] : game.tags)
        if (std::ranges::find(kRoster, name) == kRoster.end()) writer.tag(name, value);
    if (game.ending != Ending::Unknown && game.tag("Termination").empty() &&
        game.tag("TerminationDetails").empty())
        writer.tag("Termination", name_of(game.ending));
    writer.start(game.start, game.chess960 ? "fischerandom" : "");
}

std::string to_pgn(const Game& game) {
    PgnWriter writer;
    write_tags(writer, game);
    for (std::size_t ply = 0; ply < game.moves.size(); ++ply)
        writer.move(game.moves[ply], notes_of(game, ply));
    return writer.finish(game.result);
}

std::string date_of_today() {
    const std::time_t now = std::time(nullptr);
    std::tm day{};
    localtime_r(&now, &day);
    return fmt::format("{:04}.{:02}.{:02}", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
}

}  // namespace scholar::games
