#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "learning/run/run_files.hpp"

namespace scholar::learning {

// What the folder of a run of `scholar learn` holds, and where.
class LearnFolder {
  public:
    explicit LearnFolder(std::filesystem::path root) : root_(std::move(root)) {}

    const std::filesystem::path& root() const { return root_; }
    std::filesystem::path network() const { return root_ / kNetworkFile; }
    std::filesystem::path metrics() const { return root_ / kMetricsFile; }
    std::filesystem::path snapshots() const { return root_ / kSnapshotsFolder; }
    // The recipe of this name; and the one that is there, whatever its name. An error: several are.
    std::filesystem::path recipe(const std::string& name) const;
    base::Result<std::optional<std::filesystem::path>> kept_recipe() const;
    // Keeps the recipe that the run goes by, in place of others.
    base::Status keep_recipe(const std::string& name, std::string_view text) const;
    // How it went, and the plots and games of that.
    std::filesystem::path report() const { return root_ / kReportFile; }
    std::filesystem::path report_files() const { return root_ / kReportFolder; }
    // The network after so many core-minutes.
    std::filesystem::path milestone(int minutes) const;
    // After how many core-minutes there are some, in order.
    std::vector<int> milestones() const;
    // A store of all its games, and its games on the ladder.
    std::filesystem::path kept_games() const { return root_ / "self-play.games"; }
    std::filesystem::path ladder_games() const { return root_ / "ladder-games.jsonl"; }
    // What is learnt from other people's games: learning/selfplay_loop/games_lessons.hpp.
    std::filesystem::path games_lessons() const { return root_ / "games"; }

    // Whether a run has written of itself here; else an error.
    base::Status check_is_run() const;
    // Whether a run has begun here, if only to read its games: there is something to go on with.
    bool has_begun() const;
    // Makes the folders, and removes what a killed run left half written.
    base::Status create() const;
    // What a run begins with must be there before anything of an older run is removed, and not be a part of
    // it.
    base::Status check_inputs(const std::vector<std::string>& inputs) const;
    // Nothing of an older run stays that the next one could be taken for, or resumed from, but network():
    // that may be what the next one begins with, and is replaced by it.
    base::Status remove_run() const;

  private:
    std::filesystem::path recipes() const { return root_ / "recipe"; }
    std::vector<std::filesystem::path> kept_recipes() const;
    std::filesystem::path all_milestones() const { return root_ / kMilestonesFolder; }
    std::vector<std::filesystem::path> parts_of_run() const;

    std::filesystem::path root_;
};

}  // namespace scholar::learning
