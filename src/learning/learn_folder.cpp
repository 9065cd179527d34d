#include "learning/learn_folder.hpp"

#include <algorithm>
#include <charconv>

#include "base/files.hpp"
#include "games/pgn_import.hpp"
#include "games/store_journal.hpp"
#include "learning/checkpoint_files.hpp"
#include "learning/games_lessons.hpp"

namespace scholar::learning {

namespace fs = std::filesystem;

fs::path LearnFolder::milestone(int minutes) const {
    return all_milestones() / fmt::format("{:03}-core-minutes.safetensors", minutes);
}

std::vector<int> LearnFolder::milestones() const {
    std::vector<int> found;
    std::error_code none;
    for (const fs::directory_entry& file : fs::directory_iterator(all_milestones(), none)) {
        const std::string name = file.path().filename().string();
        int minutes = 0;
        const auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), minutes);
        if (error == std::errc() && file.path() == milestone(minutes)) found.push_back(minutes);
    }
    std::ranges::sort(found);
    return found;
}

base::Result<games::LockedFile> LearnFolder::lock() const {
    const fs::path file = root_ / "learning.lock";
    auto lock = games::LockedFile::open(file, games::LockedFile::Missing::Create);
    if (!lock) return base::fail("{}, expected to be the only one that learns there", lock.error().message);
    return lock;
}

base::Status LearnFolder::create() const {
    std::error_code error;
    fs::create_directories(all_milestones(), error);
    if (error) return base::fail("{}: cannot create the folder: {}", root_.string(), error.message());
    for (const fs::path& folder : {root_, all_milestones(), snapshots(), report_files(), games_lessons()})
        base::remove_leftovers(folder);
    return {};
}

// But for games_lessons().
std::vector<fs::path> LearnFolder::parts_of_run() const {
    std::vector<fs::path> all = checkpoint_files(root_);
    all.insert(all.end(), {all_milestones(), snapshots(), root_ / "window", ladder_games(), kept_games(),
                           games::partial_path(kept_games()), games::journal_path(kept_games())});
    return all;
}

base::Status LearnFolder::check_inputs(const std::vector<std::string>& inputs) const {
    std::vector<fs::path> going = parts_of_run();
    going.push_back(games_lessons());
    for (const std::string& input : inputs) {
        std::error_code error;
        // A pipe is nowhere.
        if (fs::exists(input, error) && !games::is_lasting(input)) continue;
        const fs::path file = fs::canonical(input, error);
        if (error) return base::fail("{}: {}", input, error.message());
        for (const fs::path& part : going) {
            const fs::path whole = fs::weakly_canonical(part, error);
            if (!whole.empty() && std::ranges::mismatch(whole, file).in1 == whole.end())
                return base::fail(
                    "{}: belongs to the run that --overwrite removes, expected a file elsewhere", input);
        }
    }
    return {};
}

base::Status LearnFolder::remove_run() const {
    std::error_code error;
    std::vector<fs::path> going = parts_of_run();
    going.insert(going.end(), {metrics(), report()});
    for (const fs::path& path : going) {
        fs::remove_all(path, error);
        if (error) return base::fail("{}: cannot remove: {}", path.string(), error.message());
    }
    return remove_games_lessons(games_lessons());
}

}  // namespace scholar::learning
