#include "learning/segments/segment_checkpoint.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "learning/run/checkpoint_values.hpp"

namespace scholar::learning {

namespace {

constexpr const char* kSegmentKind = "scholar learning from segments";
constexpr const char* kSegmentVersion = "1";

}  // namespace

void put_segment_progress(nets::TensorFile& file, const SegmentProgress& progress) {
    const auto put = [&file](const char* key, std::uint64_t value) {
        file.metadata[key] = fmt::format("{}", value);
    };
    file.metadata["kind"] = kSegmentKind;
    file.metadata["version"] = kSegmentVersion;
    put("iterations", progress.iterations);
    put("steps", progress.steps);
    put("searches", progress.searches);
    put("nodes", progress.nodes);
    put("lessons", progress.lessons);
    put("trained", progress.trained);
    put("milestones", progress.milestones);
    put("roots_epoch", progress.roots.epoch);
    put("roots_consumed", progress.roots.consumed);
    put("data_hash", progress.data_hash);
    // Numbers as JSON has them come back as the same numbers.
    file.metadata["state"] = base::json_line(nlohmann::json{
        {"core_seconds", progress.core_seconds}, {"owed", progress.owed}, {"settings", progress.settings}});
}

base::Result<SegmentProgress> take_segment_progress(const nets::TensorFile& file) {
    if (auto s = expect_kind(file, kSegmentKind, kSegmentVersion); !s) return std::unexpected(s.error());
    SegmentProgress progress;
    if (auto s = take_numbers(file, {{"iterations", &progress.iterations},
                                     {"steps", &progress.steps},
                                     {"searches", &progress.searches},
                                     {"nodes", &progress.nodes},
                                     {"lessons", &progress.lessons},
                                     {"trained", &progress.trained},
                                     {"milestones", &progress.milestones},
                                     {"roots_epoch", &progress.roots.epoch},
                                     {"roots_consumed", &progress.roots.consumed},
                                     {"data_hash", &progress.data_hash}});
        !s)
        return std::unexpected(s.error());
    const auto text = file.meta("state");
    if (!text) return std::unexpected(text.error());
    try {
        const nlohmann::json state = nlohmann::json::parse(*text);
        progress.core_seconds = state.at("core_seconds").get<double>();
        progress.owed = state.at("owed").get<double>();
        progress.settings = state.at("settings").get<RunSettings>();
    } catch (const nlohmann::json::exception&) {
        return base::fail("state is not readable");
    }
    return progress;
}

}  // namespace scholar::learning
