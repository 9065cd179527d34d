#include "learning/checkpoint_files.hpp"

namespace scholar::learning {

namespace fs = std::filesystem;

fs::path last_checkpoint(const fs::path& folder) {
    return folder / "checkpoint.safetensors";
}
fs::path previous_checkpoint(const fs::path& folder) {
    return folder / "checkpoint.previous.safetensors";
}

base::Status write_checkpoint(const fs::path& folder, const nets::TensorFile& file) {
    std::error_code error;
    if (fs::exists(last_checkpoint(folder), error)) {
        fs::rename(last_checkpoint(folder), previous_checkpoint(folder), error);
        if (error)
            return base::fail("{}: cannot rename: {}", last_checkpoint(folder).string(), error.message());
    }
    return nets::write_tensors(last_checkpoint(folder), file);
}

}  // namespace scholar::learning
