#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "nets/tensor_file.hpp"

// The files of a run's checkpoints: "checkpoint.safetensors", and the one before as
// "checkpoint.previous.safetensors", so that one that is damaged costs little.

namespace scholar::learning {

base::Status write_checkpoint(const std::filesystem::path& folder, const nets::TensorFile& file);

template <class T>
struct Loaded {
    T checkpoint;
    std::string warning;  // why it is the previous one that was loaded; "" if it was not
};

std::filesystem::path last_checkpoint(const std::filesystem::path& folder);
std::filesystem::path previous_checkpoint(const std::filesystem::path& folder);

// Reads with `parse`, of the type base::Result<T>(const nets::TensorFile&). Nothing if the folder has none. A
// damaged last checkpoint falls back on the one before; an error if neither is good.
template <class T, class Parse>
base::Result<std::optional<Loaded<T>>> read_checkpoint(const std::filesystem::path& folder, Parse parse) {
    const auto read_one = [&](const std::filesystem::path& path) -> base::Result<T> {
        const auto file = nets::read_tensors(path);
        if (!file) return std::unexpected(file.error());
        auto checkpoint = parse(*file);
        if (!checkpoint) return base::fail_in(path.string(), checkpoint.error());
        return checkpoint;
    };
    std::error_code ignored;
    const bool has_last = std::filesystem::exists(last_checkpoint(folder), ignored);
    const bool has_previous = std::filesystem::exists(previous_checkpoint(folder), ignored);
    if (!has_last && !has_previous) return std::nullopt;
    auto last = read_one(last_checkpoint(folder));
    if (last) return Loaded<T>{std::move(*last), ""};
    auto previous = read_one(previous_checkpoint(folder));
    if (previous)
        return Loaded<T>{std::move(*previous),
                         fmt::format("{}; going on from the checkpoint before, {}", last.error().message,
                                     previous_checkpoint(folder).filename().string())};
    if (!has_previous) return std::unexpected(last.error());
    return base::fail("{}; and the one before: {}", last.error().message, previous.error().message);
}

}  // namespace scholar::learning
