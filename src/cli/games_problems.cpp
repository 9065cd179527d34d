#include "cli/games_problems.hpp"

#include <cerrno>
#include <cstring>
#include <fmt/core.h>

#include "cli/games_shared.hpp"

namespace scholar::cli {

namespace {
constexpr std::size_t kProblemsShown = 10;
}

base::Status ProblemLog::open(const std::string& path, bool append) {
    path_ = path;
    if (path.empty()) return {};
    file_.open(path, append ? std::ios::app : std::ios::trunc);
    if (!file_) return base::fail("{}: cannot write: {}", path, std::strerror(errno));
    return {};
}

base::Status ProblemLog::add(const games::PgnProblem& problem) {
    const std::string line = problem.to_string();
    if (count_++ < kProblemsShown) first_.push_back(line);
    if (path_.empty()) return {};
    file_ << line << std::endl;
    if (!file_) return base::fail("{}: cannot write: {}", path_, std::strerror(errno));
    return {};
}

void ProblemLog::print() const {
    if (count_ == 0) return;
    fmt::print("{} game{} skipped:\n", grouped(count_), count_ == 1 ? "" : "s");
    for (const std::string& line : first_) fmt::print("  {}\n", line);
    if (count_ == first_.size()) return;
    if (path_.empty())
        fmt::print("  and {} more (--errors FILE writes them all)\n", count_ - first_.size());
    else
        fmt::print("  and {} more, all in {}\n", count_ - first_.size(), path_);
}

void ProblemLog::note() const {
    if (count_ == 0) return;
    fmt::print(stderr, "{} game{} skipped, the first: {}\n", grouped(count_), count_ == 1 ? "" : "s",
               first_.front());
}

}  // namespace scholar::cli
