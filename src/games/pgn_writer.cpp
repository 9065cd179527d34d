#include "games/pgn_writer.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <fmt/core.h>

#include "chess/fen.hpp"
#include "chess/san.hpp"
#include "games/ending.hpp"

namespace scholar::games {

namespace {

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c == '\n' || c == '\r' ? ' ' : c;
    }
    return out;
}

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
        notes += notes.empty() ? "{" : " ";
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
    if (!notes.empty()) notes += '}';
    return notes;
}

// Words into lines of at most 80 characters; a comment stays in one piece, as its blanks are its own.
class Wrapper {
  public:
    explicit Wrapper(std::string& out) : out_(out) {}
    void word(std::string_view word) {
        if (column_ > 0 && column_ + 1 + word.size() > 80) {
            out_ += '\n';
            column_ = 0;
        }
        if (column_ > 0) {
            out_ += ' ';
            ++column_;
        }
        out_ += word;
        column_ += word.size();
    }

  private:
    std::string& out_;
    std::size_t column_ = 0;
};

}  // namespace

std::string to_pgn(const Game& game) {
    std::string out;
    const auto tag = [&out](std::string_view name, std::string_view value) {
        out += fmt::format("[{} \"{}\"]\n", name, escaped(value));
    };
    // The seven that every game has, in the standard's order, then the rest in the file's.
    constexpr std::array<std::string_view, 6> kRoster{"Event", "Site", "Date", "Round", "White", "Black"};
    for (const std::string_view name : kRoster) {
        const std::string_view value = game.tag(name);
        tag(name, !value.empty() ? value : name == "Date" ? "????.??.??" : "?");
    }
    tag("Result", to_string(game.result));
    for (const auto& [name, value] : game.tags)
        if (std::ranges::find(kRoster, name) == kRoster.end()) tag(name, value);
    if (game.ending != Ending::Unknown && game.tag("Termination").empty() &&
        game.tag("TerminationDetails").empty())
        tag("Termination", name_of(game.ending));
    if (game.chess960) tag("Variant", "fischerandom");
    if (!(game.start == chess::Position())) {
        tag("SetUp", "1");
        tag("FEN", chess::to_fen(game.start));
    }
    out += '\n';

    Wrapper movetext(out);
    chess::Position position = game.start;
    bool number_is_due = true;
    for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
        const bool white = position.side_to_move() == chess::White;
        if (white)
            movetext.word(fmt::format("{}.", position.fullmove_number()));
        else if (number_is_due)
            movetext.word(fmt::format("{}...", position.fullmove_number()));
        movetext.word(chess::to_san(position, game.moves[ply]));
        number_is_due = false;
        if (const std::string comment = notes_of(game, ply); !comment.empty()) {
            movetext.word(comment);
            number_is_due = true;
        }
        position.make(game.moves[ply]);
    }
    movetext.word(to_string(game.result));
    out += "\n\n";
    return out;
}

std::string date_of_today() {
    const std::time_t now = std::time(nullptr);
    std::tm day{};
    localtime_r(&now, &day);
    return fmt::format("{:04}.{:02}.{:02}", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
}

}  // namespace scholar::games
