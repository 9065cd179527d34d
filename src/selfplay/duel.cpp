#include "selfplay/duel.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "base/random.hpp"
#include "chess/line.hpp"
#include "search/alpha_beta/alpha_beta.hpp"
#include "selfplay/openings.hpp"

namespace scholar::selfplay {

namespace {

// A network with a search and a table of its own.
struct Side {
    search::Table table;
    std::unique_ptr<search::Search> search;

    Side(const nets::AnyNetwork& network, std::size_t megabytes)
        : table(megabytes), search(search::make_alpha_beta(network, table, options()).value()) {}
    // As in the games that the networks learn from.
    static search::AlphaBetaOptions options() {
        search::AlphaBetaOptions options;
        options.root_search = search::RootSearch::PrincipalVariation;
        return options;
    }
    void forget() {
        table.clear();
        search->new_game();
    }
};

// Half-points of the side that has White.
int play(chess::Line line, Side& white, Side& black, const DuelPlan& plan, const std::stop_token& stop) {
    search::Limits limits;
    limits.limits.emplace_back(search::NodeLimit{plan.nodes});
    search::Silence silent;
    white.forget();
    black.forget();
    const int last = line.ply() + plan.most_moves;
    chess::Terminal terminal = chess::Terminal::None;
    while ((terminal = line.terminal()) == chess::Terminal::None && line.ply() < last &&
           !stop.stop_requested()) {
        Side& mover = line.current().side_to_move() == chess::White ? white : black;
        line.push(mover.search->run(line, limits, stop, silent).best);
    }
    if (terminal != chess::Terminal::Checkmate) return 1;
    return line.current().side_to_move() == chess::Black ? 2 : 0;
}

}  // namespace

double DuelResult::score() const {
    if (games.games() == 0) return 0.5;
    return (static_cast<double>(games.wins) + static_cast<double>(games.draws) / 2) /
           static_cast<double>(games.games());
}

DuelResult duel(const nets::AnyNetwork& first, const nets::AnyNetwork& second, const DuelPlan& plan,
                std::stop_token stop) {
    DuelResult result;
    std::mutex mutex;
    std::atomic<int> next = 0;
    const auto work = [&] {
        Side ours(first, plan.table_megabytes);
        Side theirs(second, plan.table_megabytes);
        for (int pair = next++; pair < plan.pairs; pair = next++) {
            base::Random random(plan.seed, static_cast<std::uint64_t>(pair));
            const chess::Line opening = random_opening(chess::Position(), plan.random_moves, random).line;
            const int with_white = play(opening, ours, theirs, plan, stop);
            const int with_black = 2 - play(opening, theirs, ours, plan, stop);
            if (stop.stop_requested()) return;
            const std::scoped_lock lock(mutex);
            for (const int points : {with_white, with_black}) {
                result.games.wins += points == 2;
                result.games.draws += points == 1;
                result.games.losses += points == 0;
            }
            ++result.pairs.at(static_cast<std::size_t>(with_white) + static_cast<std::size_t>(with_black));
        }
    };
    std::vector<std::jthread> helpers;
    for (int i = 1; i < std::min(plan.threads, plan.pairs); ++i) helpers.emplace_back(work);
    work();
    helpers.clear();
    return result;
}

}  // namespace scholar::selfplay
