#include "protocols/uci.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <istream>
#include <mutex>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "chess/fen.hpp"
#include "chess/mended_fen.hpp"
#include "chess/movegen.hpp"
#include "chess/polyglot_key.hpp"
#include "chess/san.hpp"
#include "engine/bench.hpp"
#include "nets/kernel_target.hpp"
#include "protocols/analysis_text.hpp"
#include "protocols/uci_go.hpp"
#include "protocols/words.hpp"

namespace scholar::protocols {

namespace {

// A search of a tiny position has hundreds of iterations in no time, and with many lines each: a GUI is not
// served by that. So many lines at once, and so many more for each second.
constexpr std::uint64_t kLinesAtOnce = 600;
constexpr double kLinesPerSecond = 300;

constexpr std::string_view kQuit = "quit";
// A command may have any number of wrong words.
constexpr std::size_t kMostIgnored = 8;

class Uci final : public search::Observer {
  public:
    Uci(engine::Engine& engine, std::istream& in, std::ostream& out) : engine_(engine), in_(in), out_(out) {}

    void run(std::optional<std::string> first) {
        std::string line = first.value_or("");
        while (first || std::getline(in_, line)) {
            first.reset();
            const Words words = from_first_command(base::split_words(line));
            if (words.empty()) continue;
            if (words.front() == kQuit) {
                engine_.stop();
                break;
            }
            if (const auto status = obey(words); !status)
                say("info string error: {}", base::excerpt(status.error().message, kMostOfMessage));
        }
        // At the end of the input, as from a file, a search with limits still gives its answer.
        engine_.finish();
        give_null_move();
    }

    void on_iteration(const search::Iteration& iteration) override {
        const auto& counters = iteration.counters;
        const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(counters.elapsed).count();
        std::string bound;
        if (iteration.bound == search::Bound::Lower) bound = " lowerbound";
        if (iteration.bound == search::Bound::Upper) bound = " upperbound";
        std::string line = fmt::format(
            "info depth {} seldepth {} multipv {}{}{}{} nodes {} nps {} hashfull {} tbhits {} time {} "
            "pv {}",
            iteration.depth, counters.selective_depth, iteration.number,
            iteration.score ? " score " + show(*iteration.score) : "", iteration.score ? bound : "",
            show_wdl(iteration), counters.nodes, nodes_per_second(counters), counters.table_permille,
            counters.tablebase_hits, ms, to_text(iteration.principal_variation, engine_.castling_notation()));
        const auto number = static_cast<std::size_t>(std::max(iteration.number, 1));
        if (kept_back_.size() < number) kept_back_.resize(number);
        if (may_say_more(counters)) {
            kept_back_[number - 1].clear();
            say("{}", line);
        } else {
            kept_back_[number - 1] = std::move(line);
        }
    }

    void on_root_move(int depth, chess::Move move, int number, const search::Counters& counters) override {
        // While one iteration takes long there is room again for what had none.
        for (std::string& line : kept_back_)
            if (!line.empty() && may_say_more(counters)) say("{}", std::exchange(line, {}));
        if (may_say_more(counters))
            say("info depth {} currmove {} currmovenumber {}", depth,
                chess::to_uci(move, engine_.castling_notation()), number);
    }

    // What has to wait is only the answer.
    void on_end(const search::SearchResult& result) override {
        say_what_was_kept_back();
        if (!result.trouble.empty()) say("info string error: {}", result.trouble);
        if (result.best) return;
        const bool mated = engine_.line().current().in_check();
        say("info depth 0 score {}", show(mated ? chess::Score::mated_in(0) : chess::Score::draw()));
    }

  private:
    // What it can be told, by the first word; `words` has it, too.
    struct Command {
        std::string_view name;
        base::Status (*obey)(Uci& self, const Words& words);
    };
    static std::span<const Command> commands() {
        static constexpr std::array kCommands{
            Command{"uci", [](Uci& self, const Words&) { return self.introduce(); }},
            Command{"isready",
                    [](Uci& self, const Words&) {
                        self.prepare();
                        self.say("readyok");
                        return base::Status();
                    }},
            Command{"ucinewgame",
                    [](Uci& self, const Words&) {
                        self.interrupt();
                        self.prepare();
                        self.engine_.new_game();
                        return base::Status();
                    }},
            Command{"setoption", [](Uci& self, const Words& words) { return self.set_option(words); }},
            Command{"position",
                    [](Uci& self, const Words& words) {
                        auto status = self.set_position(words);
                        self.has_position_ = status.has_value();
                        return status;
                    }},
            Command{"go",
                    [](Uci& self, const Words& words) { return self.go({words.begin() + 1, words.end()}); }},
            Command{"stop",
                    [](Uci& self, const Words&) {
                        self.interrupt();
                        return base::Status();
                    }},
            Command{"bench", [](Uci& self, const Words& words) { return self.bench(words); }},
            Command{"d", [](Uci& self, const Words&) { return self.show_board(); }},
            Command{"eval", [](Uci& self, const Words&) { return self.show_evaluation(); }},
            Command{"ponderhit", [](Uci& self, const Words&) { return self.ponder_hit(); }},
            Command{"debug",
                    [](Uci& self, const Words& words) {
                        self.debugs_ = words.size() < 2 || words[1] != "off";
                        return base::Status();
                    }},
            Command{"register", [](Uci&, const Words&) { return base::Status(); }},
            Command{kQuit, [](Uci&, const Words&) { return base::Status(); }},  // run()'s own
        };
        return kCommands;
    }

    // The protocol wants unknown words to be passed over, before a command too. Where there is no command at
    // all the words are left, for an error.
    static Words from_first_command(Words words) {
        const auto first = std::ranges::find_if(words, [](std::string_view word) {
            return std::ranges::find(commands(), word, &Command::name) != commands().end();
        });
        if (first != words.end()) words.erase(words.begin(), first);
        return words;
    }

    // The search's thread prints too: one line at a time.
    template <class... Args>
    void say(fmt::format_string<Args...> format, Args&&... args) {
        const std::string text = fmt::format(format, std::forward<Args>(args)...);
        const std::lock_guard lock(mutex_);
        out_ << text << std::endl;
    }

    // Before a command that cannot run beside a search, a count of perft or a bench: the engine's calls wait
    // for its end, which this brings about.
    void interrupt() {
        engine_.stop();
        give_null_move();
    }

    // Without a position there is no move. Where the protocol wants no answer before it is asked for, it
    // waits like one.
    void answer_without_position(const search::Limits& limits) {
        interrupt();
        engine_.wait();
        say("info string error: go: there is no position, since the last one was refused");
        const bool ponders = limits.find<search::PonderLimit>().has_value();
        null_move_due_ = ponders ? Due::AtHit : limits.is_infinite() ? Due::AtStop : Due::Now;
        if (null_move_due_ == Due::Now) give_null_move();
    }
    void give_null_move() {
        if (std::exchange(null_move_due_, Due::Never) != Due::Never) say("bestmove 0000");
    }
    base::Status ponder_hit() {
        engine_.ponder_hit();
        if (null_move_due_ == Due::AtHit) give_null_move();
        return {};
    }

    base::Status expect_position(std::string_view command) const {
        if (has_position_) return {};
        return base::fail("{}: there is no position, since the last one was refused", command);
    }

    bool may_say_more(const search::Counters& counters) {
        const double seconds = std::chrono::duration<double>(counters.elapsed).count();
        if (said_ >= kLinesAtOnce + static_cast<std::uint64_t>(kLinesPerSecond * seconds)) return false;
        ++said_;
        return true;
    }

    // What had no room: the last of each line, so that the answer's own is there.
    void say_what_was_kept_back() {
        for (const std::string& line : kept_back_)
            if (!line.empty()) say("{}", line);
        kept_back_.clear();
    }

    std::string show(chess::Score score) const {
        if (!score.is_mate()) return fmt::format("cp {}", engine_.to_centipawns(score));
        return fmt::format("mate {}", score.moves_to_mate());
    }

    std::string show_wdl(const search::Iteration& iteration) const {
        if (!engine_.shows_wdl() || (!iteration.wdl && !iteration.score)) return "";
        const auto [win, draw, loss] =
            to_permille(iteration.wdl && !(iteration.score && iteration.score->is_decisive())
                            ? *iteration.wdl
                            : engine_.to_wdl(*iteration.score));
        return fmt::format(" wdl {} {} {}", win, draw, loss);
    }

    base::Status obey(const Words& words) {
        const auto command = std::ranges::find(commands(), words.front(), &Command::name);
        if (command == commands().end())
            return base::fail("unknown command '{}'", base::excerpt(words.front()));
        return command->obey(*this, words);
    }

    // Who plays is put together from the options: what cannot be is said, and who was there before plays on.
    void prepare() {
        if (const auto status = engine_.prepare(); !status)
            say("info string error: {}", base::excerpt(status.error().message, kMostOfMessage));
        for (const std::string& note : engine_.take_notes()) say("info string {}", note);
    }

    base::Status introduce() {
        say("id name Scholar {}", SCHOLAR_VERSION);
        say("id author the Scholar developers");
        for (const engine::Option& option : engine_.options())
            say("option name {} type {}", option.name, describe(option));
        say("uciok");
        return {};
    }

    static std::string describe(const engine::Option& option) {
        const std::string fallback = engine::default_of(option);
        if (const auto* spin = std::get_if<engine::SpinOption>(&option.kind))
            return fmt::format("spin default {} min {} max {}", fallback, spin->min, spin->max);
        if (std::holds_alternative<engine::CheckOption>(option.kind))
            return fmt::format("check default {}", fallback);
        if (std::holds_alternative<engine::StringOption>(option.kind) ||
            std::holds_alternative<engine::RealOption>(option.kind))
            return fmt::format("string default {}", fallback);
        if (const auto* combo = std::get_if<engine::ComboOption>(&option.kind))
            return fmt::format("combo default {} var {}", fallback, fmt::join(combo->choices, " var "));
        return "button";
    }

    // setoption name N… [value V…]: both may hold spaces; the value is taken as it stands.
    base::Status set_option(const Words& words) {
        if (words.size() < 3 || words[1] != "name")
            return base::fail("setoption: expected 'setoption name NAME [value VALUE]'");
        const auto value = static_cast<std::size_t>(std::ranges::find(words, "value") - words.begin());
        const std::string name = join(words, 2, std::min(value, words.size()));
        std::string text;
        if (value + 1 < words.size())
            text.assign(words[value + 1].data(), words.back().data() + words.back().size());
        interrupt();
        return engine_.set_option(name, text);
    }

    base::Status set_position(const Words& words) {
        const auto moves_at = static_cast<std::size_t>(std::ranges::find(words, "moves") - words.begin());
        const std::size_t end = std::min(moves_at, words.size());
        chess::Position start;
        if (words.size() >= 2 && words[1] == "fen") {
            const auto found = chess::mend_fen(join(words, 2, end));
            if (!found) return base::fail_in("position", found.error());
            start = found->position;
            for (const std::string& mended : found->mended) say("info string position: {}", mended);
        } else if (words.size() < 2 || words[1] != "startpos" || end != 2) {
            return base::fail("position: expected 'startpos' or 'fen FEN', then perhaps 'moves …'");
        }
        chess::Line line(start);
        for (std::size_t i = end + 1; i < words.size(); ++i) {
            const auto move = chess::parse_uci_move(line.current(), words[i]);
            if (!move) return base::fail_in("position", move.error());
            line.push(*move);
        }
        interrupt();
        engine_.set_line(std::move(line));
        return {};
    }

    base::Status go(const Words& words) {
        if (!words.empty() && words.front() == "perft") return perft(words);
        // Read with the old position, if there is none: only the limits are wanted.
        GoCommand command = parse_go(engine_.line().current(), words);
        const std::size_t told = std::min(command.ignored.size(), kMostIgnored);
        for (std::size_t i = 0; i < told; ++i) say("info string {}; ignored", command.ignored[i]);
        if (told < command.ignored.size())
            say("info string go: {} more words ignored", command.ignored.size() - told);
        if (!has_position_) return answer_without_position(command.limits), base::Status();
        interrupt();
        engine_.wait();
        said_ = 0;
        prepare();
        engine_.go(std::move(command.limits), *this, [this](const search::SearchResult& result) {
            const chess::CastlingNotation notation = engine_.castling_notation();
            std::string ponder;
            if (result.ponder) ponder = " ponder " + chess::to_uci(result.ponder, notation);
            if (debugs_) say("info string the leaf is {}", name_of(result.leaf_kind));
            say("bestmove {}{}", chess::to_uci(result.best, notation), ponder);
        });
        return {};
    }

    static std::string_view name_of(search::LeafKind kind) {
        switch (kind) {
            case search::LeafKind::Exact:
                return "exact";
            case search::LeafKind::Mate:
                return "a mate";
            case search::LeafKind::Draw:
                return "a draw";
            case search::LeafKind::Tablebase:
                return "a tablebase's";
            case search::LeafKind::CutShort:
                return "cut short";
        }
        return "";
    }

    static base::Result<int> parse_depth(const Words& words, std::size_t index) {
        const std::string_view text = index < words.size() ? words[index] : std::string_view();
        const auto depth = base::parse_number<int>(text);
        if (!depth || *depth < 1 || *depth > 100)
            return base::fail("{}: depth '{}', expected a whole number from 1 to 100", words.front(),
                              base::excerpt(text));
        return *depth;
    }

    base::Status perft(const Words& words) {
        if (auto status = expect_position("perft"); !status) return status;
        const auto depth = parse_depth(words, 1);
        if (!depth) return std::unexpected(depth.error());
        interrupt();
        engine_.wait();
        engine_.perft(*depth, [this](const std::optional<engine::Engine::Divide>& counts) {
            if (!counts) return say("info string perft: stopped before the count was complete");
            std::uint64_t total = 0;
            for (const auto& [move, nodes] : *counts) {
                say("{}: {}", chess::to_uci(move, engine_.castling_notation()), nodes);
                total += nodes;
            }
            say("\nNodes searched: {}\n", total);
        });
        return {};
    }

    base::Status bench(const Words& words) {
        int depth = engine::kBenchDepth;
        if (words.size() > 1) {
            const auto given = parse_depth(words, 1);
            if (!given) return std::unexpected(given.error());
            depth = *given;
        }
        interrupt();
        engine_.wait();
        prepare();
        engine_.bench(
            depth,
            [this](int number, std::string_view fen, std::uint64_t nodes) {
                say("info string {:2} {:>9} {}", number, nodes, fen);
            },
            [this](const std::optional<engine::BenchResult>& result) {
                if (!result) return say("info string bench: stopped before the count was complete");
                const double seconds = std::chrono::duration<double>(result->elapsed).count();
                say("{} nodes {:.0f} nps", result->nodes, static_cast<double>(result->nodes) / seconds);
            });
        return {};
    }

    base::Status show_board() {
        if (auto status = expect_position("d"); !status) return status;
        const chess::Position& position = engine_.line().current();
        std::string board;
        for (int rank = 7; rank >= 0; --rank) {
            board += fmt::format("{} ", rank + 1);
            for (int file = 0; file < 8; ++file) {
                const chess::Piece piece = position.piece_on(chess::make_square(file, rank));
                board += fmt::format(" {}", piece == chess::NoPiece ? '.' : chess::piece_letter(piece));
            }
            board += '\n';
        }
        std::string checkers;
        for (const chess::Square square : chess::squares(position.checkers()))
            checkers += ' ' + chess::to_string(square);
        say("\n{}   a b c d e f g h\n\nFen: {}\nKey: {:016X}\nPolyglot: {:016X}\nCheckers:{}\n", board,
            chess::to_fen(position), position.key(), chess::polyglot_key(position), checkers);
        return {};
    }

    base::Status show_evaluation() {
        if (auto status = expect_position("eval"); !status) return status;
        prepare();
        const std::optional<chess::Score> value = engine_.evaluate();
        if (!value) return show_opinion();
        const chess::Score score = *value;
        const nets::AnyNetwork& network = engine_.network();
        say("Network: {}, {}, kernels {}", network.content_name(), network.description(),
            nets::kernel_target());
        if (const nets::PieceValues* values = network.piece_values())
            say("Learnt piece values: {}", fmt::join(*values, " "));
        show_score(score);
        const auto [win, draw, loss] = to_permille(engine_.to_wdl(score));
        say("Win, draw, loss, as fitted to games: {} {} {}", win, draw, loss);
        return {};
    }

    void show_score(chess::Score score) {
        say("Static evaluation: {:+} ({:+.2f} pawns) for {}; the network itself expects {:.1f} % of the "
            "point",
            score.value(), engine_.to_centipawns(score) / 100.0,
            engine_.line().current().side_to_move() == chess::White ? "White" : "Black",
            100 * score.expected());
    }

    // Of a network that is not asked for one position's value alone.
    base::Status show_opinion() {
        if (!chess::has_legal_move(engine_.line().current()))
            return base::fail("eval: the game is over; expected a position with a move");
        const auto found = engine_.opinion();
        if (!found) return base::fail_in("eval", found.error());
        const std::optional<evaluators::Opinion>& opinion = *found;
        const auto expected = opinion ? opinion->expected() : std::nullopt;
        if (!expected) return base::fail("eval: who plays has no network that gives one position a value");
        say("Network: {}, {}", engine_.network().content_name(), engine_.network().description());
        show_score(opinion->value.value_or(chess::Score::from_expected(*expected)));
        if (opinion->wdl) {
            const auto [win, draw, loss] = to_permille(*opinion->wdl);
            say("Win, draw, loss, as the network has them: {} {} {}", win, draw, loss);
        }
        if (opinion->moves_left) say("Half-moves left: {:.0f}", *opinion->moves_left);
        if (!opinion->probabilities.empty()) show_likely_moves(opinion->probabilities);
        return {};
    }

    // The likeliest first.
    void show_likely_moves(const std::vector<float>& probabilities) {
        constexpr std::size_t most = 5;
        const chess::MoveList moves = chess::legal_moves(engine_.line().current());
        std::vector<std::pair<float, int>> ranked;
        ranked.reserve(probabilities.size());
        for (int i = 0; i < moves.size(); ++i)
            ranked.emplace_back(-probabilities[static_cast<std::size_t>(i)], i);
        std::ranges::sort(ranked);
        std::string text;
        for (const auto& [probability, index] : std::span(ranked).first(std::min(most, ranked.size())))
            text += fmt::format("{}{} {:.1f} %", text.empty() ? "" : ", ",
                                chess::to_uci(moves[index], engine_.castling_notation()), -100 * probability);
        say("Likely moves: {}", text);
    }

    engine::Engine& engine_;
    std::istream& in_;
    std::ostream& out_;
    std::mutex mutex_;
    bool has_position_ = true;  // the engine's is the last that was asked for, which was not refused
    // When a search without a position is answered.
    enum class Due { Never, Now, AtHit, AtStop };
    Due null_move_due_ = Due::Never;
    std::atomic<bool> debugs_ = false;  // read by the search's thread
    // Of the search in progress: lines said, and by number among the best moves those that had no room.
    std::uint64_t said_ = 0;
    std::vector<std::string> kept_back_;
};

}  // namespace

void run_uci(engine::Engine& engine, std::istream& in, std::ostream& out, std::optional<std::string> first) {
    Uci(engine, in, out).run(std::move(first));
}

}  // namespace scholar::protocols
