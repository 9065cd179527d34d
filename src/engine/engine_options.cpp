#include <cmath>
#include <new>

#include "engine/built_in_books.hpp"
#include "engine/engine.hpp"
#include "engine/strength.hpp"
#include "nets/container/open_network.hpp"
#include "nets/conv/planes.hpp"
#include "search/searchless/policy_player.hpp"

// The options of the engine, each declared once.

namespace scholar::engine {

namespace {

// What GUIs show for "no file given".
constexpr const char* kEmbedded = "<embedded>";
constexpr const char* kEmpty = "<empty>";  // UCI's word for an empty string
constexpr long kMaxThreads = 1024;
constexpr long kMaxMultiPv = 256;
constexpr long kMaxConvergence = 1000;
// Of the option Search: the system's own; of PolicyUse: the search's.
constexpr const char* kOwn = "default";
constexpr long kMaxPolicyMinNodes = 1'000'000'000;
constexpr long kMaxSeed = 2'147'483'647;
const long kDefaultExploration = std::lround(100 * games::BeliefOptions{}.exploration);

bool is_empty(const std::string& text) {
    return text.empty() || text == kEmpty;
}

// Ways to put a value into effect that cannot fail.
template <class T, class F>
std::function<base::Status(const OptionValue&)> always(F effect) {
    return [effect](const OptionValue& value) -> base::Status {
        effect(std::get<T>(value));
        return {};
    };
}

// For what only the GUI cares about.
base::Status nothing(const OptionValue&) {
    return {};
}

}  // namespace

void Engine::declare_options() {
    using Value = OptionValue;
    std::vector<std::string> systems;
    std::string systems_help;
    for (const System& system : players_.systems) {
        systems.push_back(system.name);
        systems_help += (systems_help.empty() ? "" : "; ") + system.name + ": " + system.help;
    }
    std::vector<std::string> searches{kOwn};
    std::string searches_help = std::string(kOwn) + ": the system's own";
    for (const SearchKind& search : players_.searches) {
        searches.push_back(search.name);
        searches_help += "; " + search.name + ": " + search.help;
    }

    declare({"Hash",
             "size of the transposition table, of the tree, or of what likely and ordered remember, in MiB",
             SpinOption{kDefaultHash, static_cast<long>(search::Table::kMinMegabytes),
                        static_cast<long>(search::Table::kMaxMegabytes)},
             [this](const Value& value) -> base::Status {
                 const long megabytes = std::get<long>(value);
                 // Whoever keeps a tree makes it anew.
                 const bool has_tree = playing_.search != nullptr && playing_.search->keeps_tree;
                 try {
                     if (has_tree)
                         change();
                     else
                         resize_table(megabytes);
                 } catch (const std::bad_alloc&) {
                     return base::fail("option Hash: {} MiB cannot be had, the old table stays", megabytes);
                 }
                 hash_ = megabytes;
                 return {};
             },
             Audience::Uci});
    declare({"Threads", "number of search threads", SpinOption{1, 1, kMaxThreads},
             [this](const Value& value) { return use_threads(static_cast<int>(std::get<long>(value))); },
             Audience::Uci});
    declare({"Ponder", "whether the GUI lets the engine think in the opponent's time", CheckOption{false},
             nothing, Audience::Uci});
    declare({"MultiPV", "of how many of the best moves to show score and variation",
             SpinOption{1, 1, kMaxMultiPv},
             always<long>([this](long value) { multi_pv_ = static_cast<int>(value); })});
    declare({"System", "who plays: " + systems_help, ComboOption{players_.systems.front().name, systems},
             [this](const Value& value) { return use_system(std::get<std::string>(value)); }});
    declare({"Search", "how it comes to its moves; " + searches_help, ComboOption{kOwn, searches},
             always<std::string>([this](const std::string& value) {
                 search_kind_ = players_.find_search(value);
                 change();
             })});
    declare({"MtdfConvergence",
             "how exactly mtdf wants to know a score, in units of the evaluation (400 times the logit of the "
             "expected result); 0: to the last one",
             SpinOption{search::AlphaBetaOptions::kDefaultConvergence, 0, kMaxConvergence},
             always<long>([this](long value) {
                 // GUIs send what they were told is the default: it leaves a system its own.
                 convergence_.reset();
                 if (value != search::AlphaBetaOptions::kDefaultConvergence)
                     convergence_ = static_cast<int>(value);
                 change();
             })});
    declare_probability_options();
    declare_mcts_options();
    declare_likely_options();
    declare_network(evaluators::Role::Value, "network that values positions");
    declare_network(evaluators::Role::Policy, "network that says which moves are likely");
    declare_network(evaluators::Role::Order, "network that says which of two positions is better");
    declare({"Clear Hash", "forget everything in the transposition table", ButtonOption{},
             [this](const Value&) -> base::Status {
                 clear_table();
                 weak_table_.clear();
                 if (search_ && playing_.search->keeps_tree) search_->new_game();
                 return {};
             }});
    declare({"Move Overhead", "time kept back from the clock for each move, in milliseconds",
             SpinOption{kDefaultMoveOverhead, 0, 10'000},
             always<long>([this](long value) { move_overhead_ = search::Milliseconds(value); })});
    declare({"nodestime",
             "count time in nodes, so many to the millisecond, so that games are the same on every machine; "
             "0 uses the clock",
             SpinOption{0, 0, 1'000'000}, always<long>([this](long value) {
                 nodes_per_millisecond_ = static_cast<std::uint64_t>(value);
             })});

    declare({"ExactLeaves",
             "search as for learning: a score is exactly the evaluation of the position at the end of the "
             "principal variation, which costs strength",
             CheckOption{false}, always<bool>([this](bool value) {
                 search_options_.exact_leaves = value;
                 change();
             })});

    declare({"SyzygyPath", "folders with endgame tables, Syzygy's or Gaviota's, with ':' between them",
             StringOption{kEmpty},
             [this](const Value& value) {
                 const auto& path = std::get<std::string>(value);
                 return use_tablebases(is_empty(path) ? "" : path);
             },
             Audience::Uci});
    declare({"SyzygyProbeDepth", "ask tables inside the search only where so many half-moves are left",
             SpinOption{1, 1, 100}, always<long>([this](long value) {
                 search_options_.tablebases.min_depth = static_cast<int>(value);
                 change();
             })});
    declare({"Syzygy50MoveRule", "count endgames as drawn that the fifty-move rule draws", CheckOption{true},
             always<bool>([this](bool value) {
                 search_options_.tablebases.fifty_move_rule = value;
                 change();
             })});
    declare({"SyzygyProbeLimit", "ask tables only about positions with so many pieces or fewer",
             SpinOption{7, 0, 7}, always<long>([this](long value) {
                 search_options_.tablebases.max_pieces = static_cast<int>(value);
                 change();
             })});

    declare({"OwnBook",
             "play from the books in LearntBook and BookFile, and from the one that the system has",
             CheckOption{false}, always<bool>([this](bool value) { own_book_ = value; })});
    declare({"BookFile", "opening book in Polyglot's format; <empty>: the system's own, if it has one",
             StringOption{kEmpty}, [this](const Value& value) {
                 const auto& path = std::get<std::string>(value);
                 return use_book(is_empty(path) ? "" : path);
             }});
    declare({"LearntBook",
             "opening book that learns from each game of which the result is told; made if it does not exist",
             StringOption{kEmpty}, [this](const Value& value) {
                 const auto& path = std::get<std::string>(value);
                 return use_learnt_book(is_empty(path) ? "" : path, learnt_read_only_);
             }});
    declare({"LearntBookReadOnly", "play from LearntBook without learning; set it before that",
             CheckOption{false},
             [this](const Value& value) { return use_learnt_book(learnt_path_, std::get<bool>(value)); }});
    declare(
        {"LearntBookExploration",
         "how far chance may prefer moves of which LearntBook knows less, in hundredths; 0 plays the best",
         SpinOption{kDefaultExploration, 0, 100},
         always<long>([this](long value) { learnt_.set_exploration(static_cast<double>(value) / 100); })});
    declare({"UCI_Opponent",
             "who is played, as 'none none computer NAME': LearntBook counts games by opponent",
             StringOption{kEmpty}, always<std::string>([this](const std::string& value) {
                 learnt_.meet(is_empty(value) ? "" : opponent_name(value));
             }),
             Audience::Uci});
    declare({"Seed", "of what is left to chance (book, levels, random moves); 0 takes another one each time",
             SpinOption{0, 0, kMaxSeed}, always<long>([this](long value) {
                 seed_ = static_cast<std::uint64_t>(value);
                 game_ = 0;
                 change();
             })});

    declare({"UCI_LimitStrength", "play as weakly as UCI_Elo says", CheckOption{false},
             always<bool>([this](bool value) {
                 limits_strength_ = value;
                 change();
             })});
    declare({"UCI_Elo", "strength to play with if UCI_LimitStrength is on",
             SpinOption{strongest_elo(), weakest_elo(), strongest_elo()}, always<long>([this](long value) {
                 elo_ = static_cast<int>(value);
                 change();
             })});
    declare({"UCI_Chess960", "write castling as king takes rook", CheckOption{false},
             always<bool>([this](bool value) {
                 notation_ = value ? chess::CastlingNotation::Chess960 : chess::CastlingNotation::Standard;
             }),
             Audience::Uci});
    declare({"UCI_ShowWDL", "show the chances to win, draw and lose, in thousandths", CheckOption{false},
             always<bool>([this](bool value) { shows_wdl_ = value; }), Audience::Uci});
    declare({"UCI_AnalyseMode", "accepted; analysis is no different from play, but for the book",
             CheckOption{false}, always<bool>([this](bool value) { analyses_ = value; }), Audience::Uci});
    declare({"UCI_EngineAbout", "what this is",
             StringOption{"Scholar, a chess engine that learns; GPL-3.0-or-later"}, nothing, Audience::Uci});
    if constexpr (search::kTuning) declare_tunables();
}

void Engine::declare_probability_options() {
    using search::CostOptions;
    using search::PolicyUse;
    declare({"ThresholdBase",
             "by how much the least probability that is still searched falls from one iteration to the next",
             RealOption{CostOptions::kDefaultThresholdBase, CostOptions::kLeastThresholdBase,
                        CostOptions::kMostThresholdBase},
             always<double>([this](double value) {
                 search_options_.cost.threshold_base = value;
                 change();
             })});
    declare(
        {"PolicyUse",
         "what PolicyFile is to alpha-beta: the order of moves, the probability that says how deep each is "
         "searched, or both; default: both for probability, else the order",
         ComboOption{kOwn, {kOwn, "order", "probability", "both"}},
         always<std::string>([this](const std::string& value) {
             auto& use = search_options_.cost.policy_use;
             use.reset();
             if (value == "order") use = PolicyUse::Order;
             if (value == "probability") use = PolicyUse::Probability;
             if (value == "both") use = PolicyUse::Both;
             change();
         })});
    declare(
        {"PolicyMinNodes",
         "alpha-beta asks PolicyFile only where so many nodes are expected below; 0: as many as a question "
         "costs time",
         SpinOption{0, 0, kMaxPolicyMinNodes}, always<long>([this](long value) {
             auto& least = search_options_.cost.policy_min_nodes;
             least.reset();
             if (value != 0) least = static_cast<double>(value);
             change();
         })});
}

// Names are lc0's where they mean the same.
void Engine::declare_mcts_options() {
    const search::MctsOptions defaults;
    declare({"MinibatchSize", "how many positions mcts evaluates together, at most",
             SpinOption{search::MctsOptions::kDefaultBatch, 1, search::MctsOptions::kMostBatch},
             always<long>([this](long value) {
                 mcts_options_.batch = static_cast<int>(value);
                 change();
             })});
    declare({"Quiescence",
             "whether mcts follows captures to their end before it asks a network that values positions one "
             "by one",
             CheckOption{defaults.quiescence}, always<bool>([this](bool value) {
                 mcts_options_.quiescence = value;
                 change();
             })});
    using search::mcts::Exploration;
    const auto declare_real = [&](const char* name, const char* help, double Exploration::* member,
                                  double min, double max) {
        declare({name, help, RealOption{defaults.exploration.*member, min, max},
                 always<double>([this, name, member, usual = defaults.exploration.*member](double value) {
                     // GUIs send what they were told is the default: it leaves a network its own.
                     exploration_.erase(name);
                     if (value != usual) exploration_.emplace(name, std::pair(member, value));
                     change();
                 })});
    };
    declare_real("CPuct", "how much mcts explores: higher is wider, lower is deeper", &Exploration::cpuct, 0,
                 100);
    declare_real("CPuctBase", "after how many visits of a node mcts begins to explore more",
                 &Exploration::cpuct_base, 1, 1e9);
    declare_real("CPuctFactor", "how much more that is", &Exploration::cpuct_factor, 0, 1000);
    declare_real(
        "FpuParent",
        "what of its position's value a move counts that mcts has not visited: 1: all; 0: none, it is "
        "a draw",
        &Exploration::fpu_parent, 0, 1);
    declare_real("FpuReduction",
                 "by how much a move that mcts has not visited counts as worse than its position, from -1 "
                 "(lost) to 1 (won), once all others have been",
                 &Exploration::fpu_reduction, 0, 100);
    declare_real(
        "MovesLeftMaxEffect",
        "how much more a move counts that ends what is won sooner, or what is lost later, at most; for "
        "networks that say how many half-moves are left",
        &Exploration::moves_left_most, 0, 1);
    declare_real("MovesLeftSlope", "the same for one half-move", &Exploration::moves_left_slope, 0, 1);
    declare_real("MovesLeftThreshold", "what value, from 0 to 1, is won enough for that",
                 &Exploration::moves_left_threshold, 0, 0.999);
    declare_real("PolicyTemperature",
                 "above 1 makes the probabilities that mcts takes from the policy more alike, below 1 less",
                 &Exploration::policy_temperature, 0.01, 100);
    declare_real("RootPolicyTemperature", "the same for the position that is asked about; 0: the same",
                 &Exploration::root_policy_temperature, 0, 100);
    using search::mcts::Chance;
    const auto declare_chance = [&](const char* name, const char* help, double Chance::* member, double min,
                                    double max) {
        declare({name, help, RealOption{defaults.chance.*member, min, max},
                 always<double>([this, member](double value) {
                     mcts_options_.chance.*member = value;
                     change();
                 })});
    };
    declare_chance("DirichletNoiseEpsilon",
                   "what share of the probabilities of the first moves mcts leaves to chance, for games to "
                   "learn from",
                   &Chance::noise, 0, 1);
    declare_chance("DirichletNoiseAlpha", "how evenly that chance falls on the moves: the smaller, the less",
                   &Chance::noise_alpha, 0.001, 1000);
    declare_chance("Temperature",
                   "how far other moves are played than the best: each as often as its visits (mcts), or its "
                   "probability (policy, top-move), to the power of 1 / this say; 0: never",
                   &Chance::temperature, 0, search::PolicyPlayerOptions::kMostTemperature);
    declare({"TempCutoffMove",
             "the last move of a game at which Temperature counts for mcts; 0: it counts at all",
             SpinOption{0, 0, 1'000}, always<long>([this](long value) {
                 mcts_options_.chance.temperature_moves = static_cast<int>(value);
                 change();
             })});
}

void Engine::declare_likely_options() {
    using search::LikelyOptions;
    declare({"LikelyBreadth", "how many moves of a position likely tries, the likeliest",
             SpinOption{LikelyOptions::kDefaultBreadth, 1, LikelyOptions::kMostBreadth},
             always<long>([this](long value) {
                 likely_options_.breadth = static_cast<int>(value);
                 change();
             })});
    declare({"LikelyDepth", "how many half-moves likely looks ahead at most; 0: as far as there is time",
             SpinOption{0, 0, LikelyOptions::kMostDepth}, always<long>([this](long value) {
                 likely_options_.depth = static_cast<int>(value);
                 change();
             })});
    declare({"AskedRating",
             "whose moves networks are asked for that know the ratings of those who taught them; 0: of the "
             "highest",
             SpinOption{0, 0, nets::kMostRating}, always<long>([this](long value) {
                 asked_rating_ = static_cast<int>(value);
                 change();
             })});
}

void Engine::declare_tunables() {
    for (const search::Tunable& tunable : search::kTunables)
        declare({tunable.name, "search constant, for tuning",
                 SpinOption{search::Tunables{}.*tunable.member, tunable.min, tunable.max},
                 always<long>([this, &tunable](long value) {
                     search_options_.tunables.*tunable.member = static_cast<int>(value);
                     change();
                 })});
}

base::Status Engine::set_option(std::string_view name, std::string_view value) {
    wait();
    if (auto status = engine::set_option(options_, name, value); !status) return status;
    const Option& option = *find_option(options_, name);
    if (value.empty() || value == default_of(option))
        changed_options_.erase(option.name);
    else
        changed_options_[option.name] = value;
    return {};
}

void Engine::declare_network(evaluators::Role role, const char* help) {
    declare({std::string(evaluators::option_of(role)),
             fmt::format("{}: a file, or a name in angle brackets; {}: the system's own, {}: none", help,
                         kEmbedded, kEmpty),
             StringOption{kEmbedded}, [this, role](const OptionValue& value) {
                 return use_network(role, std::get<std::string>(value));
             }});
}

base::Status Engine::use_network(evaluators::Role role, const std::string& name) {
    auto& given = given_networks_.at(static_cast<std::size_t>(role));
    if (name == kEmbedded || name.empty()) {
        given.reset();
    } else if (name == kEmpty) {
        given.emplace();
    } else {
        auto network = nets::open_network(name);
        if (!network) return std::unexpected(network.error());
        given = std::move(*network);
    }
    change();
    return {};
}

base::Status Engine::use_threads(int threads) {
    search_options_.threads = threads;
    change();
    return {};
}

base::Status Engine::use_tablebases(const std::string& path) {
    auto& tables = search_options_.tablebases.tables;
    if (tables && tables->path() == path) return {};
    // Only one set can be open in the process: the old one has to be let go of before the new one is tried.
    const std::string before = tables ? tables->path() : "";
    tables.reset();
    search_.reset();
    weak_search_.reset();
    base::Status status;
    if (!path.empty()) {
        auto opened = tablebases::Tablebases::open(path);
        if (opened) {
            tables = std::move(*opened);
        } else {
            status = base::fail_in("option SyzygyPath", opened.error());
            if (!before.empty())
                if (auto again = tablebases::Tablebases::open(before)) tables = std::move(*again);
        }
    }
    change();
    return status;
}

base::Status Engine::use_book(const std::string& path) {
    if (path.empty()) {
        book_.reset();
        return {};
    }
    auto book = open_book(path);
    if (!book) return base::fail_in("option BookFile", book.error());
    book_ = std::move(*book);
    return {};
}

base::Status Engine::use_learnt_book(const std::string& path, bool read_only) {
    if (auto status = learnt_.use(path, read_only); !status)
        return base::fail_in("option LearntBook", status.error());
    learnt_path_ = path;
    learnt_read_only_ = read_only;
    return {};
}

base::Status Engine::use_system(const std::string& name) {
    const System* system = players_.find_system(name);
    evaluators::Networks networks;
    evaluators::Networks reserve;
    for (const evaluators::Role role : evaluators::kRoles)
        for (const auto& [names, opened] :
             {std::pair(&system->networks, &networks), std::pair(&system->reserve, &reserve)}) {
            const std::string& own = names->at(static_cast<std::size_t>(role));
            if (own.empty()) continue;
            auto network = nets::open_network(own);
            if (!network) return base::fail_in("System " + name, network.error());
            opened->given(role) = std::move(*network);
        }
    std::optional<games::Book> book;
    if (!system->book.empty()) {
        auto own = open_book(system->book);
        if (!own) return base::fail_in("System " + name, own.error());
        book = std::move(*own);
    }
    system_ = system;
    systems_book_ = std::move(book);
    own_networks_ = std::move(networks);
    reserve_ = std::move(reserve);
    change();
    return {};
}

}  // namespace scholar::engine
