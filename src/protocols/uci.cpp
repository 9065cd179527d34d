#include "protocols/uci.hpp"

#include <algorithm>
#include <charconv>
#include <istream>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "chess/fen.hpp"
#include "chess/polyglot_key.hpp"
#include "chess/san.hpp"
#include "engine/bench.hpp"
#include "nets/kernels.hpp"
#include "nets/network_file.hpp"
#include "protocols/uci_go.hpp"

namespace scholar::protocols {

namespace {

using Words = std::vector<std::string_view>;

Words split(std::string_view line) {
    Words words;
    std::size_t at = 0;
    while (true) {
        at = line.find_first_not_of(" \t\r\n", at);
        if (at == std::string_view::npos) return words;
        const std::size_t end = std::min(line.find_first_of(" \t\r\n", at), line.size());
        words.push_back(line.substr(at, end - at));
        at = end;
    }
}

std::string join(const Words& words, std::size_t from, std::size_t to) {
    return fmt::format("{}", fmt::join(words.begin() + static_cast<std::ptrdiff_t>(from),
                                       words.begin() + static_cast<std::ptrdiff_t>(to), " "));
}

class Uci final : public search::Observer {
  public:
    Uci(engine::Engine& engine, std::istream& in, std::ostream& out) : engine_(engine), in_(in), out_(out) {}

    void run() {
        std::string line;
        while (std::getline(in_, line)) {
            const Words words = split(line);
            if (words.empty()) continue;
            if (words.front() == "quit") {
                engine_.stop();
                break;
            }
            if (const auto status = obey(words); !status)
                say("info string error: {}", status.error().message);
        }
        // At the end of the input, as from a file, a search with limits still gives its answer.
        engine_.finish();
    }

    void on_iteration(const search::Iteration& iteration) override {
        const auto& counters = iteration.counters;
        const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(counters.elapsed).count();
        const double seconds = std::max(1e-9, std::chrono::duration<double>(counters.elapsed).count());
        std::string bound;
        if (iteration.bound == search::Bound::Lower) bound = " lowerbound";
        if (iteration.bound == search::Bound::Upper) bound = " upperbound";
        std::string variation;
        for (const chess::Move move : iteration.principal_variation)
            variation += ' ' + chess::to_uci(move, notation_);
        say("info depth {} seldepth {} score {}{} nodes {} nps {} hashfull {} tbhits {} time {} pv{}",
            iteration.depth, counters.selective_depth, show(iteration.score), bound, counters.nodes,
            static_cast<std::uint64_t>(static_cast<double>(counters.nodes) / seconds),
            counters.table_permille, counters.tablebase_hits, ms, variation);
    }

    void on_root_move(int depth, chess::Move move, int number, const search::Counters&) override {
        say("info depth {} currmove {} currmovenumber {}", depth, chess::to_uci(move, notation_), number);
    }

  private:
    // The search's thread prints too: one line at a time.
    template <class... Args>
    void say(fmt::format_string<Args...> format, Args&&... args) {
        const std::string text = fmt::format(format, std::forward<Args>(args)...);
        const std::lock_guard lock(mutex_);
        out_ << text << std::endl;
    }

    // Before a command that cannot run beside a search: the engine's calls wait for its end, which this
    // brings about. A count of perft comes to its own.
    void interrupt() {
        if (!counting_) engine_.stop();
    }

    std::string show(chess::Score score) const {
        if (!score.is_mate()) return fmt::format("cp {}", engine_.to_centipawns(score));
        const int plies = score.plies_to_mate();
        return fmt::format("mate {}", plies > 0 ? (plies + 1) / 2 : plies / 2);
    }

    base::Status obey(const Words& words) {
        const std::string_view command = words.front();
        if (command == "uci") return introduce();
        if (command == "isready") return say("readyok"), base::Status();
        if (command == "ucinewgame") return interrupt(), engine_.new_game(), base::Status();
        if (command == "setoption") return set_option(words);
        if (command == "position") return set_position(words);
        if (command == "go") return go({words.begin() + 1, words.end()});
        if (command == "stop") return engine_.stop(), base::Status();
        if (command == "bench") return bench(words);
        if (command == "d") return show_board();
        if (command == "eval") return show_evaluation();
        if (command == "debug" || command == "register" || command == "ponderhit") return {};
        return base::fail("unknown command '{}'", command);
    }

    base::Status introduce() {
        say("id name Scholar {}", SCHOLAR_VERSION);
        say("id author the Scholar developers");
        for (const engine::Option& option : engine_.options())
            say("option name {} type {}", option.name, describe(option.kind));
        say("uciok");
        return {};
    }

    static std::string describe(const engine::OptionKind& kind) {
        if (const auto* spin = std::get_if<engine::SpinOption>(&kind))
            return fmt::format("spin default {} min {} max {}", spin->fallback, spin->min, spin->max);
        if (const auto* check = std::get_if<engine::CheckOption>(&kind))
            return fmt::format("check default {}", check->fallback);
        if (const auto* text = std::get_if<engine::StringOption>(&kind))
            return fmt::format("string default {}", text->fallback);
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
        const auto status = engine_.set_option(name, text);
        notation_ = engine_.castling_notation();
        return status;
    }

    base::Status set_position(const Words& words) {
        const auto moves_at = static_cast<std::size_t>(std::ranges::find(words, "moves") - words.begin());
        const std::size_t end = std::min(moves_at, words.size());
        chess::Position start;
        if (words.size() >= 2 && words[1] == "fen") {
            const auto position = chess::parse_fen(join(words, 2, end));
            if (!position) return base::fail_in("position", position.error());
            start = *position;
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
        auto command = parse_go(engine_.line().current(), words);
        if (!command) return std::unexpected(command.error());
        // The protocol wants unknown words to be passed over; a search that never answered would lose the
        // game.
        for (const std::string& word : command->ignored)
            say("info string go: '{}' is not known and was ignored", word);
        interrupt();
        counting_ = false;
        engine_.go(std::move(command->limits), *this, [this](const search::SearchResult& result) {
            std::string ponder;
            if (result.ponder) ponder = " ponder " + chess::to_uci(result.ponder, notation_);
            say("bestmove {}{}", chess::to_uci(result.best, notation_), ponder);
        });
        return {};
    }

    static base::Result<int> parse_depth(const Words& words, std::size_t index) {
        int depth = 0;
        const std::string_view text = index < words.size() ? words[index] : std::string_view();
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), depth);
        if (text.empty() || error != std::errc() || end != text.data() + text.size() || depth < 1 ||
            depth > 100)
            return base::fail("{}: depth '{}', expected a whole number from 1 to 100", words.front(), text);
        return depth;
    }

    base::Status perft(const Words& words) {
        const auto depth = parse_depth(words, 1);
        if (!depth) return std::unexpected(depth.error());
        interrupt();
        counting_ = true;
        engine_.perft(*depth, [this](const std::optional<engine::Engine::Divide>& counts) {
            if (!counts) return say("info string perft: stopped before the count was complete");
            std::uint64_t total = 0;
            for (const auto& [move, nodes] : *counts) {
                say("{}: {}", chess::to_uci(move, notation_), nodes);
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
        const auto result = engine::bench(engine_.network(), depth,
                                          [this](int number, std::string_view fen, std::uint64_t nodes) {
                                              say("info string {:2} {:>9} {}", number, nodes, fen);
                                          });
        const double seconds = std::chrono::duration<double>(result.elapsed).count();
        say("{} nodes {:.0f} nps", result.nodes, static_cast<double>(result.nodes) / seconds);
        return {};
    }

    base::Status show_board() {
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
        const chess::Position& position = engine_.line().current();
        const chess::Score score = engine_.evaluate();
        const auto& info = engine_.network()->info;
        say("Network: {}, features {}, width {}, kernels {}", nets::content_name(*engine_.network()),
            info.feature_set, info.width, nets::kernel_target());
        say("Learnt piece values: {}", fmt::join(info.piece_values, " "));
        say("Static evaluation: {:+} ({:+.2f} pawns, {:.1f} % expected) for {}", score.value(),
            engine_.to_centipawns(score) / 100.0, 100 * score.expected(),
            position.side_to_move() == chess::White ? "White" : "Black");
        return {};
    }

    engine::Engine& engine_;
    std::istream& in_;
    std::ostream& out_;
    std::mutex mutex_;
    chess::CastlingNotation notation_ = chess::CastlingNotation::Standard;
    bool counting_ = false;  // what runs, or ran last, is a count of perft
};

}  // namespace

void run_uci(engine::Engine& engine, std::istream& in, std::ostream& out) {
    Uci(engine, in, out).run();
}

}  // namespace scholar::protocols
