#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chess/position.hpp"
#include "games/game.hpp"

namespace scholar::protocols::ics {

// A game as the server's commands "moves" (one in progress), "smoves" and "oldmoves" (one that is over) list
// it, from standard chess's start position.
struct MoveList {
    std::array<std::string, 2> names;  // by colour
    std::vector<chess::Move> moves;
    std::string reason;  // "Still in progress", or how it ended
    games::GameResult result = games::GameResult::Unknown;

    bool in_progress() const { return reason == "Still in progress"; }
};

// Half-moves of a game that are kept: some times those of the longest that people or programs have played. A
// server may tell of more.
inline constexpr int kMostPlies = 4'000;

// Puts such a list together from its lines: a heading "A (1500) vs. B (1600) --- date", words about the
// match, a table of numbered moves with their times in brackets, and a last line "{how it ended} result".
// Empty lines, and lines that another command or another user caused between them, are passed over.
class MoveListReader {
  public:
    // A line without prompts before it; the list if it was its last. A list with a move that is not legal, or
    // out of turn, or with more than kMostPlies, comes to nothing.
    std::optional<MoveList> add(std::string_view line);

  private:
    bool moves(std::string_view line);

    std::optional<MoveList> list_;
    chess::Position position_;
    bool in_table_ = false;
};

}  // namespace scholar::protocols::ics
