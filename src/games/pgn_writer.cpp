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

// The comment behind a move; "" if nothing is known of it.
std::string notes_of(const Game& game, std::size_t ply) {
    std::string notes;
    const auto add = [&notes](const std::string& note) {
        if (!notes.empty()) notes += ' ';
        notes += note;
    };
    if (ply < game.evaluations.size() && game.evaluations[ply]) {
        const Evaluation& evaluation = *game.evaluations[ply];
        const std::string depth = evaluation.depth ? fmt::format(",{}", evaluation.depth) : "";
        const int value = evaluation.centipawns;
        if (evaluation.mate != 0)
            add(fmt::format("[%eval #{}{}]", evaluation.mate, depth));
        else
            add(fmt::format("[%eval {}{}.{:02}{}]", value < 0 ? "-" : "", std::abs(value) / 100,
                            std::abs(value) % 100, depth));
    }
    const auto number = [ply](const PlyNumbers& numbers) {
        return ply < numbers.size() ? numbers[ply] : std::nullopt;
    };
    if (const auto clock = number(game.clocks)) add(fmt::format("[%clk {}]", clock_text(*clock)));
    if (const auto time = number(game.times)) add(fmt::format("[%emt {}]", clock_text(*time)));
    if (const auto nodes = number(game.nodes)) add(fmt::format("[%nodes {}]", *nodes));
    return notes;
}

}  // namespace

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

void PgnWriter::move(chess::Move move, std::string_view comment) {
    if (position_.side_to_move() == chess::White)
        word(fmt::format("{}.", position_.fullmove_number()));
    else if (number_is_due_)
        word(fmt::format("{}...", position_.fullmove_number()));
    word(chess::to_san(position_, move));
    position_.make(move);
    number_is_due_ = !comment.empty();
    if (comment.empty()) return;

    std::string text(comment);
    std::erase_if(text, [](char c) { return c == '{' || c == '}'; });
    text = "{" + text + "}";
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

std::string to_pgn(const Game& game) {
    PgnWriter writer;
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
