#include "learning/run/run_shell.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <system_error>

#include "base/files.hpp"
#include "learning/run/checkpoint_files.hpp"
#include "learning/run/run_files.hpp"

namespace scholar::learning {

RunShell::~RunShell() {
    if (lock_) lock_->remove();
}

base::Status RunShell::be_alone() {
    std::error_code unknown;
    if (lock_ || !std::filesystem::is_directory(folder(), unknown)) return {};
    auto lock = games::LockedFile::open(path("learning.lock"), games::LockedFile::Missing::Create);
    if (!lock) return base::fail("{}, expected to be the only one that learns there", lock.error().message);
    lock_.emplace(std::move(*lock));
    return {};
}

bool RunShell::has_checkpoint_or_records() const {
    std::vector<std::filesystem::path> files = checkpoint_files(folder());
    files.push_back(path(kMetricsFile));
    std::error_code unknown;
    return std::ranges::any_of(
        files, [&](const std::filesystem::path& file) { return std::filesystem::exists(file, unknown); });
}

base::Result<bool> RunShell::goes_on(const Found& found) const {
    if (options_.resume) {
        if (!found.checkpoint) return std::unexpected(found.checkpoint.error());
        if (!found.begun && !options_.or_begin)
            return base::fail("{}: holds no run to go on with: without --resume a new one begins there",
                              folder().string());
        return found.checkpoint->has_value();
    }
    if (!options_.overwrite && (!found.checkpoint || *found.checkpoint))
        return base::fail("{}: already holds a run{}: --resume goes on with it, --overwrite begins again",
                          folder().string(), found.checkpoint ? **found.checkpoint : "");
    return false;
}

base::Status RunShell::create(std::initializer_list<const char*> parts) {
    std::vector<std::filesystem::path> folders{folder()};
    for (const char* part : parts) folders.push_back(path(part));
    for (const std::filesystem::path& each : folders) {
        std::error_code error;
        std::filesystem::create_directories(each, error);
        if (error) return base::fail("{}: cannot create the folder: {}", each.string(), error.message());
        base::remove_leftovers(each);
    }
    return be_alone();
}

base::Status RunShell::remove(const std::vector<std::filesystem::path>& files) {
    for (const std::filesystem::path& file : files) {
        std::error_code error;
        std::filesystem::remove_all(file, error);
        if (error) return base::fail("{}: cannot remove: {}", file.string(), error.message());
    }
    return {};
}

base::Status RunShell::open_metrics(std::optional<std::uint64_t> after) {
    auto metrics = Metrics::open(path(kMetricsFile), after, options_.json);
    if (!metrics) return std::unexpected(metrics.error());
    metrics_ = std::move(*metrics);
    return {};
}

bool RunShell::is_over(RunCounts now) const {
    return stop_.stop_requested() || is_reached(options_.limits, with_cores(now), clock_.seconds());
}

double RunShell::share_done(RunCounts now) const {
    return learning::share_done(options_.limits, before_, with_cores(now), clock_.seconds());
}

}  // namespace scholar::learning
