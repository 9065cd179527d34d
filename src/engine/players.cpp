#include "engine/players.hpp"

#include <algorithm>

#include "evaluators/make.hpp"
#include "search/alpha_beta/naive_search.hpp"
#include "search/searchless/policy_player.hpp"
#include "search/searchless/random_mover.hpp"
#include "search/searchless/value_player.hpp"

namespace scholar::engine {

namespace {

using evaluators::Need;
using evaluators::Role;
using nets::Ability;

// J. Baxter, A. Tridgell and L. Weaver, "KnightCap" (1998): its MTD(f) was content with 0.07 of a pawn, which
// is 204.3 there (nets::kPawnScore).
constexpr int kKnightCapConvergence = 14;

// Options that are some searches' affair. (Hash, Threads and MultiPV are left out: GUIs set them for
// everyone.)
constexpr std::array<std::string_view, 14> kOfSearches{
    "MtdfConvergence",  "ExactLeaves",      "EvalFile",          "PolicyFile", "PolicyUse",
    "PolicyMinNodes",   "ThresholdBase",    "OrderFile",         "SyzygyPath", "SyzygyProbeDepth",
    "Syzygy50MoveRule", "SyzygyProbeLimit", "UCI_LimitStrength", "UCI_Elo"};
// Those of the Monte-Carlo tree search alone.
constexpr std::array<std::string_view, 16> kOfMcts{"MinibatchSize",
                                                   "Quiescence",
                                                   "CPuct",
                                                   "CPuctBase",
                                                   "CPuctFactor",
                                                   "FpuParent",
                                                   "FpuReduction",
                                                   "MovesLeftMaxEffect",
                                                   "MovesLeftSlope",
                                                   "MovesLeftThreshold",
                                                   "PolicyTemperature",
                                                   "RootPolicyTemperature",
                                                   "DirichletNoiseEpsilon",
                                                   "DirichletNoiseAlpha",
                                                   "Temperature",
                                                   "TempCutoffMove"};
// And of the search of likely moves.
constexpr std::array<std::string_view, 2> kOfLikely{"LikelyBreadth", "LikelyDepth"};

std::vector<std::string_view> of_alpha_beta(bool converges) {
    std::vector<std::string_view> heeded;
    for (const std::string_view option : kOfSearches)
        if (option != "OrderFile" && (converges || option != "MtdfConvergence")) heeded.push_back(option);
    return heeded;
}

std::vector<std::string_view> of_mcts() {
    std::vector<std::string_view> heeded{"EvalFile", "PolicyFile", "SyzygyPath", "Syzygy50MoveRule",
                                         "SyzygyProbeLimit"};
    heeded.insert(heeded.end(), kOfMcts.begin(), kOfMcts.end());
    return heeded;
}

// The value decides; a policy that was given puts moves in order, or says what they cost.
std::vector<Need> needs_of_alpha_beta() {
    return {{Role::Value, {Ability::Leaf, Ability::Value, Ability::Wdl}, true, false}};
}

base::Result<std::unique_ptr<search::Search>> make_alpha_beta(const Ingredients& with,
                                                              search::RootSearch root_search,
                                                              search::CostKind cost) {
    search::AlphaBetaOptions options = with.alpha_beta;
    options.root_search = root_search;
    options.cost.kind = cost;
    if (const nets::AnyNetwork& network = with.networks.given(Role::Policy)) {
        auto policy = evaluators::make_policy(network);
        if (!policy) return base::fail_in("PolicyFile", policy.error());
        options.policy = std::move(*policy);
    }
    return search::make_alpha_beta(with.networks.find(needs_of_alpha_beta().front()), with.table, options);
}

// By what is compared, plain or with all that speeds it up.
base::Result<std::unique_ptr<search::Search>> make_ordered(const Ingredients& with, const Need& order,
                                                           bool plain) {
    search::OrderedOptions options = with.ordered;
    options.plain = plain;
    auto made = search::make_ordered_search(with.networks.find(order), options);
    if (!made) return std::unexpected(made.error());
    return std::move(*made);
}

base::Result<std::unique_ptr<search::Search>> make_naive(const Ingredients& with, search::NaiveBound bound) {
    return search::make_naive_search(with.networks.find(needs_of_alpha_beta().front()),
                                     {bound, with.alpha_beta.cost.threshold_base});
}

base::Result<std::unique_ptr<search::Search>> make_policy_player(const Ingredients& with, const Need& policy,
                                                                 search::PolicyChoice choice) {
    return search::make_policy_player(
        with.networks.find(policy),
        {.choice = choice, .temperature = with.mcts.chance.temperature, .seed = with.seed});
}

std::vector<SearchKind> all_searches() {
    const std::vector<Need> value{{Role::Value, {Ability::Leaf, Ability::Value, Ability::Wdl}, false, false}};
    const std::vector<Need> policy{{Role::Policy, {Ability::Policy}, false, false}};
    const std::vector<Need> order{{Role::Order, {Ability::Order}, false, false}};
    return {
        {.name = "mtdf",
         .help = "alpha-beta by null windows that close in on the score",
         .needs = needs_of_alpha_beta(),
         .heeds = of_alpha_beta(true),
         .has_levels = true,
         .make =
             [](const Ingredients& with) {
                 return make_alpha_beta(with, search::RootSearch::Mtdf, search::CostKind::HalfMove);
             }},
        {.name = "pvs",
         .help = "alpha-beta by an open window around the best line",
         .needs = needs_of_alpha_beta(),
         .heeds = of_alpha_beta(false),
         .has_levels = true,
         .make =
             [](const Ingredients& with) {
                 return make_alpha_beta(with, search::RootSearch::PrincipalVariation,
                                        search::CostKind::HalfMove);
             }},
        {.name = "probability",
         .help = "as mtdf, bounded by the probability of its lines and not by their length",
         .needs = needs_of_alpha_beta(),
         .heeds = of_alpha_beta(true),
         .has_levels = true,
         .make =
             [](const Ingredients& with) {
                 return make_alpha_beta(with, search::RootSearch::Mtdf, search::CostKind::Probability);
             }},
        {.name = "naive-depth",
         .help = "plain alpha-beta with quiescence, bounded by depth: to be compared with",
         .needs = needs_of_alpha_beta(),
         .heeds = {"EvalFile"},
         .make = [](const Ingredients& with) { return make_naive(with, search::NaiveBound::Depth); }},
        {.name = "naive-probability",
         .help = "the same, bounded by a probability that each node divides equally among its moves",
         .needs = needs_of_alpha_beta(),
         .heeds = {"EvalFile", "ThresholdBase"},
         .make = [](const Ingredients& with) { return make_naive(with, search::NaiveBound::Probability); }},
        {.name = "mcts",
         .help =
             "Monte-Carlo tree search: the value of one network, the probabilities of another or the same",
         .needs = {value.front(), policy.front()},
         .heeds = of_mcts(),
         .keeps_tree = true,
         .make = [value, policy](const Ingredients& with) -> base::Result<std::unique_ptr<search::Search>> {
             search::MctsOptions options = with.mcts;
             options.tablebases = with.alpha_beta.tablebases;
             options.exploration =
                 search::default_exploration(with.networks.find(value.front()), options.quiescence);
             for (const auto& [constant, given] : with.exploration) options.exploration.*constant = given;
             return search::make_mcts(with.networks.find(value.front()), with.networks.find(policy.front()),
                                      options);
         }},
        {.name = "likely",
         .help = "negamax over the few likely moves of each position: the value of one network, the "
                 "probabilities of another or the same",
         .needs = {value.front(), policy.front()},
         .heeds = {"EvalFile", "PolicyFile", "LikelyBreadth", "LikelyDepth"},
         .keeps_tree = true,
         .make =
             [value, policy](const Ingredients& with) {
                 return search::make_likely_search(with.networks.find(value.front()),
                                                   with.networks.find(policy.front()), with.likely);
             }},
        {.name = "value",
         .help = "the best value one half-move ahead",
         .needs = value,
         .heeds = {"EvalFile"},
         .make =
             [value](const Ingredients& with) {
                 return search::make_value_player(with.networks.find(value.front()));
             }},
        {.name = "policy",
         .help = "the likeliest move of a policy",
         .needs = policy,
         .heeds = {"EvalFile", "PolicyFile", "Temperature"},
         .make =
             [policy](const Ingredients& with) {
                 return make_policy_player(with, policy.front(), search::PolicyChoice::Move);
             }},
        {.name = "top-move",
         .help = "the likeliest move of the man that a policy finds the likeliest to move",
         .needs = policy,
         .heeds = {"EvalFile", "PolicyFile", "Temperature"},
         .make =
             [policy](const Ingredients& with) {
                 return make_policy_player(with, policy.front(), search::PolicyChoice::ManFirst);
             }},
        {.name = "order",
         .help = "the move to the position that an order of positions prefers",
         .needs = order,
         .heeds = {"EvalFile", "OrderFile"},
         .make =
             [order](const Ingredients& with) {
                 return search::make_order_player(with.networks.find(order.front()));
             }},
        {.name = "ordered",
         .help = "alpha-beta without numbers: an order of positions compares the ends of lines",
         .needs = order,
         .heeds = {"EvalFile", "OrderFile"},
         .keeps_tree = true,
         .make = [order](const Ingredients& with) { return make_ordered(with, order.front(), false); }},
        {.name = "naive-ordered",
         .help = "the same without a table of nodes, reductions or passes: to be compared with naive-depth",
         .needs = order,
         .heeds = {"EvalFile", "OrderFile"},
         .keeps_tree = true,
         .make = [order](const Ingredients& with) { return make_ordered(with, order.front(), true); }},
        {.name = "random",
         .help = "any legal move",
         .by_chance = true,
         .make = [](const Ingredients& with) { return search::make_random_mover(with.seed); }},
    };
}

}  // namespace

bool is_of_searches(std::string_view option) {
    return std::ranges::find(kOfSearches, option) != kOfSearches.end() ||
           std::ranges::find(kOfMcts, option) != kOfMcts.end() ||
           std::ranges::find(kOfLikely, option) != kOfLikely.end();
}

bool SearchKind::heeds_option(std::string_view option) const {
    return !is_of_searches(option) || std::ranges::find(heeds, option) != heeds.end();
}

const System* Players::find_system(std::string_view name) const {
    const auto found = std::ranges::find(systems, name, &System::name);
    return found == systems.end() ? nullptr : &*found;
}

const SearchKind* Players::find_search(std::string_view name) const {
    const auto found = std::ranges::find(searches, name, &SearchKind::name);
    return found == searches.end() ? nullptr : &*found;
}

Players standard_players() {
    return {{{.name = "scholar",
              .help = "Scholar's own network under alpha-beta",
              .search = "mtdf",
              .networks = {"<embedded>", "", ""},
              .reserve = {"", "<sparse-policy-4d852c0c>", ""}},
             {.name = "knightcap",
              .help = "KnightCap (1998): a linear evaluation that learnt from 300 games against engines",
              .search = "mtdf",
              .networks = {"<knightcap-90a88bc3>", "", ""},
              .book = "<knightcap>",
              .convergence = kKnightCapConvergence},
             {.name = "giraffe",
              .help = "Giraffe (2015): a network that learnt from its own play, under a search that "
                      "probability bounds",
              .search = "probability",
              .networks = {"<giraffe-aa4b4078>", "<sparse-policy-4d852c0c>", ""}},
             {.name = "convchess",
              .help = "ConvChess (2015), by one modern network: which man moves, and to which square, as "
                      "masters do; no search",
              .search = "policy",
              .networks = {"", "<convchess-6a26a0a4>", ""},
              .reserve = {"<convchess-value-384845d6>", "", ""}},
             {.name = "rl-in-chess",
              .help = "RL in Chess (2020): one residual network of source, target and value; no search, or "
                      "the tree search",
              .search = "policy",
              .networks = {"", "<rl-in-chess-31cd7c91>", ""}},
             {.name = "deepchess",
              .help = "DeepChess (2016): which of two positions is better, under an alpha-beta that compares",
              .search = "ordered",
              .networks = {"<deepchess-split-7f29edc6>", "", "<deepchess-0c77a5a2>"}},
             {.name = "oneply",
              .help = "Scholar's own network without search: Search value",
              .search = "value",
              .networks = {"<embedded>", "", ""}},
             {.name = "random", .help = "any legal move: Search random", .search = "random", .networks = {}}},
            all_searches()};
}

}  // namespace scholar::engine
