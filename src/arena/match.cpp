#include "arena/match.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "arena/child_process.hpp"
#include "arena/match_game.hpp"
#include "base/random.hpp"

namespace scholar::arena {

namespace {

// The engines of one worker, those that have played already.
using Players = std::vector<std::unique_ptr<Player>>;

// Names that are the same get numbers.
void tell_apart(std::vector<std::string>& names) {
    std::map<std::string, int> count;
    for (const auto& name : names) ++count[name];
    std::map<std::string, int> number;
    for (auto& name : names)
        if (const auto shared = name; count[shared] > 1) name += fmt::format(" ({})", ++number[shared]);
}

class Match {
  public:
    Match(const MatchOptions& options, const std::vector<MatchObserver*>& observers, std::stop_token stop,
          const EarlierGames& earlier)
        : options_(options),
          observers_(observers),
          outer_stop_(std::move(stop)),
          order_(opening_order(static_cast<int>(options.openings.size()), rounds(), options.seed)),
          names_(earlier.names),
          withdrawn_(options.engines.size()),
          pairs_(options.pairings.size()) {
        result_.engines.resize(options.engines.size());
        for (const auto& pairing : options.pairings) result_.encounters.push_back({pairing, {}, {}});
        for (const auto& summary : earlier.games)
            if (is_wanted(summary.number) && played_.insert(summary.number).second) count(summary);
        names_.resize(options.engines.size());
        for (std::size_t engine = 0; engine < options.engines.size(); ++engine) {
            if (engine < earlier.restarts.size())
                result_.engines[engine].restarts += earlier.restarts[engine];
            if (engine < earlier.unready.size()) result_.engines[engine].unready += earlier.unready[engine];
        }
    }

    base::Result<MatchResult> run() {
        const int finished_before = static_cast<int>(played_.size());
        const int wanted = options_.games * static_cast<int>(options_.pairings.size());
        // The engines are started before any worker, so that one that does not start is one error and not as
        // many as there are workers.
        Players first(options_.engines.size());
        if (finished_before < wanted) {
            for (std::size_t engine = 0; engine < first.size(); ++engine) {
                if (auto status = start(first[engine], engine); !status)
                    return std::unexpected(status.error());
                if (auto status = check(*first[engine], engine); !status)
                    return std::unexpected(status.error());
                names_[engine] = first[engine]->name();
            }
            tell_apart(names_);
        }
        for (std::size_t engine = 0; engine < names_.size(); ++engine)
            result_.engines[engine].name = names_[engine];
        finished_ = finished_before;
        for (auto* observer : observers_) observer->match_started(result_);

        {
            const std::stop_callback pass_on(outer_stop_, [this] { stop_.request_stop(); });
            const int workers = std::clamp(options_.concurrency, 1, std::max(1, wanted - finished_before));
            std::vector<std::jthread> threads;
            threads.reserve(static_cast<std::size_t>(workers));
            threads.emplace_back([this, players = std::move(first)]() mutable { work(players); });
            for (int i = 1; i < workers; ++i)
                threads.emplace_back(
                    [this, players = Players(options_.engines.size())]() mutable { work(players); });
        }
        result_.interrupted = outer_stop_.stop_requested() && finished_ < wanted;
        if (observer_error_) return std::unexpected(*observer_error_);
        if (!result_.problem.empty() && finished_ == 0) return base::fail("{}", result_.problem);
        return result_;
    }

  private:
    // In which each pairing plays two games, or one in the last.
    int rounds() const { return (options_.games + 1) / 2; }
    std::size_t pairing_of(int number) const {
        return static_cast<std::size_t>(number / 2) % options_.pairings.size();
    }
    int round_of(int number) const { return number / 2 / static_cast<int>(options_.pairings.size()); }
    bool is_wanted(int number) const { return 2 * round_of(number) + number % 2 < options_.games; }

    bool needs_chess960() const {
        return std::ranges::any_of(options_.openings, [](const games::Opening& opening) {
            return arena::needs_chess960(opening.start);
        });
    }

    base::Status start(std::unique_ptr<Player>& player, std::size_t engine) {
        auto started = start_player(options_.engines[engine], options_.patience);
        if (!started) return std::unexpected(started.error());
        player = std::move(*started);
        return {};
    }

    base::Status check(const Player& player, std::size_t engine) const {
        if (auto status = player.check_terms({needs_chess960(), options_.time_controls[engine]}); !status)
            return status;
        for (const auto& opening : options_.openings)
            if (auto status = player.check_start(opening.start); !status) return status;
        return {};
    }

    void work(Players& players) {
        while (!stop_.stop_requested()) {
            const int number = next_++;
            if (round_of(number) >= rounds()) return;
            if (played_.contains(number) || !is_wanted(number)) continue;
            MatchGame game;
            game.number = number;
            game.opening = order_[static_cast<std::size_t>(round_of(number))];
            game.engines = options_.pairings[pairing_of(number)];
            game.white = number % 2;
            game.chess960 = arena::needs_chess960(options_.openings[game.opening].start);
            if (!both_play(game.engines)) continue;
            if (!prepare_both(players, game)) continue;
            std::array<Player*, 2> two{};
            for (int side = 0; side < 2; ++side) {
                const auto engine = static_cast<std::size_t>(game.engines[side]);
                game.names[side] = names_[engine];
                two[side] = players[engine].get();
            }
            if (!play_game(options_, two, game, stop_.get_token())) return;
            // After a failure nobody knows what the engine would answer next, or when.
            if (game.failure != Failure::None) players[game.engines[game.failed]].reset();
            for (const int engine : game.engines)
                if (auto& player = players[engine]; player && !player->plays_again()) player.reset();
            finish(game);
        }
    }

    bool both_play(const Pairing& engines) {
        const std::scoped_lock lock(mutex_);
        return !withdrawn_[engines[0]] && !withdrawn_[engines[1]];
    }

    bool prepare_both(Players& players, const MatchGame& game) {
        for (const int engine : game.engines) {
            const GameTerms terms{game.chess960, options_.time_controls[engine]};
            if (auto status = prepare(players[engine], engine, terms); !status) {
                withdraw(engine, status.error());
                return false;
            }
        }
        return true;
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

    // An engine does not start any more: the end of a match, but not of a tournament.
    void withdraw(int engine, const base::Error& error) {
        const std::scoped_lock lock(mutex_);
        if (stop_.stop_requested() || withdrawn_[engine]) return;
        withdrawn_[engine] = true;
        if (options_.engines.size() > 2) result_.withdrawn.push_back(error.message);
        if (std::ranges::count(withdrawn_, false) >= 2) return;
        result_.problem = error.message;
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
        const std::size_t pairing = pairing_of(game.number);
        Encounter& encounter = result_.encounters[pairing];
        const double points = game.points(0);
        ++(points == 1 ? encounter.score.wins : points == 0 ? encounter.score.losses : encounter.score.draws);
        pairs_[pairing].add(game);
        encounter.pairs = pairs_[pairing].pairs();
        for (int side = 0; side < 2; ++side) result_.engines[game.engines[side]].add(game.records[side]);
    }

    const MatchOptions& options_;
    const std::vector<MatchObserver*>& observers_;
    std::stop_token outer_stop_;
    std::vector<int> order_;
    std::vector<std::string> names_;  // by engine
    std::set<int> played_;            // before this run

    std::stop_source stop_;
    std::atomic<int> next_ = 0;

    std::mutex mutex_;  // of everything below
    MatchResult result_;
    int finished_ = 0;
    std::vector<bool> withdrawn_;     // by engine
    std::vector<PairCounter> pairs_;  // by pairing
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

std::uint64_t MatchResult::games() const {
    std::uint64_t sum = 0;
    for (const auto& encounter : encounters) sum += encounter.score.games();
    return sum;
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
    summary.engines = game.engines;
    summary.white = game.white;
    summary.result = game.result;
    if (game.failure != Failure::None) {
        EngineRecord& record = summary.records[game.failed];
        ++record.failures[std::ranges::find(kFailures, game.failure) - kFailures.begin()];
        ++record.restarts;
    }
    for (const FalseMate& claim : game.false_mates) ++summary.records[claim.engine].false_mates;
    const int first_mover = opening_mover(game);
    for (std::size_t i = 0; i < game.moves.size(); ++i) {
        EngineRecord& record = summary.records[(first_mover + i) % 2];
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

std::vector<Pairing> round_robin(int engines) {
    return neighbours(engines, engines);
}

std::vector<Pairing> gauntlet(int engines) {
    std::vector<Pairing> pairings;
    for (int other = 1; other < engines; ++other) pairings.push_back({0, other});
    return pairings;
}

std::vector<Pairing> neighbours(int engines, int distance) {
    std::vector<Pairing> pairings;
    for (int second = 1; second < engines; ++second)
        for (int first = std::max(0, second - distance); first < second; ++first)
            pairings.push_back({first, second});
    return pairings;
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
    if (options.engines.size() < 2 || options.pairings.empty())
        return base::fail("match: {} engines, expected at least two", options.engines.size());
    allow_many_files();
    return Match(options, observers, std::move(stop), earlier).run();
}

}  // namespace scholar::arena
