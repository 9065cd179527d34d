#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "chess/line.hpp"
#include "chess/position.hpp"
#include "tablebases/gaviota.hpp"

// Endgame tables: what best play leads to, from the files of Syzygy, read by the library Fathom, and of
// Gaviota, read by its own.

namespace scholar::tablebases {

// The result of best play for the side to move. A cursed win is a win that the fifty-move rule turns into a
// draw, a blessed loss the other side of it.
enum class Outcome : int { Loss = -2, BlessedLoss, Draw, CursedWin, Win };

constexpr Outcome operator-(Outcome outcome) {
    return static_cast<Outcome>(-static_cast<int>(outcome));
}
// "loss", "blessed loss", "draw", "cursed win", "win".
std::string_view to_string(Outcome outcome);

struct RootMove {
    chess::Move move;
    // For the side that makes the move, with repetition reckoned with and, given `dtz`, the halfmove clock.
    Outcome outcome = Outcome::Draw;
    // As Tablebases::probe_dtz(), for the side that makes the move and counted from before it: mate or a move
    // that sets the clock to 0 is ±1, or ±101 if what it leads to takes too long. Nothing without distance
    // tables.
    std::optional<int> dtz;
    // Half-moves to mate, positive if this side mates, counted from before the move; 0 in a draw. Nothing
    // without tables of distances to mate.
    std::optional<int> dtm;
    bool mates = false;

    // What progress is measured by: dtz where it is known.
    std::optional<int> distance() const { return dtz ? dtz : dtm; }
};

struct RootProbe {
    Outcome outcome = Outcome::Draw;
    std::optional<int> dtz;
    // All legal moves, best first: by outcome, then the shortest way to a win and the longest to a loss, then
    // in the order of from-square, to-square and promotion. Playing the first one always makes progress, but
    // not without distances: then mate is first, all other moves of one outcome are alike, and a win may be
    // put off for ever. Empty in a position of mate or stalemate.
    std::vector<RootMove> moves;
};

// A set of tables, open for as long as a copy of this object lives. Where both kinds know a position,
// Syzygy's are asked, whose distances are those of the fifty-move rule; distances to mate are Gaviota's.
//
// There is an answer for positions without castling rights whose tables, and those of what captures lead to,
// are there; from a distance to mate alone where it is short enough for the fifty-move rule to be no matter.
// An en-passant right counts.
//
// Both libraries keep their tables in variables of the process. So only one set can be open at a time: the
// same one again is shared, another one is refused until all copies of the first are gone.
class Tablebases {
  public:
    // `path` is one folder or several with ':' between them; of a table that is in two, the first counts.
    // Every table's header is checked first and the first bad file refused, since the libraries end the
    // program on some. Not noticed: damage in what is compressed (verify() finds it in Syzygy's), and files
    // changed while they are open.
    static base::Result<Tablebases> open(const std::string& path);

    const std::string& path() const;
    // The most pieces, kings included, that any table has.
    int max_pieces() const;
    // How many files of each kind there are.
    std::size_t wdl_tables() const;
    std::size_t dtz_tables() const;
    std::size_t dtm_tables() const;
    // Reads every Syzygy file whole and compares its checksum; Gaviota's have none. Takes as long as reading
    // takes.
    base::Status verify() const;

    // The outcome as if the halfmove clock were 0. From any number of threads at once.
    std::optional<Outcome> probe_wdl(const chess::Position& position) const;

    // Half-moves to the next capture or pawn move with best play, or to mate, as if the halfmove clock were
    // 0: positive for a win, negative for a loss, beyond ±100 for a cursed win or blessed loss, 0 for a draw;
    // a side that is mated has −1. Tables that count whole moves give a number that may be one too small. One
    // thread at a time: others wait.
    std::optional<int> probe_dtz(const chess::Position& position) const;

    // With best play and no fifty-move rule. From any number of threads, which wait for each other.
    std::optional<DistanceToMate> probe_dtm(const chess::Position& position) const;

    // Every move of the line's last position. Outcomes reckon with its halfmove clock (a win needs dtz +
    // clock to stay within 100) and with a move that repeats a position for the second time, which is a draw.
    // Without dtz tables the clock is not reckoned with, unless distances to mate stand in for them: a move's
    // outcome is that of the position it leads to, as if the clock were 0 there. One thread at a time.
    std::optional<RootProbe> probe_root(const chess::Line& line) const;

  private:
    class Session;
    explicit Tablebases(std::shared_ptr<const Session> session) : session_(std::move(session)) {}
    base::Status map_all() const;

    std::shared_ptr<const Session> session_;
};

}  // namespace scholar::tablebases
