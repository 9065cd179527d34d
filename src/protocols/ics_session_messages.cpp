#include <fmt/format.h>

#include "base/text.hpp"
#include "protocols/ics_scan.hpp"
#include "protocols/ics_session.hpp"

// What the server says, and what follows from it.

namespace scholar::protocols::ics {

void Session::dispatch(std::string_view text, Clock::time_point now) {
    if (text.empty()) return;
    if (text.starts_with("<12> ")) {
        const auto board = parse_style12(text);
        if (board)
            on_board(*board, now);
        else
            host_.note(board.error().message);
        return;
    }
    if (const auto list = list_reader_.add(text)) {
        on_list(*list);
        return;
    }
    struct Visitor {
        Session& session;
        Clock::time_point now;
        void operator()(std::monostate) const {}
        void operator()(const Creating& m) const { session.on(m); }
        void operator()(const GameStarted& m) const { session.on(m); }
        void operator()(const GameEnded& m) const { session.on(m); }
        void operator()(const Challenge& m) const { session.on(m); }
        void operator()(const Offer& m) const { session.on(m); }
        void operator()(const MoveRefused& m) const { session.on(m, now); }
        void operator()(const NotPlaying&) const { session.on_not_playing(now); }
        void operator()(const StoredGame& m) const { session.on(m); }
        void operator()(const NoStoredGames&) const { session.has_stored_list_ = true; }
        void operator()(const AdjournedOpponent& m) const { session.on(m); }
        void operator()(const SessionStarted&) const {}
        void operator()(const LoggedInElsewhere&) const {
            // To come back would throw the other one out, and so on.
            session.fail({"somebody else has logged in with this name"});
        }
        void operator()(const RatingChanged& m) const {
            session.host_.note(fmt::format("{} rating: {}", m.kind, m.after));
        }
    };
    std::visit(Visitor{*this, now}, recognise(text));
}

bool Session::is_ours(const std::array<std::string, 2>& names) const {
    return base::same_ignoring_case(names[chess::White], name_) ||
           base::same_ignoring_case(names[chess::Black], name_);
}

void Session::on(const Creating& message) {
    if (is_ours(message.names)) creating_ = message;
}

void Session::on(const GameStarted& message) {
    if (is_ours(message.names)) started_ = message;
}

void Session::on(const GameEnded& message) {
    if (phase_ != Phase::Playing || !game_ || message.game != game_number_ || !is_ours(message.names)) return;
    finish_game(message.result, classify_end(message.reason, message.result), message.reason);
}

void Session::on(const Challenge& message) {
    if (!base::same_ignoring_case(message.to, name_)) return;
    std::string reason;
    if (phase_ == Phase::Recovering && !(message.adjourned && settings_.resumes))
        reason = "an adjourned game comes first";
    else if (phase_ == Phase::Recovering && game_ &&
             !base::same_ignoring_case(message.from, game_->header().opponent()))
        reason = "another adjourned game comes first";
    else if (phase_ != Phase::Idle && phase_ != Phase::Recovering)
        reason = "busy";
    else if (message.adjourned && !settings_.resumes)
        reason = "adjourned games are not resumed";
    else if (stopping_)
        reason = "leaving";
    else if (accepted_at_ && heard_ < *accepted_at_ + settings_.patience.answer)
        reason = "another was accepted";
    else
        reason = policy_.reason_to_decline(message);
    if (reason.empty()) {
        accepted_at_ = heard_;
        send(fmt::format("accept {}", message.from), true);
    } else {
        host_.note(fmt::format("declined {}: {}", message.from, reason));
        send(fmt::format("decline {}", message.from));
    }
}

void Session::on(const Offer& message) {
    if (phase_ != Phase::Playing || !game_ ||
        !base::same_ignoring_case(message.from, game_->header().opponent()))
        return;
    switch (message.kind) {
        case Offer::Kind::Draw:
            // Answered with the next move.
            draw_offered_ = true;
            return;
        case Offer::Kind::Abort:
            // Nothing is lost before both have moved.
            send(game_->line().ply() < 2 ? "abort" : fmt::format("decline {}", message.from));
            return;
        case Offer::Kind::Adjourn:
            send(stopping_ && settings_.on_stop == OnStop::Adjourn ? "adjourn"
                                                                   : fmt::format("decline {}", message.from));
            return;
        case Offer::Kind::TakeBack:
        case Offer::Kind::Switch:
        case Offer::Kind::Pause:
            send(fmt::format("decline {}", message.from));
            return;
    }
}

void Session::on(const MoveRefused& message, Clock::time_point now) {
    if (phase_ != Phase::Playing || !pending_) return;
    if (message.why == MoveRefused::Why::Illegal) ++refusals_;
    pending_since_ = now;
    resend_ = true;
    send("refresh", true);
}

void Session::on_not_playing(Clock::time_point now) {
    if (phase_ != Phase::Playing) return;
    // The line that told of the end did not come.
    drop_thought();
    game_number_ = -1;
    recover(now);
}

void Session::on(const StoredGame& message) {
    if (phase_ != Phase::Recovering) return;
    has_stored_list_ = true;
    stored_heard_ = heard_;
    note_stored(message.opponent, message.online);
}

void Session::on(const AdjournedOpponent& message) {
    if (!settings_.resumes || stopping_) return;
    if (phase_ == Phase::Recovering) {
        note_stored(message.name, true);
        next_try_ = {};
    } else if (phase_ == Phase::Idle) {
        send(fmt::format("match {}", message.name));
    }
}

void Session::on_board(const Style12& board, Clock::time_point now) {
    // Somebody else's game, or a position that is none's.
    if (!board.is_mine() || !base::same_ignoring_case(board.names[board.my_side()], name_)) return;
    if (phase_ == Phase::Playing && board.game == game_number_) {
        follow(board, now);
        return;
    }
    // A board alone does not make a game: it was announced, or it comes again when asked for.
    const bool announced = started_ && started_->game == board.game && started_->names == board.names;
    const bool free = phase_ == Phase::Idle || phase_ == Phase::Recovering;
    if (!free && (!announced || phase_ != Phase::Reviewing)) return;
    if (announced ||
        (strange_ && strange_->game == board.game && same_board(strange_->position, board.position))) {
        strange_.reset();
        start_game(board, now);
    } else {
        strange_ = board;
        send("refresh", true);
    }
}

void Session::on_list(const MoveList& list) {
    if (!game_ || list.names != game_->header().names) return;
    if (phase_ == Phase::Playing && list.in_progress()) {
        static_cast<void>(game_->complete(list));
        return;
    }
    if (phase_ != Phase::Recovering || !asked_old_moves_ || list.in_progress()) return;
    // The last game of ours: this one, if it begins as this one did.
    if (game_->extend(list)) finish_game(list.result, classify_end(list.reason, list.result), list.reason);
}

}  // namespace scholar::protocols::ics
