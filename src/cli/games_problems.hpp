#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/files.hpp"
#include "games/pgn.hpp"

namespace scholar::cli {

// What was wrong with games that were left out: the first few shown, all of them counted and, if asked for,
// written.
class ProblemLog {
  public:
    // Writes to `path` too, unless it is empty.
    base::Status open(const std::string& path);
    base::Status add(const games::PgnProblem& problem);
    base::Status commit() { return file_ ? file_->commit() : base::Status(); }

    std::uint64_t count() const { return count_; }
    const std::vector<std::string>& first() const { return first_; }
    // "3 games skipped:", the first of them, and where the rest is.
    void print() const;

  private:
    std::string path_;
    std::optional<base::AtomicFile> file_;
    std::vector<std::string> first_;
    std::uint64_t count_ = 0;
};

}  // namespace scholar::cli
