#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/random.hpp"
#include "chess/line.hpp"
#include "games/learnt_book.hpp"
#include "search/search.hpp"

namespace scholar::engine {

// An engine's learnt book: what it advises against the present opponent, and what the game in progress will
// add to it. One thread at a time may call it.
class LearntOpening {
  public:
    LearntOpening() = default;
    LearntOpening(const LearntOpening&) = delete;
    LearntOpening& operator=(const LearntOpening&) = delete;
    // Leaves a snapshot, if there is something new.
    ~LearntOpening() { close(); }

    // Opens a book in place of the one before, which stays if that fails. "" is none. A book that does not
    // exist is made, unless it is only to be read.
    base::Status use(const std::string& path, bool read_only);
    // How far chance may prefer what is less known (games::BeliefOptions::exploration).
    void set_exploration(double exploration);
    // Who is played from now on; "": not known.
    void meet(std::string_view opponent);

    games::BookAdvice advise(const chess::Position& position, base::Random& random);
    // For the side to move. Nothing without a book, and for a position that is not in it.
    std::optional<games::PositionBelief> belief(const chess::Position& position);

    void new_game() { notes_.clear(); }
    // The move that is played at half-move `ply` of the game, in `position`. It was searched if it cost
    // nodes.
    void note(int ply, const chess::Position& position, const search::SearchResult& result);
    // The game in progress has ended. It is learnt from if its result is known and the noted moves that were
    // played are of one side.
    base::Status learn(const chess::Line& line, games::GameResult result);

  private:
    struct Note {
        std::uint64_t key;  // of the position
        chess::Move move;
        std::optional<games::BookOpinion> opinion;
    };
    const Note* note_at(int ply, const chess::Position& position) const;
    // For a game in which `us` is our colour.
    const games::BookBeliefs* beliefs(chess::Color us);
    void close();

    std::unique_ptr<games::LearntBook> book_;
    bool read_only_ = false;
    bool has_news_ = false;  // that no snapshot has
    games::BeliefOptions options_;
    std::string opponent_;
    std::optional<games::BookBeliefs> beliefs_;  // of the book as it is against the opponent
    chess::Color us_ = chess::White;             // of beliefs_
    std::map<int, Note> notes_;                  // by half-move of the game
};

// The name in a value of the option UCI_Opponent: "GM 2800 human Gary Kasparov", "none none computer
// Shredder".
std::string_view opponent_name(std::string_view value);

}  // namespace scholar::engine
