#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/random.hpp"
#include "chess/line.hpp"
#include "chess/uci_move.hpp"
#include "engine/bench.hpp"
#include "engine/learnt_opening.hpp"
#include "engine/lone_king.hpp"
#include "engine/node_clock.hpp"
#include "engine/option.hpp"
#include "engine/players.hpp"
#include "evaluators/batch_evaluator.hpp"
#include "games/book.hpp"
#include "nets/container/any_network.hpp"
#include "search/alpha_beta/alpha_beta.hpp"
#include "search/node_tap.hpp"
#include "search/search.hpp"
#include "search/table.hpp"
#include "tablebases/tablebases.hpp"

namespace scholar::engine {

// A player put together: network, search, table, book, options and the game in progress. Protocols drive it;
// it prints nothing. All calls come from one thread; the search runs in another.
class Engine {
  public:
    // The first of the players' systems, with its own networks. An error means that the binary is broken.
    static base::Result<std::unique_ptr<Engine>> create(Players players = standard_players());
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    const std::vector<Option>& options() const { return options_; }
    // Waits for a search in progress to end first: stop it if it is infinite.
    base::Status set_option(std::string_view name, std::string_view value);
    // Options come one by one, in any order: who plays, and how, is put together from all of them here, if
    // any has changed since; whatever plays or evaluates does so first. Refused, in one line: networks that
    // the search cannot play with; who was put together last plays on. An error is told once.
    base::Status prepare();
    // What was noticed when it was put together, once: options that are set and mean nothing to the search.
    // For people, one line each.
    std::vector<std::string> take_notes() { return std::exchange(notes_, {}); }

    // Who is told of the nodes inside searches from now on; it outlives the engine, or whoever is told
    // instead begins. Only searches of alpha-beta's kind tell. Null: nobody.
    void tell_nodes(search::NodeTap* tap);

    // Forgets games before: table, histories, budgets of nodes. What is left to chance is that of the next
    // game since the option Seed was set, or of the game of this number.
    void new_game(std::optional<std::uint64_t> number = std::nullopt);
    void set_line(chess::Line line);
    const chess::Line& line() const { return line_; }

    using Done = std::function<void(const search::SearchResult&)>;
    // Begins a search of the current position and returns; `done` is called from the search's thread when it
    // has ended. For an infinite search that is not before stop(), for one that ponders not before stop() or
    // ponder_hit(). The observer must live until then. Options that say how to search (MultiPV, levels, nodes
    // as time, the overhead, the book) are put into the limits here.
    void go(search::Limits limits, search::Observer& observer, Done done);
    // The expected move was played: the search in progress, which ponders, goes on within its other limits.
    void ponder_hit() { ponder_hit_.request_stop(); }
    // As go(), in the caller's thread. Not infinite, and not to ponder.
    search::SearchResult search(const search::Limits& limits, search::Observer& observer,
                                const std::stop_token& stop = {});
    // Counts the legal move sequences of the current position, `depth` ≥ 1 half-moves long, for each first
    // move, where go() searches. `done` gets nothing if it was stopped.
    using Divide = std::vector<std::pair<chess::Move, std::uint64_t>>;
    void perft(int depth, std::function<void(const std::optional<Divide>&)> done);
    // Runs bench() with the options as they are, but for levels and a table of its own, where go() searches;
    // `done` gets nothing if it was stopped.
    void bench(int depth, std::function<void(int, std::string_view, std::uint64_t)> on_position,
               std::function<void(const std::optional<BenchResult>&)> done);
    void stop();
    void wait();
    // Lets a search in progress come to its own end; one that has none is stopped.
    void finish();

    // The static evaluation of the current position by the network, for its side to move; nothing where the
    // player has none, or where the network reads the past too: then it has an opinion.
    std::optional<chess::Score> evaluate();
    // What the network says of the current position with the game behind it, for its side to move;
    // probabilities are those of chess::legal_moves(). Nothing where the player has no network or there is no
    // move.
    base::Result<std::optional<evaluators::Opinion>> opinion();
    // How likely the policy of who plays holds each of chess::legal_moves() of the current position, without
    // the game behind it, in their order; empty where the player has been given none, or there is no move.
    base::Result<std::vector<float>> probabilities();
    // What the book has for a position; nothing without a book.
    std::optional<games::BookMoves> book_moves(const chess::Position& position) const;
    // What the learnt book believes of a position; nothing if it does not have it.
    std::optional<games::PositionBelief> learnt_belief(const chess::Position& position);

    // Who is played from now on, for the learnt book; "": not known.
    void meet(std::string_view opponent);
    // The game in progress has ended; `line` is all of it. The learnt book learns from it, if the engine
    // played one side of it, not weakened, and the result is known. For whoever knows how games end. An error
    // means that nothing was learnt.
    base::Status end_game(const chess::Line& line, games::GameResult result);

    // That values positions for who plays: the one that its search asks, or another that could. None where
    // nobody has values.
    const nets::AnyNetwork& network();
    chess::CastlingNotation castling_notation() const { return notation_; }
    bool shows_wdl() const { return shows_wdl_; }
    // How a score of the current position's search is shown, if it is no mate (engine/win_rate.hpp).
    int to_centipawns(chess::Score score) const;
    chess::Wdl to_wdl(chess::Score score) const;

  private:
    explicit Engine(Players players);
    void declare_options();
    void declare_probability_options();
    void declare_mcts_options();
    void declare_likely_options();
    void declare_tunables();
    void declare(Option option) { options_.push_back(std::move(option)); }
    void declare_network(evaluators::Role role, const char* help);
    base::Status use_network(evaluators::Role role, const std::string& name);
    base::Status use_threads(int threads);
    base::Status use_tablebases(const std::string& path);
    base::Status use_book(const std::string& path);
    // That it plays from where OwnBook is on; null: none.
    const games::Book* book() const;
    base::Status use_learnt_book(const std::string& path, bool read_only);
    base::Status use_system(const std::string& name);

    void clear_table();
    void resize_table(long megabytes);
    // Who plays: a system's networks, or those that took their places, under a search.
    struct Choice {
        const System* system = nullptr;
        const SearchKind* search = nullptr;
        evaluators::Networks networks;
        search::CostOptions cost{};  // as far as options say it
        int asked_rating = 0;
        bool operator==(const Choice&) const = default;
    };
    Choice chosen() const;
    const nets::AnyNetwork& network_of(evaluators::Role role) const;
    const nets::AnyNetwork& value_network() const;
    // Something that searches are made of has changed.
    void change() { stale_ = true; }
    // As prepare(), but an error waits for who asks next.
    void put_together();
    base::Status put_together(const Choice& choice);
    base::Status make(const Choice& choice);
    void note_unheeded(const SearchKind& search);
    std::uint64_t game_seed() const;
    base::Result<std::unique_ptr<search::Search>> make_search(const Choice& choice, search::Table& table,
                                                              double noise) const;
    bool is_limited(const search::Limits& limits) const;
    bool sees_mate() const;
    const LoneKingEnding* solved_ending(chess::PieceKind piece, const search::Limits& limits);
    std::optional<search::SearchResult> finish_off(const search::Limits& limits, search::Observer& observer);
    games::BookAdvice ask_books(const search::Limits& limits);
    search::SearchResult play_from_book(chess::Move move) const;
    search::SearchResult search_now(search::Limits limits, const std::stop_token& stop,
                                    search::Observer& observer);
    search::SearchResult pick(search::Limits limits, const std::stop_token& stop, search::Observer& observer);
    // After a search whose best move will be played: not of analysis, nor of a ponder that missed.
    void note_move(const search::Limits& limits, const search::SearchResult& result);
    void run_beside(std::function<void(const std::stop_token&)> work);

    const Players players_;
    const System* system_;
    evaluators::Networks own_networks_;        // the system's
    evaluators::Networks reserve_;             // and those for searches that need more
    const SearchKind* search_kind_ = nullptr;  // null: the system's own
    std::array<std::optional<nets::AnyNetwork>, evaluators::kRoles.size()>
        given_networks_;                                  // nothing: its own
    std::optional<int> convergence_;                      // nothing: the system's
    std::map<std::string, std::string> changed_options_;  // by name, where not the default
    Choice playing_;                                      // put together last
    bool stale_ = true;                                   // something has changed since
    std::optional<base::Error> refusal_;                  // not told yet
    std::vector<std::string> notes_;
    std::set<std::string> told_notes_;
    search::Table table_;
    search::AlphaBetaOptions search_options_;
    search::MctsOptions mcts_options_;
    std::map<std::string, std::pair<double search::mcts::Exploration::*, double>> exploration_;  // given
    search::LikelyOptions likely_options_;
    int asked_rating_ = 0;
    int last_threads_ = 1;  // that could be had
    long last_hash_ = 0;    // likewise, of hash_
    std::unique_ptr<search::Search> search_;
    chess::Line line_;
    std::vector<Option> options_;

    long hash_ = kDefaultHash;             // MiB
    long table_megabytes_ = kDefaultHash;  // less than that where who plays keeps a tree
    search::Milliseconds move_overhead_{kDefaultMoveOverhead};
    int multi_pv_ = 1;
    std::uint64_t nodes_per_millisecond_ = 0;
    NodeClock node_clock_;
    chess::CastlingNotation notation_ = chess::CastlingNotation::Standard;
    bool shows_wdl_ = false;

    bool limits_strength_ = false;
    int elo_;
    search::Table weak_table_{1};  // what a weak player believes is not true
    std::unique_ptr<search::Search> weak_search_;
    std::optional<LoneKingEnding> king_and_queen_;  // each solved when first met
    std::optional<LoneKingEnding> king_and_rook_;
    // In this game, after a move with which a weak player began a mate: it carries it out.
    std::optional<chess::Position> mates_from_;

    bool analyses_ = false;
    std::optional<games::Book> book_;          // BookFile's
    std::optional<games::Book> systems_book_;  // the system's own
    bool own_book_ = false;
    LearntOpening learnt_;
    std::string learnt_path_;  // "": none
    bool learnt_read_only_ = false;
    std::uint64_t seed_ = 0;  // 0: another one each time
    std::uint64_t game_ = 0;  // counts games
    std::uint64_t chance_;    // in place of a seed of 0
    base::Random book_random_{0};

    std::stop_source ponder_hit_;
    bool endless_ = false;  // the search that thread_ runs
    std::jthread thread_;

    static constexpr long kDefaultHash = 16;
    static constexpr long kDefaultMoveOverhead = 10;
};

}  // namespace scholar::engine
