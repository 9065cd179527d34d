#include "cli/games_problems.hpp"

#include <cerrno>
#include <cstring>
#include <fmt/core.h>

#include "base/text.hpp"
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

base::Status ProblemLog::write(const std::string& line) {
    if (path_.empty()) return {};
    file_ << line << std::endl;
    if (!file_) return base::fail("{}: cannot write: {}", path_, std::strerror(errno));
    return {};
}

base::Status ProblemLog::add(const std::string& line) {
    if (count_++ < kProblemsShown) first_.push_back(line);
    return write(line);
}

base::Status ProblemLog::add_remark(const games::PgnProblem& remark) {
    const std::string line = remark.to_string() + " (the game is kept)";
    if (remarks_++ == 0) first_remark_ = line;
    return write(line);
}

base::Status ProblemLog::add_all(const games::PgnStretch& stretch) {
    for (const games::PgnProblem& problem : stretch.problems)
        if (auto noted = add(problem); !noted) return noted;
    for (const games::PgnProblem& remark : stretch.remarks)
        if (auto noted = add_remark(remark); !noted) return noted;
    return {};
}

void ProblemLog::print() const {
    if (remarks_ > 0)
        fmt::print("{} kept with a remark, the first: {}\n", base::counted(remarks_, "game"), first_remark_);
    if (count_ == 0) return;
    fmt::print("{} skipped:\n", base::counted(count_, unit_));
    for (const std::string& line : first_) fmt::print("  {}\n", line);
    if (count_ == first_.size()) return;
    if (path_.empty())
        fmt::print("  and {} more (--errors FILE writes them all)\n", grouped(count_ - first_.size()));
    else
        fmt::print("  and {} more, all in {}\n", grouped(count_ - first_.size()), path_);
}

void ProblemLog::note() const {
    if (count_ == 0) return;
    fmt::print(stderr, "{} skipped, the first: {}\n", base::counted(count_, unit_), first_.front());
}

}  // namespace scholar::cli
