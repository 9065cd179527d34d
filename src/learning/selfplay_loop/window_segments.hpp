#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "learning/selfplay_loop/replay_window.hpp"

// The replay window on disk. A checkpoint comes every half minute and a window may hold 10 million lessons,
// 400 MB, of which a twentieth is new: so they lie beside the checkpoints, in files that are written once,
// and each checkpoint names those that it needs.

namespace scholar::learning {

// Lessons in the order in which they came, in a file of their own.
struct WindowSegment {
    std::uint64_t first = 0;  // how many had come before
    std::uint64_t count = 0;
    std::uint64_t hash = 0;  // XXH3 of the file
    bool operator==(const WindowSegment&) const = default;
};

// In a run's folder, in a folder "window" of its own.
class WindowSegments {
  public:
    explicit WindowSegments(const std::filesystem::path& run) : folder_(run / "window") {}

    // Writes what of the newest `most` lessons of the window is not written yet. The segments that hold those
    // `most`, and somewhat more.
    base::Result<std::vector<WindowSegment>> save(const ReplayWindow& window, std::size_t most);
    // A checkpoint that needs these is on the disk now: removes what neither it needs nor the one before.
    void is_kept(std::vector<WindowSegment> segments);
    // Goes on from a checkpoint that needs these.
    void restore(std::vector<WindowSegment> segments) {
        kept_ = std::move(segments);
        knows_before_ = false;
    }

    // The newest `count` lessons of these segments, from the oldest on. Refuses files that are missing, or
    // not what was written.
    static base::Result<std::vector<ReplayWindow::Packed>> load(const std::filesystem::path& run,
                                                                std::span<const WindowSegment> segments,
                                                                std::uint64_t count);

  private:
    std::filesystem::path folder_;
    std::vector<WindowSegment> kept_;  // of the newest checkpoint, from the oldest on, without a gap
    // Whether kept_ is all that the checkpoint needs which will be the one before the next. A kill may have
    // left an older one there than the run went on from.
    bool knows_before_ = true;
};

}  // namespace scholar::learning
