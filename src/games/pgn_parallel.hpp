#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "games/pgn.hpp"

// Reading PGN with several threads. The file is cut where a game begins for certain (a line that begins with
// [Event " behind a line of moves), and the parts are read at the same time, each by one thread; what comes
// out is in the file's order, and the same whatever the number of threads. A file that offers no such place
// is read by one thread.

namespace scholar::games {

// Takes the good games of some stretch of the file, in order; used by one thread at a time.
class PgnSink {
  public:
    virtual ~PgnSink() = default;
    // The game may be moved from. An error refuses this game, no more.
    virtual base::Status take(Game& game) = 0;
    // Whether it wants no more: the next game goes to another.
    virtual bool full() const { return false; }
    // There are no more games for this sink: the place for what can be done beside the other threads' work.
    virtual void end() {}
};

// A stretch of the file, read.
struct PgnStretch {
    std::unique_ptr<PgnSink> sink;
    std::vector<PgnProblem> problems;  // lines and games numbered as in the file
    std::vector<PgnProblem> remarks;   // of good games, numbered the same way
    std::uint64_t games = 0;           // good and bad ones
};

struct PgnReadOptions {
    unsigned threads = 1;
    // At least so many bytes of text are read as one part; a game is never in two.
    std::size_t part_size = std::size_t{4} << 20;
    // Games of a stretch, good and bad ones, at most.
    std::size_t games_per_stretch = 8'192;
    // Games at the beginning of the file that are passed over.
    std::uint64_t skip = 0;
};

// Reads a file ("-" is standard input) to its end. `make_sink` is called by the reading threads, one at a
// time, `consume` by the caller's, in the file's order. An error of the file or of `consume` ends it; so does
// `stop`, without an error.
base::Status read_pgn(const std::string& path, const PgnReadOptions& options,
                      const std::function<std::unique_ptr<PgnSink>()>& make_sink,
                      const std::function<base::Status(PgnStretch)>& consume, const std::stop_token& stop);

}  // namespace scholar::games
