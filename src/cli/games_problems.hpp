#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "games/pgn_parallel.hpp"

namespace scholar::cli {

// What was wrong with games that were left out: the first few shown, all of them counted and, if asked for,
// written.
class ProblemLog {
  public:
    // `unit`: what one is called that is left out.
    explicit ProblemLog(std::string unit = "game") : unit_(std::move(unit)) {}

    // Writes to `path` too, unless it is empty: line by line, so that whatever ends the program leaves those
    // before.
    base::Status open(const std::string& path, bool append = false);
    base::Status add(const games::PgnProblem& problem) { return add(problem.to_string()); }
    base::Status add(const std::string& line);
    // The same of what is odd about a game that is not left out.
    base::Status add_remark(const games::PgnProblem& remark);
    // All problems and remarks of a stretch.
    base::Status add_all(const games::PgnStretch& stretch);

    std::uint64_t count() const { return count_; }
    const std::vector<std::string>& first() const { return first_; }
    // Games kept with a remark.
    std::uint64_t remarks() const { return remarks_; }
    // "3 games skipped:", the first of them, and where the rest is.
    void print() const;
    // The same in a line on standard error, where the output is a table or JSON.
    void note() const;

  private:
    std::string unit_;
    std::string path_;
    std::ofstream file_;
    std::vector<std::string> first_;
    std::uint64_t count_ = 0;
    std::string first_remark_;
    std::uint64_t remarks_ = 0;

    base::Status write(const std::string& line);
};

}  // namespace scholar::cli
