#include "learning/selfplay_loop/learn_folder.hpp"

#include <algorithm>
#include <charconv>

#include "base/files.hpp"
#include "games/pgn_import.hpp"
#include "games/store_journal.hpp"
#include "learning/run/checkpoint_files.hpp"
#include "learning/selfplay_loop/games_lessons.hpp"

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

fs::path LearnFolder::recipe(const std::string& name) const {
    return recipes() / (name + ".toml");
}

std::vector<fs::path> LearnFolder::kept_recipes() const {
    std::error_code unknown;
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(recipes(), unknown))
        if (entry.path().extension() == ".toml") found.push_back(entry.path());
    std::ranges::sort(found);
    return found;
}

base::Result<std::optional<fs::path>> LearnFolder::kept_recipe() const {
    const std::vector<fs::path> found = kept_recipes();
    if (found.empty()) return std::nullopt;
    if (found.size() == 1) return found.front();
    return base::fail("{}: holds {} and {}, expected one recipe, that of the run: keep others elsewhere",
                      recipes().string(), found[0].filename().string(), found[1].filename().string());
}

base::Status LearnFolder::keep_recipe(const std::string& name, std::string_view text) const {
    const fs::path file = recipe(name);
    if (auto written = base::write_atomically(file, text); !written) return written;
    for (const fs::path& other : kept_recipes()) {
        std::error_code error;
        if (other != file) fs::remove(other, error);
        if (error) return base::fail("{}: cannot remove: {}", other.string(), error.message());
    }
    return {};
}

base::Status LearnFolder::check_is_run() const {
    std::error_code unknown;
    if (fs::exists(metrics(), unknown) || fs::exists(games_lessons_metrics(games_lessons()), unknown))
        return {};
    return base::fail("{}: no {}, expected the folder of a run of scholar learn", root_.string(),
                      kMetricsFile);
}

bool LearnFolder::has_begun() const {
    std::error_code unknown;
    return !kept_recipes().empty() || games_lessons_begun(games_lessons()) ||
           std::ranges::any_of(checkpoint_files(root_),
                               [&](const fs::path& file) { return fs::exists(file, unknown); });
}

base::Status LearnFolder::create() const {
    std::error_code error;
    fs::create_directories(all_milestones(), error);
    if (!error) fs::create_directories(recipes(), error);
    if (error) return base::fail("{}: cannot create the folder: {}", root_.string(), error.message());
    for (const fs::path& folder :
         {root_, all_milestones(), snapshots(), report_files(), games_lessons(), recipes()})
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
        if (input == "-") continue;
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
