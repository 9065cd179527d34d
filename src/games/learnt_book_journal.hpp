#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "games/learnt_book_record.hpp"
#include "games/locked_file.hpp"

// A learnt book's file: lines that are only ever appended, one record each (games/learnt_book_record.hpp).
// Before a record stand 16 hexadecimal digits and a blank: the record's XXH3-64 seeded with those digits of
// the line before it (0 before the first), so that no line can be changed, moved, left out or put in unseen.
//
// Each line is written at once; Flush says when it is on the disk. What a crash leaves of the last line has
// no end or the wrong digits and is not read; the next writer cuts it off.

namespace scholar::games {

// Where in a journal a record ends, and what the next one's digits begin with.
struct JournalPlace {
    std::uint64_t end = 0;    // bytes
    std::uint64_t chain = 0;  // the last line's digits
    std::uint64_t lines = 0;
    bool operator==(const JournalPlace&) const = default;
};

// One line with its digits, to follow a line whose digits are `chain`; `place` moves behind it.
std::string journal_line(std::string_view record, JournalPlace& place);

// Reads the records of a journal's bytes from `place` on, which is 0 or where one ends.
class JournalReader {
  public:
    JournalReader(std::string_view bytes, const JournalPlace& place) : bytes_(bytes), place_(place) {}

    // The next record; nothing where the whole lines end.
    std::optional<std::string_view> next();
    // Behind what next() gave last.
    const JournalPlace& place() const { return place_; }
    // Bytes behind the whole lines, once next() has given nothing.
    std::uint64_t left() const { return bytes_.size() - place_.end; }
    // Whether what is left can be what a crash leaves of one line: no line end before the very end.
    bool is_torn() const;

  private:
    std::string_view bytes_;
    JournalPlace place_;
};

// Whether a file begins as a learnt book does. Takes nothing from a pipe.
bool is_learnt_book(const std::filesystem::path& path);

// When a record is on the disk, and not only with the system.
enum class Flush : std::uint8_t {
    EachRecord,  // before append() returns
    AtEnd,       // when flush() is called: a power failure may take what was appended since, from its end
};

// The right to write a journal. One process at a time has it.
class JournalWriter {
  public:
    // `place` is where the next record goes.
    JournalWriter(LockedFile file, const JournalPlace& place, Flush flush)
        : file_(std::move(file)), place_(place), flush_(flush) {}

    // On an error nothing was appended.
    base::Status append(std::string_view record);
    base::Status flush() { return file_.flush(); }
    // Cuts off what is behind `place`, to the disk.
    base::Status cut(const JournalPlace& place);
    const JournalPlace& place() const { return place_; }

  private:
    LockedFile file_;
    JournalPlace place_;
    Flush flush_;
};

}  // namespace scholar::games
