#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chess/position.hpp"
#include "games/learnt_book_record.hpp"

// What a learnt book remembers of its records: positions, the moves played or searched there, and what came
// of them. Positions are the same whatever moves led to them. All of it is counts, so that the same records
// in the same order give the same graph to the last bit; what the counts mean is
// games/learnt_book_beliefs.hpp's affair.

namespace scholar::games {

// The latest games against one opponent in which we, or that opponent, played a move, for the side that
// played it. When they are more than kMost they are halved, so that what was long ago counts less.
struct OpponentTally {
    static constexpr int kMost = 16;
    std::uint32_t opponent = 0;  // index into BookState::opponents
    bool ours = false;           // we played it
    std::uint8_t wins = 0;
    std::uint8_t draws = 0;
    std::uint8_t losses = 0;
    int games() const { return wins + draws + losses; }
    bool operator==(const OpponentTally&) const = default;
};

struct LearntMove {
    std::uint16_t move = 0;      // as BookEntry has it
    std::uint64_t leads_to = 0;  // key of the position after it
    // Games, each counted once: in which we played it and in which an opponent did; and how they ended for
    // the side that played it.
    std::uint32_t ours = 0;
    std::uint32_t theirs = 0;
    std::uint32_t wins = 0;
    std::uint32_t draws = 0;
    std::uint32_t losses = 0;
    std::vector<OpponentTally> opponents;  // by index, of one opponent theirs first
    std::optional<BookOpinion> opinion;    // for the side that moves
    bool operator==(const LearntMove&) const = default;
};

struct LearntPosition {
    chess::Position position;  // as it was when first met
    std::uint32_t ply = 0;     // fewest half-moves from the start of a game
    std::uint32_t games = 0;
    std::uint64_t last_game = 0;         // number of the latest of them
    std::vector<LearntMove> moves;       // by their bits
    std::optional<BookOpinion> opinion;  // for the side to move
    bool operator==(const LearntPosition&) const = default;
};

struct BookState {
    BookBounds bounds;
    std::uint64_t games = 0;
    std::uint64_t searches = 0;
    std::vector<std::string> opponents;                 // in the order of their first games
    std::map<std::uint64_t, LearntPosition> positions;  // by key (chess/polyglot_key.hpp)
    bool operator==(const BookState&) const = default;
};

// So many nodes of search are worth as much as one more game of a position: where it is decided what to
// forget, and what to search.
constexpr std::uint64_t kNodesOfAGame = 100'000;

class BookGraph {
  public:
    explicit BookGraph(BookState state);

    // The first bounds().max_plies moves of a game, which are legal. Opinions of about as many nodes as those
    // before, or more, replace them.
    void add(const BookGame& game);
    void add(const BookSearch& search);

    const BookState& state() const { return state_; }
    const LearntPosition* find(const chess::Position& position) const;
    // None if no game was played with it.
    std::optional<std::uint32_t> opponent(std::string_view name) const;

  private:
    std::uint32_t number_of(const std::string& name);
    void forget();

    BookState state_;
    std::map<std::string, std::uint32_t, std::less<>> numbers_;  // of opponents
};

}  // namespace scholar::games
