#include "learning/run/checkpoint_files.hpp"

namespace scholar::learning {

namespace fs = std::filesystem;

namespace {

fs::path next_checkpoint(const fs::path& folder) {
    return folder / "checkpoint.next.safetensors";
}

}  // namespace

fs::path last_checkpoint(const fs::path& folder) {
    return folder / "checkpoint.safetensors";
}
fs::path previous_checkpoint(const fs::path& folder) {
    return folder / "checkpoint.previous.safetensors";
}

std::vector<fs::path> checkpoint_files(const fs::path& folder) {
    return {next_checkpoint(folder), last_checkpoint(folder), previous_checkpoint(folder)};
}

base::Status write_checkpoint(const fs::path& folder, const nets::TensorFile& file) {
    if (auto status = nets::write_tensors(next_checkpoint(folder), file); !status) return status;
    std::error_code error;
    if (fs::exists(last_checkpoint(folder), error)) {
        fs::rename(last_checkpoint(folder), previous_checkpoint(folder), error);
        if (error)
            return base::fail("{}: cannot rename: {}", last_checkpoint(folder).string(), error.message());
    }
    fs::rename(next_checkpoint(folder), last_checkpoint(folder), error);
    if (error) return base::fail("{}: cannot rename: {}", next_checkpoint(folder).string(), error.message());
    return {};
}

}  // namespace scholar::learning
