#include "arena/match_game.hpp"

#include <cstdlib>

#include "chess/line.hpp"

namespace scholar::arena {

namespace {

using chess::Color;
using chess::Terminal;
using games::Ending;
using games::GameResult;
using std::chrono::milliseconds;

std::string_view side_name(Color color) {
    return color == chess::White ? "White" : "Black";
}

GameResult win_for(Color color) {
    return color == chess::White ? GameResult::WhiteWins : GameResult::BlackWins;
}

// The clock of one engine.
class Timer {
  public:
    explicit Timer(const TimeControl& control) : control_(control) {
        if (const auto* clock = std::get_if<TimeControl::Clock>(&control.kind)) {
            left_ = clock->base;
            moves_to_go_ = clock->moves;
        }
    }

    // Time this move may take; nothing without a clock.
    std::optional<std::chrono::microseconds> allowed() const {
        if (std::holds_alternative<TimeControl::Clock>(control_.kind)) return left_;
        if (const auto* limit = std::get_if<TimeControl::MoveTime>(&control_.kind)) return limit->time;
        return std::nullopt;
    }

    // At least a millisecond: some engines take 0 for no limit.
    milliseconds shown() const {
        return std::max(milliseconds(1), std::chrono::duration_cast<milliseconds>(left_));
    }
    milliseconds increment() const {
        const auto* clock = std::get_if<TimeControl::Clock>(&control_.kind);
        return clock != nullptr ? clock->increment : milliseconds(0);
    }
    int moves_to_go() const { return moves_to_go_; }
    const TimeControl& control() const { return control_; }

    void spend(std::chrono::microseconds elapsed) {
        const auto* clock = std::get_if<TimeControl::Clock>(&control_.kind);
        if (clock == nullptr) return;
        // Within the margin the clock may go below zero; it is not carried over.
        left_ = std::max(std::chrono::microseconds(0), left_ - elapsed) + clock->increment;
        if (clock->moves > 0 && --moves_to_go_ == 0) {
            left_ += clock->base;
            moves_to_go_ = clock->moves;
        }
    }

  private:
    TimeControl control_;
    std::chrono::microseconds left_{0};
    int moves_to_go_ = 0;
};

SearchLimit limit_for(const Timer& mover, const Timer& other, Color side) {
    struct Choose {
        const Timer& mover;
        const Timer& other;
        Color side;
        SearchLimit operator()(const TimeControl::Clock&) const {
            const Timer& white = side == chess::White ? mover : other;
            const Timer& black = side == chess::White ? other : mover;
            return ClockLimit{white.shown(), black.shown(), white.increment(), black.increment(),
                              mover.moves_to_go()};
        }
        SearchLimit operator()(const TimeControl::MoveTime& l) const { return MoveTimeLimit{l.time}; }
        SearchLimit operator()(const TimeControl::Nodes& l) const { return NodeLimit{l.nodes}; }
        SearchLimit operator()(const TimeControl::Depth& l) const { return DepthLimit{l.depth}; }
    };
    return std::visit(Choose{mover, other, side}, mover.control().kind);
}

bool ends_by_rules(const chess::Line& line, MatchGame& game) {
    const Color to_move = line.current().side_to_move();
    const auto draw = [&](Ending ending, std::string_view reason) {
        game.result = GameResult::Draw;
        game.ending = ending;
        game.reason = reason;
        return true;
    };
    switch (line.terminal()) {
        case Terminal::None:
            return false;
        case Terminal::Checkmate:
            game.result = win_for(~to_move);
            game.ending = Ending::Checkmate;
            game.reason = fmt::format("{} mates", side_name(~to_move));
            return true;
        case Terminal::Stalemate:
            return draw(Ending::Stalemate, "Draw by stalemate");
        case Terminal::InsufficientMaterial:
            return draw(Ending::InsufficientMaterial, "Draw by insufficient material");
        case Terminal::ThreefoldRepetition:
            return draw(Ending::Repetition, "Draw by threefold repetition");
        case Terminal::FiftyMoves:
            return draw(Ending::FiftyMoves, "Draw by the fifty-move rule");
    }
    return false;
}

bool is_quiet_draw(const DrawRule& rule, const MatchGame& game, const chess::Position& position) {
    if (position.fullmove_number() <= rule.after) return false;
    const auto plies = 2 * static_cast<std::size_t>(rule.moves);
    if (game.moves.size() < plies) return false;
    for (std::size_t i = game.moves.size() - plies; i < game.moves.size(); ++i) {
        const SearchInfo& info = game.moves[i].info;
        if (!info.has_score() || std::abs(info.score()) > rule.score) return false;
    }
    return true;
}

// Of the engine that has just moved.
bool resigns(const ResignRule& rule, const MatchGame& game) {
    const auto moves = static_cast<std::size_t>(rule.moves);
    if (game.moves.size() < 2 * moves - 1) return false;
    for (std::size_t i = 0; i < moves; ++i) {
        const SearchInfo& info = game.moves[game.moves.size() - 1 - 2 * i].info;
        if (!info.has_score() || info.score() > -rule.score) return false;
    }
    return true;
}

void lose(MatchGame& game, Color loser, Ending ending, std::string reason) {
    game.result = win_for(~loser);
    game.ending = ending;
    game.reason = std::move(reason);
}

// The failure an answer is, if it is one; fills in the game's end.
bool ends_by_failure(const Reply& reply, Color mover, MatchGame& game) {
    const auto side = side_name(mover);
    switch (reply.answer) {
        case Answer::Move:
        case Answer::Stopped:
            return false;
        case Answer::Illegal:
        case Answer::Garbage:
            game.failure = Failure::IllegalMove;
            lose(game, mover, Ending::Forfeit,
                 fmt::format("{} makes an illegal move: {}", side, reply.detail));
            break;
        case Answer::Crash:
            game.failure = Failure::Crash;
            lose(game, mover, Ending::Forfeit, fmt::format("{} crashes: {}", side, reply.detail));
            break;
        case Answer::Flood:
        case Answer::Resign:
        case Answer::Agree:
        case Answer::Stall:
            game.failure = Failure::Stall;
            lose(game, mover, Ending::Forfeit, fmt::format("{}'s connection stalls: {}", side, reply.detail));
            break;
    }
    return true;
}

}  // namespace

int opening_mover(const MatchGame& game) {
    const bool white_first =
        (game.start.side_to_move() == chess::White) == (game.opening_moves.size() % 2 == 0);
    return white_first ? game.white : 1 - game.white;
}

bool play_game(const MatchOptions& options, const std::array<Player*, 2>& players, MatchGame& game,
               std::stop_token stop) {
    const games::Opening& opening = options.openings[game.opening];
    game.start = opening.start;
    game.opening_moves = opening.moves;
    chess::Line line(opening.start);
    std::vector<chess::Move> moves = opening.moves;
    for (const auto move : moves) line.push(move);
    std::array<Timer, 2> timers{Timer(options.time_controls[0]), Timer(options.time_controls[1])};

    while (!ends_by_rules(line, game)) {
        if (options.max_plies > 0 && static_cast<int>(game.moves.size()) >= options.max_plies) {
            game.result = GameResult::Draw;
            game.ending = Ending::Adjudication;
            game.reason = "Draw by adjudication: the game is too long";
            return true;
        }
        const Color side = line.current().side_to_move();
        const int mover = side == chess::White ? game.white : 1 - game.white;
        const auto allowed = timers[mover].allowed();
        const auto patience =
            allowed ? std::chrono::ceil<milliseconds>(*allowed) + options.time_margin + options.stall_after
                    : options.untimed_patience;
        Reply reply = players[mover]->go(opening.start, moves, line.current(),
                                         limit_for(timers[mover], timers[1 - mover], side), patience, stop);
        if (reply.answer == Answer::Stopped) return false;
        const bool failed = ends_by_failure(reply, side, game);
        if (failed) game.failed = mover;
        // A crash within the time is a crash; whatever came too late is a loss on time.
        const bool answered = reply.answer != Answer::Crash && reply.answer != Answer::Stall;
        if (answered && allowed && reply.elapsed > *allowed + options.time_margin) {
            game.failure = Failure::TimeLoss;
            game.failed = mover;
            lose(game, side, Ending::TimeForfeit,
                 fmt::format("{} loses on time: {:.3f} s of {:.3f} s", side_name(side),
                             std::chrono::duration<double>(reply.elapsed).count(),
                             std::chrono::duration<double>(*allowed).count()));
            return true;
        }
        if (failed) return true;

        timers[mover].spend(reply.elapsed);
        line.push(reply.move);
        moves.push_back(reply.move);
        game.moves.push_back({reply.move, std::move(reply.info), reply.elapsed});
        if (line.terminal() != Terminal::None) continue;
        if (options.resign && resigns(*options.resign, game)) {
            lose(game, side, Ending::Resignation, fmt::format("{} resigns", side_name(side)));
            return true;
        }
        if (options.draw && is_quiet_draw(*options.draw, game, line.current())) {
            game.result = GameResult::Draw;
            game.ending = Ending::Adjudication;
            game.reason = "Draw by adjudication: both scores near 0";
            return true;
        }
    }
    return true;
}

}  // namespace scholar::arena
