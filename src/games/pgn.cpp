#include "games/pgn.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"
#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "games/ending.hpp"
#include "games/pgn_comments.hpp"

namespace scholar::games {

namespace {

bool is_ascii(std::string_view text) {
    unsigned char bits = 0;
    for (const char c : text) bits |= static_cast<unsigned char>(c);
    return bits < 0x80;
}

std::string as_utf8(std::string_view text) {
    if (is_ascii(text) || base::is_utf8(text)) return std::string(text);
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
    const std::string text = base::lower_case(name);
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

// Whether it occurs with no letter or digit beside it.
bool contains_word(std::string_view text, std::string_view word) {
    const auto is_letter = [&](std::size_t at) {
        return at < text.size() &&
               ((text[at] >= 'a' && text[at] <= 'z') || (text[at] >= '0' && text[at] <= '9'));
    };
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
        if ((at == 0 || !is_letter(at - 1)) && !is_letter(at + word.size())) return true;
    return false;
}

// What a Termination or TerminationDetails tag says, by the words that servers and tournament programs write.
Ending ending_of_words(std::string_view words) {
    struct Rule {
        std::string_view word;
        Ending ending;
    };
    // The first that occurs counts: "illegal move" before any talk of moves, repetition before rules of the
    // event. Short ones could stand inside a name.
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
    const std::string text = base::lower_case(words);
    if (text == "time" || text == "time forfeit" || text.contains("on time")) return Ending::TimeForfeit;
    for (const Rule& rule : kRules)
        if (rule.word.size() > 2 ? text.contains(rule.word) : contains_word(text, rule.word))
            return rule.ending;
    return Ending::Unknown;
}

}  // namespace

std::string PgnProblem::to_string() const {
    std::string out = fmt::format("{}: line {}: game {}", file, line, game);
    if (!players.empty()) out += " (" + players + ")";
    if (ply > 0) out += fmt::format(": half-move {}", ply);
    return out + ": " + message;
}

// Plays what the lexer tells. Between games everything keeps its memory.
class PgnReader::Player final : public PgnListener {
  public:
    explicit Player(std::string file) : file_(std::move(file)) {}

    void clear() {
        tag_count_ = 0;
        game_.moves.clear();
        game_.evaluations.clear();
        game_.clocks.clear();
        game_.times.clear();
        game_.nodes.clear();
        game_.chess960 = false;
        game_.result = GameResult::Unknown;
        game_.ending = Ending::Unknown;
        keys_.clear();
        line_ = 0;
        last_line_ = 0;
        moves_told_ = 0;
        number_.reset();
        number_offset_.reset();
        result_told_ = false;
        has_remark_ = false;
        playing_ = false;
        bad_ = false;
        problem_.ply = 0;
    }

    // What the lexer passes over is not looked at.
    void pass_over(bool on) { passing_over_ = on; }

    void game_begins(std::uint64_t line) override { line_ = line; }

    void tag(std::string_view name, std::string_view value) override {
        if (passing_over_) return;
        if (tag_count_ == game_.tags.size()) game_.tags.emplace_back();
        auto& [kept_name, kept_value] = game_.tags[tag_count_++];
        kept_name = name;
        if (is_ascii(value))
            kept_value = value;
        else
            kept_value = as_utf8(value);
    }

    void number(std::uint64_t value) override { number_ = value; }

    void move(std::string_view text, std::uint64_t line) override {
        ++moves_told_;
        if (bad_ || passing_over_) return;
        if (!playing_ && !begin()) return;
        last_line_ = line;
        if (!number_fits(line)) return;
        chess::Move move;
        if (const auto matched = chess::match_san(position_, text)) {
            move = *matched;
        } else {
            const auto parsed = chess::parse_san(position_, text);
            if (!parsed)
                return refuse(line, static_cast<int>(game_.moves.size()) + 1, parsed.error().message);
            move = *parsed;
        }
        keys_.push_back(position_.key());
        game_.moves.push_back(move);
        position_.make(move);
    }

    void comment(std::string_view text) override {
        if (bad_ || passing_over_ || game_.moves.empty()) return;
        const MoveNotes notes = read_notes(text);
        if (notes.evaluation && note_is_new(game_.evaluations)) {
            Evaluation evaluation = *notes.evaluation;
            if (notes.from_mover && position_.side_to_move() == chess::White) {
                evaluation.centipawns = static_cast<std::int16_t>(-evaluation.centipawns);
                evaluation.mate = static_cast<std::int16_t>(-evaluation.mate);
            }
            game_.evaluations.back() = evaluation;
        }
        if (notes.clock && note_is_new(game_.clocks)) game_.clocks.back() = notes.clock;
        if (notes.time && note_is_new(game_.times)) game_.times.back() = notes.time;
        if (notes.nodes && note_is_new(game_.nodes)) game_.nodes.back() = notes.nodes;
    }

    void result(GameResult result) override {
        game_.result = result;
        result_told_ = true;
    }

    void problem(std::uint64_t line, std::string message, bool cut_off) override {
        if (passing_over_) return;
        if (!playing_) begin();
        // Where the file was cut off, its last move may be half a move: that it is none says nothing.
        const bool half_a_move = cut_off && problem_.ply > 0 && moves_told_ == game_.moves.size() + 1;
        if (!bad_ || half_a_move) refuse(line, 0, message);
    }

    // At the end of a game, the `number`-th of the file.
    PgnItem finish(std::uint64_t number) {
        if (!bad_ && !playing_) begin();
        if (!bad_) settle_result();
        if (bad_) {
            problem_.file = file_;
            problem_.game = number;
            problem_.players = players();
            return PgnItem::Problem;
        }
        const std::size_t plies = game_.moves.size();
        if (!game_.evaluations.empty()) game_.evaluations.resize(plies);
        for (PlyNumbers* const numbers : {&game_.clocks, &game_.times, &game_.nodes})
            if (!numbers->empty()) numbers->resize(plies);
        if (!result_told_ && plies > 0 && !has_remark_)
            add_remark(0, "no result behind the moves, expected 1-0, 0-1, 1/2-1/2 or *");
        if (has_remark_) {
            remark_.file = file_;
            remark_.game = number;
            remark_.players = players();
        }
        drop_tags();
        return PgnItem::Game;
    }

    PgnProblem refused(std::uint64_t number, std::string reason) const {
        return {file_, line_, number, players(), 0, std::move(reason)};
    }

    Game& game() { return game_; }
    const PgnProblem& problem() const { return problem_; }
    const PgnProblem* remark() const { return has_remark_ ? &remark_ : nullptr; }

  private:
    // Whether the number that was written before the move to come, if there was one, counts the moves so far.
    // Games from a set-up position may begin with any number.
    bool number_fits(std::uint64_t line) {
        if (!number_) return true;
        const auto written = static_cast<std::int64_t>(*std::exchange(number_, std::nullopt));
        const std::int64_t counted = position_.fullmove_number();
        if (!number_offset_) number_offset_ = game_.start == standard_start_ ? 0 : written - counted;
        const std::int64_t expected = counted + *number_offset_;
        if (written == expected) return true;
        refuse(line, static_cast<int>(game_.moves.size()) + 1,
               fmt::format("move number {}, expected {}: moves are missing, or two games run into one",
                           written, expected));
        return false;
    }

    // The result, and how the game ended; refuses a game that contradicts itself.
    void settle_result() {
        const int plies = static_cast<int>(game_.moves.size());
        const std::uint64_t line = last_line_ > 0 ? last_line_ : line_;
        const GameResult tagged = result_of_tag(tag_value("Result"));
        if (game_.result == GameResult::Unknown) game_.result = tagged;
        game_.ending = ending();
        if (tagged != GameResult::Unknown && tagged != game_.result)
            return refuse(line, 0,
                          fmt::format("result {} behind the moves, {} in the tags", to_string(game_.result),
                                      to_string(tagged)));
        if (game_.result == GameResult::Unknown) return;
        // Which of the two is wrong nobody knows: the game is kept, and games/doctor.hpp counts it.
        GameResult expected = game_.result;
        if (game_.ending == Ending::Stalemate) expected = GameResult::Draw;
        if (game_.ending == Ending::Checkmate)
            expected =
                position_.side_to_move() == chess::White ? GameResult::BlackWins : GameResult::WhiteWins;
        if (game_.result != expected)
            add_remark(plies,
                       fmt::format("result {}, expected {}: the moves end in {}", to_string(game_.result),
                                   to_string(expected), name_of(game_.ending)));
    }

    void add_remark(int ply, std::string message) {
        has_remark_ = true;
        remark_.line = last_line_ > 0 ? last_line_ : line_;
        remark_.ply = ply;
        remark_.message = std::move(message);
    }

    std::string_view tag_value(std::string_view name) const {
        // A game that was moved away has taken its tags along.
        for (std::size_t i = 0; i < std::min(tag_count_, game_.tags.size()); ++i)
            if (game_.tags[i].first == name) return game_.tags[i].second;
        return {};
    }

    std::string players() const {
        const std::string_view white = tag_value("White");
        const std::string_view black = tag_value("Black");
        if (white.empty() && black.empty()) return {};
        return fmt::format("{} – {}", white.empty() ? "?" : base::excerpt(white),
                           black.empty() ? "?" : base::excerpt(black));
    }

    void refuse(std::uint64_t line, int ply, std::string_view message) {
        bad_ = true;
        problem_.line = line;
        problem_.ply = ply;
        problem_.message = as_utf8(message);
        for (char& c : problem_.message)
            if (static_cast<unsigned char>(c) < 32 || c == 127) c = '?';
    }

    // The start position, once the tags are known; false if there is none.
    bool begin() {
        playing_ = true;
        const std::string_view variant_name = tag_value("Variant");
        const Variant variant = variant_of(variant_name);
        if (variant == Variant::Other) {
            refuse(line_, 0,
                   fmt::format("variant '{}', expected standard chess or Chess960",
                               base::excerpt(variant_name)));
            return false;
        }
        game_.chess960 = variant == Variant::Chess960;
        if (const std::string_view fen = tag_value("FEN"); !fen.empty()) {
            const auto start = chess::parse_fen(fen);
            if (!start) {
                refuse(line_, 0, "tag FEN: " + start.error().message);
                return false;
            }
            game_.start = *start;
            game_.chess960 |= castles_like_chess960(game_.start);
        } else {
            game_.start = standard_start_;
        }
        position_ = game_.start;
        return true;
    }

    // Makes room for the last move's note; false if it has one.
    template <class Notes>
    bool note_is_new(Notes& notes) const {
        const std::size_t plies = game_.moves.size();
        if (notes.size() == plies && notes.back()) return false;
        notes.resize(plies);
        return true;
    }

    Ending ending() const {
        if (!chess::has_legal_move(position_))
            return position_.in_check() ? Ending::Checkmate : Ending::Stalemate;
        for (const std::string_view name : {"TerminationDetails", "Termination"}) {
            const std::string_view words = tag_value(name);
            if (words.empty()) continue;
            if (const Ending ending = ending_of_words(words); ending != Ending::Unknown) return ending;
        }
        if (position_.has_insufficient_material()) return Ending::InsufficientMaterial;
        if (repetitions() >= 2) return Ending::Repetition;
        return position_.halfmove_clock() >= 100 ? Ending::FiftyMoves : Ending::Unknown;
    }

    // How often the last position stood on the board before.
    int repetitions() const {
        const auto window = std::min<std::size_t>(keys_.size(), position_.halfmove_clock());
        return static_cast<int>(
            std::count(keys_.end() - static_cast<std::ptrdiff_t>(window), keys_.end(), position_.key()));
    }

    // Those that are fields of the game, and what is left of the game before.
    void drop_tags() {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < tag_count_; ++i) {
            const std::string_view name = game_.tags[i].first;
            if (name == "Result" || name == "FEN" || name == "SetUp" || name == "Variant") continue;
            if (kept != i) std::swap(game_.tags[kept], game_.tags[i]);
            ++kept;
        }
        game_.tags.resize(kept);
        tag_count_ = kept;
    }

    const std::string file_;
    const chess::Position standard_start_;
    chess::Position position_;
    Game game_;
    std::size_t tag_count_ = 0;        // of game_.tags, those of this game
    std::vector<std::uint64_t> keys_;  // of the positions before each move
    PgnProblem problem_;
    PgnProblem remark_;
    std::optional<std::uint64_t> number_;        // written before the move to come
    std::optional<std::int64_t> number_offset_;  // of numbers as written to those of the positions
    std::uint64_t line_ = 0;                     // where the game begins
    std::uint64_t last_line_ = 0;                // of its last move
    std::size_t moves_told_ = 0;                 // those behind a bad one too
    bool playing_ = false;                       // the start position is set
    bool bad_ = false;
    bool passing_over_ = false;
    bool result_told_ = false;
    bool has_remark_ = false;
};

base::Result<PgnReader> PgnReader::open(const std::string& path) {
    auto input = base::open_input(path);
    if (!input) return std::unexpected(input.error());
    PgnText text;
    text.rest = std::move(*input);
    return PgnReader(path == "-" ? "standard input" : path, std::move(text));
}

PgnReader::PgnReader(std::string file, PgnText text)
    : lexer_(std::move(text)), player_(std::make_unique<Player>(std::move(file))) {}
PgnReader::PgnReader(PgnReader&&) noexcept = default;
PgnReader& PgnReader::operator=(PgnReader&&) noexcept = default;
PgnReader::~PgnReader() = default;

base::Result<PgnItem> PgnReader::next() {
    player_->clear();
    const auto more = lexer_.next(*player_);
    if (!more) return std::unexpected(more.error());
    if (!*more) return PgnItem::End;
    return player_->finish(lexer_.games());
}

base::Result<bool> PgnReader::skip() {
    player_->pass_over(true);
    auto more = lexer_.next(*player_);
    player_->pass_over(false);
    return more;
}

Game& PgnReader::game() {
    return player_->game();
}

const PgnProblem& PgnReader::problem() const {
    return player_->problem();
}

const PgnProblem* PgnReader::remark() const {
    return player_->remark();
}

PgnProblem PgnReader::refused(std::string reason) const {
    return player_->refused(lexer_.games(), std::move(reason));
}

}  // namespace scholar::games
