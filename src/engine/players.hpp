#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "evaluators/needs.hpp"
#include "search/alpha_beta/alpha_beta.hpp"
#include "search/likely/likely_search.hpp"
#include "search/mcts/mcts.hpp"
#include "search/ordered/ordered_search.hpp"
#include "search/search.hpp"

// Who plays, and how: the values of the options System and Search, two plain tables in players.cpp. A player
// is a system with its own search, or with another that its networks are good for.

namespace scholar::engine {

// What a search can be made of. The table outlives the search.
struct Ingredients {
    evaluators::Networks networks;
    search::Table& table;
    search::AlphaBetaOptions alpha_beta;
    search::MctsOptions mcts;
    // What is given of mcts.exploration; the rest is as is best for the network.
    std::vector<std::pair<double search::mcts::Exploration::*, double>> exploration;
    search::LikelyOptions likely;
    std::uint64_t seed = 0;  // of whatever is left to chance
    search::OrderedOptions ordered{};
};

// How a player comes to its move.
struct SearchKind {
    std::string name;
    std::string help;
    std::vector<evaluators::Need> needs{};
    // Options of the engine that mean something to it, of those that are a search's affair
    // (is_of_searches()).
    std::vector<std::string_view> heeds{};
    bool by_chance = false;   // made anew for each game, with that game's seed
    bool keeps_tree = false;  // what Hash says is its tree's, and the table is left small
    bool has_levels = false;  // can be made to play worse (engine/strength.hpp)
    // Refused: networks from which it cannot be made, though they have what it needs.
    std::function<base::Result<std::unique_ptr<search::Search>>(const Ingredients&)> make;

    bool heeds_option(std::string_view option) const;
};

// Who plays: networks by role, and a search of its own.
struct System {
    std::string name;
    std::string help;
    std::string search;  // a name in the table of searches
    // By role, as nets::open_network() takes them, "<embedded>" for the default one; "": the role is empty.
    std::array<std::string, evaluators::kRoles.size()> networks{};
    // Likewise, of roles that are empty, for searches that find nobody to fill them.
    std::array<std::string, evaluators::kRoles.size()> reserve{};
    // The opening book that it plays from where OwnBook is on and BookFile names no other, as open_book()
    // (engine/built_in_books.hpp) takes it; "": none.
    std::string book{};
    // How exactly MTD(f) wants to know a score, where nothing else is said (AlphaBetaOptions::convergence).
    std::optional<int> convergence{};
};

// Both tables; the first system is the default.
struct Players {
    std::vector<System> systems;
    std::vector<SearchKind> searches;

    // Null: there is none of this name.
    const System* find_system(std::string_view name) const;
    const SearchKind* find_search(std::string_view name) const;
};
Players standard_players();

// Whether an option is only heeded by some searches.
bool is_of_searches(std::string_view option);

}  // namespace scholar::engine
