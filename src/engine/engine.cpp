#include "engine/engine.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "chess/perft.hpp"
#include "nets/embedded.hpp"
#include "nets/network_file.hpp"
#include "search/alpha_beta.hpp"

namespace scholar::engine {

namespace {

// What GUIs show for "no file given".
constexpr const char* kEmbedded = "<embedded>";
constexpr const char* kEmpty = "<empty>";  // UCI's word for an empty string

void wait_for(std::stop_token stop) {
    std::mutex mutex;
    std::condition_variable_any condition;
    std::unique_lock lock(mutex);
    condition.wait(lock, stop, [] { return false; });
}

}  // namespace

base::Result<std::unique_ptr<Engine>> Engine::create() {
    auto network = nets::parse_network(nets::default_network_file());
    if (!network) return base::fail_in("embedded network", network.error());
    std::unique_ptr<Engine> engine(new Engine);
    engine->use_network(std::move(*network));
    return engine;
}

Engine::Engine() : table_(kDefaultHash) {
    declare_options();
}

Engine::~Engine() {
    stop();
    wait();
}

void Engine::declare_options() {
    using Value = OptionValue;
    options_.push_back({"Hash", "size of the transposition table in MiB",
                        SpinOption{kDefaultHash, static_cast<long>(search::Table::kMinMegabytes),
                                   static_cast<long>(search::Table::kMaxMegabytes)},
                        [this](const Value& value) -> base::Status {
                            const long megabytes = std::get<long>(value);
                            try {
                                table_.resize(static_cast<std::size_t>(megabytes));
                            } catch (const std::bad_alloc&) {
                                return base::fail("option Hash: {} MiB cannot be had, the old table stays",
                                                  megabytes);
                            }
                            return {};
                        }});
    options_.push_back({"Threads", "number of search threads", SpinOption{1, 1, 1},
                        [](const Value&) -> base::Status { return {}; }});
    options_.push_back({"Move Overhead", "time kept back from the clock for each move, in milliseconds",
                        SpinOption{kDefaultMoveOverhead, 0, 10'000},
                        [this](const Value& value) -> base::Status {
                            move_overhead_ = search::Milliseconds(std::get<long>(value));
                            return {};
                        }});
    options_.push_back({"EvalFile", "network to play with, a .safetensors file", StringOption{kEmbedded},
                        [this](const Value& value) { return load_network(std::get<std::string>(value)); }});
    options_.push_back({"Clear Hash", "forget everything in the transposition table", ButtonOption{},
                        [this](const Value&) -> base::Status {
                            table_.clear();
                            return {};
                        }});
    options_.push_back({"UCI_Chess960", "write castling as king takes rook", CheckOption{false},
                        [this](const Value& value) -> base::Status {
                            notation_ = std::get<bool>(value) ? chess::CastlingNotation::Chess960
                                                              : chess::CastlingNotation::Standard;
                            return {};
                        }});
    if constexpr (search::kTuning) {
        for (const search::Tunable& tunable : search::kTunables)
            options_.push_back({tunable.name, "search constant, for tuning",
                                SpinOption{search::Tunables{}.*tunable.member, tunable.min, tunable.max},
                                [this, &tunable](const Value& value) -> base::Status {
                                    search_options_.tunables.*tunable.member = static_cast<int>(std::get<long>(value));
                                    search_ = search::make_alpha_beta(network_, table_, search_options_);
                                    return {};
                                }});
    }
}

base::Status Engine::set_option(std::string_view name, std::string_view value) {
    wait();
    return engine::set_option(options_, name, value);
}

base::Status Engine::load_network(const std::string& path) {
    wait();
    auto network = path == kEmbedded || path == kEmpty || path.empty()
                       ? nets::parse_network(nets::default_network_file())
                       : nets::load_network(path);
    if (!network) return std::unexpected(network.error());
    use_network(std::move(*network));
    return {};
}

void Engine::use_network(nets::Network network) {
    network_ = std::make_shared<const nets::Network>(std::move(network));
    table_.clear();  // scores of another network mean nothing to this one
    search_ = search::make_alpha_beta(network_, table_, search_options_);
}

void Engine::new_game() {
    wait();
    table_.clear();
    search_->new_game();
}

void Engine::set_line(chess::Line line) {
    wait();
    line_ = std::move(line);
}

void Engine::go(search::Limits limits, search::Observer& observer, Done done) {
    wait();
    limits.move_overhead = move_overhead_;
    infinite_ = limits.is_infinite();
    thread_ = std::jthread(
        [this, limits = std::move(limits), &observer, done = std::move(done)](std::stop_token stop) {
            const search::SearchResult result = search_->run(line_, limits, stop, observer);
            if (limits.is_infinite()) wait_for(stop);
            done(result);
        });
}

void Engine::perft(int depth, std::function<void(const std::optional<Divide>&)> done) {
    wait();
    infinite_ = false;
    thread_ = std::jthread([this, depth, done = std::move(done)](const std::stop_token& stop) {
        std::optional<Divide> counts = chess::perft_divide(line_.current(), depth, 1, stop);
        if (stop.stop_requested()) counts.reset();
        done(counts);
    });
}

search::SearchResult Engine::search(search::Limits limits, search::Observer& observer) {
    wait();
    limits.move_overhead = move_overhead_;
    return search_->run(line_, limits, {}, observer);
}

void Engine::stop() {
    thread_.request_stop();
}

void Engine::finish() {
    if (infinite_) stop();
    wait();
}

void Engine::wait() {
    if (thread_.joinable()) thread_.join();
}

chess::Score Engine::evaluate() const {
    return nets::evaluate_plainly(*network_, line_.current());
}

int Engine::to_centipawns(chess::Score score) const {
    const int pawn = std::max(1, network_->info.piece_values[chess::Pawn]);
    return score.value() * 100 / pawn;
}

}  // namespace scholar::engine
