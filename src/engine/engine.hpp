#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "chess/line.hpp"
#include "chess/uci_move.hpp"
#include "engine/option.hpp"
#include "nets/network.hpp"
#include "search/search.hpp"
#include "search/table.hpp"
#include "search/alpha_beta.hpp"

namespace scholar::engine {

// A player put together: network, search, table, options and the game in progress. Protocols drive it; it
// prints nothing. All calls come from one thread; the search runs in another.
class Engine {
  public:
    // With the embedded default network. An error means that the binary is broken.
    static base::Result<std::unique_ptr<Engine>> create();
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    const std::vector<Option>& options() const { return options_; }
    // Waits for a search in progress to end first: stop it if it is infinite.
    base::Status set_option(std::string_view name, std::string_view value);
    // Replaces the network; the old one stays if the file is no good.
    base::Status load_network(const std::string& path);

    // Forgets games before: table and histories.
    void new_game();
    void set_line(chess::Line line);
    const chess::Line& line() const { return line_; }

    using Done = std::function<void(const search::SearchResult&)>;
    // Begins a search of the current position and returns; `done` is called from the search's thread when it
    // has ended. For an infinite search that is not before stop(). The observer must live until then.
    void go(search::Limits limits, search::Observer& observer, Done done);
    // Counts the legal move sequences of the current position, `depth` ≥ 1 half-moves long, for each first
    // move, where go() searches. `done` gets nothing if it was stopped.
    using Divide = std::vector<std::pair<chess::Move, std::uint64_t>>;
    void perft(int depth, std::function<void(const std::optional<Divide>&)> done);
    // As go(), in the caller's thread.
    search::SearchResult search(search::Limits limits, search::Observer& observer);
    void stop();
    void wait();
    // Lets a search in progress come to its own end; one that has none is stopped.
    void finish();

    // The static evaluation of the current position by the network, for its side to move.
    chess::Score evaluate() const;
    const std::shared_ptr<const nets::Network>& network() const { return network_; }
    chess::CastlingNotation castling_notation() const { return notation_; }
    // How many hundredths of a pawn a score is shown as: 100 is the value the network gives a pawn.
    int to_centipawns(chess::Score score) const;

  private:
    Engine();
    void declare_options();
    void use_network(nets::Network network);

    std::shared_ptr<const nets::Network> network_;
    search::Table table_;
    search::AlphaBetaOptions search_options_;
    std::unique_ptr<search::Search> search_;
    chess::Line line_;
    std::vector<Option> options_;
    search::Milliseconds move_overhead_{kDefaultMoveOverhead};
    chess::CastlingNotation notation_ = chess::CastlingNotation::Standard;
    bool infinite_ = false;  // the search that thread_ runs
    std::jthread thread_;

    static constexpr long kDefaultHash = 16;
    static constexpr long kDefaultMoveOverhead = 10;
};

}  // namespace scholar::engine
