#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "nets/container/tensor_file.hpp"

// The files of a run's checkpoints: "checkpoint.safetensors", and the one before as
// "checkpoint.previous.safetensors", so that one that is damaged costs little. The next one is written whole,
// as "checkpoint.next.safetensors", before either takes another name: at every moment there is a good one.

namespace scholar::learning {

base::Status write_checkpoint(const std::filesystem::path& folder, const nets::TensorFile& file);

template <class T>
struct Loaded {
    T checkpoint;
    std::string warning;  // why it is the previous one that was loaded; "" if it was not
};

std::filesystem::path last_checkpoint(const std::filesystem::path& folder);
std::filesystem::path previous_checkpoint(const std::filesystem::path& folder);
// All that there may be, the newest first.
std::vector<std::filesystem::path> checkpoint_files(const std::filesystem::path& folder);

// Reads with `parse`, of the type base::Result<T>(const nets::TensorFile&). Nothing if the folder has none. A
// damaged last checkpoint falls back on the one before; an error if none is good.
template <class T, class Parse>
base::Result<std::optional<Loaded<T>>> read_checkpoint(const std::filesystem::path& folder, Parse parse) {
    const auto read_one = [&](const std::filesystem::path& path) -> base::Result<T> {
        const auto file = nets::read_tensors(path);
        if (!file) return std::unexpected(file.error());
        auto checkpoint = parse(*file);
        if (!checkpoint) return base::fail_in(path.string(), checkpoint.error());
        return checkpoint;
    };
    std::string wrong;
    for (const std::filesystem::path& path : checkpoint_files(folder)) {
        std::error_code ignored;
        if (!std::filesystem::exists(path, ignored)) continue;
        auto checkpoint = read_one(path);
        if (checkpoint)
            return Loaded<T>{std::move(*checkpoint),
                             wrong.empty() ? ""
                                           : fmt::format("{}; going on from the checkpoint before, {}", wrong,
                                                         path.filename().string())};
        wrong += (wrong.empty() ? "" : "; and the one before: ") + checkpoint.error().message;
    }
    if (wrong.empty()) return std::nullopt;
    return base::fail("{}", wrong);
}

}  // namespace scholar::learning
