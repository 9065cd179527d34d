#include "engine/engine.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <random>

#include "chess/perft.hpp"
#include "engine/strength.hpp"
#include "engine/win_rate.hpp"
#include "nets/embedded.hpp"
#include "nets/network_file.hpp"

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

}  // namespace

base::Result<std::unique_ptr<Engine>> Engine::create(std::vector<Preset> presets) {
    auto network = nets::parse_network(nets::default_network_file());
    if (!network) return base::fail_in("embedded network", network.error());
    std::unique_ptr<Engine> engine(new Engine(std::move(presets)));
    engine->use_network(std::move(*network));
    return engine;
}

Engine::Engine(std::vector<Preset> presets)
    : presets_(std::move(presets)),
      preset_(&presets_.front()),
      table_(kDefaultHash),
      elo_(strongest_elo()),
      chance_(std::random_device{}()) {
    declare_options();
}

Engine::~Engine() {
    stop();
    wait();
}

base::Status Engine::load_network(const std::string& path) {
    wait();
    auto network =
        path.empty() ? nets::parse_network(nets::default_network_file()) : nets::load_network(path);
    if (!network) return std::unexpected(network.error());
    use_network(std::move(*network));
    return {};
}

void Engine::use_network(nets::Network network) {
    network_ = std::make_shared<const nets::Network>(std::move(network));
    table_.clear();  // scores of another network mean nothing to this one
    make_searches();
}

std::uint64_t Engine::game_seed() const {
    std::uint64_t state = (seed_ != 0 ? seed_ : chance_) + game_;
    return base::split_mix(state);
}

std::unique_ptr<search::Search> Engine::make_search(search::Table& table, double noise) const {
    Ingredients with{network_, table, search_options_, game_seed()};
    with.alpha_beta.evaluation_noise = noise;
    with.alpha_beta.noise_seed = game_seed();
    if (noise > 0) {
        with.alpha_beta.threads = 1;
        with.alpha_beta.tablebases.tables.reset();
    }
    return preset_->make(with);
}

void Engine::make_searches() {
    // While options are declared and read there may be no network yet.
    if (!network_) return;
    search_ = make_search(table_, 0);
    weak_search_.reset();
    weak_table_.clear();
    if (limits_strength_ && preset_->has_levels)
        weak_search_ = make_search(weak_table_, level_for(elo_).noise);
    book_random_ = base::Random(game_seed());
}

void Engine::new_game() {
    wait();
    ++game_;
    table_.clear();
    search_->new_game();
    node_clock_.new_game();
    saw_mate_ = false;
    book_random_ = base::Random(game_seed());
    if (preset_->by_chance || weak_search_) make_searches();
}

void Engine::set_line(chess::Line line) {
    wait();
    line_ = std::move(line);
}

bool Engine::is_limited(const search::Limits& limits) const {
    return weak_search_ && !limits.is_infinite() && !limits.find<search::MateLimit>();
}

std::optional<search::SearchResult> Engine::from_book(const search::Limits& limits) {
    if (!own_book_ || !book_ || analyses_ || limits.is_infinite() || limits.find<search::PonderLimit>() ||
        limits.find<search::MateLimit>() || !limits.root_moves.empty())
        return std::nullopt;
    const auto move = book_->choose(line_.current(), book_random_, games::BookChoice::Weighted);
    if (!move) return std::nullopt;
    search::SearchResult result;
    result.best = *move;
    result.principal_variation = {*move};
    result.leaf = line_.current().after(*move);
    return result;
}

// What networks are taught with has no games that go on with a king alone against queen or rook: to them all such
// positions are won, and none is nearer to mate than another.
std::optional<search::SearchResult> Engine::finish_off(const search::Limits& limits,
                                                       search::Observer& observer) {
    const chess::Position& position = line_.current();
    const auto piece = LoneKingEnding::piece_of(position);
    if (!piece || !is_finishing(position) || !limits.root_moves.empty()) return std::nullopt;
    const auto started = std::chrono::steady_clock::now();
    if (!lone_king_ || lone_king_->piece() != *piece) {
        // It takes a tenth of a second: not with the last one of a clock.
        const auto clock = limits.find<search::ClockLimit>();
        if (clock && clock->remaining < std::chrono::seconds(1)) return std::nullopt;
        lone_king_.emplace(*piece);
    }
    search::SearchResult result;
    result.principal_variation = lone_king_->mating_line(position);
    if (result.principal_variation.empty()) return std::nullopt;
    const auto plies = static_cast<int>(result.principal_variation.size());
    result.best = result.principal_variation.front();
    if (plies > 1) result.ponder = result.principal_variation[1];
    result.score = chess::Score::mate_in(plies);
    result.leaf = position;
    for (const chess::Move move : result.principal_variation) result.leaf.make(move);
    result.leaf_kind = search::LeafKind::Mate;
    result.counters.nodes = 1;
    result.counters.depth = plies;
    result.counters.selective_depth = plies;
    result.counters.elapsed = std::chrono::steady_clock::now() - started;
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
    if (const auto found = from_book(limits)) return *found;
    const chess::Color us = line_.current().side_to_move();
    if (limits.nodes_per_millisecond == 0) limits.move_overhead = move_overhead_;
    limits.multi_pv = multi_pv_;
    if (nodes_per_millisecond_ != 0) node_clock_.enter(limits, us, nodes_per_millisecond_);

    const bool asks_for_a_move = !limits.is_infinite() && !limits.find<search::MateLimit>() && multi_pv_ == 1;
    if (preset_->has_levels && asks_for_a_move)
        if (const auto mate = finish_off(limits, observer)) return *mate;
    search::Search* search = search_.get();
    if (is_limited(limits)) {
        std::uint64_t nodes = level_for(elo_).nodes;
        if (saw_mate_ || is_finishing(line_.current()))
            nodes = std::max(nodes, kFinishingNodes);
        else
            search = weak_search_.get();
        if (const auto given = limits.find<search::NodeLimit>()) nodes = std::min(nodes, given->nodes);
        std::erase_if(limits.limits,
                      [](const auto& limit) { return std::holds_alternative<search::NodeLimit>(limit); });
        limits.limits.emplace_back(search::NodeLimit{nodes});
    }
    search::SearchResult result = search->run(line_, limits, stop, observer);
    if (nodes_per_millisecond_ != 0) node_clock_.spend(us, result.counters.nodes);
    saw_mate_ = result.score.is_mate() && result.score > chess::Score::draw();
    return result;
}

void Engine::go(search::Limits limits, search::Observer& observer, Done done) {
    wait();
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
        done(result);
    });
    endless_ = endless;
}

search::SearchResult Engine::search(search::Limits limits, search::Observer& observer,
                                    const std::stop_token& stop) {
    wait();
    return search_now(std::move(limits), stop, observer);
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
    run_beside([this, depth, on_position = std::move(on_position),
                done = std::move(done)](const std::stop_token& stop) {
        search::Table table(static_cast<std::size_t>(hash_));
        const auto searcher = make_search(table, 0);
        std::optional<BenchResult> result = engine::bench(*searcher, table, depth, on_position, stop);
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

chess::Score Engine::evaluate() const {
    return nets::evaluate_plainly(*network_, line_.current());
}

std::optional<games::BookMoves> Engine::book_moves(const chess::Position& position) const {
    if (!book_) return std::nullopt;
    return book_->moves(position);
}

int Engine::to_centipawns(chess::Score score) const {
    return default_win_rate().centipawns(score, material_of(line_.current()));
}

chess::Wdl Engine::to_wdl(chess::Score score) const {
    return default_win_rate().wdl(score, material_of(line_.current()));
}

}  // namespace scholar::engine
