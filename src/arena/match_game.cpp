#include "arena/match_game.hpp"

#include <cstdlib>

#include "arena/mate_claims.hpp"
#include "base/random.hpp"
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
            periods_.push_back(*clock);
            periods_.insert(periods_.end(), clock->later.begin(), clock->later.end());
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
        return periods_.empty() ? milliseconds(0) : periods_[period_].increment;
    }
    int moves_to_go() const { return moves_to_go_; }
    const TimeControl& control() const { return control_; }

    void spend(std::chrono::microseconds elapsed) {
        if (periods_.empty()) return;
        // Within the margin the clock may go below zero; it is not carried over.
        left_ = std::max(std::chrono::microseconds(0), left_ - elapsed) + periods_[period_].increment;
        if (moves_to_go_ == 0) return;
        --moves_to_go_;
        if (moves_to_go_ == 0) {
            if (period_ + 1 < periods_.size()) ++period_;
            left_ += periods_[period_].base;
            moves_to_go_ = periods_[period_].moves;
        }
    }

  private:
    TimeControl control_;
    std::vector<ClockControl> periods_;  // empty without a clock
    std::size_t period_ = 0;
    std::chrono::microseconds left_{0};
    int moves_to_go_ = 0;
};

// `chance` from 0 to below 1, where the limit is drawn.
SearchLimit limit_for(const Timer& mover, const Timer& other, Color side, double chance) {
    struct Choose {
        const Timer& mover;
        const Timer& other;
        Color side;
        double chance;
        SearchLimit operator()(const TimeControl::Clock&) const {
            const Timer& white = side == chess::White ? mover : other;
            const Timer& black = side == chess::White ? other : mover;
            return ClockLimit{white.shown(), black.shown(), white.increment(), black.increment(),
                              mover.moves_to_go()};
        }
        SearchLimit operator()(const TimeControl::MoveTime& l) const { return MoveTimeLimit{l.time}; }
        SearchLimit operator()(const TimeControl::Nodes& l) const { return NodeLimit{l.nodes}; }
        SearchLimit operator()(const TimeControl::DrawnNodes& l) const { return NodeLimit{l.nodes(chance)}; }
        SearchLimit operator()(const TimeControl::Depth& l) const { return DepthLimit{l.depth}; }
    };
    return std::visit(Choose{mover, other, side, chance}, mover.control().kind);
}

// Of the game's next move: the same whenever the match is played.
double chance_of(const MatchOptions& options, const MatchGame& game) {
    base::Random of_game(options.seed, static_cast<std::uint64_t>(game.number));
    return base::Random(of_game.next(), game.moves.size()).unit();
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
    if (!rule.two_sided) return true;
    if (game.moves.size() < 2 * moves) return false;
    for (std::size_t i = 0; i < moves; ++i) {
        const SearchInfo& info = game.moves[game.moves.size() - 2 - 2 * i].info;
        if (!info.has_score() || info.score() < rule.score) return false;
    }
    return true;
}

// The outcome for the side to move where the tables leave no doubt. They know it as if the halfmove clock
// were 0: a draw stays one whatever the clock; a win with a running clock needs the distance too, and one of
// them less than the rule has, since it may be one too small.
std::optional<tablebases::Outcome> certain_outcome(const tablebases::Tablebases& tables,
                                                   const chess::Position& position) {
    using tablebases::Outcome;
    const auto outcome = tables.probe_wdl(position);
    if (!outcome) return std::nullopt;
    if (*outcome != Outcome::Win && *outcome != Outcome::Loss) return Outcome::Draw;
    if (position.halfmove_clock() == 0) return outcome;
    const auto distance = tables.probe_dtz(position);
    if (!distance || std::abs(*distance) + position.halfmove_clock() >= 100) return std::nullopt;
    return outcome;
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
        case Answer::Resign:
        case Answer::Agree:
            return false;
        case Answer::Illegal:
            game.failure = Failure::IllegalMove;
            lose(game, mover, Ending::Forfeit,
                 fmt::format("{} makes an illegal move: {}", side, reply.detail));
            break;
        case Answer::Garbage:
            game.failure = Failure::Garbage;
            lose(game, mover, Ending::Forfeit, fmt::format("{} sends no move: {}", side, reply.detail));
            break;
        case Answer::Flood:
            game.failure = Failure::Flood;
            lose(game, mover, Ending::Forfeit, fmt::format("{} floods us: {}", side, reply.detail));
            break;
        case Answer::Crash:
            game.failure = Failure::Crash;
            lose(game, mover, Ending::Forfeit, fmt::format("{} crashes: {}", side, reply.detail));
            break;
        case Answer::Stall:
            game.failure = Failure::Stall;
            lose(game, mover, Ending::Forfeit, fmt::format("{}'s connection stalls: {}", side, reply.detail));
            break;
    }
    return true;
}

void draw(MatchGame& game, Ending ending, std::string reason) {
    game.result = GameResult::Draw;
    game.ending = ending;
    game.reason = std::move(reason);
}

// After a move of `side`: whether a rule of the match ends the game here.
bool ends_by_adjudication(const MatchOptions& options, const chess::Line& line, Color side, MatchGame& game) {
    if (options.tablebases) {
        if (const auto outcome = certain_outcome(*options.tablebases, line.current())) {
            if (*outcome == tablebases::Outcome::Draw) {
                draw(game, Ending::Adjudication, "Draw by adjudication: tablebases");
            } else {
                const Color loser = *outcome == tablebases::Outcome::Loss ? ~side : side;
                lose(game, loser, Ending::Adjudication,
                     fmt::format("{} wins by adjudication: tablebases", side_name(~loser)));
            }
            return true;
        }
    }
    if (options.resign && resigns(*options.resign, game)) {
        lose(game, side, Ending::Resignation, fmt::format("{} resigns", side_name(side)));
        return true;
    }
    if (options.draw && is_quiet_draw(*options.draw, game, line.current())) {
        draw(game, Ending::Adjudication, "Draw by adjudication: both scores near 0");
        return true;
    }
    return false;
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
    std::array<Timer, 2> timers{Timer(options.time_controls[game.engines[0]]),
                                Timer(options.time_controls[game.engines[1]])};

    while (!ends_by_rules(line, game)) {
        if (options.max_plies > 0 && static_cast<int>(game.moves.size()) >= options.max_plies) {
            draw(game, Ending::Adjudication, "Draw by adjudication: the game is too long");
            break;
        }
        const Color side = line.current().side_to_move();
        const int mover = side == chess::White ? game.white : 1 - game.white;
        const auto allowed = timers[mover].allowed();
        const auto patience =
            allowed ? std::chrono::ceil<milliseconds>(*allowed) + options.time_margin + options.stall_after
                    : options.untimed_patience;
        const bool is_offered = !game.moves.empty() && game.moves.back().offers_draw;
        if (is_offered) players[mover]->offer_draw();
        Reply reply = players[mover]->go(
            opening.start, moves, line.current(),
            limit_for(timers[mover], timers[1 - mover], side, chance_of(options, game)), patience, stop);
        if (reply.answer == Answer::Stopped) return false;
        const bool failed = ends_by_failure(reply, side, game);
        if (failed) game.failed = mover;
        // Who ends by itself or talks without end may do so within its time; any other answer that came too
        // late is a loss on time.
        const bool answered =
            reply.answer != Answer::Crash && reply.answer != Answer::Stall && reply.answer != Answer::Flood;
        if (answered && allowed && reply.elapsed > *allowed + options.time_margin) {
            game.failure = Failure::TimeLoss;
            game.failed = mover;
            lose(game, side, Ending::TimeForfeit,
                 fmt::format("{} loses on time: {:.3f} s of {:.3f} s", side_name(side),
                             std::chrono::duration<double>(reply.elapsed).count(),
                             std::chrono::duration<double>(*allowed).count()));
            break;
        }
        if (failed) break;
        if (reply.answer == Answer::Resign) {
            lose(game, side, Ending::Resignation, fmt::format("{} resigns", side_name(side)));
            break;
        }
        if (reply.answer == Answer::Agree || (is_offered && reply.offers_draw)) {
            draw(game, Ending::Unknown, "Draw by agreement");
            break;
        }

        timers[mover].spend(reply.elapsed);
        line.push(reply.move);
        moves.push_back(reply.move);
        game.moves.push_back({reply.move, std::move(reply.info), reply.elapsed, reply.offers_draw});
        if (line.terminal() != Terminal::None) continue;
        if (ends_by_adjudication(options, line, side, game)) break;
    }
    game.false_mates = find_false_mates(game);
    for (int engine = 0; engine < 2; ++engine)
        if (game.failure == Failure::None || game.failed != engine)
            players[engine]->game_over(game.result, game.reason);
    return true;
}

}  // namespace scholar::arena
