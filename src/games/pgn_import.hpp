#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "games/pgn_parallel.hpp"
#include "games/store.hpp"

// PGN files into a game store, at the speed of as many threads as there are.

namespace scholar::games {

struct PgnImport {
    std::vector<std::string> files;  // "-" is standard input
    int compression_level = StoreWriter::Options().compression_level;
    unsigned threads = 1;
};

// Whether a file can be read a second time: not so standard input and pipes.
bool is_lasting(const std::string& file);

// What is imported (names, sizes and times of the lasting files, and the level): the session of a resumable
// store, by which StoreWriter::resume() knows that it goes on with the same.
std::string import_session(const PgnImport& import);

// Adds the files' games to the store behind those that writer.progress() says are there, block by block; the
// caller finishes it. `watch` is told of every stretch of games that was read, before it is added; its error
// ends the import, as one of a file does. So does `stop`, without an error: writer.progress() then says how
// far it came.
base::Status import_pgn(const PgnImport& import, StoreWriter& writer,
                        const std::function<base::Status(const std::string& file, const PgnStretch&)>& watch,
                        const std::stop_token& stop);

}  // namespace scholar::games
