#include "learning/selfplay_loop/window_segments.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <set>
#include <string>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"

namespace scholar::learning {

namespace fs = std::filesystem;

namespace {

using Packed = ReplayWindow::Packed;

// A segment that is smaller than such a part of what is kept is written again with what comes after it, so
// that there are never many.
constexpr std::size_t kParts = 32;

std::string name_of(const WindowSegment& segment) {
    return fmt::format("{:012}-{}.lessons", segment.first, segment.count);
}

}  // namespace

base::Result<std::vector<WindowSegment>> WindowSegments::save(const ReplayWindow& window, std::size_t most) {
    const std::size_t size = std::min(window.size(), most);
    const std::uint64_t oldest = window.added() - size;
    std::vector<WindowSegment> segments;
    for (const WindowSegment& segment : kept_)
        if (segment.first + segment.count > oldest) segments.push_back(segment);
    if (!segments.empty() && segments.front().first > oldest) segments.clear();  // fewer were wanted before
    while (!segments.empty() && segments.back().count < size / kParts) segments.pop_back();
    const std::uint64_t first = segments.empty() ? oldest : segments.back().first + segments.back().count;
    if (first == window.added()) return segments;
    const std::vector<Packed> fresh = window.newest(window.added() - first);
    const auto bytes = std::as_bytes(std::span(fresh));
    const WindowSegment segment{first, fresh.size(), base::hash_bytes(bytes)};
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) return base::fail("{}: cannot create the folder: {}", folder_.string(), error.message());
    if (auto status = base::write_atomically(folder_ / name_of(segment), bytes); !status)
        return std::unexpected(status.error());
    segments.push_back(segment);
    return segments;
}

void WindowSegments::is_kept(std::vector<WindowSegment> segments) {
    if (!knows_before_) {
        knows_before_ = true;
        kept_ = std::move(segments);
        return;
    }
    std::set<std::string> needed;
    for (const auto* of : {&kept_, &segments})
        for (const WindowSegment& segment : *of) needed.insert(name_of(segment));
    kept_ = std::move(segments);
    std::error_code error;
    std::vector<fs::path> old;
    for (fs::directory_iterator entry(folder_, error), end; !error && entry != end; entry.increment(error))
        if (!needed.contains(entry->path().filename().string())) old.push_back(entry->path());
    // What cannot be removed now is tried again with the next checkpoint.
    for (const fs::path& path : old) fs::remove(path, error);
}

base::Result<std::vector<Packed>> WindowSegments::load(const fs::path& run,
                                                       std::span<const WindowSegment> segments,
                                                       std::uint64_t count) {
    std::vector<Packed> lessons;
    for (const WindowSegment& segment : segments) {
        const fs::path path = run / "window" / name_of(segment);
        const auto bytes = base::read_bytes(path);
        if (!bytes) return std::unexpected(bytes.error());
        if (bytes->size() != segment.count * sizeof(Packed) || base::hash_bytes(*bytes) != segment.hash)
            return base::fail("{}: is damaged, expected {} in it", path.string(),
                              base::counted(segment.count, "position"));
        const std::size_t before = lessons.size();
        lessons.resize(before + segment.count);
        std::memcpy(lessons.data() + before, bytes->data(), bytes->size());
    }
    if (lessons.size() < count)
        return base::fail("the files of the window have {}, expected {} or more",
                          base::counted(lessons.size(), "position"), count);
    lessons.erase(lessons.begin(), lessons.end() - static_cast<std::ptrdiff_t>(count));
    return lessons;
}

}  // namespace scholar::learning
