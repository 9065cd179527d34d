#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "games/learnt_book_graph.hpp"
#include "games/learnt_book_journal.hpp"

// A book as its journal makes it, kept beside the journal so that it need not be replayed: SCHOLARB, version
// (u32), where in the journal (end, digits, lines: u64 each) and the XXH3-64 of the journal up to there, then
// the state (numbers as games/bytes.hpp has them, opinions and tallies where there are any), and last the
// XXH3-64 of all before. The same state at the same place gives the same bytes.

namespace scholar::games {

struct BookSnapshot {
    JournalPlace place;
    std::uint64_t journal_hash = 0;  // XXH3-64 of the journal's first place.end bytes
    BookState state;
};

std::string to_bytes(const BookSnapshot& snapshot);
// Refuses what to_bytes() does not write.
base::Result<BookSnapshot> parse_book_snapshot(std::string_view bytes);

}  // namespace scholar::games
