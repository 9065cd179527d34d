#include "protocols/ics_session.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "base/text.hpp"
#include "protocols/ics_lines.hpp"
#include "protocols/ics_scan.hpp"

namespace scholar::protocols::ics {

namespace {

// What every session begins with: boards in style 12, times in milliseconds, lines in one piece, and none of
// the talk. Source: FICS's help files "variables", "ivariables" and "style12". A server that lacks one of
// them says so, which hurts nobody.
constexpr std::array<std::string_view, 13> kSetUp{
    "iset nowrap 1", "iset ms 1",       "set style 12", "set seek 0", "set shout 0",
    "set cshout 0",  "set kibitz 0",    "set gin 0",    "set bell 0", "set autoflag 1",
    "set open 1",    "set highlight 0", "set ptime 0"};

}  // namespace

Session::Session(SessionSettings settings, SessionHost& host, Clock::time_point now)
    : settings_(std::move(settings)),
      host_(host),
      policy_(settings_.policy),
      queue_(settings_.throttle, now),
      since_(now),
      heard_(now),
      board_at_(now),
      pending_since_(now),
      strange_since_(now),
      flag_at_(now),
      next_try_(now),
      seek_at_(now) {}

void Session::send(std::string text, bool urgent) {
    queue_.push({std::move(text), urgent});
}

void Session::flush(Clock::time_point now) {
    if (!is_connected_) return;
    while (auto command = queue_.next(now)) host_.send(command->text, false);
}

void Session::fail(base::Error error) {
    if (!error_) error_ = std::move(error);
    give_up(error_->message);
    host_.hang_up();
}

void Session::give_up(const std::string& why) {
    drop_thought();
    if (game_) finish_game(games::GameResult::Unknown, engine::GameEnd::Unknown, why);
    phase_ = Phase::Over;
}

void Session::connected(Clock::time_point now) {
    is_connected_ = true;
    phase_ = Phase::LoggingIn;
    login_.emplace(settings_.credentials);
    since_ = now;
    heard_ = now;
    asked_for_a_word_ = false;
}

void Session::disconnected(Clock::time_point now) {
    is_connected_ = false;
    queue_.clear();
    accepted_at_.reset();
    list_reader_ = {};
    creating_.reset();
    started_.reset();
    since_ = now;
    switch (phase_) {
        case Phase::LoggingIn:
        case Phase::Recovering:
        case Phase::Idle:
        case Phase::Reviewing:
            phase_ = Phase::LoggingIn;
            return;
        case Phase::Playing:
            // What became of the game is asked when we are back.
            drop_thought();
            game_number_ = -1;
            phase_ = Phase::LoggingIn;
            return;
        case Phase::Leaving:
            if (game_) finish_game(games::GameResult::Unknown, engine::GameEnd::Adjourned, "left the server");
            phase_ = Phase::Over;
            return;
        case Phase::Over:
            return;
    }
}

void Session::line(std::string_view text, Clock::time_point now) {
    heard_ = now;
    asked_for_a_word_ = false;
    if (login_) {
        login_step(login_->on_line(text), now);
    } else if (phase_ != Phase::Over) {
        dispatch(without_prompts(text), now);
    }
    flush(now);
}

void Session::partial(std::string_view text, Clock::time_point now) {
    heard_ = now;
    if (login_) login_step(login_->on_partial(text), now);
    flush(now);
}

void Session::login_step(const LoginDialogue::Step& step, Clock::time_point now) {
    using Kind = LoginDialogue::Step::Kind;
    switch (step.kind) {
        case Kind::Wait:
            return;
        case Kind::Answer:
            host_.send(step.text, step.secret);
            return;
        case Kind::Refused:
            fail({fmt::format("login refused: {}", settings_.credentials.without_password(step.text))});
            return;
        case Kind::Done:
            login_.reset();
            name_ = step.text;
            host_.note(fmt::format("logged in as {}", name_));
            set_up(now);
            return;
    }
}

void Session::set_up(Clock::time_point now) {
    for (const std::string_view command : kSetUp) send(std::string(command));
    // A contestant that is still busy with the last game is waited for first.
    if (reviewing_)
        phase_ = Phase::Reviewing;
    else if (settings_.resumes || game_)
        recover(now);
    else
        go_on(now);
}

// Asks for the adjourned games: one may be the game that the connection cut off.
void Session::recover(Clock::time_point now) {
    phase_ = Phase::Recovering;
    since_ = now;
    stored_.clear();
    has_stored_list_ = false;
    stored_heard_.reset();
    asked_old_moves_ = false;
    waits_for_opponent_ = false;
    send("stored");
}

void Session::tick_recovery(Clock::time_point now) {
    const bool patient = now < since_ + settings_.patience.answer;
    if (!waits_for_opponent_ && !asked_old_moves_) {
        // The list has no end that could be told: it is over when nothing more of it comes.
        const bool may_go_on = stored_heard_ && now < *stored_heard_ + settings_.patience.settle;
        if (patient && (!has_stored_list_ || may_go_on)) return;
        const auto opponent_waits = [&] {
            if (game_) return stored_.contains(game_->header().opponent());
            return std::ranges::any_of(stored_, [](const auto& entry) { return entry.second; });
        };
        if (opponent_waits()) {
            waits_for_opponent_ = true;
            since_ = now;
            next_try_ = now;
        } else if (game_) {
            // Not adjourned: it has ended without us.
            asked_old_moves_ = true;
            since_ = now;
            send("oldmoves");
            return;
        } else {
            go_on(now);
            return;
        }
    }
    if (asked_old_moves_) {
        if (patient) return;
        finish_game(games::GameResult::Unknown, engine::GameEnd::Unknown, "the connection was lost");
        return;
    }
    // An opponent of another game than the last is not waited for as long.
    const Milliseconds wait = game_ ? settings_.patience.resume : settings_.patience.retry;
    if (now >= since_ + wait) {
        if (game_) {
            finish_game(games::GameResult::Unknown, engine::GameEnd::Adjourned, "the connection was lost");
        } else {
            go_on(now);
        }
        return;
    }
    if (now < next_try_) return;
    next_try_ = now + settings_.patience.retry;
    for (const auto& [opponent, online] : stored_)
        if (online && (!game_ || base::same_ignoring_case(opponent, game_->header().opponent())))
            send(fmt::format("match {}", opponent));
}

// A server has one adjourned game for each pair of opponents.
void Session::keep_adjourned(GameTracker game) {
    static_cast<void>(take_adjourned(game.header().opponent()));
    if (adjourned_.size() == kMostAdjourned) adjourned_.erase(adjourned_.begin());
    adjourned_.push_back(std::move(game));
}

std::optional<GameTracker> Session::take_adjourned(std::string_view opponent) {
    const auto found = std::ranges::find_if(adjourned_, [&](const GameTracker& game) {
        return base::same_ignoring_case(game.header().opponent(), opponent);
    });
    if (found == adjourned_.end()) return std::nullopt;
    std::optional<GameTracker> game = std::move(*found);
    adjourned_.erase(found);
    return game;
}

void Session::note_stored(const std::string& opponent, bool online) {
    const auto found = stored_.find(opponent);
    if (found != stored_.end())
        found->second = online;
    else if (stored_.size() < kMostStored ||
             (game_ && base::same_ignoring_case(opponent, game_->header().opponent())))
        stored_.emplace(opponent, online);
}

bool Session::is_done() const {
    return stopping_ || (settings_.games > 0 && finished_ >= settings_.games);
}

// What comes after a game, or after logging in.
void Session::go_on(Clock::time_point now) {
    if (is_done()) {
        leave(now);
        return;
    }
    phase_ = Phase::Idle;
    since_ = now;
    seek(now);
}

void Session::seek(Clock::time_point now) {
    for (std::string& command : policy_.seek_commands()) send(std::move(command));
    seek_at_ = now + settings_.patience.seek;
}

void Session::leave(Clock::time_point now) {
    phase_ = Phase::Leaving;
    since_ = now;
    if (!is_connected_) {
        disconnected(now);
    } else if (login_) {
        host_.hang_up();
    } else {
        queue_.clear();
        send("quit", true);
    }
}

void Session::reviewed(Clock::time_point now) {
    reviewing_ = false;
    if (phase_ == Phase::Reviewing && is_connected_) {
        go_on(now);
    } else if (phase_ == Phase::Reviewing || phase_ == Phase::LoggingIn) {
        phase_ = Phase::LoggingIn;
        if (is_done()) leave(now);
    }
    flush(now);
}

void Session::stop(Clock::time_point now) {
    if (stopping_) return;
    stopping_ = true;
    switch (phase_) {
        case Phase::Playing:
            if (settings_.on_stop != OnStop::Finish) end_early(now);
            break;
        case Phase::Idle:
            send("unseek", true);
            since_ = now;
            break;
        case Phase::LoggingIn:
        case Phase::Recovering:
            if (game_)
                finish_game(games::GameResult::Unknown, engine::GameEnd::Adjourned,
                            "the connection was lost");
            else
                leave(now);
            break;
        case Phase::Reviewing:
        case Phase::Leaving:
        case Phase::Over:
            break;
    }
    flush(now);
}

void Session::tick(Clock::time_point now) {
    const Patience& patience = settings_.patience;
    if (is_connected_ && login_) {
        if (now >= since_ + patience.login) {
            host_.note(fmt::format("no login within {} s; last heard: {}", patience.login.count() / 1'000,
                                   settings_.credentials.without_password(login_->last_words())));
            since_ = now;
            host_.hang_up();
        }
        return;
    }
    if (!is_connected_) return;
    switch (phase_) {
        case Phase::Recovering:
            tick_recovery(now);
            break;
        case Phase::Idle:
            if (stopping_ && now >= since_ + patience.settle)
                leave(now);
            else if (!stopping_ && now >= seek_at_)
                seek(now);
            break;
        case Phase::Playing:
            tick_game(now);
            break;
        case Phase::Leaving:
            if (now >= since_ + patience.leave) host_.hang_up();
            break;
        case Phase::LoggingIn:
        case Phase::Reviewing:
        case Phase::Over:
            break;
    }
    // A connection can be dead without saying so.
    if (!asked_for_a_word_ && now >= heard_ + patience.silence) {
        asked_for_a_word_ = true;
        send(phase_ == Phase::Playing ? "refresh" : "date");
    } else if (asked_for_a_word_ && now >= heard_ + patience.silence + patience.answer) {
        host_.note("the server has fallen silent");
        heard_ = now;
        asked_for_a_word_ = false;
        host_.hang_up();
    }
    flush(now);
}

}  // namespace scholar::protocols::ics
