#include "engine/engine.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <random>

#include "base/cores.hpp"
#include "base/text.hpp"
#include "chess/movegen.hpp"
#include "chess/perft.hpp"
#include "engine/strength.hpp"
#include "engine/win_rate.hpp"
#include "evaluators/make.hpp"
#include "nets/container/open_network.hpp"
#include "nets/conv/asked_rating.hpp"

namespace scholar::engine {

namespace {

// Until `stop` is requested, or `other`.
void wait_for(const std::stop_token& stop, const std::stop_token& other = {}) {
    std::mutex mutex;
    std::condition_variable_any condition;
    const std::stop_callback wake(other, [&] {
        const std::lock_guard lock(mutex);
        condition.notify_all();
    });
    std::unique_lock lock(mutex);
    condition.wait(lock, stop, [&] { return other.stop_requested(); });
}

bool asks_for_a_move(const search::Limits& limits) {
    return !limits.is_infinite() && !limits.find<search::MateLimit>();
}

}  // namespace

base::Result<std::unique_ptr<Engine>> Engine::create(Players players) {
    std::unique_ptr<Engine> engine(new Engine(std::move(players)));
    if (auto status = engine->use_system(engine->players_.systems.front().name); !status)
        return std::unexpected(status.error());
    if (auto status = engine->prepare(); !status) return std::unexpected(status.error());
    return engine;
}

Engine::Engine(Players players)
    : players_(std::move(players)),
      system_(&players_.systems.front()),
      table_(kDefaultHash),
      elo_(strongest_elo()),
      chance_(std::random_device{}()) {
    declare_options();
}

Engine::~Engine() {
    stop();
    wait();
}

std::uint64_t Engine::game_seed() const {
    std::uint64_t state = (seed_ != 0 ? seed_ : chance_) + game_;
    return base::split_mix(state);
}

const nets::AnyNetwork& Engine::network_of(evaluators::Role role) const {
    const auto& given = given_networks_.at(static_cast<std::size_t>(role));
    return given ? *given : own_networks_.given(role);
}

Engine::Choice Engine::chosen() const {
    Choice choice;
    choice.system = system_;
    choice.search = search_kind_ ? search_kind_ : players_.find_search(system_->search);
    for (const evaluators::Role role : evaluators::kRoles) choice.networks.given(role) = network_of(role);
    for (const evaluators::Need& need : choice.search->needs) {
        nets::AnyNetwork& network = choice.networks.given(need.role);
        const nets::AnyNetwork& found = choice.networks.find(need);
        const bool is_filled = found && found.abilities().has_any(need.any_of) &&
                               (!need.position_alone || found.reads().position_alone());
        const bool is_left_empty = given_networks_.at(static_cast<std::size_t>(need.role)).has_value();
        if (!network && !is_filled && !is_left_empty) network = reserve_.given(need.role);
    }
    choice.cost = search_options_.cost;
    choice.asked_rating = asked_rating_;
    return choice;
}

base::Result<std::unique_ptr<search::Search>> Engine::make_search(const Choice& choice, search::Table& table,
                                                                  double noise) const {
    Ingredients with{.networks = choice.networks,
                     .table = table,
                     .alpha_beta = search_options_,
                     .mcts = mcts_options_,
                     .exploration = {},
                     .likely = likely_options_,
                     .seed = game_seed()};
    for (const auto& [name, given] : exploration_) with.exploration.push_back(given);
    with.mcts.chance.seed = with.seed;
    for (nets::AnyNetwork& network : with.networks.by_role)
        network = nets::with_asked_rating(network, choice.asked_rating);
    with.alpha_beta.cost = choice.cost;
    with.mcts.megabytes = static_cast<std::size_t>(hash_);
    with.mcts.threads = search_options_.threads;
    with.likely.megabytes = with.mcts.megabytes;
    with.ordered.megabytes = with.mcts.megabytes;
    with.alpha_beta.convergence = convergence_.value_or(
        choice.system->convergence.value_or(search::AlphaBetaOptions::kDefaultConvergence));
    with.alpha_beta.evaluation_noise = noise;
    with.alpha_beta.noise_seed = game_seed();
    if (noise > 0) {
        with.alpha_beta.threads = 1;
        with.alpha_beta.tablebases.tables.reset();
    }
    return choice.search->make(with);
}

// Where there is not so much memory, or so many threads, an error too.
base::Status Engine::put_together(const Choice& choice) {
    try {
        return make(choice);
    } catch (const std::exception& error) {
        return base::fail("Search {} with {} and Hash {} cannot be had: {}", choice.search->name,
                          base::counted(search_options_.threads, "thread"), hash_, error.what());
    }
}

base::Status Engine::make(const Choice& choice) {
    if (auto fits = evaluators::check(choice.search->name, choice.search->needs, choice.networks); !fits)
        return fits;
    const long table = choice.search->keeps_tree ? static_cast<long>(search::Table::kMinMegabytes) : hash_;
    if (table != table_megabytes_) resize_table(table);
    std::unique_ptr<search::Search> weak;
    auto made = make_search(choice, table_, 0);
    if (!made) return std::unexpected(made.error());
    if (limits_strength_ && choice.search->has_levels) {
        auto weaker = make_search(choice, weak_table_, level_for(elo_).noise);
        if (!weaker) return std::unexpected(weaker.error());
        weak = std::move(*weaker);
    }
    // What another network or search wrote there means nothing to this one.
    if (choice != playing_) clear_table();
    weak_table_.clear();
    search_ = std::move(*made);
    weak_search_ = std::move(weak);
    playing_ = choice;
    last_threads_ = search_options_.threads;
    last_hash_ = hash_;
    book_random_ = base::Random(game_seed());
    return {};
}

void Engine::put_together() {
    if (!stale_) return;
    stale_ = false;
    const base::Status status = put_together(chosen());
    if (status) return note_unheeded(*playing_.search);
    refusal_ = status.error();
    if (playing_.search == nullptr || put_together(playing_)) return;
    // It was not the networks: so many threads and so much memory as before could be had.
    search_options_.threads = last_threads_;
    hash_ = last_hash_;
    (void)put_together(playing_);
}

base::Status Engine::prepare() {
    // A search in progress goes on: nothing has changed since it began.
    if (stale_) wait();
    put_together();
    if (!refusal_) return {};
    return std::unexpected(*std::exchange(refusal_, std::nullopt));
}

void Engine::note_unheeded(const SearchKind& search) {
    std::set<std::string> now;
    for (const auto& [option, value] : changed_options_)
        if (!search.heeds_option(option))
            now.insert(fmt::format("option {} means nothing to Search {}", option, search.name));
    if (elo_ != strongest_elo() && !limits_strength_ && search.has_levels)
        now.insert("option UCI_Elo means nothing without UCI_LimitStrength");
    for (const std::string& note : now)
        if (!told_notes_.contains(note)) notes_.push_back(note);
    told_notes_ = std::move(now);
}

// Throws std::bad_alloc, and the old table stays, if there is not so much memory.
void Engine::resize_table(long megabytes) {
    table_.resize(static_cast<std::size_t>(megabytes));
    table_megabytes_ = megabytes;
}

void Engine::clear_table() {
    // A small table is cleared sooner than a thread begins, and no more threads help than there are cores.
    constexpr long worth_a_thread = 64;  // MiB
    const int most = std::min(search_options_.threads, base::cores());
    table_.clear(static_cast<int>(std::clamp<long>(table_megabytes_ / worth_a_thread, 1, most)));
}

void Engine::tell_nodes(search::NodeTap* tap) {
    wait();
    search_options_.tap = tap;
    change();
}

void Engine::new_game(std::optional<std::uint64_t> number) {
    wait();
    game_ = number.value_or(game_ + 1);
    const bool plays_by_chance = mcts_options_.chance.noise > 0 || mcts_options_.chance.temperature > 0;
    if (playing_.search->by_chance || weak_search_ || plays_by_chance) change();
    put_together();
    clear_table();
    search_->new_game();
    node_clock_.new_game();
    mates_from_.reset();
    learnt_.new_game();
    book_random_ = base::Random(game_seed());
}

void Engine::set_line(chess::Line line) {
    wait();
    line_ = std::move(line);
}

bool Engine::is_limited(const search::Limits& limits) const {
    return weak_search_ && asks_for_a_move(limits);
}

// Whether the position comes from the one in which a weak player had begun to mate, by any reply.
bool Engine::sees_mate() const {
    if (!mates_from_) return false;
    return std::ranges::any_of(chess::legal_moves(*mates_from_), [&](chess::Move reply) {
        return mates_from_->after(reply).key() == line_.current().key();
    });
}

const games::Book* Engine::book() const {
    if (book_) return &*book_;
    return systems_book_ ? &*systems_book_ : nullptr;
}

// What was learnt comes first, and what it says is bad is not played from the other book either. While the
// opponent thinks nothing is answered, but the move may be wanted later: what is bad is not searched.
games::BookAdvice Engine::ask_books(const search::Limits& limits) {
    if (!own_book_ || analyses_ || !asks_for_a_move(limits) || !limits.root_moves.empty()) return {};
    games::BookAdvice advice = learnt_.advise(line_.current(), book_random_);
    if (const games::Book* const book = this->book(); book && !advice.play) {
        const auto move = book->choose(line_.current(), book_random_, games::BookChoice::Weighted);
        if (move && std::ranges::find(advice.avoid, *move) == advice.avoid.end()) advice.play = move;
    }
    if (limits.find<search::PonderLimit>()) advice.play.reset();
    return advice;
}

search::SearchResult Engine::play_from_book(chess::Move move) const {
    search::SearchResult result;
    result.best = move;
    result.principal_variation = {move};
    result.leaf = line_.current().after(move);
    // Nobody has searched: what is known of the move is the evaluation after it.
    if (chess::has_legal_move(result.leaf)) {
        if (const auto& network = value_network(); network)
            if (const auto value = network.evaluate(result.leaf)) result.score = -*value;
        result.leaf_kind = search::LeafKind::Exact;
    }
    result.lines = {{.score = result.score,
                     .bound = search::Bound::Exact,
                     .wdl = std::nullopt,
                     .depth = 0,
                     .selective_depth = 0,
                     .variation = result.principal_variation}};
    result.root_distribution = {{move, 1.0}};
    return result;
}

// Nothing if there is no time to solve it.
const LoneKingEnding* Engine::solved_ending(chess::PieceKind piece, const search::Limits& limits) {
    auto& ending = piece == chess::Queen ? king_and_queen_ : king_and_rook_;
    if (!ending) {
        // It takes a tenth of a second: not with the last one of a clock or of a move.
        constexpr search::Milliseconds enough{1000};
        const auto clock = limits.find<search::ClockLimit>();
        const auto fixed = limits.find<search::MoveTimeLimit>();
        const bool hurries = (clock && clock->remaining < enough) || (fixed && fixed->time < enough);
        if (hurries && limits.nodes_per_second == 0) return nullptr;
        ending.emplace(piece);
    }
    return &*ending;
}

// What networks are taught with has no games that go on with a king alone against queen or rook: to them all
// such positions are won, and none is nearer to mate than another.
std::optional<search::SearchResult> Engine::finish_off(const search::Limits& limits,
                                                       search::Observer& observer) {
    const chess::Position& position = line_.current();
    const auto piece = LoneKingEnding::piece_of(position);
    if (!piece || !is_finishing(position) || !limits.root_moves.empty()) return std::nullopt;
    const auto started = std::chrono::steady_clock::now();
    const LoneKingEnding* ending = solved_ending(*piece, limits);
    if (ending == nullptr) return std::nullopt;
    search::SearchResult result;
    result.principal_variation = ending->mating_line(position);
    if (result.principal_variation.empty()) return std::nullopt;
    // The ending knows nothing of the game before: the fifty-move rule or a repetition may come first.
    chess::Line line = line_;
    for (const chess::Move move : result.principal_variation) {
        if (line.terminal() != chess::Terminal::None) return std::nullopt;
        line.push(move);
    }
    const auto plies = static_cast<int>(result.principal_variation.size());
    result.best = result.principal_variation.front();
    if (plies > 1) result.ponder = result.principal_variation[1];
    result.score = chess::Score::mate_in(plies);
    result.leaf = line.current();
    result.leaf_kind = search::LeafKind::Mate;
    result.counters.nodes = 1;
    result.counters.depth = plies;
    result.counters.selective_depth = plies;
    result.counters.elapsed = std::chrono::steady_clock::now() - started;
    result.lines = {{.score = result.score,
                     .bound = search::Bound::Exact,
                     .wdl = std::nullopt,
                     .depth = plies,
                     .selective_depth = plies,
                     .variation = result.principal_variation}};
    result.root_distribution = {{result.best, 1.0}};
    search::Iteration report;
    report.depth = plies;
    report.counters = result.counters;
    report.score = result.score;
    report.principal_variation = result.principal_variation;
    observer.on_iteration(report);
    return result;
}

search::SearchResult Engine::search_now(search::Limits limits, const std::stop_token& stop,
                                        search::Observer& observer) {
    limits.move_overhead = limits.nodes_per_second == 0 ? move_overhead_ : search::Milliseconds(0);
    limits.multi_pv = multi_pv_;
    if (nodes_per_millisecond_ != 0)
        node_clock_.enter(limits, line_.current().side_to_move(), nodes_per_millisecond_);
    search::SearchResult result = pick(limits, stop, observer);
    observer.on_end(result);
    return result;
}

search::SearchResult Engine::pick(search::Limits limits, const std::stop_token& stop,
                                  search::Observer& observer) {
    const games::BookAdvice advice = ask_books(limits);
    if (advice.play) return play_from_book(*advice.play);
    if (!advice.avoid.empty())
        for (const chess::Move move : chess::legal_moves(line_.current()))
            if (std::ranges::find(advice.avoid, move) == advice.avoid.end())
                limits.root_moves.push_back(move);
    if (playing_.search->has_levels && asks_for_a_move(limits) && multi_pv_ == 1)
        if (const auto mate = finish_off(limits, observer)) return *mate;
    if (!is_limited(limits)) return search_->run(line_, limits, stop, observer);

    search::Search* search = weak_search_.get();
    std::uint64_t nodes = level_for(elo_).nodes;
    if (sees_mate() || is_finishing(line_.current())) {
        nodes = std::max(nodes, kFinishingNodes);
        search = search_.get();
    }
    if (const auto given = limits.find<search::NodeLimit>()) nodes = std::min(nodes, given->nodes);
    search::Limits few = limits;
    std::erase_if(few.limits,
                  [](const auto& limit) { return std::holds_alternative<search::NodeLimit>(limit); });
    few.limits.emplace_back(search::NodeLimit{nodes});
    return search->run(line_, few, stop, observer);
}

void Engine::note_move(const search::Limits& limits, const search::SearchResult& result) {
    if (!asks_for_a_move(limits)) return;
    if (!is_limited(limits)) learnt_.note(line_.ply(), line_.current(), result);
    node_clock_.spend(result.counters.nodes);
    mates_from_.reset();
    if (result.best && result.score && result.score->is_mate() && result.score->is_win())
        mates_from_ = line_.current().after(result.best);
}

void Engine::go(search::Limits limits, search::Observer& observer, Done done) {
    wait();
    put_together();
    ponder_hit_ = std::stop_source();
    const std::stop_token hit = ponder_hit_.get_token();
    bool ponders = false;
    for (search::Limit& limit : limits.limits)
        if (auto* ponder = std::get_if<search::PonderLimit>(&limit)) {
            ponder->hit = hit;
            ponders = true;
        }
    const bool endless = ponders || limits.is_infinite();
    run_beside([this, limits = std::move(limits), &observer, done = std::move(done), hit,
                ponders](const std::stop_token& stop) {
        const search::SearchResult result = search_now(limits, stop, observer);
        if (ponders) wait_for(stop, hit);
        if (limits.is_infinite()) wait_for(stop);
        if (!ponders || hit.stop_requested()) note_move(limits, result);
        done(result);
    });
    endless_ = endless;
}

search::SearchResult Engine::search(const search::Limits& limits, search::Observer& observer,
                                    const std::stop_token& stop) {
    wait();
    put_together();
    search::SearchResult result = search_now(limits, stop, observer);
    note_move(limits, result);
    return result;
}

void Engine::run_beside(std::function<void(const std::stop_token&)> work) {
    wait();
    endless_ = false;
    thread_ = std::jthread([work = std::move(work)](const std::stop_token& stop) { work(stop); });
}

void Engine::perft(int depth, std::function<void(const std::optional<Divide>&)> done) {
    run_beside([this, depth, done = std::move(done)](const std::stop_token& stop) {
        std::optional<Divide> counts = chess::perft_divide(line_.current(), depth, 1, stop);
        if (stop.stop_requested()) counts.reset();
        done(counts);
    });
}

void Engine::bench(int depth, std::function<void(int, std::string_view, std::uint64_t)> on_position,
                   std::function<void(const std::optional<BenchResult>&)> done) {
    wait();
    put_together();
    run_beside([this, depth, on_position = std::move(on_position),
                done = std::move(done)](const std::stop_token& stop) {
        // In the table of the game, which is empty afterwards: a second one of its size might be more than
        // there is.
        const auto searcher = make_search(playing_, table_, 0);
        if (!searcher) return done(std::nullopt);
        std::optional<BenchResult> result = engine::bench(**searcher, table_, depth, on_position, stop);
        clear_table();
        if (stop.stop_requested()) result.reset();
        done(result);
    });
}

void Engine::stop() {
    thread_.request_stop();
}

void Engine::finish() {
    if (endless_) stop();
    wait();
}

void Engine::wait() {
    if (thread_.joinable()) thread_.join();
}

std::optional<chess::Score> Engine::evaluate() {
    wait();
    put_together();
    const nets::AnyNetwork& network = value_network();
    return network ? network.evaluate(line_.current()) : std::nullopt;
}

base::Result<std::optional<evaluators::Opinion>> Engine::opinion() {
    wait();
    put_together();
    const nets::AnyNetwork& network = value_network();
    const chess::MoveList moves = chess::legal_moves(line_.current());
    if (!network || moves.empty()) return std::nullopt;
    const auto batch = evaluators::make_batch(network);
    if (!batch) return std::unexpected(batch.error());
    std::vector<evaluators::Opinion> opinions;
    (*batch)->submit(line_, moves);
    if (auto status = (*batch)->collect(opinions); !status) return std::unexpected(status.error());
    return std::move(opinions.front());
}

base::Result<std::vector<float>> Engine::probabilities() {
    wait();
    put_together();
    const nets::AnyNetwork& network = playing_.networks.given(evaluators::Role::Policy);
    const chess::MoveList moves = chess::legal_moves(line_.current());
    if (!network || !network.abilities().has(nets::Ability::Policy) || moves.empty())
        return std::vector<float>{};
    const auto policy = evaluators::make_policy(network);
    if (!policy) return std::unexpected(policy.error());
    std::vector<float> shares(static_cast<std::size_t>(moves.size()));
    (*policy)->reset(line_.current());
    (*policy)->judge(line_.current(), moves, shares);
    return shares;
}

const nets::AnyNetwork& Engine::network() {
    if (stale_) wait();
    put_together();
    return value_network();
}

// One that fills another role may have values too. Where a policy plays, its own are those that count.
const nets::AnyNetwork& Engine::value_network() const {
    using nets::Ability;
    const nets::Abilities values{Ability::Leaf, Ability::Value, Ability::Wdl};
    if (playing_.search)
        for (const evaluators::Need& need : playing_.search->needs) {
            const nets::AnyNetwork& asked = playing_.networks.find(need);
            if (asked && asked.abilities().has_any(values)) return asked;
        }
    return playing_.networks.find({evaluators::Role::Value, values, false, true});
}

std::optional<games::BookMoves> Engine::book_moves(const chess::Position& position) const {
    const games::Book* const book = this->book();
    if (!book) return std::nullopt;
    return book->moves(position);
}

std::optional<games::PositionBelief> Engine::learnt_belief(const chess::Position& position) {
    wait();
    return learnt_.belief(position);
}

void Engine::meet(std::string_view opponent) {
    wait();
    learnt_.meet(opponent);
}

base::Status Engine::end_game(const chess::Line& line, games::GameResult result) {
    wait();
    return learnt_.learn(line, result);
}

int Engine::to_centipawns(chess::Score score) const {
    return default_win_rate().centipawns(score, material_of(line_.current()));
}

chess::Wdl Engine::to_wdl(chess::Score score) const {
    return default_win_rate().wdl(score, material_of(line_.current()));
}

}  // namespace scholar::engine
