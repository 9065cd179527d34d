#include "arena/uci_engine.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "arena/engine_text.hpp"
#include "arena/uci_text.hpp"
#include "base/text.hpp"
#include "chess/uci_move.hpp"

namespace scholar::arena {

namespace {

using Clock = EngineProcess::Clock;
using Heard = EngineProcess::Heard;

constexpr auto kLongestTime = std::chrono::hours(24 * 365);

// To either side of 0.
std::optional<int> within(std::optional<int> value, int most) {
    if (value) value = std::clamp(*value, -most, most);
    return value;
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

// "+0.53" in centipawns, no more than any engine can mean.
std::optional<int> parse_pawns(std::string_view word) {
    if (word.starts_with('+')) word.remove_prefix(1);
    double pawns = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), pawns);
    if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(pawns))
        return std::nullopt;
    constexpr double kMost = kMostCentipawns;
    return static_cast<int>(std::lround(std::clamp(100 * pawns, -kMost, kMost)));
}

// What an "info string error …" says; nothing if the line is not one.
std::optional<std::string> complaint_in(std::string_view line) {
    if (base::next_word(line) != "info" || base::next_word(line) != "string") return std::nullopt;
    const auto begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return std::nullopt;
    line.remove_prefix(begin);
    constexpr std::string_view kError = "error";
    if (!base::same_ignoring_case(line.substr(0, kError.size()), kError)) return std::nullopt;
    return base::excerpt(line, kLongestComplaint);
}

// Three numbers, per mille of all games; what is not a number is left where it is.
std::optional<std::array<int, 3>> read_wdl(std::string_view& line) {
    std::array<int, 3> wdl{};
    int sum = 0;
    for (int& part : wdl) {
        std::string_view behind = line;
        const auto number = parse_signed<int>(base::next_word(behind));
        if (!number || *number < 0 || *number > 1'000) return std::nullopt;
        line = behind;
        part = *number;
        sum += part;
    }
    return sum == 1'000 ? std::optional(wdl) : std::nullopt;
}

}  // namespace

std::optional<EngineOption> parse_uci_option(std::string_view line) {
    if (base::next_word(line) != "option" || base::next_word(line) != "name") return std::nullopt;
    EngineOption option;
    std::string type;
    std::string minimum, maximum;
    std::string* field = &option.name;
    // Names, defaults and choices may hold blanks: a value runs to the next keyword. "type" comes before the
    // others.
    while (true) {
        const auto token = base::next_word(line);
        if (token.empty()) break;
        const bool typed = !type.empty();
        if (!typed && token == "type") {
            type = base::next_word(line);
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
        option.type = EngineOption::Type::Check;
    } else if (type == "spin") {
        option.type = EngineOption::Type::Spin;
        option.minimum =
            parse_signed<std::int64_t>(minimum).value_or(std::numeric_limits<std::int64_t>::min());
        option.maximum =
            parse_signed<std::int64_t>(maximum).value_or(std::numeric_limits<std::int64_t>::max());
    } else if (type == "combo") {
        option.type = EngineOption::Type::Combo;
    } else if (type == "button") {
        option.type = EngineOption::Type::Button;
    } else if (type == "string") {
        option.type = EngineOption::Type::String;
    } else {
        return std::nullopt;
    }
    return option;
}

void read_info_line(std::string_view line, SearchInfo& info) {
    if (base::next_word(line) != "info") return;
    SearchInfo said;
    bool bound = false;
    while (true) {
        const auto token = base::next_word(line);
        if (token.empty() || token == "string") break;
        if (token == "depth") {
            said.depth = parse_signed<int>(base::next_word(line)).value_or(0);
        } else if (token == "seldepth") {
            said.selective_depth = parse_signed<int>(base::next_word(line)).value_or(0);
        } else if (token == "multipv") {
            if (parse_signed<int>(base::next_word(line)).value_or(1) > 1) return;
        } else if (token == "nodes") {
            said.nodes = parse_signed<std::uint64_t>(base::next_word(line)).value_or(0);
        } else if (token == "time") {
            said.time = std::min<std::chrono::milliseconds>(
                kLongestTime,
                std::chrono::milliseconds(parse_signed<std::int64_t>(base::next_word(line)).value_or(0)));
        } else if (token == "cp") {
            said.centipawns = within(parse_signed<int>(base::next_word(line)), kMostCentipawns);
        } else if (token == "mate") {
            said.mate = within(parse_signed<int>(base::next_word(line)), kMostMateMoves);
        } else if (token == "wdl") {
            said.wdl = read_wdl(line);
        } else if (token == "lowerbound" || token == "upperbound") {
            bound = true;
        } else if (token == "pv") {
            for (auto move = base::next_word(line); !move.empty(); move = base::next_word(line))
                said.principal_variation.emplace_back(move);
        }
    }
    if (said.nodes > 0) info.nodes = said.nodes;
    if (said.time.count() > 0) info.time = said.time;
    // A depth counts once it has a score; a bound is better than no score at all.
    if (said.has_score() && (!bound || !info.has_score())) {
        info.centipawns = said.centipawns;
        info.mate = said.mate;
        info.wdl = said.wdl;
        if (said.depth > 0) info.depth = said.depth;
        if (said.selective_depth > 0) info.selective_depth = said.selective_depth;
        if (!said.principal_variation.empty()) info.principal_variation = std::move(said.principal_variation);
    }
}

std::optional<StaticValueLine> read_static_value(std::string_view line) {
    const auto kind = base::next_word(line);
    if ((kind != "Final" && kind != "Static") || !base::next_word(line).starts_with("evaluation"))
        return std::nullopt;
    if (kind == "Static") {
        const auto pawns = line.find('(');
        if (pawns == std::string_view::npos) return std::nullopt;
        const int sign = line.find(" for Black") == std::string_view::npos ? 1 : -1;
        line.remove_prefix(pawns + 1);
        const auto value = parse_pawns(base::next_word(line));
        if (!value) return std::nullopt;
        return StaticValueLine{sign * *value};
    }
    const auto word = base::next_word(line);
    if (word == "none") return StaticValueLine{};
    const auto value = parse_pawns(word);
    if (!value) return std::nullopt;
    return StaticValueLine{value};
}

UciEngine::UciEngine(EngineProcess process) : process_(std::move(process)) {}

base::Result<UciEngine> UciEngine::start(const EngineConfig& config, const Patience& patience) {
    auto process = EngineProcess::start(config, patience);
    if (!process) return std::unexpected(process.error());
    UciEngine engine(std::move(*process));
    if (auto status = engine.shake_hands(); !status) return std::unexpected(status.error());
    if (config.name.empty() && !engine.own_name_.empty()) engine.process_.set_name(engine.own_name_);
    for (const auto& [name, value] : config.options)
        if (auto status = engine.set_option(name, value); !status) return std::unexpected(status.error());
    if (auto status = engine.wait_ready(); !status) return std::unexpected(status.error());
    return engine;
}

base::Status UciEngine::shake_hands() {
    const auto patience = process_.patience().start;
    const auto deadline = Clock::now() + patience;
    process_.send("uci");
    std::string line;
    std::string last;
    const auto failed = [&](Heard heard) {
        std::string message = process_.describe(heard, "uciok", patience);
        if (!last.empty()) message += fmt::format("; its last line was '{}'", base::excerpt(last));
        return base::fail("engine {}: {}, expected a UCI engine", name(), message);
    };
    while (true) {
        const auto heard = process_.read(line, deadline);
        if (heard != Heard::Line) return failed(heard);
        std::string_view rest = line;
        const auto token = base::next_word(rest);
        if (token == "uciok") return {};
        if (token == "option") {
            if (auto option = parse_uci_option(line)) options_.push_back(std::move(*option));
        } else if (token == "id" && base::next_word(rest) == "name") {
            const auto begin = rest.find_first_not_of(" \t");
            if (begin != std::string_view::npos) own_name_ = rest.substr(begin);
        }
        if (!line.empty()) last = line;
        // Other lines are tolerated, but not for ever.
        if (Clock::now() >= deadline) return failed(Heard::Timeout);
    }
}

base::Status UciEngine::wait_ready(std::string_view after_option) {
    const auto patience = process_.patience().ready;
    const auto deadline = Clock::now() + patience;
    process_.send("isready");
    const auto failed = [&](Heard heard) {
        return base::fail("engine {}: {}", name(), process_.describe(heard, "readyok", patience));
    };
    std::string line;
    std::optional<std::string> complaint;
    while (true) {
        const auto heard = process_.read(line, deadline);
        if (heard != Heard::Line) return failed(heard);
        std::string_view rest = line;
        if (base::next_word(rest) == "readyok") break;
        if (!after_option.empty() && !complaint) complaint = complaint_in(line);
        if (Clock::now() >= deadline) return failed(Heard::Timeout);
    }
    if (complaint) return base::fail("engine {}: option {}: it says '{}'", name(), after_option, *complaint);
    return {};
}

// The engine has to take it in before anything else is said: what it complains of is then this option.
base::Status UciEngine::set_option(std::string_view name, std::string_view value) {
    const EngineOption* option = find_option(name);
    if (option == nullptr) return no_such_option(this->name(), options_, name);
    const auto checked = check_option_value(*option, value);
    if (!checked)
        return base::fail("engine {}: option {} {}", this->name(), option->name, checked.error().message);
    const bool sent = process_.send(option->type == EngineOption::Type::Button
                                        ? fmt::format("setoption name {}", option->name)
                                        : fmt::format("setoption name {} value {}", option->name, *checked));
    if (!sent) return base::fail("engine {}: {}", this->name(), process_.describe_end());
    return wait_ready(option->name);
}

base::Status UciEngine::check_terms(const GameTerms& terms) const {
    if (terms.chess960 && find_option("UCI_Chess960") == nullptr)
        return base::fail("engine {}: no option UCI_Chess960, which an opening of this match needs", name());
    return {};
}

base::Status UciEngine::new_game(const GameTerms& terms) {
    if (auto status = check_terms(terms); !status) return status;
    if (terms.chess960 != chess960_) {
        if (auto status = set_option("UCI_Chess960", terms.chess960 ? "true" : "false"); !status)
            return status;
        chess960_ = terms.chess960;
    }
    process_.send("ucinewgame");
    return wait_ready();
}

Reply UciEngine::go(const chess::Position& start, std::span<const chess::Move> moves,
                    const chess::Position& current, const SearchLimit& limit,
                    std::chrono::milliseconds patience, std::stop_token stop) {
    const auto notation = chess960_ ? chess::CastlingNotation::Chess960 : chess::CastlingNotation::Standard;
    Reply reply;
    // What it does not read we notice when it does not answer.
    process_.send(position_command(start, moves, notation));
    const auto begin = Clock::now();
    process_.send(go_command(limit));
    process_.await(reply, "bestmove", patience, begin, stop, [&](std::string_view line) {
        std::string_view rest = line;
        const auto token = base::next_word(rest);
        if (token == "info") read_info_line(line, reply.info);
        if (token != "bestmove") return false;
        const auto text = base::next_word(rest);
        if (!looks_like_move(text)) {
            reply.answer = Answer::Garbage;
            reply.detail = fmt::format("'{}' is not a bestmove", base::excerpt(line));
        } else if (const auto move = chess::parse_uci_move(current, text)) {
            reply.move = *move;
        } else {
            reply.answer = Answer::Illegal;
            reply.detail = std::string(text);
        }
        return true;
    });
    return reply;
}

base::Result<std::optional<int>> UciEngine::static_value(const chess::Position& position) {
    const auto notation = chess960_ ? chess::CastlingNotation::Chess960 : chess::CastlingNotation::Standard;
    const auto patience = process_.patience().ready;
    const auto deadline = Clock::now() + patience;
    process_.send(position_command(position, {}, notation));
    process_.send("eval");
    // The answer has no end of its own.
    process_.send("isready");
    std::optional<StaticValueLine> value;
    std::string line;
    while (true) {
        const auto heard = process_.read(line, deadline);
        if (heard != Heard::Line)
            return base::fail("engine {}: {}", name(), process_.describe(heard, "readyok", patience));
        std::string_view rest = line;
        if (base::next_word(rest) == "readyok") break;
        if (const auto said = read_static_value(line)) value = said;
        if (Clock::now() >= deadline)
            return base::fail("engine {}: {}", name(),
                              process_.describe(Heard::Timeout, "readyok", patience));
    }
    if (!value)
        return base::fail(
            "engine {}: no answer to 'eval', expected a line 'Final evaluation …' as Stockfish's", name());
    return value->centipawns;
}

}  // namespace scholar::arena
