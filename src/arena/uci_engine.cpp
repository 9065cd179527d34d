#include "arena/uci_engine.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <limits>

#include "arena/child_process.hpp"
#include "chess/fen.hpp"
#include "chess/uci_move.hpp"

namespace scholar::arena {

namespace {

using namespace std::chrono_literals;
using Clock = ChildProcess::Clock;

// Time to wait for a line before the stop token is asked again.
constexpr auto kSlice = 50ms;

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    return std::ranges::equal(
        a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::string_view next_token(std::string_view& text) {
    const auto begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return text = {};
    text.remove_prefix(begin);
    const auto token = text.substr(0, text.find_first_of(" \t"));
    text.remove_prefix(token.size());
    return token;
}

template <class T>
std::optional<T> parse_number(std::string_view text) {
    T value{};
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// For messages: what an engine sent may be long and may hold anything.
std::string printable(std::string_view text) {
    std::string result(text.substr(0, 80));
    for (char& c : result)
        if (std::iscntrl(static_cast<unsigned char>(c))) c = '?';
    return result;
}

bool looks_like_move(std::string_view text) {
    const auto is_square = [](std::string_view s) {
        return s[0] >= 'a' && s[0] <= 'h' && s[1] >= '1' && s[1] <= '8';
    };
    if (text == "0000" || text == "(none)" || text == "NULL") return true;
    if (text.size() != 4 && text.size() != 5) return false;
    if (!is_square(text.substr(0, 2)) || !is_square(text.substr(2, 2))) return false;
    return text.size() == 4 || std::string_view("nbrqNBRQ").find(text[4]) != std::string_view::npos;
}

std::string go_command(const SearchLimit& limit) {
    struct Text {
        std::string operator()(const ClockLimit& clock) const {
            std::string text = fmt::format("go wtime {} btime {}", clock.white.count(), clock.black.count());
            if (clock.white_increment.count() > 0 || clock.black_increment.count() > 0)
                text += fmt::format(" winc {} binc {}", clock.white_increment.count(),
                                    clock.black_increment.count());
            if (clock.moves_to_go > 0) text += fmt::format(" movestogo {}", clock.moves_to_go);
            return text;
        }
        std::string operator()(const MoveTimeLimit& l) const {
            return fmt::format("go movetime {}", l.time.count());
        }
        std::string operator()(const NodeLimit& l) const { return fmt::format("go nodes {}", l.nodes); }
        std::string operator()(const DepthLimit& l) const { return fmt::format("go depth {}", l.depth); }
    };
    return std::visit(Text{}, limit);
}

}  // namespace

std::optional<UciOption> parse_uci_option(std::string_view line) {
    if (next_token(line) != "option" || next_token(line) != "name") return std::nullopt;
    UciOption option;
    std::string type;
    std::string minimum, maximum;
    std::string* field = &option.name;
    // Names, defaults and choices may hold blanks: a value runs to the next keyword. "type" comes before the
    // others.
    while (true) {
        const auto token = next_token(line);
        if (token.empty()) break;
        const bool typed = !type.empty();
        if (!typed && token == "type") {
            type = next_token(line);
            field = nullptr;
        } else if (typed && token == "default") {
            field = &option.default_value;
        } else if (typed && token == "min") {
            field = &minimum;
        } else if (typed && token == "max") {
            field = &maximum;
        } else if (typed && token == "var") {
            field = &option.choices.emplace_back();
        } else if (field != nullptr) {
            if (!field->empty()) *field += ' ';
            *field += token;
        }
    }
    if (option.name.empty()) return std::nullopt;
    if (type == "check") {
        option.type = UciOption::Type::Check;
    } else if (type == "spin") {
        option.type = UciOption::Type::Spin;
        option.minimum =
            parse_number<std::int64_t>(minimum).value_or(std::numeric_limits<std::int64_t>::min());
        option.maximum =
            parse_number<std::int64_t>(maximum).value_or(std::numeric_limits<std::int64_t>::max());
    } else if (type == "combo") {
        option.type = UciOption::Type::Combo;
    } else if (type == "button") {
        option.type = UciOption::Type::Button;
    } else if (type == "string") {
        option.type = UciOption::Type::String;
    } else {
        return std::nullopt;
    }
    return option;
}

base::Result<std::string> check_option_value(const UciOption& option, std::string_view value) {
    switch (option.type) {
        case UciOption::Type::Check:
            for (const std::string_view choice : {"true", "false"})
                if (equal_ignoring_case(value, choice)) return std::string(choice);
            return base::fail("is '{}', expected true or false", value);
        case UciOption::Type::Spin: {
            const auto number = parse_number<std::int64_t>(value);
            if (!number || *number < option.minimum || *number > option.maximum)
                return base::fail("is '{}', expected a whole number from {} to {}", value, option.minimum,
                                  option.maximum);
            return fmt::format("{}", *number);
        }
        case UciOption::Type::Combo: {
            std::string choices;
            for (const auto& choice : option.choices) {
                if (equal_ignoring_case(value, choice)) return choice;
                choices += (choices.empty() ? "" : ", ") + choice;
            }
            return base::fail("is '{}', expected one of: {}", value, choices);
        }
        case UciOption::Type::Button:
        case UciOption::Type::String:
            break;
    }
    if (value.find_first_of("\r\n") != std::string_view::npos)
        return base::fail("has a line break in its value");
    return std::string(value);
}

void read_info_line(std::string_view line, SearchInfo& info) {
    if (next_token(line) != "info") return;
    SearchInfo said;
    bool bound = false;
    while (true) {
        const auto token = next_token(line);
        if (token.empty() || token == "string") break;
        if (token == "depth") {
            said.depth = parse_number<int>(next_token(line)).value_or(0);
        } else if (token == "seldepth") {
            said.selective_depth = parse_number<int>(next_token(line)).value_or(0);
        } else if (token == "multipv") {
            if (parse_number<int>(next_token(line)).value_or(1) > 1) return;
        } else if (token == "nodes") {
            said.nodes = parse_number<std::uint64_t>(next_token(line)).value_or(0);
        } else if (token == "time") {
            said.time = std::chrono::milliseconds(parse_number<std::int64_t>(next_token(line)).value_or(0));
        } else if (token == "cp") {
            said.centipawns = parse_number<int>(next_token(line));
        } else if (token == "mate") {
            said.mate = parse_number<int>(next_token(line));
        } else if (token == "lowerbound" || token == "upperbound") {
            bound = true;
        } else if (token == "pv") {
            for (auto move = next_token(line); !move.empty(); move = next_token(line))
                said.principal_variation.emplace_back(move);
        }
    }
    if (said.nodes > 0) info.nodes = said.nodes;
    if (said.time.count() > 0) info.time = said.time;
    // A depth counts once it has a score; a bound is better than no score at all.
    if (said.has_score() && (!bound || !info.has_score())) {
        info.centipawns = said.centipawns;
        info.mate = said.mate;
        if (said.depth > 0) info.depth = said.depth;
        if (said.selective_depth > 0) info.selective_depth = said.selective_depth;
        if (!said.principal_variation.empty()) info.principal_variation = std::move(said.principal_variation);
    }
}

bool needs_chess960(const chess::Position& position) {
    for (const auto color : chess::kColors) {
        for (const auto side : {chess::KingSide, chess::QueenSide}) {
            if (!position.may_castle(color, side)) continue;
            if (position.king(color) != chess::relative_square(color, chess::E1)) return true;
            const auto home = chess::relative_square(color, side == chess::KingSide ? chess::H1 : chess::A1);
            if (position.castling_rook(color, side) != home) return true;
        }
    }
    return false;
}

class UciEngine::Process {
  public:
    Process(ChildProcess started, const EngineConfig& config, const Patience& patience)
        : child(std::move(started)), patience_(patience), name(config.name) {}

    ~Process() {
        if (!child.running()) return;
        send("quit");
        if (child.wait(Clock::now() + patience_.quit)) return;
        child.signal_group(SIGTERM);
        child.wait(Clock::now() + patience_.quit);
        // What is then left is killed by the ChildProcess.
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    bool send(std::string_view line) { return child.write_line(line, Clock::now() + 2s); }

    // Why a wait for a line ended without it.
    std::string describe(ChildProcess::Read read, std::string_view awaited,
                         std::chrono::milliseconds waited) {
        if (read == ChildProcess::Read::Closed) return child.describe_end();
        return fmt::format("no {} within {:.3g} s", awaited, std::chrono::duration<double>(waited).count());
    }

    base::Status shake_hands() {
        const auto deadline = Clock::now() + patience_.start;
        send("uci");
        std::string line;
        std::string last;
        const auto failed = [&](ChildProcess::Read read) {
            std::string message = describe(read, "uciok", patience_.start);
            if (!last.empty()) message += fmt::format("; its last line was '{}'", printable(last));
            return base::fail("engine {}: {}, expected a UCI engine", name, message);
        };
        while (true) {
            const auto read = child.read_line(line, deadline);
            if (read != ChildProcess::Read::Line) return failed(read);
            std::string_view rest = line;
            const auto token = next_token(rest);
            if (token == "uciok") return {};
            if (token == "option") {
                if (auto option = parse_uci_option(line)) options.push_back(std::move(*option));
            } else if (token == "id" && next_token(rest) == "name") {
                const auto begin = rest.find_first_not_of(" \t");
                if (begin != std::string_view::npos) own_name = rest.substr(begin);
            }
            if (!line.empty()) last = line;
            // Other lines are tolerated, but not for ever.
            if (Clock::now() >= deadline) return failed(ChildProcess::Read::Timeout);
        }
    }

    base::Status wait_ready() {
        const auto deadline = Clock::now() + patience_.ready;
        send("isready");
        const auto failed = [&](ChildProcess::Read read) {
            return base::fail("engine {}: {}", name, describe(read, "readyok", patience_.ready));
        };
        std::string line;
        while (true) {
            const auto read = child.read_line(line, deadline);
            if (read != ChildProcess::Read::Line) return failed(read);
            std::string_view rest = line;
            if (next_token(rest) == "readyok") return {};
            if (Clock::now() >= deadline) return failed(ChildProcess::Read::Timeout);
        }
    }

    ChildProcess child;
    Patience patience_;
    std::string name;
    std::string own_name;
    std::vector<UciOption> options;
    bool chess960 = false;
};

UciEngine::UciEngine(std::unique_ptr<Process> process) : process_(std::move(process)) {}
UciEngine::UciEngine(UciEngine&&) noexcept = default;
UciEngine& UciEngine::operator=(UciEngine&&) noexcept = default;
UciEngine::~UciEngine() = default;

base::Result<UciEngine> UciEngine::start(const EngineConfig& config, const Patience& patience) {
    EngineConfig named = config;
    const std::string program =
        config.command.empty() ? "" : std::filesystem::path(config.command.front()).filename().string();
    if (named.name.empty()) named.name = program;
    auto child = ChildProcess::start(config.command, config.directory);
    if (!child) return base::fail_in("engine " + named.name, child.error());

    UciEngine engine(std::make_unique<Process>(std::move(*child), named, patience));
    if (auto status = engine.process_->shake_hands(); !status) return std::unexpected(status.error());
    if (config.name.empty() && !engine.process_->own_name.empty())
        engine.process_->name = engine.process_->own_name;
    for (const auto& [name, value] : config.options)
        if (auto status = engine.set_option(name, value); !status) return std::unexpected(status.error());
    if (auto status = engine.wait_ready(); !status) return std::unexpected(status.error());
    return engine;
}

const std::string& UciEngine::name() const {
    return process_->name;
}

const std::vector<UciOption>& UciEngine::options() const {
    return process_->options;
}

const UciOption* UciEngine::find_option(std::string_view name) const {
    for (const auto& option : process_->options)
        if (equal_ignoring_case(option.name, name)) return &option;
    return nullptr;
}

base::Status UciEngine::set_option(std::string_view name, std::string_view value) {
    const UciOption* option = find_option(name);
    if (option == nullptr) {
        std::string known;
        for (const auto& other : process_->options) known += (known.empty() ? "" : ", ") + other.name;
        return base::fail("engine {}: no option '{}', it has: {}", process_->name, name,
                          known.empty() ? "none" : known);
    }
    const auto checked = check_option_value(*option, value);
    if (!checked)
        return base::fail("engine {}: option {} {}", process_->name, option->name, checked.error().message);
    const bool sent = process_->send(option->type == UciOption::Type::Button
                                         ? fmt::format("setoption name {}", option->name)
                                         : fmt::format("setoption name {} value {}", option->name, *checked));
    if (!sent) return base::fail("engine {}: {}", process_->name, process_->child.describe_end());
    return {};
}

base::Status UciEngine::wait_ready() {
    return process_->wait_ready();
}

base::Status UciEngine::new_game(bool chess960) {
    if (chess960 != process_->chess960) {
        if (chess960 && find_option("UCI_Chess960") == nullptr)
            return base::fail("engine {}: no option UCI_Chess960, which an opening of this match needs",
                              name());
        if (auto status = set_option("UCI_Chess960", chess960 ? "true" : "false"); !status) return status;
        process_->chess960 = chess960;
    }
    process_->send("ucinewgame");
    return wait_ready();
}

Reply UciEngine::go(const chess::Position& start, std::span<const chess::Move> moves,
                    const chess::Position& current, const SearchLimit& limit,
                    std::chrono::milliseconds patience, std::stop_token stop) {
    const auto notation =
        process_->chess960 ? chess::CastlingNotation::Chess960 : chess::CastlingNotation::Standard;
    std::string position =
        start == chess::Position() ? "position startpos" : "position fen " + chess::to_fen(start);
    if (!moves.empty()) position += " moves";
    for (const auto move : moves) position += " " + chess::to_uci(move, notation);

    Reply reply;
    // What it does not read we notice when it does not answer.
    process_->send(position);
    const auto begin = Clock::now();
    process_->send(go_command(limit));
    const auto deadline = begin + patience;
    std::string line;
    while (true) {
        const auto read = process_->child.read_line(line, std::min(deadline, Clock::now() + kSlice));
        reply.elapsed = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);
        if (read == ChildProcess::Read::Closed) {
            reply.answer = Answer::Crash;
            reply.detail = process_->child.describe_end();
            return reply;
        }
        if (stop.stop_requested()) {
            reply.answer = Answer::Stopped;
            return reply;
        }
        if (Clock::now() >= deadline && read == ChildProcess::Read::Timeout) {
            reply.answer = Answer::Stall;
            reply.detail = process_->describe(read, "bestmove", patience);
            return reply;
        }
        if (read == ChildProcess::Read::Timeout) continue;
        std::string_view rest = line;
        const auto token = next_token(rest);
        if (token == "info") {
            read_info_line(line, reply.info);
        } else if (token == "bestmove") {
            const auto text = next_token(rest);
            if (!looks_like_move(text)) {
                reply.answer = Answer::Garbage;
                reply.detail = fmt::format("'{}' is not a bestmove", printable(line));
            } else if (const auto move = chess::parse_uci_move(current, text)) {
                reply.move = *move;
            } else {
                reply.answer = Answer::Illegal;
                reply.detail = std::string(text);
            }
            return reply;
        }
        // Other lines are tolerated, but not for ever.
        if (Clock::now() >= deadline) {
            reply.answer = Answer::Stall;
            reply.detail = process_->describe(ChildProcess::Read::Timeout, "bestmove", patience);
            return reply;
        }
    }
}

}  // namespace scholar::arena
