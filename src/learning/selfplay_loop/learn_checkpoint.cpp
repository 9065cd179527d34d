#include "learning/selfplay_loop/learn_checkpoint.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "learning/perspective/model_file.hpp"
#include "learning/run/checkpoint_values.hpp"

namespace scholar::learning {

namespace {

using nets::TensorFile;
using nlohmann::json;

constexpr const char* kLearnKind = "scholar learning";
constexpr const char* kLearnVersion = "5";
constexpr const char* kPlayingHistory = "playing_history";

void put_network(TensorFile& file, const std::string& name,
                 const std::optional<nets::FloatNetwork>& network) {
    if (!network) return;
    nets::for_each_weights(*network, [&](const std::string& part, const auto&, const auto& weights) {
        put_floats(file, name + "." + part, weights);
    });
}

TensorFile to_file(const LearnCheckpoint& checkpoint) {
    TensorFile file;
    const LearnProgress& progress = checkpoint.progress;
    json segments = json::array();
    for (const WindowSegment& segment : checkpoint.segments)
        segments.push_back({segment.first, segment.count, segment.hash});
    // Fractions as hexadecimal floats: to the last bit.
    file.metadata = {{"kind", kLearnKind},
                     {"version", kLearnVersion},
                     {"rounds", fmt::format("{}", progress.rounds)},
                     {"games", fmt::format("{}", progress.games)},
                     {"lessons", fmt::format("{}", progress.lessons)},
                     {"head_start", fmt::format("{}", progress.head_start)},
                     {"milestones", fmt::format("{}", progress.milestones)},
                     {"refill", fmt::format("{}", progress.refill)},
                     {"matched_steps", fmt::format("{}", progress.matched_steps)},
                     {"owed", fmt::format("{:a}", progress.owed)},
                     {"core_seconds", fmt::format("{:a}", progress.core_seconds)},
                     {"piece_values", base::json_line(json(checkpoint.piece_values))},
                     {"window", fmt::format("{}", checkpoint.window_size)},
                     {"segments", base::json_line(segments)},
                     {"window_added", fmt::format("{}", checkpoint.window_added)},
                     {"draws", base::json_line(json(checkpoint.draws))},
                     {"starts", base::json_line(json(checkpoint.starts))},
                     {"ratings", checkpoint.ratings},
                     {"beginning", checkpoint.beginning},
                     {"average", checkpoint.average ? "yes" : "no"},
                     {"playing", checkpoint.playing ? "yes" : "no"},
                     {"settings", base::json_line(json(checkpoint.settings))}};
    if (checkpoint.playing)
        file.metadata[kPlayingHistory] = base::json_line(json(checkpoint.playing_history));
    put_model(file, checkpoint.model);
    put_network(file, "average", checkpoint.average);
    put_network(file, "playing", checkpoint.playing);
    return file;
}

template <class T>
base::Status take_json(const TensorFile& file, const char* key, T& into) {
    const auto text = file.meta(key);
    if (!text) return std::unexpected(text.error());
    try {
        into = json::parse(*text).get<T>();
    } catch (const json::exception&) {
        return base::fail("{} is not readable", key);
    }
    return {};
}

base::Status take_fraction(const TensorFile& file, const char* key, double& into) {
    const auto text = file.meta(key);
    if (!text) return std::unexpected(text.error());
    char* end = nullptr;
    into = std::strtod(text->c_str(), &end);
    if (text->empty() || *end != '\0' || !(into >= 0))
        return base::fail("{} '{}', expected a number", key, *text);
    return {};
}

// Of the same shape as the model's.
base::Status take_network(const TensorFile& file, const std::string& name, const nets::FloatNetwork& shape,
                          std::optional<nets::FloatNetwork>& into) {
    const auto there = file.meta(name);
    if (!there) return std::unexpected(there.error());
    if (*there != "yes") return {};
    nets::FloatNetwork network = shape;
    base::Status status;
    nets::for_each_weights(network, [&](const std::string& part, const auto&, std::vector<float>& weights) {
        if (status) status = take_floats(file, name + "." + part, weights.size(), weights);
    });
    if (!status) return status;
    into = std::move(network);
    return {};
}

base::Status take_window(const std::filesystem::path& folder, const TensorFile& file, LearnCheckpoint& into) {
    std::vector<std::array<std::uint64_t, 3>> segments;
    if (auto status = take_json(file, "segments", segments); !status) return status;
    for (const auto& [first, count, hash] : segments) into.segments.push_back({first, count, hash});
    auto window = WindowSegments::load(folder, into.segments, into.window_size);
    if (!window) return std::unexpected(window.error());
    into.window = std::move(*window);
    return {};
}

// All but the window.
base::Result<LearnCheckpoint> learn_checkpoint_of(const TensorFile& file) {
    if (auto s = expect_kind(file, kLearnKind, kLearnVersion); !s) return std::unexpected(s.error());
    LearnCheckpoint checkpoint;
    LearnProgress& progress = checkpoint.progress;
    if (auto s = take_numbers(file, {{"rounds", &progress.rounds},
                                     {"games", &progress.games},
                                     {"lessons", &progress.lessons},
                                     {"head_start", &progress.head_start},
                                     {"milestones", &progress.milestones},
                                     {"refill", &progress.refill},
                                     {"matched_steps", &progress.matched_steps},
                                     {"window", &checkpoint.window_size},
                                     {"window_added", &checkpoint.window_added}});
        !s)
        return std::unexpected(s.error());
    const auto ratings = file.meta("ratings");
    if (!ratings) return std::unexpected(ratings.error());
    checkpoint.ratings = *ratings;
    const auto beginning = file.meta("beginning");
    if (!beginning) return std::unexpected(beginning.error());
    checkpoint.beginning = *beginning;
    auto model = take_model(file);
    if (!model) return std::unexpected(model.error());
    checkpoint.model = std::move(*model);
    for (const base::Status& status :
         {take_fraction(file, "owed", progress.owed),
          take_fraction(file, "core_seconds", progress.core_seconds),
          take_json(file, "piece_values", checkpoint.piece_values),
          take_json(file, "draws", checkpoint.draws), take_json(file, "starts", checkpoint.starts),
          take_json(file, "settings", checkpoint.settings),
          take_network(file, "average", checkpoint.model.network, checkpoint.average),
          take_network(file, "playing", checkpoint.model.network, checkpoint.playing)})
        if (!status) return std::unexpected(status.error());
    // Checkpoints of earlier programs lack it.
    if (checkpoint.playing && file.metadata.contains(kPlayingHistory))
        if (auto s = take_json(file, kPlayingHistory, checkpoint.playing_history); !s)
            return std::unexpected(s.error());
    return checkpoint;
}

}  // namespace

base::Status save_learn_checkpoint(const std::filesystem::path& folder, const LearnCheckpoint& checkpoint) {
    if (auto status = check_finite(checkpoint.model); !status) return status;
    return write_checkpoint(folder, to_file(checkpoint));
}

base::Result<std::optional<Loaded<LearnCheckpoint>>> load_learn_checkpoint(
    const std::filesystem::path& folder) {
    const auto whole = [&](const TensorFile& file) -> base::Result<LearnCheckpoint> {
        auto checkpoint = learn_checkpoint_of(file);
        if (checkpoint)
            if (auto status = take_window(folder, file, *checkpoint); !status)
                return std::unexpected(status.error());
        return checkpoint;
    };
    auto loaded = read_checkpoint<LearnCheckpoint>(folder, whole);
    if (loaded) return loaded;
    auto without = read_checkpoint<LearnCheckpoint>(folder, learn_checkpoint_of);
    if (!without || !*without) return loaded;
    LearnCheckpoint& checkpoint = (*without)->checkpoint;
    checkpoint.progress.refill = std::max(checkpoint.progress.refill, checkpoint.window_size);
    checkpoint.window_size = 0;
    (*without)->warning = loaded.error().message + "; going on with an empty window";
    return without;
}

}  // namespace scholar::learning
