#include "learning/training/checkpoint.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "learning/run/checkpoint_values.hpp"

namespace scholar::learning {

namespace {

constexpr const char* kCheckpointKind = "scholar checkpoint";
constexpr const char* kCheckpointVersion = "2";

}  // namespace

void put_progress(nets::TensorFile& file, const TrainingProgress& progress) {
    const auto put = [&file](const char* key, std::string value) { file.metadata[key] = std::move(value); };
    put("kind", kCheckpointKind);
    put("version", kCheckpointVersion);
    put("step", fmt::format("{}", progress.step));
    put("epoch", fmt::format("{}", progress.place.epoch));
    put("consumed", fmt::format("{}", progress.place.consumed));
    put("positions", fmt::format("{}", progress.samples));
    put("clipped", fmt::format("{}", progress.clipped));
    put("core_milliseconds", fmt::format("{:.0f}", 1000 * progress.core_seconds));
    put("data_hash", fmt::format("{}", progress.data_hash));
    put("settings", base::json_line(nlohmann::json(progress.settings)));
}

base::Result<TrainingProgress> take_progress(const nets::TensorFile& file) {
    if (auto s = expect_kind(file, kCheckpointKind, kCheckpointVersion); !s)
        return std::unexpected(s.error());
    TrainingProgress progress;
    std::uint64_t core_milliseconds = 0;
    if (auto s = take_numbers(file, {{"step", &progress.step},
                                     {"epoch", &progress.place.epoch},
                                     {"consumed", &progress.place.consumed},
                                     {"positions", &progress.samples},
                                     {"clipped", &progress.clipped},
                                     {"core_milliseconds", &core_milliseconds},
                                     {"data_hash", &progress.data_hash}});
        !s)
        return std::unexpected(s.error());
    progress.core_seconds = static_cast<double>(core_milliseconds) / 1000;
    const auto settings = file.meta("settings");
    if (!settings) return std::unexpected(settings.error());
    try {
        progress.settings = nlohmann::json::parse(*settings).get<RunSettings>();
    } catch (const nlohmann::json::exception&) {
        return base::fail("settings are not readable, expected a list of pairs");
    }
    return progress;
}

}  // namespace scholar::learning
