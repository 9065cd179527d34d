#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chess/position.hpp"

// The library that reads Gaviota's files (M. Ballicora, 2010), which keeps its tables in variables of the
// process.

namespace scholar::tablebases {

// What a position is with best play, and how many half-moves it is to mate: 0 where the side to move is mated
// and in a draw.
struct DistanceToMate {
    int sign = 0;  // 1: the side to move mates, −1: it is mated, 0: a draw
    int plies = 0;
};

// The library at work on the tables of some folders, one at a time in the process: whoever makes one sees to
// that. It ends with the object.
class GaviotaLibrary {
  public:
    // The files in them have been looked through (tablebases/gaviota_file.hpp).
    explicit GaviotaLibrary(std::vector<std::string> folders);
    ~GaviotaLibrary();
    GaviotaLibrary(const GaviotaLibrary&) = delete;
    GaviotaLibrary& operator=(const GaviotaLibrary&) = delete;

    // Of at most five pieces, without castling rights; nothing where a table is missing or damaged. From any
    // number of threads, which wait for each other.
    std::optional<DistanceToMate> probe(const chess::Position& position) const;

  private:
    // The library keeps pointers to both.
    std::vector<std::string> folders_;
    std::vector<const char*> paths_;
};

}  // namespace scholar::tablebases
