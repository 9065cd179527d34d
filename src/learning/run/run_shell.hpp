#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "games/locked_file.hpp"
#include "learning/run/metrics.hpp"
#include "learning/run/run_clock.hpp"
#include "learning/run/run_limits.hpp"

namespace scholar::learning {

// What a run is told of its folder and its end.
struct RunShellOptions {
    std::filesystem::path folder;
    // Go on from the run's last checkpoint, or from the start of a run that has none yet. Where there is no
    // run: refused, or begun if that is said too.
    bool resume = false;
    bool or_begin = false;
    bool overwrite = false;  // begin again although the folder holds a run, whose files go
    bool json = false;       // JSON lines on standard output
    RunLimits limits;
};

// What stands around a loop that runs for hours, whatever it learns: its folder, of which it is the only
// user, whether it begins or goes on, its records, what it has cost, and when it ends. `train`, `learn`,
// `learn knightcap` and `learn giraffe` run in it.
class RunShell {
  public:
    // `stop` ends the run cleanly, with something to go on from.
    RunShell(RunShellOptions options, std::stop_token stop)
        : options_(std::move(options)), stop_(std::move(stop)) {}
    ~RunShell();
    RunShell(const RunShell&) = delete;
    RunShell& operator=(const RunShell&) = delete;

    const std::filesystem::path& folder() const { return options_.folder; }
    std::filesystem::path path(const std::string& name) const { return options_.folder / name; }
    const std::stop_token& stop() const { return stop_; }
    bool overwrites() const { return options_.overwrite; }

    // Refuses a folder in which another program learns; from then on others refuse this one. Nothing if the
    // folder is not there yet. The lock goes with the run, or with the process.
    base::Status be_alone();

    // Whether the folder has either; a checkpoint may be one that cannot be read.
    bool has_checkpoint_or_records() const;

    // What the folder holds of a run.
    struct Found {
        // How far its checkpoint is, for people: " at step 12"; nothing: it has none. Or why none can be
        // read.
        base::Result<std::optional<std::string>> checkpoint;
        // Whether one has begun, if only to read its data.
        bool begun = false;
    };
    // Whether the run goes on from the checkpoint; false: it begins. Refuses what the user has not said to be
    // gone on with or overwritten, and to go on where there is nothing.
    base::Result<bool> goes_on(const Found& found) const;

    // Makes the folder and these parts of it, and removes what a killed run left half written; then is alone.
    base::Status create(std::initializer_list<const char*> parts = {});
    // Files and folders that are part of an older run.
    static base::Status remove(const std::vector<std::filesystem::path>& files);

    // metrics.jsonl. A run that goes on keeps the records up to `after`.
    base::Status open_metrics(std::optional<std::uint64_t> after);
    const Metrics& metrics() const { return *metrics_; }

    RunClock& clock() { return clock_; }
    const RunClock& clock() const { return clock_; }
    // Where earlier runs had come to; 0 unless it is said.
    void set_before(const RunCounts& before) { before_ = before; }
    // Whether it was told to stop, or has come to one of its limits. Core-seconds are those of its clock.
    bool is_over(RunCounts now) const;
    // How much of what was left when it began is done, 0 to 1; 0 if nothing but stop() ends it.
    double share_done(RunCounts now) const;

  private:
    RunCounts with_cores(RunCounts counts) const {
        counts.core_seconds = clock_.cores();
        return counts;
    }

    const RunShellOptions options_;
    const std::stop_token stop_;
    RunClock clock_;
    RunCounts before_;
    std::optional<games::LockedFile> lock_;
    std::optional<Metrics> metrics_;
};

}  // namespace scholar::learning
