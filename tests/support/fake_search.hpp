#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "chess/movegen.hpp"
#include "engine/players.hpp"
#include "search/root.hpp"

namespace scholar::tests {

// A search that plays the first legal move, says what the test told it to say, and writes down what it was
// asked for. As the contract says, it goes on until it is stopped where the limits have no end, and ponders
// until the hit.
struct FakeSearchLog {
    std::vector<search::Limits> limits;  // while a search may just be beginning, ask await() first
    std::vector<search::AlphaBetaOptions> made_with;
    std::vector<std::uint64_t> seeds;
    search::Counters counters;                  // of every result
    chess::Score score;                         // of every result
    std::vector<search::Iteration> iterations;  // reported before
    chess::Move prefers;                        // played where it is legal
    bool expects_a_reply = false;               // results name one
    // As a search far from the end of its limits: goes on until it is stopped.
    std::atomic<bool> lingers = false;
    bool finds_all = false;  // it ends, even where the limits do not: there is nothing more to be found
    int new_games = 0;

    // Waits until so many searches have begun_.
    void await(std::size_t searches) {
        std::unique_lock lock(mutex_);
        begun_.wait(lock, [&] { return limits.size() >= searches; });
    }
    void note(const search::Limits& asked) {
        const std::lock_guard lock(mutex_);
        limits.push_back(asked);
        begun_.notify_all();
    }

  private:
    std::mutex mutex_;
    std::condition_variable begun_;
};

class FakeSearch final : public search::Search {
  public:
    explicit FakeSearch(FakeSearchLog& log) : log_(log) {}

    search::SearchResult run(const chess::Line& line, const search::Limits& limits, std::stop_token stop,
                             search::Observer& observer) override {
        log_.note(limits);
        search::SearchResult result;
        const auto moves = search::allowed_moves(line.current(), limits);
        if (!moves.empty()) {
            result.best =
                std::ranges::find(moves, log_.prefers) != moves.end() ? log_.prefers : moves.front();
            result.principal_variation = {result.best};
            const auto replies = chess::legal_moves(line.current().after(result.best));
            if (log_.expects_a_reply && !replies.empty()) result.ponder = *replies.begin();
        }
        result.score = log_.score;
        result.counters = log_.counters;
        for (search::Iteration iteration : log_.iterations) {
            if (iteration.principal_variation.empty())
                iteration.principal_variation = result.principal_variation;
            observer.on_iteration(iteration);
        }
        const auto ponder = limits.find<search::PonderLimit>();
        while (!stop.stop_requested() && !log_.finds_all &&
               (log_.lingers || limits.is_infinite() || (ponder && !ponder->hit.stop_requested())))
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return result;
    }
    void new_game() override { ++log_.new_games; }

  private:
    FakeSearchLog& log_;
};

inline engine::Players fake_players(FakeSearchLog& log) {
    const auto make =
        [&log](const engine::Ingredients& with) -> base::Result<std::unique_ptr<search::Search>> {
        log.made_with.push_back(with.alpha_beta);
        log.seeds.push_back(with.seed);
        return std::make_unique<FakeSearch>(log);
    };
    engine::Players players = engine::standard_players();
    // It heeds what alpha-beta heeds.
    engine::SearchKind fake = *players.find_search("mtdf");
    fake.name = "fake";
    fake.help = "a test's";
    fake.make = make;
    return {{{.name = "fake", .help = "a test's", .search = "fake", .networks = {"<embedded>", "", ""}}},
            {fake}};
}

}  // namespace scholar::tests
