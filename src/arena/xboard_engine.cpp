#include "arena/xboard_engine.hpp"

#include <algorithm>
#include <array>

#include "arena/engine_text.hpp"
#include "base/text.hpp"
#include "chess/fen.hpp"
#include "chess/san.hpp"
#include "chess/uci_move.hpp"

namespace scholar::arena {

namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using Clock = EngineProcess::Clock;
using Heard = EngineProcess::Heard;

// The protocol gives an engine two seconds for its first feature; a busy machine may need one more. An engine
// that sends none is taken for one of version 1.
constexpr auto kFeaturePatience = 3s;

// An engine without ping is taken to be done with the last game when it has said nothing for so long.
constexpr auto kQuiet = 100ms;

// Beyond it a score is a mate's distance in moves.
constexpr int kMateScore = 100'000;

// For searches by depth, which have no clock: long enough not to matter.
constexpr auto kAmpleTime = 100min;

// Those that we do as they say, if only because we never send what they are about. The rest want something of
// us that we do not do (name, ics, egt), or came after this was written.
constexpr std::array<std::string_view, 22> kKnownFeatures{
    "ping",    "setboard", "playother", "san",      "usermove", "time",   "draw",  "sigint",
    "sigterm", "reuse",    "analyze",   "myname",   "variants", "colors", "debug", "memory",
    "smp",     "option",   "exclude",   "setscore", "done",     "pause"};

// NAME=VALUE or NAME="VALUE" from the front of a feature line.
std::optional<std::pair<std::string, std::string>> next_feature(std::string_view& text) {
    const auto begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return std::nullopt;
    text.remove_prefix(begin);
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    std::pair<std::string, std::string> feature(text.substr(0, equals), "");
    text.remove_prefix(equals + 1);
    const bool quoted = text.starts_with('"');
    if (quoted) text.remove_prefix(1);
    const auto end = std::min(text.find_first_of(quoted ? "\"" : " \t"), text.size());
    feature.second = text.substr(0, end);
    text.remove_prefix(std::min(text.size(), end + 1));
    return feature;
}

bool has_variant(std::string_view variants, std::string_view wanted) {
    while (!variants.empty()) {
        const auto end = std::min(variants.find(','), variants.size());
        if (variants.substr(0, end) == wanted) return true;
        variants.remove_prefix(std::min(variants.size(), end + 1));
    }
    return false;
}

// At least one hundredth: some engines take 0 for no limit.
std::int64_t hundredths(milliseconds time) {
    return std::max<std::int64_t>(1, time.count() / 10);
}

bool is_home_castling(const chess::Position& position) {
    for (const auto color : chess::kColors) {
        const bool king_at_home = position.king(color) == chess::relative_square(color, chess::E1);
        for (const auto side : {chess::KingSide, chess::QueenSide}) {
            const auto corner =
                chess::relative_square(color, side == chess::KingSide ? chess::H1 : chess::A1);
            const bool at_home =
                king_at_home && position.piece_on(corner) == chess::make_piece(color, chess::Rook);
            if (at_home != position.may_castle(color, side)) return false;
        }
    }
    return true;
}

// The moves that can be made one after the other from `position`, in UCI's notation.
std::vector<std::string> to_uci_variation(chess::Position position, const std::vector<std::string>& said,
                                          chess::CastlingNotation notation) {
    std::vector<std::string> variation;
    for (const std::string& word : said) {
        // "1.", "1..."
        if (word.find_first_not_of("0123456789.") == std::string::npos) continue;
        const auto move = chess::parse_san(position, word);
        if (!move) break;
        variation.push_back(chess::to_uci(*move, notation));
        position.make(*move);
    }
    return variation;
}

}  // namespace

std::optional<EngineOption> parse_xboard_option(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, EngineOption::Type>, 10> kKinds{{
        {"check", EngineOption::Type::Check},
        {"spin", EngineOption::Type::Spin},
        {"slider", EngineOption::Type::Spin},
        {"combo", EngineOption::Type::Combo},
        {"button", EngineOption::Type::Button},
        {"save", EngineOption::Type::Button},
        {"reset", EngineOption::Type::Button},
        {"string", EngineOption::Type::String},
        {"file", EngineOption::Type::String},
        {"path", EngineOption::Type::String},
    }};
    // The name may hold blanks and dashes: it ends where a kind follows.
    for (auto dash = text.find(" -"); dash != std::string_view::npos; dash = text.find(" -", dash + 1)) {
        std::string_view rest = text.substr(dash + 2);
        const auto word = base::next_word(rest);
        for (const auto& [kind, type] : kKinds) {
            if (word != kind || dash == 0) continue;
            EngineOption option;
            option.name = text.substr(0, dash);
            option.type = type;
            if (type == EngineOption::Type::Spin) {
                option.default_value = base::next_word(rest);
                option.minimum = parse_signed<std::int64_t>(base::next_word(rest)).value_or(0);
                option.maximum = parse_signed<std::int64_t>(base::next_word(rest)).value_or(0);
            } else if (type == EngineOption::Type::Combo) {
                // "Calm /// *Normal /// Wild": the star marks the default.
                std::string choice;
                const auto add = [&] {
                    if (choice.starts_with('*')) option.default_value = choice.erase(0, 1);
                    if (!choice.empty()) option.choices.push_back(choice);
                    choice.clear();
                };
                for (auto token = base::next_word(rest); !token.empty(); token = base::next_word(rest)) {
                    if (token == "///")
                        add();
                    else
                        choice += (choice.empty() ? "" : " ") + std::string(token);
                }
                add();
            } else if (type == EngineOption::Type::Check) {
                option.default_value = base::next_word(rest) == "1" ? "true" : "false";
            } else if (const auto begin = rest.find_first_not_of(' '); begin != std::string_view::npos) {
                option.default_value = rest.substr(begin);
            }
            return option;
        }
    }
    return std::nullopt;
}

bool read_feature_line(std::string_view line, XboardFeatures& features) {
    // Some say their prompt before it.
    const auto at = line.find("feature ");
    if (at == std::string_view::npos || line.substr(0, at).find_first_of("=\"") != std::string_view::npos ||
        line.starts_with('#'))
        return false;
    line.remove_prefix(at + 8);
    features.mentioned.clear();
    const auto countable = [&features](const std::string& name) {
        features.options.push_back({.name = name,
                                    .type = EngineOption::Type::Spin,
                                    .default_value = "",
                                    .minimum = 1,
                                    .maximum = 1 << 20,
                                    .choices = {}});
    };
    while (const auto feature = next_feature(line)) {
        const auto& [name, value] = *feature;
        bool known = std::ranges::find(kKnownFeatures, name) != kKnownFeatures.end();
        const bool on = value != "0";
        if (name == "ping") features.ping = on;
        if (name == "setboard") features.setboard = on;
        if (name == "san") features.san = on;
        if (name == "usermove") features.usermove = on;
        if (name == "time") features.time = on;
        if (name == "draw") features.draw = on;
        if (name == "reuse") features.reuse = on;
        if (name == "myname") features.name = value;
        if (name == "variants") features.variants = value;
        if (name == "done") features.done = on;
        if (name == "memory" && on && !features.memory) countable("memory");
        if (name == "smp" && on && !features.smp) countable("cores");
        if (name == "memory") features.memory = on;
        if (name == "smp") features.smp = on;
        if (name == "option") {
            if (auto option = parse_xboard_option(value))
                features.options.push_back(std::move(*option));
            else
                known = false;
        }
        features.mentioned.emplace_back(name, known);
    }
    return true;
}

bool read_thinking_line(std::string_view line, SearchInfo& info) {
    // The depth may have a mark after it, as in "9." or "9&".
    auto first = base::next_word(line);
    while (!first.empty() && std::string_view(".+-&!?*").find(first.back()) != std::string_view::npos)
        first.remove_suffix(1);
    const auto depth = parse_signed<int>(first);
    const auto score = parse_signed<int>(base::next_word(line));
    const auto time = parse_signed<std::int64_t>(base::next_word(line));
    const auto nodes = parse_signed<std::uint64_t>(base::next_word(line));
    if (!depth || !score || !time || !nodes || *depth < 0 || *time < 0) return false;
    info.centipawns.reset();
    info.mate.reset();
    if (*score > kMateScore)
        info.mate = std::min(*score - kMateScore, kMostMateMoves);
    else if (*score < -kMateScore)
        info.mate = std::max(*score + kMateScore, -kMostMateMoves);
    else
        info.centipawns = std::clamp(*score, -kMostCentipawns, kMostCentipawns);
    info.depth = *depth;
    info.nodes = *nodes;
    info.time = milliseconds(std::min<std::int64_t>(*time, 1'000'000'000) * 10);
    // Newer engines put selective depth, speed and table hits before a tab.
    if (const auto tab = line.find('\t'); tab != std::string_view::npos) line.remove_prefix(tab + 1);
    info.principal_variation.clear();
    for (auto word = base::next_word(line); !word.empty(); word = base::next_word(line))
        info.principal_variation.emplace_back(word);
    return true;
}

std::string level_command(const ClockControl& clock) {
    const auto whole = [](milliseconds time) {
        return std::chrono::floor<std::chrono::seconds>(time).count();
    };
    // No time at all would be none for the first move; what is really left is told before it.
    const auto base = std::max<std::int64_t>(1, whole(clock.base));
    return fmt::format("level {} {}:{:02} {}", clock.moves, base / 60, base % 60, whole(clock.increment));
}

base::Result<XboardEngine> XboardEngine::start(const EngineConfig& config, const PlayerPatience& patience) {
    auto process = EngineProcess::start(config, patience);
    if (!process) return std::unexpected(process.error());
    XboardEngine engine(std::move(*process));
    if (auto status = engine.shake_hands(); !status) return std::unexpected(status.error());
    if (config.name.empty() && !engine.features_.name.empty())
        engine.process_.set_name(engine.features_.name);
    for (const auto& [name, value] : config.options)
        if (auto status = engine.set_option(name, value); !status) return std::unexpected(status.error());
    if (auto status = engine.wait_ready(); !status) return std::unexpected(status.error());
    return engine;
}

base::Status XboardEngine::shake_hands() {
    const auto begin = Clock::now();
    const milliseconds patience = process_.patience().start;
    auto waited = std::min<milliseconds>(patience, kFeaturePatience);
    process_.send("xboard");
    process_.send("protover 2");
    std::string line;
    std::string last;
    while (true) {
        const auto heard = process_.read(line, begin + waited);
        if (heard == Heard::Closed)
            return base::fail(
                "engine {}: {}{}, expected an xboard engine", name(), process_.describe_end(),
                last.empty() ? "" : fmt::format("; its last line was '{}'", base::excerpt(last)));
        if (heard == Heard::Line && read_feature_line(line, features_)) {
            for (const auto& [feature, known] : features_.mentioned)
                process_.send((known ? "accepted " : "rejected ") + feature);
            if (features_.done == true) return {};
            // It asks for more time, once and for all.
            if (features_.done == false) waited = patience;
        }
        if (heard == Heard::Line && !line.empty()) last = line;
        if (heard == Heard::Timeout || Clock::now() >= begin + waited) {
            if (features_.done == false)
                return base::fail("engine {}: {}, which its done=0 promised", name(),
                                  process_.describe(Heard::Timeout, "feature done=1", waited));
            return {};
        }
    }
}

base::Status XboardEngine::wait_ready(std::string_view after_option) {
    std::optional<std::string> complaint;
    const auto listen = [&](std::string_view line) {
        const bool is_one = line.starts_with("Error") || line.starts_with("tellusererror");
        if (!after_option.empty() && is_one && !complaint) complaint = base::excerpt(line, kLongestComplaint);
    };
    if (auto status = features_.ping ? wait_for_pong(listen) : wait_until_quiet(listen); !status)
        return status;
    if (complaint) return base::fail("engine {}: option {}: it says '{}'", name(), after_option, *complaint);
    return {};
}

base::Status XboardEngine::wait_for_pong(const std::function<void(std::string_view)>& listen) {
    const auto patience = process_.patience().ready;
    const auto deadline = Clock::now() + patience;
    const std::string pong = fmt::format("pong {}", ++pings_);
    process_.send(fmt::format("ping {}", pings_));
    const auto failed = [&](Heard heard) {
        return base::fail("engine {}: {}", name(), process_.describe(heard, pong, patience));
    };
    std::string line;
    while (true) {
        const auto heard = process_.read(line, deadline);
        if (heard != Heard::Line) return failed(heard);
        if (line == pong) return {};
        listen(line);
        if (Clock::now() >= deadline) return failed(Heard::Timeout);
    }
}

base::Status XboardEngine::wait_until_quiet(const std::function<void(std::string_view)>& listen) {
    const auto patience = process_.patience().ready;
    const auto deadline = Clock::now() + patience;
    std::string line;
    while (true) {
        const auto heard = process_.read(line, Clock::now() + kQuiet);
        if (heard == Heard::Closed) return base::fail("engine {}: {}", name(), process_.describe_end());
        if (heard == Heard::Timeout) return {};
        listen(line);
        if (Clock::now() >= deadline)
            return base::fail("engine {}: {}", name(),
                              process_.describe(Heard::Timeout, "end of its output", patience));
    }
}

base::Status XboardEngine::set_option(std::string_view name, std::string_view value) {
    const EngineOption* option = find_option(features_.options, name);
    if (option == nullptr) return no_such_option(this->name(), features_.options, name);
    const auto checked = check_option_value(*option, value);
    if (!checked)
        return base::fail("engine {}: option {} {}", this->name(), option->name, checked.error().message);
    std::string command;
    if (option->name == "memory" || option->name == "cores")
        command = fmt::format("{} {}", option->name, *checked);
    else if (option->type == EngineOption::Type::Button)
        command = fmt::format("option {}", option->name);
    else if (option->type == EngineOption::Type::Check)
        command = fmt::format("option {}={}", option->name, *checked == "true" ? 1 : 0);
    else
        command = fmt::format("option {}={}", option->name, *checked);
    if (!process_.send(command)) return base::fail("engine {}: {}", this->name(), process_.describe_end());
    return wait_ready(option->name);
}

base::Status XboardEngine::check_terms(const GameTerms& terms) const {
    if (std::holds_alternative<TimeControl::Nodes>(terms.time_control.kind) ||
        std::holds_alternative<TimeControl::DrawnNodes>(terms.time_control.kind))
        return base::fail("engine {}: the xboard protocol has no limit by nodes, expected a time or a depth",
                          name());
    if (terms.chess960 && !has_variant(features_.variants, "fischerandom"))
        return base::fail("engine {}: no variant fischerandom, which an opening of this match needs", name());
    return {};
}

// What came before setboard knows no side to move, and no castling rights but those of kings and rooks at
// home.
base::Status XboardEngine::check_start(const chess::Position& start) const {
    if (features_.setboard || (start.en_passant() == chess::NoSquare && is_home_castling(start))) return {};
    return base::fail(
        "engine {}: no feature setboard, which a position with such castling or en passant needs: {}", name(),
        chess::to_fen(start));
}

base::Status XboardEngine::new_game(const GameTerms& terms) {
    if (auto status = check_terms(terms); !status) return status;
    terms_ = terms;
    begin_game();
    return wait_ready();
}

void XboardEngine::begin_game() {
    process_.send("new");
    if (terms_.chess960) process_.send("variant fischerandom");
    process_.send("force");
    process_.send("post");
    process_.send("easy");  // thinks in its own time only
    start_ = chess::Position();
    known_.clear();
    is_new_ = true;
    plays_ = false;
    own_moves_ = 0;
    told_limit_.clear();
    draw_is_offered_ = false;
    heard_offer_ = false;
}

// The period of the clock that its next move belongs to, where a new one begins.
void XboardEngine::tell_period() {
    const auto* clock = std::get_if<TimeControl::Clock>(&terms_.time_control.kind);
    if (clock == nullptr || clock->base.count() == 0) return;
    const ClockControl* period = clock;
    int before = 0;
    for (const ClockControl& later : clock->later) {
        if (own_moves_ < before + period->moves) break;
        before += period->moves;
        period = &later;
    }
    if (own_moves_ == before) process_.send(level_command(*period));
}

void XboardEngine::tell_limit(const SearchLimit& limit, chess::Color side) {
    const auto tell_once = [this](std::string command) {
        if (command == told_limit_) return;
        told_limit_ = std::move(command);
        process_.send(told_limit_);
    };
    const auto tell_times = [this](milliseconds own, milliseconds other) {
        if (!features_.time) return;
        process_.send(fmt::format("time {}", hundredths(own)));
        process_.send(fmt::format("otim {}", hundredths(other)));
    };
    if (const auto* clock = std::get_if<ClockLimit>(&limit)) {
        tell_period();
        tell_times(side == chess::White ? clock->white : clock->black,
                   side == chess::White ? clock->black : clock->white);
    } else if (const auto* move_time = std::get_if<MoveTimeLimit>(&limit)) {
        const auto whole = std::chrono::floor<std::chrono::seconds>(move_time->time).count();
        // A move in less than a second can only be told as a clock for one move.
        tell_once(whole > 0 ? fmt::format("st {}", whole) : "level 1 0:01 0");
        tell_times(move_time->time, move_time->time);
    } else if (const auto* depth = std::get_if<DepthLimit>(&limit)) {
        if (told_limit_.empty()) process_.send(level_command({.base = kAmpleTime, .increment = 0s}));
        tell_once(fmt::format("sd {}", depth->depth));
        tell_times(kAmpleTime, kAmpleTime);
    }
}

base::Status XboardEngine::set_up(const chess::Position& start) {
    start_ = start;
    if (start == chess::Position()) return {};
    if (auto status = check_start(start); !status) return status;
    if (features_.setboard) {
        process_.send("setboard " + chess::to_fen(start));
        return {};
    }
    // Without it the pieces are put down one by one, after a move if it is then Black's turn.
    const chess::Move first(chess::A2, chess::A3);
    if (start.side_to_move() == chess::Black) process_.send(move_command(chess::Position(), first));
    process_.send("edit");
    process_.send("#");
    for (const auto color : chess::kColors) {
        if (color == chess::Black) process_.send("c");
        for (const chess::Square square : chess::squares(start.pieces(color)))
            process_.send(fmt::format(
                "{}{}",
                chess::piece_letter(chess::make_piece(chess::White, chess::kind_of(start.piece_on(square)))),
                chess::to_string(square)));
    }
    process_.send(".");
    return {};
}

std::string XboardEngine::move_command(const chess::Position& position, chess::Move move) const {
    std::string text = chess::to_san(position, move);
    const bool castles = text.starts_with('O');
    while (text.ends_with('+') || text.ends_with('#')) text.pop_back();
    if (!features_.san && !(castles && terms_.chess960)) text = chess::to_uci(move);
    return features_.usermove ? "usermove " + text : text;
}

Reply XboardEngine::go(const chess::Position& start, std::span<const chess::Move> moves,
                       const chess::Position& current, const SearchLimit& limit,
                       std::chrono::milliseconds patience, std::stop_token stop) {
    Reply reply;
    if (hear_leftovers()) {
        reply.answer = Answer::Resign;
        return reply;
    }
    if (std::holds_alternative<NodeLimit>(limit) || std::holds_alternative<MateLimit>(limit)) {
        reply.answer = Answer::Garbage;
        reply.detail = "the xboard protocol has no limit by nodes or for mates";
        return reply;
    }
    const bool follows = start == start_ && moves.size() >= known_.size() &&
                         std::equal(known_.begin(), known_.end(), moves.begin());
    const bool answers = plays_ && follows && moves.size() == known_.size() + 1;
    if (!answers && plays_) process_.send("force");
    plays_ = false;
    if (!follows || is_new_) {
        if (!is_new_) begin_game();
        if (auto status = set_up(start); !status) {
            reply.answer = Answer::Garbage;
            reply.detail = status.error().message;
            return reply;
        }
        known_.clear();
        is_new_ = false;
    }
    chess::Position position = start;
    for (const auto move : known_) position.make(move);
    const auto pass_on_moves = [&](std::size_t until) {
        for (std::size_t i = known_.size(); i < until; ++i) {
            process_.send(move_command(position, moves[i]));
            position.make(moves[i]);
        }
        known_.assign(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(until));
    };
    if (!answers) pass_on_moves(moves.size());
    tell_limit(limit, current.side_to_move());
    if (draw_is_offered_) process_.send("draw");
    heard_offer_ = false;
    // What it does not read we notice when it does not answer.
    const auto begin = Clock::now();
    if (answers)
        pass_on_moves(moves.size());
    else
        process_.send("go");
    process_.await(reply, "move", patience, begin, stop,
                   [&](std::string_view line) { return read_answer(line, current, reply); });
    draw_is_offered_ = false;
    if (reply.answer == Answer::Move) {
        known_.push_back(reply.move);
        plays_ = true;
        ++own_moves_;
    }
    reply.info.principal_variation = to_uci_variation(
        current, reply.info.principal_variation,
        terms_.chess960 ? chess::CastlingNotation::Chess960 : chess::CastlingNotation::Standard);
    return reply;
}

// A result that it claims before its search is of no account: it may be of the last game, or follow its own
// move.
bool XboardEngine::hear_leftovers() {
    bool resigns = false;
    std::string line;
    const auto deadline = Clock::now() + kQuiet;
    while (Clock::now() < deadline && process_.read(line, Clock::now() + 1ms) == Heard::Line) {
        std::string_view rest = line;
        resigns |= base::next_word(rest) == "resign";
    }
    // It may give up in its opponent's time, but not before a game.
    return resigns && !is_new_;
}

bool XboardEngine::read_answer(std::string_view line, const chess::Position& current, Reply& reply) {
    if (read_thinking_line(line, reply.info)) return false;
    std::string_view rest = line;
    const auto word = base::next_word(rest);
    const auto garbage = [&](std::string detail) {
        reply.answer = Answer::Garbage;
        reply.detail = std::move(detail);
        return true;
    };
    // The second form is that of GNU Chess before and beside protocol 2.
    if (word == "move" || line.starts_with("My move is")) {
        if (word != "move") rest = line.substr(std::min(line.find(':'), line.size() - 1) + 1);
        const auto text = base::next_word(rest);
        const bool is_word =
            !text.empty() && text.size() <= 8 &&
            text.find_first_not_of("abcdefghABCDEFGHKNOQRPknoqrpx0123456789=+#-") == std::string_view::npos;
        if (!is_word) return garbage(fmt::format("'{}' is not a move", base::excerpt(line)));
        const auto uci = chess::parse_uci_move(current, text);
        const auto move = uci ? uci : chess::parse_san(current, text);
        if (move) {
            reply.move = *move;
            reply.offers_draw = heard_offer_;
        } else {
            reply.answer = Answer::Illegal;
            reply.detail = std::string(text);
        }
        return true;
    }
    if (word == "resign") {
        reply.answer = Answer::Resign;
        return true;
    }
    if (line.starts_with("offer draw")) {
        heard_offer_ = true;
        if (!draw_is_offered_) return false;
        reply.answer = Answer::Agree;
        return true;
    }
    if (word == "1-0" || word == "0-1" || word == "1/2-1/2") {
        // It is on move in a game that goes on: all it can truly say is that it gives up.
        if (word == (current.side_to_move() == chess::White ? "0-1" : "1-0")) {
            reply.answer = Answer::Resign;
            return true;
        }
        return garbage(fmt::format("claims '{}', which is not so", base::excerpt(line)));
    }
    const bool is_refused = line.starts_with("Illegal move") || line.starts_with("Error");
    // Without its limit it would think for as long as its clock says.
    if (is_refused && told_limit_.starts_with("sd") && line.find("sd") != std::string_view::npos)
        return garbage(fmt::format("knows no limit by depth: '{}'", base::excerpt(line)));
    if (line.starts_with("Illegal move"))
        return garbage(fmt::format("refuses a legal move: '{}'", base::excerpt(line)));
    if (line.starts_with("tellusererror Illegal"))
        return garbage(fmt::format("refuses the position: '{}'", base::excerpt(line)));
    // The rest (features too late, "Error", "tell…", "#", pong) changes nothing.
    return false;
}

void XboardEngine::game_over(games::GameResult result, std::string_view reason) {
    std::string text(reason);
    std::erase_if(text, [](char c) { return c == '{' || c == '}' || c == '\n' || c == '\r'; });
    process_.send(fmt::format("result {} {{{}}}", games::to_string(result), text));
    process_.send("force");
    plays_ = false;
}

}  // namespace scholar::arena
