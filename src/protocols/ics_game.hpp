#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chess/line.hpp"
#include "engine/contestant.hpp"
#include "protocols/ics_move_list.hpp"
#include "protocols/ics_style12.hpp"

namespace scholar::protocols::ics {

// Our copy of a game that the server keeps, brought up to date by its boards. Of more than kMostPlies it has
// the last alone, and is then no longer whole.
class GameTracker {
  public:
    // `board` is ours (Style12::is_mine).
    GameTracker(engine::GameHeader header, const Style12& board);

    const engine::GameHeader& header() const { return header_; }
    const chess::Line& line() const { return line_; }
    // Whether the contestant is to move and can.
    bool is_our_turn() const;

    enum class Change {
        None,      // the position that we are at
        Advanced,  // one or two legal moves from it
        Behind,    // a position of the past: an old line once more, or moves were taken back
        Strange,   // anything else
    };
    // Follows the server where None and Advanced; at the others stays as it is, for a single line may be
    // wrong.
    Change apply(const Style12& board);
    // Believes the server whatever it says: goes back as far as must be, and where no legal moves lead there,
    // begins anew at that position (the game is then no longer whole).
    void believe(const Style12& board);
    // Puts in the moves from the game's beginning, if they lead to the boards that we have seen. False: they
    // do not.
    bool complete(const MoveList& list);
    // Adds moves of a list that goes on from where we are. False: it does not.
    bool extend(const MoveList& list);
    // What the contestant found for its next move; kept when the server has accepted the move.
    void note_decision(const engine::Decision& decision);
    // The game goes on after it was adjourned.
    void resume(const engine::GameHeader& header);

    engine::PlayedGame played(games::GameResult result, engine::GameEnd end, std::string reason) const;

  private:
    std::optional<std::vector<chess::Move>> agreed_moves(const MoveList& list) const;
    bool advance(const Style12& board, int plies);
    void push(chess::Move move);
    void forget_past();
    void note_clock(const Style12& board);
    void truncate(int plies);

    engine::GameHeader header_;
    chess::Line line_;
    std::vector<engine::PlayedMove> moves_;
    std::optional<engine::Decision> decision_;
    int decision_ply_ = -1;
};

// How a game ended, from the words of the server's end line (help file "result").
engine::GameEnd classify_end(std::string_view reason, games::GameResult result);

}  // namespace scholar::protocols::ics
