#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "chess/fen.hpp"
#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "chess/uci_move.hpp"
#include "protocols/ics_scan.hpp"
#include "protocols/ics_session.hpp"

// The game in progress.

namespace scholar::protocols::ics {

namespace {

// Half-moves between two draw offers of ours.
constexpr int kPliesBetweenOffers = 20;
// So often a move is sent that the server calls illegal.
constexpr int kMostRefusals = 3;

// "e2e4", "e7e8=Q", "O-O" (FICS's help file "intro_moving"); in SAN if the server would not have that.
std::string move_text(const chess::Position& position, chess::Move move, int refusals) {
    if (move.is_castling()) return chess::file_of(move.to()) > chess::file_of(move.from()) ? "O-O" : "O-O-O";
    if (refusals % 2 == 1) return chess::to_san(position, move);
    std::string text = chess::to_string(move.from()) + chess::to_string(move.to());
    if (move.is_promotion()) text += std::string("=") + chess::kind_letter(move.promotion_kind());
    return text;
}

bool may_claim_draw(const chess::Line& line) {
    const chess::Terminal terminal = line.terminal();
    return terminal == chess::Terminal::ThreefoldRepetition || terminal == chess::Terminal::FiftyMoves;
}

}  // namespace

engine::GameHeader Session::header_of(const Style12& board) const {
    engine::GameHeader header;
    header.site = settings_.site;
    header.names = board.names;
    header.side = board.my_side();
    header.base = board.base;
    header.increment = board.increment;
    if (creating_ && creating_->names == board.names) {
        header.ratings = creating_->ratings;
        header.kind = creating_->kind;
        header.rated = creating_->rated;
    }
    if (started_ && started_->names == board.names) {
        header.kind = started_->kind;
        header.rated = started_->rated;
        header.resumed = started_->continued;
    }
    return header;
}

void Session::start_game(const Style12& board, Clock::time_point now) {
    const engine::GameHeader header = header_of(board);
    // Another game than the one that was cut off: that one waits, or if this is a new one with the same
    // opponent, it has ended.
    const bool same = game_ && game_->header().names == board.names;
    if (game_ && !(same && header.resumed))
        finish_game(games::GameResult::Unknown, same ? engine::GameEnd::Unknown : engine::GameEnd::Adjourned,
                    "the connection was lost");
    if (!game_ && header.resumed) game_ = take_adjourned(header.opponent());
    if (game_ && header.resumed && game_->header().names == board.names) {
        game_->resume(header);
        using Change = GameTracker::Change;
        const auto change = game_->apply(board);
        if (change == Change::Behind || change == Change::Strange) game_->believe(board);
    } else {
        game_.emplace(header, board);
    }
    game_number_ = board.game;
    accepted_at_.reset();
    creating_.reset();
    started_.reset();
    phase_ = Phase::Playing;
    since_ = now;
    drop_thought();
    draw_offered_ = false;
    last_offer_ply_ = -kPliesBetweenOffers;
    strange_.reset();
    clocks_ = board.clocks;
    board_at_ = now;
    flag_at_ = now;
    if (!header.resumed) policy_.note_game(header.opponent());
    host_.note(fmt::format("game {} with {} begins", game_number_, header.opponent()));
    host_.game_starts(game_->header());
    if (stopping_ && settings_.on_stop != OnStop::Finish) {
        end_early(now);
        return;
    }
    take_turn(now);
    // What was played before we came is asked for, unless it is known.
    if (!(game_->line().start() == chess::Position())) send("moves");
}

// By resigning, or by an adjournment. If the opponent does not agree to that, leaving adjourns the game or
// loses it: the server's rules.
void Session::end_early(Clock::time_point now) {
    drop_thought();
    since_ = now;
    send(settings_.on_stop == OnStop::Resign ? "resign" : "adjourn", true);
}

void Session::drop_thought() {
    if (thinking_) host_.stop_thinking();
    thinking_ = false;
    ++ticket_;
    held_.reset();
    if (pending_) queue_.withdraw(pending_text_);
    pending_.reset();
    resend_ = false;
    refusals_ = 0;
}

void Session::doubt(const Style12& board) {
    strange_ = board;
    send("refresh", true);
}

void Session::follow(const Style12& board, Clock::time_point now) {
    // A board with our name on the other side is not of this game.
    if (board.my_side() != game_->header().side) return;
    using Change = GameTracker::Change;
    const int ply = game_->line().ply();
    switch (game_->apply(board)) {
        case Change::None:
            strange_.reset();
            break;
        case Change::Advanced:
            strange_.reset();
            // Our move is on the board, or the server has gone past what we thought about.
            if (game_->line().ply() != ply) drop_thought();
            if (board.position.side_to_move() != game_->header().side) draw_offered_ = false;
            break;
        case Change::Behind:
        case Change::Strange:
            if (!strange_ || !same_board(strange_->position, board.position) ||
                ply_number(strange_->position) != ply_number(board.position)) {
                strange_since_ = now;
                doubt(board);
                return;
            }
            host_.note("the server's board is not ours: following the server");
            strange_.reset();
            drop_thought();
            game_->believe(board);
            if (!(game_->line().start() == chess::Position())) send("moves");
            break;
    }
    clocks_ = board.clocks;
    board_at_ = now;
    if (pending_ && resend_ && game_->is_our_turn()) {
        resend_ = false;
        send_move(now);
        return;
    }
    if (held_) {
        answer(*std::exchange(held_, std::nullopt), now);
        return;
    }
    take_turn(now);
}

void Session::take_turn(Clock::time_point now) {
    if (phase_ != Phase::Playing || thinking_ || pending_ || held_ || strange_ || !game_->is_our_turn())
        return;
    if (stopping_ && settings_.on_stop != OnStop::Finish) return;
    thinking_ = true;
    ++ticket_;
    TurnRequest request{
        .ticket = ticket_, .header = game_->header(), .line = game_->line(), .clocks = clocks_};
    const auto passed = std::chrono::duration_cast<Milliseconds>(now - board_at_);
    request.clocks[request.header.side] -= passed;
    host_.think(std::move(request));
}

void Session::decided(std::uint64_t ticket, engine::Decision decision, Clock::time_point now) {
    if (phase_ != Phase::Playing || ticket != ticket_ || !thinking_) return;
    thinking_ = false;
    if (strange_)
        held_ = std::move(decision);
    else
        answer(decision, now);
    flush(now);
}

void Session::answer(const engine::Decision& decision, Clock::time_point now) {
    if (decision.resigns) {
        pending_.reset();
        send("resign", true);
        return;
    }
    const chess::MoveList legal = chess::legal_moves(game_->line().current());
    if (!legal.contains(decision.move)) {
        fail({fmt::format("the move {} is not legal here: a bug", chess::to_uci(decision.move))});
        return;
    }
    // The move follows an accepted offer all the same: if that was withdrawn, the clock still runs.
    if (decision.accepts_draw && (draw_offered_ || may_claim_draw(game_->line()))) send("draw", true);
    game_->note_decision(decision);
    pending_ = decision;
    refusals_ = 0;
    resend_ = false;
    send_move(now);
    if (decision.offers_draw && game_->line().ply() - last_offer_ply_ >= kPliesBetweenOffers) {
        last_offer_ply_ = game_->line().ply();
        send("draw", true);
    }
}

void Session::send_move(Clock::time_point now) {
    pending_since_ = now;
    if (refusals_ == kMostRefusals) {
        // It is another game than we think, and none that could be played.
        host_.note("the server takes none of our moves: asking for an abortion");
        send("abort", true);
        return;
    }
    if (refusals_ > kMostRefusals) return;
    pending_text_ = move_text(game_->line().current(), pending_->move, refusals_);
    send(pending_text_, true);
}

void Session::finish_game(games::GameResult result, engine::GameEnd end, const std::string& reason) {
    drop_thought();
    strange_.reset();
    engine::PlayedGame played = game_->played(result, end, reason);
    if (end == engine::GameEnd::Adjourned)
        keep_adjourned(std::move(*game_));
    else if (end != engine::GameEnd::Aborted && result != games::GameResult::Unknown)
        ++finished_;
    game_.reset();
    game_number_ = -1;
    creating_.reset();
    started_.reset();
    draw_offered_ = false;
    phase_ = Phase::Reviewing;
    reviewing_ = true;
    host_.note(
        fmt::format("game with {} over: {} {}", played.header.opponent(), games::to_string(result), reason));
    host_.game_over(std::move(played));
}

void Session::tick_game(Clock::time_point now) {
    const Patience& patience = settings_.patience;
    if (stopping_ && settings_.on_stop != OnStop::Finish && now >= since_ + patience.answer) {
        leave(now);
        return;
    }
    // The echo of our move does not come: was the move lost?
    if (pending_ && now >= pending_since_ + patience.answer) {
        pending_since_ = now;
        resend_ = true;
        send("refresh", true);
    }
    // Nothing confirms a strange board, and nothing belies it.
    if (strange_ && now >= strange_since_ + patience.answer) {
        strange_since_ = now;
        send("refresh", true);
    }
    const chess::Color opponent = ~game_->header().side;
    if (game_->header().is_timed() && game_->line().current().side_to_move() == opponent &&
        now >= std::max(flag_at_, board_at_ + clocks_[opponent]) + patience.flag) {
        flag_at_ = now;
        send("flag");
    }
}

}  // namespace scholar::protocols::ics
