#include "arena/analysis/analyst.hpp"

#include <algorithm>
#include <utility>

#include "chess/movegen.hpp"
#include "games/judgement.hpp"

namespace scholar::arena {

namespace {

double whites(double expected, chess::Color side) {
    return side == chess::White ? expected : 1 - expected;
}

// Of the line's current position, if the game is over there. A draw that has to be claimed is none while it
// goes on.
std::optional<double> result_of(const chess::Line& line, bool goes_on) {
    switch (line.terminal()) {
        case chess::Terminal::None:
            return std::nullopt;
        case chess::Terminal::Checkmate:
            return line.current().side_to_move() == chess::White ? 0.0 : 1.0;
        case chess::Terminal::Stalemate:
            return 0.5;
        default:
            return goes_on ? std::nullopt : std::optional(0.5);
    }
}

}  // namespace

base::Result<Analyst> Analyst::start(const EngineConfig& config) {
    auto engine = engine::Engine::create();
    if (!engine) return base::fail_in("system " + config.name, engine.error());
    for (const auto& [option, value] : config.options)
        if (auto status = (*engine)->set_option(option, value); !status)
            return base::fail_in("system " + config.name, status.error());
    if (auto status = (*engine)->prepare(); !status)
        return base::fail_in("system " + config.name, status.error());
    return Analyst(config.name, std::move(*engine));
}

void Analyst::new_game(std::uint64_t number, bool chess960) {
    // Only how castling is written; it plays both anyway.
    (void)engine_->set_option("UCI_Chess960", chess960 ? "true" : "false");
    engine_->new_game(number);
}

base::Result<std::optional<View>> Analyst::look(const chess::Line& line, const search::Limit& limit,
                                                bool goes_on, const std::stop_token& stop) {
    View view;
    view.expected = result_of(line, goes_on);
    if (view.expected) return view;
    const chess::Color side = line.current().side_to_move();
    engine_->set_line(line);
    search::Limits limits;
    limits.limits.push_back(limit);
    search::Silence silence;
    const search::SearchResult result = engine_->search(limits, silence, stop);
    if (stop.stop_requested()) return std::nullopt;
    if (!result.best) return base::fail("system {}: no move in a position that has some", name_);

    const auto shown = [&](chess::Score score, int depth) {
        return score.is_mate() ? games::evaluation_of_mate(score.moves_to_mate(), side, depth)
                               : games::evaluation_of_centipawns(engine_->to_centipawns(score), side, depth);
    };
    const auto viewed = [&](const std::vector<chess::Move>& moves, const std::optional<chess::Score>& score,
                            const std::optional<chess::Wdl>& wdl) {
        ViewedLine seen{.moves = moves, .expected = {}, .shown = {}};
        if (wdl) seen.expected = whites(wdl->expected(), side);
        if (score) {
            if (!seen.expected || score->is_decisive()) seen.expected = whites(score->expected(), side);
            seen.shown = shown(*score, result.counters.depth);
        }
        return seen;
    };
    for (const search::RootLine& each : result.lines)
        if (!each.variation.empty()) view.lines.push_back(viewed(each.variation, each.score, each.wdl));
    // The line of a move that comes from a book, or is a weaker player's, may be another's.
    if (view.lines.empty() || view.best() != result.best) {
        const bool own = !result.principal_variation.empty() && result.principal_variation[0] == result.best;
        view.lines.insert(
            view.lines.begin(),
            viewed(own ? result.principal_variation : std::vector{result.best}, result.score, result.wdl));
    }
    view.expected = view.lines.front().expected;
    view.shown = view.lines.front().shown;
    view.nodes = result.counters.nodes;
    view.depth = result.counters.depth;
    view.trouble = result.trouble;
    view.chooses_by_probability = result.root_share == search::RootShare::Probability;
    if (result.root_share != search::RootShare::Effort) {
        view.likely = result.root_distribution;
        view.likely_are_visits = result.root_share == search::RootShare::Visits;
    } else {
        const auto shares = engine_->probabilities();
        if (!shares) return base::fail_in("system " + name_, shares.error());
        const chess::MoveList moves = chess::legal_moves(line.current());
        for (std::size_t i = 0; i < shares->size(); ++i)
            view.likely.emplace_back(moves[static_cast<int>(i)], (*shares)[i]);
    }
    std::ranges::stable_sort(view.likely, std::ranges::greater{}, &std::pair<chess::Move, double>::second);
    return view;
}

bool is_of_its_own(const engine::Players& players, const engine::System& system) {
    if (std::ranges::all_of(system.networks, &std::string::empty)) return false;
    for (const engine::System& before : players.systems) {
        if (before.name == system.name) break;
        if (before.networks == system.networks) return false;
    }
    return true;
}

std::vector<std::string> systems_of_their_own() {
    const engine::Players players = engine::standard_players();
    std::vector<std::string> names;
    for (const engine::System& system : players.systems)
        if (is_of_its_own(players, system)) names.push_back(system.name);
    return names;
}

}  // namespace scholar::arena
