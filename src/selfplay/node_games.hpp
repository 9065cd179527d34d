#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/random.hpp"
#include "chess/line.hpp"
#include "engine/engine.hpp"
#include "games/game.hpp"
#include "search/limits.hpp"
#include "selfplay/filled_store.hpp"
#include "selfplay/node_reservoir.hpp"
#include "selfplay/system_games.hpp"

// Positions inside searches, as games of one move: what a policy is asked about in a search is unlike what
// games have (Giraffe, section 6.3). A root is a position of a game with one random legal move made in it
// (section 4.3); of the nodes of its search some are taken, each is searched by itself, and what that finds
// is the move of a game that begins there. Whatever reads games reads them.

namespace scholar::selfplay {

// A game that roots are drawn from.
struct RootGame {
    chess::Position start;
    std::vector<chess::Move> moves;
    games::GameResult result = games::GameResult::Unknown;
};

struct NodePlan {
    std::uint64_t seed = 1;
    // All come equally often, in an order by the seed; each has a move. A position of one is drawn, before
    // any of its moves from half-move `min_ply` on, or its last if there are none.
    std::vector<RootGame> games;
    int min_ply = 10;
    search::Limit root_limit = search::NodeLimit{10'000};
    std::size_t per_root = 16;  // nodes taken of each root's search
    search::Limit label_limit = search::NodeLimit{2'000};
    std::string name = "Scholar";                           // of both players
    std::vector<std::pair<std::string, std::string>> tags;  // more of them, the same for every game
};

// One engine that searches roots and nodes.
class NodeHarvester {
  public:
    // The plan outlives it. The engine's option Seed, what new_game() forgets, and whom its nodes are told
    // are the harvester's.
    NodeHarvester(const NodePlan& plan, std::unique_ptr<engine::Engine> engine);

    // plan.per_root games of the nodes of root number `number`, from 0: the same whatever was searched before
    // unless a limit is a time. Each has the result of the game that the root is from, and the score of the
    // search that found the move. A root whose search meets too few nodes gives way to another of the same
    // game. Nothing: it was told to stop. An error: some ten roots in a row met too few, or the engine has no
    // move.
    base::Result<std::optional<std::vector<games::Game>>> harvest(std::uint64_t number,
                                                                  const std::stop_token& stop);

  private:
    std::optional<chess::Line> draw_root(const RootGame& game, base::Random& random) const;
    // Whether it came to its end and met enough.
    base::Result<bool> search_root(const chess::Line& root, base::Random& random,
                                   const std::stop_token& stop);
    // Nothing where it was told to stop.
    base::Result<std::optional<games::Game>> label(const chess::Position& position,
                                                   const std::stop_token& stop);
    base::Result<search::SearchResult> search(const chess::Line& line, const search::Limit& limit,
                                              const std::stop_token& stop);

    const NodePlan& plan_;
    NodeReservoir reservoir_;  // before the engine, which tells it
    std::unique_ptr<engine::Engine> engine_;
    std::vector<std::uint32_t> order_;  // of the games
};

// The batch of StoreFilling is plan.per_root.
struct NodeGames : StoreFilling {
    NodePlan plan;
};

// Makes them, each thread with an engine of its own. `told`: so many games are in the store. Ends early when
// asked to stop.
base::Result<FilledStore> harvest_nodes(NodeGames how, const EngineMaker& make_engine,
                                        const std::function<void(std::uint64_t)>& told,
                                        const std::stop_token& stop);

}  // namespace scholar::selfplay
