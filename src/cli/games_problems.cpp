#include "cli/games_problems.hpp"

#include <fmt/core.h>

#include "cli/games_shared.hpp"

namespace scholar::cli {

namespace {
constexpr std::size_t kProblemsShown = 10;
}

base::Status ProblemLog::open(const std::string& path) {
    path_ = path;
    if (path.empty()) return {};
    auto file = base::AtomicFile::create(path);
    if (!file) return std::unexpected(file.error());
    file_.emplace(std::move(*file));
    return {};
}

base::Status ProblemLog::add(const games::PgnProblem& problem) {
    const std::string line = problem.to_string();
    if (count_++ < kProblemsShown) first_.push_back(line);
    return file_ ? file_->write(line + "\n") : base::Status();
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

}  // namespace scholar::cli
