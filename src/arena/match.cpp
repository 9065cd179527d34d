#include "arena/match.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "arena/child_process.hpp"
#include "arena/match_game.hpp"
#include "base/random.hpp"

namespace scholar::arena {

namespace {

// The two engines of one worker.
using Players = std::array<std::unique_ptr<Player>, 2>;

class Match {
  public:
    Match(const MatchOptions& options, const std::vector<MatchObserver*>& observers, std::stop_token stop,
          const EarlierGames& earlier)
        : options_(options),
          observers_(observers),
          outer_stop_(std::move(stop)),
          order_(opening_order(static_cast<int>(options.openings.size()), (options.games + 1) / 2,
                               options.seed)) {
        for (const auto& summary : earlier.games) {
            if (summary.number >= options.games || !played_.insert(summary.number).second) continue;
            count(summary);
            names_ = earlier.names;
        }
        for (int engine = 0; engine < 2; ++engine) {
            result_.engines[engine].restarts += earlier.restarts[engine];
            result_.engines[engine].unready += earlier.unready[engine];
        }
    }

    base::Result<MatchResult> run() {
        const int finished_before = static_cast<int>(played_.size());
        const bool is_complete = finished_before == options_.games;
        // The first pair of engines is started before any worker, so that an engine that does not start is
        // one error and not as many as there are workers.
        Players first;
        for (int engine = 0; !is_complete && engine < 2; ++engine) {
            if (auto status = start(first[engine], engine); !status) return std::unexpected(status.error());
            const GameTerms terms{needs_chess960(), options_.time_controls[engine]};
            if (auto status = first[engine]->check_terms(terms); !status)
                return std::unexpected(status.error());
            for (const auto& opening : options_.openings)
                if (auto status = first[engine]->check_start(opening.start); !status)
                    return std::unexpected(status.error());
        }
        if (!is_complete) {
            for (int engine = 0; engine < 2; ++engine) names_[engine] = first[engine]->name();
            if (names_[0] == names_[1]) {
                names_[0] += " (1)";
                names_[1] += " (2)";
            }
        }
        for (int engine = 0; engine < 2; ++engine) result_.engines[engine].name = names_[engine];
        finished_ = finished_before;
        for (auto* observer : observers_) observer->match_started(result_);

        {
            const std::stop_callback pass_on(outer_stop_, [this] { stop_.request_stop(); });
            const int workers =
                std::clamp(options_.concurrency, 1, std::max(1, options_.games - finished_before));
            std::vector<std::jthread> threads;
            threads.reserve(static_cast<std::size_t>(workers));
            threads.emplace_back([this, players = std::move(first)]() mutable { work(players); });
            for (int i = 1; i < workers; ++i)
                threads.emplace_back([this, players = Players{}]() mutable { work(players); });
        }
        result_.interrupted = outer_stop_.stop_requested() && finished_ < options_.games;
        if (observer_error_) return std::unexpected(*observer_error_);
        if (!result_.problem.empty() && finished_ == 0) return base::fail("{}", result_.problem);
        return result_;
    }

  private:
    bool needs_chess960() const {
        return std::ranges::any_of(options_.openings, [](const games::Opening& opening) {
            return arena::needs_chess960(opening.start);
        });
    }

    base::Status start(std::unique_ptr<Player>& player, int engine) {
        auto started = start_player(options_.engines[engine], options_.patience);
        if (!started) return std::unexpected(started.error());
        player = std::move(*started);
        return {};
    }

    void work(Players& players) {
        while (!stop_.stop_requested()) {
            const int number = next_++;
            if (number >= options_.games) return;
            if (played_.contains(number)) continue;
            const int opening = order_[number / 2];
            const bool chess960 = arena::needs_chess960(options_.openings[opening].start);
            for (int engine = 0; engine < 2; ++engine) {
                const GameTerms terms{chess960, options_.time_controls[engine]};
                if (auto status = prepare(players[engine], engine, terms); !status) {
                    give_up(status.error());
                    return;
                }
            }
            MatchGame game;
            game.number = number;
            game.opening = opening;
            game.names = names_;
            game.white = number % 2;
            game.chess960 = chess960;
            if (!play_game(options_, {players[0].get(), players[1].get()}, game, stop_.get_token())) return;
            // After a failure nobody knows what the engine would answer next, or when.
            if (game.failure != Failure::None) players[game.failed].reset();
            for (auto& player : players)
                if (player && !player->plays_again()) player.reset();
            finish(game);
        }
    }

    // An engine ready for a new game: the running one, or if that fails, a fresh one.
    base::Status prepare(std::unique_ptr<Player>& player, int engine, const GameTerms& terms) {
        for (int attempt = 1;; ++attempt) {
            const bool is_running = player != nullptr;
            base::Status status;
            if (!is_running) status = start(player, engine);
            if (status) status = player->new_game(terms);
            if (status) return {};
            player.reset();
            if (attempt > options_.start_attempts || stop_.stop_requested()) return status;
            const std::scoped_lock lock(mutex_);
            ++result_.engines[engine].unready;
            ++result_.engines[engine].restarts;
        }
    }

    void give_up(const base::Error& error) {
        const std::scoped_lock lock(mutex_);
        if (stop_.stop_requested()) return;
        if (result_.problem.empty()) result_.problem = error.message;
        stop_.request_stop();
    }

    void finish(const MatchGame& game) {
        const std::scoped_lock lock(mutex_);
        // Those whose observer failed know nothing of what comes after.
        if (observer_error_) return;
        ++finished_;
        count(summarise(game));
        for (auto* observer : observers_) {
            const auto status = observer->game_finished(game, result_);
            if (status) continue;
            if (!observer_error_) observer_error_ = status.error();
            stop_.request_stop();
            // Those after it would know of a game that it does not.
            break;
        }
    }

    void count(const GameSummary& game) {
        const double points = game.points(0);
        ++(points == 1 ? result_.score.wins : points == 0 ? result_.score.losses : result_.score.draws);
        pairs_.add(game);
        result_.pairs = pairs_.pairs();
        for (int engine = 0; engine < 2; ++engine) result_.engines[engine].add(game.engines[engine]);
    }

    const MatchOptions& options_;
    const std::vector<MatchObserver*>& observers_;
    std::stop_token outer_stop_;
    std::vector<int> order_;
    std::array<std::string, 2> names_;
    std::set<int> played_;  // before this run

    std::stop_source stop_;
    std::atomic<int> next_ = 0;

    std::mutex mutex_;  // of everything below
    MatchResult result_;
    int finished_ = 0;
    PairCounter pairs_;
    std::optional<base::Error> observer_error_;
};

}  // namespace

std::string_view to_string(Failure failure) {
    switch (failure) {
        case Failure::None:
            break;
        case Failure::IllegalMove:
            return "illegal move";
        case Failure::Crash:
            return "crash";
        case Failure::Stall:
            return "stall";
        case Failure::TimeLoss:
            return "time loss";
        case Failure::Garbage:
            return "garbage";
        case Failure::Flood:
            return "flood";
    }
    return "none";
}

double MatchGame::points(int engine) const {
    return games::points(result, engine == white ? chess::White : chess::Black).value_or(0.5);
}

std::uint64_t EngineRecord::count(Failure failure) const {
    const auto at = std::ranges::find(kFailures, failure);
    return at == kFailures.end() ? 0 : failures[at - kFailures.begin()];
}

void EngineRecord::add(const EngineRecord& other) {
    for (std::size_t i = 0; i < failures.size(); ++i) failures[i] += other.failures[i];
    moves += other.moves;
    depth_sum += other.depth_sum;
    depth_moves += other.depth_moves;
    nodes += other.nodes;
    node_time += other.node_time;
    false_mates += other.false_mates;
    restarts += other.restarts;
    unready += other.unready;
}

double GameSummary::points(int engine) const {
    return games::points(result, white == engine ? chess::White : chess::Black).value_or(0.5);
}

bool PairCounter::add(const GameSummary& game) {
    const double points = game.points(0);
    const auto [other, is_first] = half_.try_emplace(game.number / 2, points);
    if (is_first) return false;
    ++pairs_[static_cast<std::size_t>(2 * (other->second + points))];
    half_.erase(other);
    return true;
}

GameSummary summarise(const MatchGame& game) {
    GameSummary summary;
    summary.number = game.number;
    summary.white = game.white;
    summary.result = game.result;
    if (game.failure != Failure::None) {
        EngineRecord& record = summary.engines[game.failed];
        ++record.failures[std::ranges::find(kFailures, game.failure) - kFailures.begin()];
        ++record.restarts;
    }
    for (const FalseMate& claim : game.false_mates) ++summary.engines[claim.engine].false_mates;
    const int first_mover = opening_mover(game);
    for (std::size_t i = 0; i < game.moves.size(); ++i) {
        EngineRecord& record = summary.engines[(first_mover + i) % 2];
        const PlayedMove& played = game.moves[i];
        ++record.moves;
        if (played.info.depth > 0) {
            record.depth_sum += played.info.depth;
            ++record.depth_moves;
        }
        if (played.info.nodes > 0) {
            record.nodes += played.info.nodes;
            record.node_time += played.elapsed;
        }
    }
    return summary;
}

std::vector<int> opening_order(int openings, int pairs, std::uint64_t seed) {
    std::vector<int> order;
    base::Random random(seed);
    std::vector<int> pass(openings);
    for (int i = 0; i < openings; ++i) pass[i] = i;
    while (static_cast<int>(order.size()) < pairs) {
        random.shuffle(pass);
        for (const int opening : pass)
            if (static_cast<int>(order.size()) < pairs) order.push_back(opening);
    }
    return order;
}

base::Result<MatchResult> play_match(const MatchOptions& options,
                                     const std::vector<MatchObserver*>& observers, std::stop_token stop,
                                     const EarlierGames& earlier) {
    if (options.openings.empty()) return base::fail("match: no openings, expected at least one");
    if (options.games < 1) return base::fail("match: {} games, expected at least 1", options.games);
    allow_many_files();
    return Match(options, observers, std::move(stop), earlier).run();
}

}  // namespace scholar::arena
