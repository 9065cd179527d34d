#include "arena/questions.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include "arena/child_process.hpp"

namespace scholar::arena {

namespace {

using std::chrono::milliseconds;

std::string failure_text(const Reply& reply) {
    switch (reply.answer) {
        case Answer::Move:
        case Answer::Stopped:
            return "";
        case Answer::Illegal:
            return "illegal move: " + reply.detail;
        case Answer::Garbage:
            return "garbage: " + reply.detail;
        case Answer::Resign:
        case Answer::Agree:
            return "resigns";
        case Answer::Flood:
            return "flood: " + reply.detail;
        case Answer::Stall:
            return "stall: " + reply.detail;
        case Answer::Crash:
            return "crash: " + reply.detail;
    }
    return "";
}

class Asking {
  public:
    Asking(std::size_t count, const AskingOptions& options,
           const std::function<Question(std::size_t)>& question, const std::function<void(Answered)>& answer,
           std::stop_token stop)
        : count_(count), options_(options), question_(question), answer_(answer), stop_(std::move(stop)) {
        has_started_.assign(options.engines.size(), true);
    }

    base::Result<AskingResult> run(const std::string& what) {
        AskingResult result;
        if (options_.engines.empty()) return base::fail("{}: no engines, expected at least one", what);
        Players first(options_.engines.size());
        for (std::size_t engine = 0; engine < first.size(); ++engine) {
            const AskedEngine& asked = options_.engines[engine];
            auto started = start_player(asked.config, options_.patience);
            if (!started) return std::unexpected(started.error());
            first[engine] = std::move(*started);
            if (auto status = first[engine]->check_terms(terms(asked.limit)); !status)
                return std::unexpected(status.error());
            result.names.push_back(first[engine]->name());
        }
        {
            allow_many_files();
            std::vector<std::jthread> threads;
            for (int i = 0; i < std::max(1, options_.concurrency); ++i) {
                Players players = i == 0 ? std::exchange(first, {}) : Players(options_.engines.size());
                threads.emplace_back([this, players = std::move(players)]() mutable { work(players); });
            }
        }
        result.interrupted = stop_.stop_requested() && done_ < count_ * options_.engines.size();
        return result;
    }

  private:
    using Players = std::vector<std::unique_ptr<Player>>;

    void work(Players& players) {
        while (!stop_.stop_requested()) {
            const std::size_t index = next_++;
            if (index >= count_) return;
            for (std::size_t turn = 0; turn < players.size(); ++turn) {
                const std::size_t engine = (index + turn) % players.size();
                if (!ask(players[engine], engine, index)) return;
            }
        }
    }

    // False: stopped.
    bool ask(std::unique_ptr<Player>& player, std::size_t engine, std::size_t index) {
        const Question question = question_(index);
        GameTerms terms = Asking::terms(options_.engines[engine].limit);
        terms.chess960 = needs_chess960(question.start);
        terms.number = index;
        if (auto status = prepare(player, engine, terms); !status) {
            player.reset();
            if (stop_.stop_requested()) return false;
            keep({.engine = engine, .question = index, .failure = "not ready: " + status.error().message});
            return true;
        }
        const SearchLimit& limit = question.limit ? *question.limit : options_.engines[engine].limit;
        Reply reply =
            player->go(question.start, question.moves, question.position, limit, patience(limit), stop_);
        if (reply.answer == Answer::Stopped) return false;
        if (reply.answer != Answer::Move || !player->plays_again()) player.reset();
        std::string failure = failure_text(reply);
        keep({.engine = engine, .question = index, .failure = std::move(failure), .reply = std::move(reply)});
        return true;
    }

    void keep(Answered answered) {
        const std::scoped_lock lock(mutex_);
        ++done_;
        answer_(std::move(answered));
    }

    // An engine ready for the position: the running one, or if that fails, a fresh one.
    base::Status prepare(std::unique_ptr<Player>& player, std::size_t engine, const GameTerms& terms) {
        if (player && player->new_game(terms)) return {};
        int attempts = 1;
        {
            const std::scoped_lock lock(mutex_);
            if (has_started_[engine]) attempts += options_.start_attempts;
        }
        base::Status status;
        for (; attempts > 0 && !stop_.stop_requested(); --attempts) {
            player.reset();
            auto started = start_player(options_.engines[engine].config, options_.patience);
            if (started) {
                player = std::move(*started);
                status = player->new_game(terms);
                if (status) break;
                // What it has no way to do it will not learn.
                if (!player->check_terms(terms)) break;
            } else {
                status = std::unexpected(started.error());
            }
        }
        const std::scoped_lock lock(mutex_);
        has_started_[engine] = player != nullptr;
        if (player == nullptr && status) return base::fail("stopped");
        return status;
    }

    static GameTerms terms(const SearchLimit& limit) {
        GameTerms result;
        // Only so that an engine that has no such limit says so.
        if (const auto* nodes = std::get_if<NodeLimit>(&limit))
            result.time_control.kind = TimeControl::Nodes{nodes->nodes};
        return result;
    }

    milliseconds patience(const SearchLimit& limit) const {
        const auto* time = std::get_if<MoveTimeLimit>(&limit);
        return time != nullptr ? time->time + options_.stall_after : options_.untimed_patience;
    }

    const std::size_t count_;
    const AskingOptions& options_;
    const std::function<Question(std::size_t)>& question_;
    const std::function<void(Answered)>& answer_;
    std::stop_token stop_;
    std::atomic<std::size_t> next_ = 0;

    std::mutex mutex_;  // of everything below
    std::size_t done_ = 0;
    std::vector<bool> has_started_;  // by engine: at its last attempt
};

}  // namespace

base::Result<AskingResult> ask_questions(const std::string& what, std::size_t count,
                                         const AskingOptions& options,
                                         const std::function<Question(std::size_t)>& question,
                                         const std::function<void(Answered)>& answer, std::stop_token stop) {
    return Asking(count, options, question, answer, std::move(stop)).run(what);
}

}  // namespace scholar::arena
