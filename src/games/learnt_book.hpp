#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "games/book.hpp"
#include "games/learnt_book_beliefs.hpp"
#include "games/learnt_book_graph.hpp"
#include "games/learnt_book_journal.hpp"

// An opening book that learns from the games it is told of. On disk it is a journal (what was played), and a
// snapshot beside it, NAME.snapshot, that saves replaying the journal: it is taken where it belongs to
// exactly these bytes, and may be removed at any time.

namespace scholar::games {

// Reading takes no lock and writes nothing: it sees the book as it is at that moment.
enum class BookAccess : std::uint8_t { Read, Write };

class LearntBook {
  public:
    // For writing a book is made, with `bounds`, where there is none; an old one keeps its own. Refused: a
    // book that another program is writing, a file that is no learnt book, and one that is damaged other than
    // at its end, naming the line.
    static base::Result<std::unique_ptr<LearntBook>> open(const std::filesystem::path& path,
                                                          BookAccess access, Flush flush = Flush::EachRecord,
                                                          const BookBounds& bounds = {});

    // To the journal and to what the book knows; on an error nothing has changed. The moves are legal; those
    // beyond the book's bound are not kept. Refused: an unknown result, a book open for reading.
    base::Status add(BookGame game);
    base::Status add(const BookSearch& search);
    // Makes sure that what was added is on the disk.
    base::Status flush();
    // Writes the snapshot, so that the next to open the book need not replay the journal.
    base::Status save_snapshot();

    const BookGraph& graph() const { return graph_; }
    const BookState& state() const { return graph_.state(); }
    const JournalPlace& place() const { return place_; }
    const std::filesystem::path& path() const { return path_; }
    // Whether the snapshot served, and how many bytes at the journal's end were of a record that was not
    // written to its end: a writer cuts them off.
    bool had_snapshot() const { return had_snapshot_; }
    std::uint64_t torn() const { return torn_; }

  private:
    LearntBook(std::filesystem::path path, BookGraph graph)
        : path_(std::move(path)), graph_(std::move(graph)) {}
    base::Status append(std::string_view record);

    std::filesystem::path path_;
    BookGraph graph_;
    JournalPlace place_;
    std::optional<JournalWriter> writer_;
    bool had_snapshot_ = false;
    std::uint64_t torn_ = 0;
};

std::filesystem::path snapshot_path(const std::filesystem::path& book);

// Compares a book's snapshot with what its journal makes, all of it replayed. False: there is none. Refused:
// a damaged journal, and a snapshot that differs or belongs to another one.
base::Result<bool> check_learnt_book(const std::filesystem::path& path);

struct RollBack {
    std::uint64_t bytes = 0;          // taken off the journal
    std::filesystem::path set_aside;  // where they are now; empty if there were none
};
// Makes the book, journal and snapshot, byte for byte what it was when game `game` had just been added (0: no
// game yet). What came later goes, as it is, into a file beside it, NAME.after-GAME: appended to the journal
// it would be the book again. A journal that is damaged behind that game is whole again.
base::Result<RollBack> roll_back(const std::filesystem::path& path, std::uint64_t game);

// As a Polyglot book: of each position the moves that are reliable and not clearly bad, for an opponent who
// is not known; the best weighs 100, one that is only just good enough 1.
std::vector<BookEntry> to_polyglot(const BookGraph& graph, const BeliefOptions& options = {});

}  // namespace scholar::games
