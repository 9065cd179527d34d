#include "learning/training/checkpoint.hpp"

#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "learning/perspective/model_file.hpp"
#include "learning/run/checkpoint_values.hpp"

namespace scholar::learning {

namespace {

using nets::TensorFile;

constexpr const char* kKind = "scholar checkpoint";
constexpr const char* kVersion = "2";

std::string settings_text(const Checkpoint& checkpoint) {
    return base::json_line(nlohmann::json(checkpoint.settings));
}

TensorFile to_file(const Checkpoint& checkpoint) {
    TensorFile file;
    file.metadata = {{"kind", kKind},
                     {"version", kVersion},
                     {"epoch", fmt::format("{}", checkpoint.place.epoch)},
                     {"consumed", fmt::format("{}", checkpoint.place.consumed)},
                     {"positions", fmt::format("{}", checkpoint.positions)},
                     {"clipped", fmt::format("{}", checkpoint.clipped)},
                     {"core_milliseconds", fmt::format("{:.0f}", 1000 * checkpoint.core_seconds)},
                     {"data_hash", fmt::format("{}", checkpoint.data_hash)},
                     {"settings", settings_text(checkpoint)}};
    put_model(file, checkpoint.model);
    return file;
}

base::Result<Checkpoint> from_file(const TensorFile& file) {
    if (auto s = expect_kind(file, kKind, kVersion); !s) return std::unexpected(s.error());
    Checkpoint checkpoint;
    std::uint64_t core_milliseconds = 0;
    if (auto s = take_numbers(file, {{"epoch", &checkpoint.place.epoch},
                                     {"consumed", &checkpoint.place.consumed},
                                     {"positions", &checkpoint.positions},
                                     {"clipped", &checkpoint.clipped},
                                     {"core_milliseconds", &core_milliseconds},
                                     {"data_hash", &checkpoint.data_hash}});
        !s)
        return std::unexpected(s.error());
    checkpoint.core_seconds = static_cast<double>(core_milliseconds) / 1000;
    auto model = take_model(file);
    if (!model) return std::unexpected(model.error());
    checkpoint.model = std::move(*model);
    const auto settings = file.meta("settings");
    if (!settings) return std::unexpected(settings.error());
    try {
        checkpoint.settings = nlohmann::json::parse(*settings).get<decltype(checkpoint.settings)>();
    } catch (const nlohmann::json::exception&) {
        return base::fail("settings are not readable, expected a list of pairs");
    }
    return checkpoint;
}

}  // namespace

base::Status save_checkpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint) {
    if (auto status = check_finite(checkpoint.model); !status) return status;
    return write_checkpoint(folder, to_file(checkpoint));
}

base::Result<std::optional<LoadedCheckpoint>> load_checkpoint(const std::filesystem::path& folder) {
    return read_checkpoint<Checkpoint>(folder, from_file);
}

}  // namespace scholar::learning
