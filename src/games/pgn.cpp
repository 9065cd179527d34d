#include "games/pgn.hpp"

#include <algorithm>
#include <array>

#include "chess/fen.hpp"
#include "chess/line.hpp"
#include "chess/movegen.hpp"
#include "chess/san.hpp"

namespace scholar::games {

namespace {

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

bool is_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const auto first = static_cast<unsigned char>(text[i]);
        std::size_t more = 0;
        if (first < 0x80)
            more = 0;
        else if (first >= 0xC2 && first < 0xE0)
            more = 1;
        else if (first >= 0xE0 && first < 0xF0)
            more = 2;
        else if (first >= 0xF0 && first < 0xF5)
            more = 3;
        else
            return false;
        if (i + more >= text.size()) return false;
        for (std::size_t k = 1; k <= more; ++k)
            if ((static_cast<unsigned char>(text[i + k]) & 0xC0) != 0x80) return false;
        i += more + 1;
    }
    return true;
}

std::string as_utf8(std::string_view text) {
    const bool ascii =
        std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
    if (ascii || is_utf8(text)) return std::string(text);
    std::string out;
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (code < 0x80) {
            out += c;
        } else {
            out += static_cast<char>(0xC0 | code >> 6);
            out += static_cast<char>(0x80 | (code & 0x3F));
        }
    }
    return out;
}

enum class Variant { Standard, Chess960, Other };

Variant variant_of(std::string_view name) {
    const std::string text = lower(name);
    for (const std::string_view standard : {"", "?", "standard", "normal", "chess", "from position"})
        if (text == standard) return Variant::Standard;
    for (const std::string_view fischer :
         {"fischerandom", "fischerrandom", "fischer random", "chess960", "chess 960"})
        if (text == fischer) return Variant::Chess960;
    return Variant::Other;
}

// Whether castling rights are held that standard chess does not know.
bool castles_like_chess960(const chess::Position& position) {
    for (const chess::Color color : chess::kColors) {
        for (const chess::CastlingSide side : {chess::KingSide, chess::QueenSide}) {
            if (!position.may_castle(color, side)) continue;
            const int rook_file = side == chess::KingSide ? 7 : 0;
            if (chess::file_of(position.king(color)) != 4 ||
                chess::file_of(position.castling_rook(color, side)) != rook_file)
                return true;
        }
    }
    return false;
}

GameResult result_of_tag(std::string_view text) {
    if (text == "1-0") return GameResult::WhiteWins;
    if (text == "0-1") return GameResult::BlackWins;
    if (text == "1/2-1/2" || text == "1/2") return GameResult::Draw;
    return GameResult::Unknown;
}

// What a Termination or TerminationDetails tag says, by the words that servers and tournament programs write.
Ending ending_of_words(std::string_view words) {
    struct Rule {
        std::string_view word;
        Ending ending;
    };
    // The first that occurs counts: "illegal move" before any talk of moves, repetition before rules of the
    // event.
    static constexpr std::array kRules{
        Rule{"resign", Ending::Resignation},
        Rule{"illegal", Ending::Forfeit},
        Rule{"disconnect", Ending::Forfeit},
        Rule{"connection", Ending::Forfeit},
        Rule{"crash", Ending::Forfeit},
        Rule{"withdraw", Ending::Forfeit},
        Rule{"infraction", Ending::Forfeit},
        Rule{"infinite loop", Ending::Forfeit},
        Rule{"forfeit", Ending::Forfeit},
        Rule{"3-fold", Ending::Repetition},
        Rule{"threefold", Ending::Repetition},
        Rule{"repetition", Ending::Repetition},
        Rule{"fifty", Ending::FiftyMoves},
        Rule{"50", Ending::FiftyMoves},
        Rule{"insufficient", Ending::InsufficientMaterial},
        Rule{"stalemate", Ending::Stalemate},
        Rule{"adjudic", Ending::Adjudication},
        Rule{"tb", Ending::Adjudication},
        Rule{"rule", Ending::Adjudication},
        Rule{"abandon", Ending::Abandoned},
        Rule{"unterminated", Ending::Abandoned},
        Rule{"emergency", Ending::Abandoned},
        Rule{"death", Ending::Abandoned},
        Rule{"checkmate", Ending::Checkmate},
    };
    const std::string text = lower(words);
    if (text == "time" || text == "time forfeit" || text.contains("on time")) return Ending::TimeForfeit;
    for (const Rule& rule : kRules)
        if (text.contains(rule.word)) return rule.ending;
    return Ending::Unknown;
}

Ending ending_of_terminal(chess::Terminal terminal) {
    switch (terminal) {
        case chess::Terminal::Checkmate:
            return Ending::Checkmate;
        case chess::Terminal::Stalemate:
            return Ending::Stalemate;
        case chess::Terminal::InsufficientMaterial:
            return Ending::InsufficientMaterial;
        case chess::Terminal::ThreefoldRepetition:
            return Ending::Repetition;
        case chess::Terminal::FiftyMoves:
            return Ending::FiftyMoves;
        case chess::Terminal::None:
            break;
    }
    return Ending::Unknown;
}

Ending ending_of(const Game& game, const chess::Position& last) {
    if (!chess::has_legal_move(last)) return last.in_check() ? Ending::Checkmate : Ending::Stalemate;
    for (const std::string_view name : {"TerminationDetails", "Termination"})
        if (const Ending ending = ending_of_words(game.tag(name)); ending != Ending::Unknown) return ending;
    // Too soon after a capture or a pawn move for anything to have occurred three times.
    if (last.halfmove_clock() < 8)
        return last.has_insufficient_material() ? Ending::InsufficientMaterial : Ending::Unknown;
    chess::Line line(game.start);
    for (const chess::Move move : game.moves) line.push(move);
    return ending_of_terminal(line.terminal());
}

std::string players_of(const PgnText& text) {
    const std::string_view white = text.tag("White");
    const std::string_view black = text.tag("Black");
    if (white.empty() && black.empty()) return {};
    return as_utf8(white.empty() ? "?" : white) + " – " + as_utf8(black.empty() ? "?" : black);
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c == '\n' || c == '\r' ? ' ' : c;
    }
    return out;
}

std::string_view name_of(Ending ending) {
    switch (ending) {
        case Ending::Unknown:
            return "";
        case Ending::Checkmate:
            return "checkmate";
        case Ending::Stalemate:
            return "stalemate";
        case Ending::InsufficientMaterial:
            return "insufficient material";
        case Ending::Repetition:
            return "threefold repetition";
        case Ending::FiftyMoves:
            return "fifty moves";
        case Ending::Resignation:
            return "resignation";
        case Ending::Adjudication:
            return "adjudication";
        case Ending::TimeForfeit:
            return "time forfeit";
        case Ending::Forfeit:
            return "forfeit";
        case Ending::Abandoned:
            return "abandoned";
    }
    return "";
}

std::string evaluation_comment(const Evaluation& evaluation) {
    const std::string depth = evaluation.depth ? fmt::format(",{}", evaluation.depth) : "";
    if (evaluation.mate != 0) return fmt::format("{{[%eval #{}{}]}}", evaluation.mate, depth);
    const int value = evaluation.centipawns;
    return fmt::format("{{[%eval {}{}.{:02}{}]}}", value < 0 ? "-" : "", std::abs(value) / 100,
                       std::abs(value) % 100, depth);
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

std::string PgnProblem::to_string() const {
    std::string out = fmt::format("{}: line {}: game {}", file, line, game);
    if (!players.empty()) out += " (" + players + ")";
    if (ply > 0) out += fmt::format(": half-move {}", ply);
    return out + ": " + message;
}

std::variant<Game, PgnProblem> decode_game(const PgnText& text, const std::string& file) {
    const auto problem = [&](std::uint64_t line, int ply, std::string_view message) {
        return PgnProblem{file, line, text.number, players_of(text), ply, as_utf8(message)};
    };
    // What a variant is called explains the strange moves in it, so it is said first.
    const Variant variant = variant_of(text.tag("Variant"));
    if (variant == Variant::Other) {
        return problem(text.line, 0,
                       fmt::format("variant '{}', expected standard chess or Chess960", text.tag("Variant")));
    }
    // Where the file was cut, the last move may be half a move.
    if (text.cut_off && text.problem) return problem(text.problem->line, 0, text.problem->message);
    Game game;
    game.chess960 = variant == Variant::Chess960;
    if (const std::string_view fen = text.tag("FEN"); !fen.empty()) {
        auto start = chess::parse_fen(fen);
        if (!start) return problem(text.line, 0, "tag FEN: " + start.error().message);
        game.start = *start;
        game.chess960 |= castles_like_chess960(game.start);
    }

    chess::Position position = game.start;
    game.moves.reserve(text.moves.size());
    bool has_evaluations = false;
    for (const PgnText::MoveText& written : text.moves) {
        const auto move = chess::parse_san(position, text.view(written.text));
        if (!move)
            return problem(written.line, static_cast<int>(game.moves.size()) + 1, move.error().message);
        game.moves.push_back(*move);
        position.make(*move);
        has_evaluations |= written.evaluation.has_value();
    }
    if (text.problem) return problem(text.problem->line, 0, text.problem->message);

    if (has_evaluations) {
        game.evaluations.reserve(text.moves.size());
        chess::Color mover = game.start.side_to_move();
        for (const PgnText::MoveText& written : text.moves) {
            auto& evaluation = game.evaluations.emplace_back(written.evaluation);
            if (evaluation && written.from_mover && mover == chess::Black) {
                evaluation->centipawns = static_cast<std::int16_t>(-evaluation->centipawns);
                evaluation->mate = static_cast<std::int16_t>(-evaluation->mate);
            }
            mover = ~mover;
        }
    }
    game.result = text.result.value_or(GameResult::Unknown);
    game.tags.reserve(text.tags.size());
    for (const PgnText::Tag& tag : text.tags) {
        const std::string_view name = text.view(tag.name);
        const std::string_view value = text.view(tag.value);
        if (name == "Result") {
            if (game.result == GameResult::Unknown) game.result = result_of_tag(value);
        } else if (name != "FEN" && name != "SetUp" && name != "Variant") {
            game.tags.emplace_back(name, as_utf8(value));
        }
    }
    game.ending = ending_of(game, position);
    return game;
}

base::Result<PgnReader> PgnReader::open(const std::string& path) {
    auto input = base::open_input(path);
    if (!input) return std::unexpected(input.error());
    return PgnReader(path == "-" ? "standard input" : path, std::move(*input));
}

base::Result<PgnItem> PgnReader::next() {
    const auto more = lexer_.next(text_);
    if (!more) return std::unexpected(more.error());
    if (!*more) return PgnEnd{};
    return std::visit([](auto&& decoded) -> PgnItem { return std::forward<decltype(decoded)>(decoded); },
                      decode_game(text_, file_));
}

PgnProblem PgnReader::refused(std::string reason) const {
    return {file_, text_.line, text_.number, players_of(text_), 0, std::move(reason)};
}

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
        if (ply < game.evaluations.size() && game.evaluations[ply]) {
            movetext.word(evaluation_comment(*game.evaluations[ply]));
            number_is_due = true;
        }
        position.make(game.moves[ply]);
    }
    movetext.word(to_string(game.result));
    out += "\n\n";
    return out;
}

}  // namespace scholar::games
