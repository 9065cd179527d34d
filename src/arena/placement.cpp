#include "arena/placement.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/ranges.h>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>

#include "arena/child_process.hpp"
#include "arena/engine_identity.hpp"
#include "arena/match.hpp"
#include "arena/pairing.hpp"
#include "base/hash.hpp"

namespace scholar::arena {

namespace {

// Moves of a player in a game, for guessing how long a game takes before one was played.
constexpr double kMovesOfAGame = 60;

double expected_seconds(const TimeControl& control) {
    using Seconds = std::chrono::duration<double>;
    if (const auto* clock = std::get_if<TimeControl::Clock>(&control.kind))
        return Seconds(clock->base).count() + kMovesOfAGame * Seconds(clock->increment).count();
    if (const auto* time = std::get_if<TimeControl::MoveTime>(&control.kind))
        return kMovesOfAGame * Seconds(time->time).count();
    return 0.5;
}

// A player as its file of games tells it from others.
// A file, such as a network, is known by what is in it, wherever it lies.
base::Result<std::string> words_of(const EngineConfig& config) {
    std::string words(to_string(config.protocol));
    for (const auto& word : config.command) words += " " + word;
    for (const auto& [name, value] : config.options) {
        const auto content = content_of_option(config, value);
        if (!content) return std::unexpected(content.error());
        words += fmt::format(" {}={}", name, content->empty() ? value : *content);
    }
    return words;
}

// What everybody on the ladder plays with, where the engine has such options and nothing else was asked for.
void add_terms(EngineConfig& config, const std::vector<EngineOption>& options) {
    for (const auto& [name, value] : {std::pair("Threads", "1"), std::pair("Hash", "16")}) {
        const auto* option = find_option(options, name);
        if (option == nullptr) continue;
        const bool given = std::ranges::any_of(
            config.options, [&](const auto& set) { return find_option({*option}, set.first) != nullptr; });
        if (!given) config.options.emplace_back(option->name, value);
    }
}

class Placement {
  public:
    Placement(const PlacementOptions& options, LadderGames& games,
              const std::function<void(const PlacementProgress&)>& progress, std::stop_token stop)
        : options_(options), games_(games), progress_(progress), outer_stop_(std::move(stop)) {}

    base::Result<PlacementResult> run() {
        if (options_.openings.empty()) return base::fail("ladder: no openings, expected at least one");
        if (auto status = gather(); !status) return std::unexpected(status.error());
        report();
        {
            const std::stop_callback pass_on(outer_stop_, [this] { stop_.request_stop(); });
            std::vector<std::jthread> workers;
            for (int i = 0; i < std::max(1, options_.concurrency); ++i)
                workers.emplace_back([this] { work(); });
        }
        if (error_) return std::unexpected(*error_);
        result_.interrupted = outer_stop_.stop_requested();
        conclude();
        return result_;
    }

  private:
    // Who can play.
    base::Status gather() {
        if (options_.engine) {
            LadderPlayer engine = *options_.engine;
            const auto tried = try_out(engine, options_.ladder.control_of(engine), options_.openings);
            if (!tried) return std::unexpected(tried.error());
            if (engine.config.name.empty()) engine.config.name = tried->name;
            add_terms(engine.config, tried->options);
            for (const auto& player : options_.ladder.players)
                if (player.config.name == engine.config.name)
                    return base::fail(
                        "engine {}: the ladder has a player of this name, expected another (name=…)",
                        engine.config.name);
            result_.engine = engine.config.name;
            focus_ = 0;
            players_.push_back(std::move(engine));
        }
        for (const LadderPlayer& player : options_.ladder.players) {
            if (outer_stop_.stop_requested()) break;
            const auto words = words_of(player.config);
            if (!words) return std::unexpected(words.error());
            if (auto status = check_record(player, *words); !status) return status;
            auto found = find_player(options_.ladder, player, options_.openings);
            if (!found) {
                skip(player, found.error().message);
                continue;
            }
            commands_[player.config.name] = *words;
            players_.push_back(std::move(*found));
        }
        playing_.assign(players_.size(), true);
        if (players_.size() < 2 && !outer_stop_.stop_requested())
            return base::fail("ladder: {} that can play, expected at least two{}",
                              players_.empty() ? "no player" : "only one player",
                              result_.skipped.empty() ? ""
                                                      : fmt::format(" ({}: {})", result_.skipped.front().name,
                                                                    result_.skipped.front().reason));
        // A player who plays again under the same name must be the same.
        for (const auto& player : players_)
            if (has_games(player.config.name))
                if (auto status = declare(player); !status) return status;
        return {};
    }

    void skip(const LadderPlayer& player, std::string reason) {
        result_.skipped.push_back({player.config.name, std::move(reason)});
    }
    bool has_games(const std::string& name) const { return games_.record().mean_seconds(name).has_value(); }
    // A player of the ladder must be the one whose games its record has.
    base::Status check_record(const LadderPlayer& player, const std::string& words) const {
        const auto known = options_.ladder.record.players.find(player.config.name);
        if (known == options_.ladder.record.players.end()) return {};
        const std::string control = to_string(options_.ladder.control_of(player));
        if (known->second.engine == words && known->second.time_control == control) return {};
        return base::fail(
            "ladder: '{}' is '{}' at {}, but its games were played by '{}' at {}: expected the same, or "
            "another name",
            player.config.name, words, control, known->second.engine, known->second.time_control);
    }
    base::Status declare(const LadderPlayer& player) {
        const auto known = commands_.find(player.config.name);
        const auto words =
            known == commands_.end() ? words_of(player.config) : base::Result<std::string>(known->second);
        if (!words) return std::unexpected(words.error());
        return games_.declare(player.config.name, *words, to_string(options_.ladder.control_of(player)));
    }

    // Of the engine, in its file.
    int games_of_engine() const {
        int count = 0;
        for (const auto& game : games_.games())
            count += game.white == result_.engine || game.black == result_.engine ? 1 : 0;
        return count;
    }
    // Games that are wanted, and how many of them there are.
    std::pair<int, int> wanted_and_there() const {
        if (focus_) return {options_.games, games_of_engine()};
        const ResultPool all = pool();
        int wanted = 0, there = 0;
        for (std::size_t i = 0; i < players_.size(); ++i) {
            if (!playing_[i]) continue;
            wanted += options_.games;
            if (const auto number = all.find(players_[i].config.name))
                there += static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(options_.games),
                                                                  all.record(*number).games()));
        }
        return {wanted, there};
    }

    ResultPool pool() const {
        ResultPool all = with_record(options_.ladder, games_.record().pool());
        all.add(options_.more_games);
        return all;
    }

    // Tells how far it is, and ends the work if that is far enough. Under the lock, or before the workers.
    void report() {
        const auto [wanted, there] = wanted_and_there();
        PlacementProgress state{.games = there, .wanted = wanted, .estimate = ""};
        if (focus_) {
            const ResultPool all = pool();
            if (const auto rated = rate_pool(all, rating_options(options_.ladder, all)))
                if (const auto place = place_of(options_.ladder, *rated, result_.engine)) {
                    state.estimate = describe_place(place->kind, place->elo, place->error);
                    if (options_.target_error > 0 && place->kind == PlaceKind::Rated &&
                        place->error <= options_.target_error)
                        stop_.request_stop();
                }
        }
        if (there >= wanted) stop_.request_stop();
        progress_(state);
    }

    struct Job {
        std::size_t a;
        std::size_t b;
        int pair;
        int games;
        int opening;
        bool is_between(std::size_t one, std::size_t other) const {
            return (a == one && b == other) || (a == other && b == one);
        }
    };

    // A pair that was cut off after its first game. Under the lock.
    std::optional<Job> half_pair() const {
        std::map<std::string_view, std::size_t> number;
        for (std::size_t i = 0; i < players_.size(); ++i)
            if (playing_[i]) number.emplace(players_[i].config.name, i);
        // By the two players and the pair: its only game.
        std::map<std::tuple<std::size_t, std::size_t, int>, const LadderGame*> single;
        for (const auto& game : games_.games()) {
            const auto white = number.find(game.white), black = number.find(game.black);
            if (white == number.end() || black == number.end()) continue;
            const auto [low, high] = std::minmax(white->second, black->second);
            const auto [at, first] = single.try_emplace({low, high, game.pair}, &game);
            if (!first) at->second = nullptr;
        }
        for (const auto& [key, game] : single) {
            const auto& [i, k, pair] = key;
            if (game == nullptr || game->opening >= static_cast<int>(options_.openings.size())) continue;
            if (focus_ && i != *focus_ && k != *focus_) continue;
            if (std::ranges::any_of(under_way_, [i, k](const Job& job) { return job.is_between(i, k); }))
                continue;
            const bool swap = game->white == players_[i].config.name;
            return Job{swap ? k : i, swap ? i : k, pair, 1, game->opening};
        }
        return std::nullopt;
    }

    // The next pair of games, or its first if only one more is wanted. Under the lock.
    std::optional<Job> next_job() {
        const auto [wanted, there] = wanted_and_there();
        const int left = wanted - there - games_under_way_;
        if (left <= 0) return std::nullopt;
        if (const auto half = half_pair()) return half;
        // Games are counted too, not only seconds: those that take no time are not worth everything.
        const double least = expected_seconds(options_.ladder.time_control) / 4;
        PairingTask task;
        std::vector<std::size_t> number;
        for (std::size_t i = 0; i < players_.size(); ++i) {
            if (!playing_[i]) continue;
            if (focus_ && i == *focus_) task.focus = number.size();
            number.push_back(i);
            const auto& player = players_[i];
            auto mean = games_.record().mean_seconds(player.config.name);
            if (!mean) mean = options_.ladder.record.mean_seconds(player.config.name);
            const double seconds = mean ? *mean / 2 : expected_seconds(options_.ladder.control_of(player));
            task.candidates.push_back({player.config.name, player.anchor, std::max(seconds, least)});
        }
        task.played = pool();
        for (const auto& other : under_way_) {
            const auto first = std::ranges::find(number, other.a);
            const auto second = std::ranges::find(number, other.b);
            if (first != number.end() && second != number.end())
                task.under_way.emplace_back(first - number.begin(), second - number.begin());
        }
        const auto chosen = choose_pairing(task);
        if (!chosen) return std::nullopt;
        Job job{number[chosen->first], number[chosen->second], 0, std::min(2, left), 0};
        const std::string& first = players_[job.a].config.name;
        const std::string& second = players_[job.b].config.name;
        job.pair = games_.next_pair(first, second);
        for (const auto& other : under_way_)
            if (other.is_between(job.a, job.b)) job.pair = std::max(job.pair, other.pair + 1);
        // Each two players go through the openings in an order of their own.
        const std::uint64_t order_seed =
            options_.seed ^ base::hash_text(first < second ? first + "\n" + second : second + "\n" + first);
        job.opening =
            opening_order(static_cast<int>(options_.openings.size()), job.pair + 1, order_seed).back();
        return job;
    }

    void work() {
        while (true) {
            std::optional<Job> job;
            {
                const std::scoped_lock lock(mutex_);
                if (stop_.stop_requested()) return;
                job = next_job();
                if (!job) return;
                for (const auto player : {job->a, job->b})
                    if (auto status = declare(players_[player]); !status) return give_up(status.error());
                under_way_.push_back(*job);
                games_under_way_ += job->games;
            }
            const auto played = play(*job);
            const std::scoped_lock lock(mutex_);
            std::erase_if(under_way_, [&](const Job& other) {
                return other.is_between(job->a, job->b) && other.pair == job->pair;
            });
            if (error_) return;
            if (!played) drop(*job, played.error());
        }
    }

    void give_up(const base::Error& error) {
        if (!error_) error_ = error;
        stop_.request_stop();
    }

    // Somebody does not start any more. Under the lock.
    void drop(const Job& job, const base::Error& error) {
        for (const auto player : {job.a, job.b}) {
            const auto again =
                try_out(players_[player], options_.ladder.control_of(players_[player]), options_.openings);
            if (again) continue;
            if (focus_ && player == *focus_) return give_up(again.error());
            playing_[player] = false;
            skip(players_[player], again.error().message);
            return;
        }
        // Both start, alone: it is not clear what is wrong, so no more games of these two.
        if (++unexplained_ > 3) give_up(error);
    }

    // Writes down the games of one pair as they end.
    class Recorder : public MatchObserver {
      public:
        Recorder(Placement& placement, const Job& job) : placement_(placement), job_(job) {}
        base::Status game_finished(const MatchGame& game, const MatchResult&) override {
            ++finished_;
            return placement_.record(job_, game);
        }
        int finished() const { return finished_; }

      private:
        Placement& placement_;
        const Job& job_;
        int finished_ = 0;
    };

    base::Status play(const Job& job) {
        MatchOptions match;
        for (std::size_t i = 0; i < 2; ++i) {
            const auto& player = players_[i == 0 ? job.a : job.b];
            match.engines[i] = player.config;
            match.time_controls[i] = options_.ladder.control_of(player);
        }
        match.openings = {options_.openings[static_cast<std::size_t>(job.opening)]};
        match.games = job.games;
        match.seed = options_.seed + static_cast<std::uint64_t>(job.pair);
        match.time_margin = options_.ladder.time_margin;
        Recorder recorder(*this, job);
        const auto result = play_match(match, {&recorder}, stop_.get_token());
        {
            const std::scoped_lock lock(mutex_);
            games_under_way_ -= job.games - recorder.finished();
        }
        if (!result) return std::unexpected(result.error());
        if (!result->problem.empty()) return base::fail("{}", result->problem);
        return {};
    }

    base::Status record(const Job& job, const MatchGame& game) {
        const std::scoped_lock lock(mutex_);
        --games_under_way_;
        LadderGame line{.pair = job.pair,
                        .opening = job.opening,
                        .white = game.names[static_cast<std::size_t>(game.white)],
                        .black = game.names[static_cast<std::size_t>(1 - game.white)],
                        .result = game.result,
                        .reason = game.reason,
                        .failure = game.failure == Failure::None ? "" : std::string(to_string(game.failure)),
                        .plies = static_cast<int>(game.moves.size()),
                        .seconds = 0};
        for (const auto& move : game.moves)
            line.seconds += std::chrono::duration<double>(move.elapsed).count();
        if (!line.failure.empty()) {
            line.failed = game.names[static_cast<std::size_t>(game.failed)];
            note_failure(line);
        }
        if (auto status = games_.append(line); !status) {
            give_up(status.error());
            return status;
        }
        ++result_.games_played;
        report();
        return {};
    }

    void note_failure(const LadderGame& game) {
        auto found = std::ranges::find_if(result_.failures, [&](const auto& other) {
            return other.player == game.failed && other.failure == game.failure;
        });
        if (found == result_.failures.end())
            found = result_.failures.insert(found, {.player = game.failed, .failure = game.failure});
        ++found->games;
        found->last = fmt::format("{} - {}: {}", game.white, game.black, game.reason);
    }

    void conclude() {
        result_.games_known = focus_ ? games_of_engine() : static_cast<int>(pool().games());
        result_.pool = pool();
        auto rated = rate_pool(result_.pool, rating_options(options_.ladder, result_.pool));
        if (!rated) return;
        if (focus_) result_.place = place_of(options_.ladder, *rated, result_.engine);
        result_.ratings = std::move(*rated);
    }

    const PlacementOptions& options_;
    LadderGames& games_;
    const std::function<void(const PlacementProgress&)>& progress_;
    std::stop_token outer_stop_;
    std::stop_source stop_;

    std::vector<LadderPlayer> players_;            // those that can play; the one to be placed first
    std::map<std::string, std::string> commands_;  // by name: as the ladder has it
    std::optional<std::size_t> focus_;

    std::mutex mutex_;  // of games_ and everything below
    std::vector<bool> playing_;
    std::vector<Job> under_way_;
    int games_under_way_ = 0;
    int unexplained_ = 0;
    PlacementResult result_;
    std::optional<base::Error> error_;
};

}  // namespace

ResultPool with_record(const Ladder& ladder, const ResultPool& games) {
    ResultPool all = ladder.record.pool();
    all.add(games);
    return all;
}

bool can_place(const Ladder& ladder) {
    return std::ranges::any_of(ladder.players, [&](const LadderPlayer& player) {
        if (!player.anchor && !ladder.record.players.contains(player.config.name)) return false;
        return player.config.protocol == Protocol::Internal ||
               find_program(player.config.command, ladder.folders);
    });
}

RatingOptions rating_options(const Ladder& ladder, const ResultPool& games) {
    RatingOptions options;
    for (const auto& player : ladder.players)
        if (player.anchor && games.find(player.config.name))
            options.anchors.emplace(player.config.name, *player.anchor);
    return options;
}

base::Result<PlacementResult> place_on_ladder(const PlacementOptions& options, LadderGames& games,
                                              const std::function<void(const PlacementProgress&)>& progress,
                                              const std::stop_token& stop) {
    return Placement(options, games, progress, stop).run();
}

}  // namespace scholar::arena
