#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"

// NAME.games.progress: how far a resumable store is, beside the store while it is made. A text file; each
// line begins with its own XXH3-64 (16 hexadecimal digits) and a blank, and what follows a line that is cut
// off or damaged does not count:
//
//   begin BLOCKS END DATA-HASH SESSION          what the store held before (24 bytes of header for a new one)
//   block BLOCKS END CONTENT-HASH SOURCE GAMES SKIPPED     after each block: now so many blocks, which end
//           at byte END, the last of which is CONTENT-HASH; and the ImportProgress

namespace scholar::games {

// How much of its sources (PGN files, say) a store has used up.
struct ImportProgress {
    std::uint32_t source = 0;   // number of the source being read, from 0
    std::uint64_t games = 0;    // of that source: taken or skipped
    std::uint64_t skipped = 0;  // of all sources so far
    bool operator==(const ImportProgress&) const = default;
};

struct Journal {
    struct Begin {
        std::uint64_t blocks = 0;
        std::uint64_t end = 0;
        std::uint64_t data_hash = 0;
        std::string session;  // one line
    };
    struct Step {
        std::uint64_t blocks = 0;
        std::uint64_t end = 0;
        std::uint64_t content_hash = 0;
        ImportProgress progress;
    };
    Begin begin;
    std::vector<Step> steps;
    std::vector<std::uint64_t> step_ends;  // where each step's line ends in the file
    std::uint64_t begin_end = 0;           // where the first line ends

    static std::string line_of(const Begin& begin);
    static std::string line_of(const Step& step);
    // Refuses a file whose first line is not whole, and one that is no such file.
    static base::Result<Journal> read(const std::filesystem::path& path);
};

// The names of a store's files while it is made.
std::filesystem::path partial_path(const std::filesystem::path& store);
std::filesystem::path journal_path(const std::filesystem::path& store);

}  // namespace scholar::games
