// A UCI session: the input's lines are what a GUI sends. Every search it begins is given a small node limit,
// and what would take memory, time or files is cut down, so that each input ends at once; for the rest the
// engine gets what was written. It must answer each "go", go on to the end, and then answer "isready". A
// perft deeper than 2 half-moves is stopped at once, and must end.

#include <algorithm>
#include <array>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "check.hpp"
#include "chess/movegen.hpp"
#include "chess/uci_move.hpp"
#include "engine/engine.hpp"
#include "fuzzer.hpp"
#include "protocols/uci.hpp"

namespace scholar::fuzz {
namespace {

constexpr std::size_t kMaxLines = 40;
constexpr std::size_t kMaxSearches = 8;
constexpr std::size_t kMaxPerfts = 8;
constexpr std::size_t kMaxOptions = 4;

std::vector<std::string> split(std::string_view text, std::string_view separators) {
    std::vector<std::string> parts;
    std::size_t at = 0;
    while ((at = text.find_first_not_of(separators, at)) != std::string_view::npos) {
        const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
        parts.emplace_back(text.substr(at, end - at));
        at = end;
    }
    return parts;
}

std::vector<std::string> words_of(std::string_view line) {
    return split(line, " \t\r\n");
}

bool is_number(std::string_view word) {
    return word.find_first_not_of("0123456789") == std::string_view::npos;
}

struct Session {
    std::string commands;
    std::size_t searches = 0;  // "go" commands that are no perft
    std::size_t perfts = 0;    // and those that are

    // Unknown words before a command are passed over by the engine: they are sent too.
    void add(const std::string& whole) {
        static constexpr std::array<std::string_view, 14> kCommands{
            "uci",  "isready", "ucinewgame", "setoption", "position", "go",       "stop",
            "quit", "bench",   "d",          "eval",      "debug",    "register", "ponderhit"};
        auto words = words_of(whole);
        const auto first = std::ranges::find_first_of(words, kCommands);
        std::string line = whole;
        if (first != words.begin() && first != words.end()) {
            line.clear();
            for (auto word = first; word != words.end(); ++word) line += (line.empty() ? "" : " ") + *word;
            for (auto word = words.begin(); word != first; ++word) commands += *word + ' ';
            words.erase(words.begin(), first);
        }
        const std::size_t before = commands.size();
        add_command(line, words);
        // What is not sent leaves no words behind.
        if (commands.size() == before && !commands.empty() && commands.back() == ' ') commands += '\n';
    }

  private:
    void add_command(const std::string& line, const std::vector<std::string>& words) {
        if (words.empty()) return;
        if (words.front() == "quit") return;
        if (words.front() == "go") {
            add_go(line, words);
        } else if (words.front() == "bench") {
            // A bench that is not refused is the same work every time, and much of it.
            if (words.size() > 1 && !is_number(words[1])) commands += line + '\n';
        } else if (words.front() == "setoption") {
            add_option(line);
        } else {
            commands += line + '\n';
        }
    }

    void add_go(const std::string& line, const std::vector<std::string>& words) {
        if (words.size() > 1 && words[1] == "perft") {
            if (perfts == kMaxPerfts) return;
            ++perfts;
            commands += line + '\n';
            if (words.size() < 3 || (words[2] != "1" && words[2] != "2")) commands += "stop\n";
            return;
        }
        if (searches == kMaxSearches) return;
        ++searches;
        // The first of several node limits counts.
        const std::size_t after = line.find("go") + 2;
        commands += line.substr(0, after) + " nodes 200" + line.substr(after) + '\n';
    }

    // No files of this machine, no large tables, and few changes that take the engine long.
    void add_option(const std::string& line) {
        if (line.find('/') != std::string::npos || ++options > kMaxOptions) return;
        const std::size_t value = std::min(line.find("value"), line.size());
        std::string kept = line.substr(0, value);
        int digits = 0;
        for (const char c : line.substr(value)) {
            digits = c >= '0' && c <= '9' ? digits + 1 : 0;
            if (digits < 2) kept += c;
        }
        commands += kept + '\n';
    }

    std::size_t options = 0;
};

std::size_t count_lines(const std::vector<std::string>& lines, std::string_view beginning) {
    return static_cast<std::size_t>(
        std::ranges::count_if(lines, [&](const std::string& line) { return line.starts_with(beginning); }));
}

// One engine for all inputs, as making one reads its network; reset() makes it as new.
engine::Engine& the_engine() {
    static const std::unique_ptr<engine::Engine> engine = must(engine::Engine::create(), "the engine");
    return *engine;
}

void reset(engine::Engine& engine) {
    // Files are not named by any input, networks may be; a button has no state.
    for (const engine::Option& option : engine.options())
        if (!std::holds_alternative<engine::ButtonOption>(option.kind) &&
            (!std::holds_alternative<engine::StringOption>(option.kind) || option.name.ends_with("File")))
            must(engine.set_option(option.name, engine::default_of(option)), option.name.c_str());
    must(engine.set_option("Hash", "1"), "option Hash");
    must(engine.set_option("Seed", "1"), "option Seed");
    engine.new_game();
    engine.set_line(chess::Line());
}

std::vector<std::string> converse(engine::Engine& engine, const std::string& commands) {
    std::istringstream in(commands);
    std::ostringstream out;
    protocols::run_uci(engine, in, out);
    return split(out.str(), "\n");
}

void run(std::string_view input) {
    engine::Engine& engine = the_engine();
    reset(engine);
    Session session;
    const auto lines = split(input, "\n");
    for (std::size_t i = 0; i < std::min(lines.size(), kMaxLines); ++i) session.add(lines[i]);

    const auto answers = converse(engine, session.commands + "isready\nstop\n");
    check(count_lines(answers, "readyok") > 0, "no answer to 'isready'");
    check(count_lines(answers, "bestmove ") == session.searches, "{} searches, {} answered", session.searches,
          count_lines(answers, "bestmove "));

    const std::size_t counted = count_lines(answers, "Nodes searched: ");
    const std::size_t stopped = count_lines(answers, "info string perft: stopped");
    const std::size_t wrong = count_lines(answers, "info string error: perft");
    check(counted + stopped + wrong == session.perfts, "{} perfts: {} counted, {} stopped, {} refused",
          session.perfts, counted, stopped, wrong);

    // Wherever the session has left the engine: what it plays there is legal.
    const auto last = converse(engine, "go nodes 100\n");
    check(count_lines(last, "bestmove ") == 1, "'go nodes 100' is answered {} times",
          count_lines(last, "bestmove "));
    const chess::Position& position = engine.line().current();
    const std::string move = words_of(last.back()).at(1);
    if (chess::has_legal_move(position))
        must(chess::parse_uci_move(position, move), "the engine's move");
    else
        check(move == "0000" || move == "(none)", "no legal move, but 'bestmove {}'", move);
}

}  // namespace
}  // namespace scholar::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    scholar::fuzz::run(scholar::fuzz::as_text(data, size));
    return 0;
}
