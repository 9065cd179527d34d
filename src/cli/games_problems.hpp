#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "games/pgn.hpp"

namespace scholar::cli {

// What was wrong with games that were left out: the first few shown, all of them counted and, if asked for,
// written.
class ProblemLog {
  public:
    // Writes to `path` too, unless it is empty: line by line, so that whatever ends the program leaves those
    // before.
    base::Status open(const std::string& path, bool append = false);
    base::Status add(const games::PgnProblem& problem);

    std::uint64_t count() const { return count_; }
    const std::vector<std::string>& first() const { return first_; }
    // "3 games skipped:", the first of them, and where the rest is.
    void print() const;
    // The same in a line on standard error, where the output is a table or JSON.
    void note() const;

  private:
    std::string path_;
    std::ofstream file_;
    std::vector<std::string> first_;
    std::uint64_t count_ = 0;
};

}  // namespace scholar::cli
