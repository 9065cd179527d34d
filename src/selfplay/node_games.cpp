#include "selfplay/node_games.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "arena/player.hpp"
#include "chess/movegen.hpp"
#include "selfplay/openings.hpp"
#include "selfplay/score_record.hpp"

namespace scholar::selfplay {

namespace {

// Roots of one game that may meet too few nodes, one after the other.
constexpr int kRootTries = 12;

}  // namespace

NodeHarvester::NodeHarvester(const NodePlan& plan, std::unique_ptr<engine::Engine> engine)
    : plan_(plan),
      reservoir_(plan.per_root),
      engine_(std::move(engine)),
      order_(order_by_lot(plan.games.size(), plan.seed)) {
    engine_->tell_nodes(&reservoir_);
}

std::optional<chess::Line> NodeHarvester::draw_root(const RootGame& game, base::Random& random) const {
    const auto plies = static_cast<std::uint64_t>(game.moves.size());
    const std::uint64_t least = std::min<std::uint64_t>(static_cast<std::uint64_t>(plan_.min_ply), plies - 1);
    const std::uint64_t ply = least + random.below(plies - least);
    chess::Line line(game.start);
    for (std::uint64_t i = 0; i < ply; ++i) line.push(game.moves[i]);
    // The game went on from here, so that there is a move.
    line.push(draw_move(line.current(), random));
    if (line.terminal() != chess::Terminal::None) return std::nullopt;
    return line;
}

base::Result<search::SearchResult> NodeHarvester::search(const chess::Line& line, const search::Limit& limit,
                                                         const std::stop_token& stop) {
    search::Limits limits;
    limits.limits.push_back(limit);
    search::Silence silence;
    engine_->new_game();
    engine_->set_line(line);
    search::SearchResult result = engine_->search(limits, silence, stop);
    if (!stop.stop_requested() && !result.trouble.empty()) return base::fail("{}", result.trouble);
    return result;
}

base::Result<bool> NodeHarvester::search_root(const chess::Line& root, base::Random& random,
                                              const std::stop_token& stop) {
    reservoir_.begin(base::Random(random.next()));
    const auto searched = search(root, plan_.root_limit, stop);
    reservoir_.end();
    if (!searched) return std::unexpected(searched.error());
    return !stop.stop_requested() && reservoir_.kept().size() == plan_.per_root;
}

base::Result<std::optional<games::Game>> NodeHarvester::label(const chess::Position& position,
                                                              const std::stop_token& stop) {
    const auto found = search(chess::Line(position), plan_.label_limit, stop);
    if (!found) return std::unexpected(found.error());
    if (stop.stop_requested()) return std::nullopt;
    const chess::MoveList legal = chess::legal_moves(position);
    if (std::ranges::find(legal, found->best) == legal.end())
        return base::fail("{} has no legal move at a node", plan_.name);
    games::Game game;
    game.start = position;
    game.chess960 = arena::needs_chess960(position);
    game.moves = {found->best};
    game.evaluations = {found->score ? std::optional(evaluation_of(*found->score, position.side_to_move(),
                                                                   found->counters.depth))
                                     : std::nullopt};
    game.nodes = {found->counters.nodes};
    return game;
}

base::Result<std::optional<std::vector<games::Game>>> NodeHarvester::harvest(std::uint64_t number,
                                                                             const std::stop_token& stop) {
    base::Random random(plan_.seed, number);
    const RootGame& from = plan_.games[order_[number % order_.size()]];
    const auto in_root = [number](const base::Error& error) {
        return base::fail("root {}: {}", number + 1, error.message);
    };
    const std::uint64_t seed = draw_engine_seed(random);
    if (auto status = engine_->set_option("Seed", fmt::format("{}", seed)); !status)
        return in_root(status.error());
    if (auto status = engine_->prepare(); !status) return std::unexpected(status.error());
    bool met_enough = false;
    for (int attempt = 0; attempt < kRootTries && !met_enough && !stop.stop_requested(); ++attempt) {
        const auto root = draw_root(from, random);
        if (!root) continue;
        const auto searched = search_root(*root, random, stop);
        if (!searched) return in_root(searched.error());
        met_enough = *searched;
    }
    if (stop.stop_requested()) return std::nullopt;
    if (!met_enough)
        return in_root(base::Error{fmt::format(
            "{} positions of one game, none of whose searches tells of {} different nodes: expected a longer "
            "search of roots, or one of alpha-beta's kind",
            kRootTries, plan_.per_root)});
    std::vector<games::Game> games;
    for (const chess::Position& position : reservoir_.kept()) {
        auto game = label(position, stop);
        if (!game) return in_root(game.error());
        if (!*game) return std::nullopt;
        (*game)->result = from.result;
        (*game)->tags = {{"Event", "Node of a search"},
                         {"Round", fmt::format("{}", number + 1)},
                         {"White", plan_.name},
                         {"Black", plan_.name}};
        (*game)->tags.insert((*game)->tags.end(), plan_.tags.begin(), plan_.tags.end());
        games.push_back(std::move(**game));
    }
    return games;
}

base::Result<FilledStore> harvest_nodes(NodeGames how, const EngineMaker& make_engine,
                                        const std::function<void(std::uint64_t)>& told,
                                        const std::stop_token& stop) {
    if (how.plan.games.empty()) return base::fail("no game to draw roots from, expected at least one");
    how.batch = how.plan.per_root;
    std::vector<std::unique_ptr<NodeHarvester>> harvesters;
    for (int i = 0; i < workers_of(how); ++i) {
        auto engine = make_engine();
        if (!engine) return std::unexpected(engine.error());
        harvesters.push_back(std::make_unique<NodeHarvester>(how.plan, std::move(*engine)));
    }
    return fill_store(
        how,
        [&](int worker, std::uint64_t number, const std::stop_token& told_to_stop) {
            return harvesters[static_cast<std::size_t>(worker)]->harvest(number, told_to_stop);
        },
        told, stop);
}

}  // namespace scholar::selfplay
