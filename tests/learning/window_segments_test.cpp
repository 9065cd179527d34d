#include "learning/selfplay_loop/window_segments.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "support/test_data.hpp"

namespace scholar::learning {
namespace {

using testing::HasSubstr;

// The n-th lesson is told from others by its target.
void add(ReplayWindow& window, std::size_t count) {
    Lesson lesson;
    for (std::size_t i = 0; i < count; ++i) {
        lesson.target = static_cast<float>(window.added());
        window.add(lesson);
    }
}

std::vector<float> targets(const std::vector<ReplayWindow::Packed>& lessons) {
    std::vector<float> all;
    for (const auto& lesson : lessons) all.push_back(lesson.target);
    return all;
}

std::uintmax_t bytes_in(const std::filesystem::path& folder) {
    std::uintmax_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) bytes += entry.file_size();
    return bytes;
}

TEST(WindowSegments, HoldTheWindowWhateverComesAndHoweverItGrows) {
    const tests::TemporaryFolder folder;
    ReplayWindow window(1'000);
    WindowSegments segments(folder.path());
    base::Random random(1);
    std::size_t most_segments = 0;
    std::vector<WindowSegment> before;
    for (int step = 0; step < 200; ++step) {
        if (step == 100) window.set_capacity(3'000);
        add(window, random.below(step % 10 == 0 ? 2'000 : 60));
        const std::size_t wanted = step % 7 == 0 ? window.size() / 3 : window.size();
        const auto saved = segments.save(window, wanted);
        ASSERT_TRUE(saved) << saved.error().message;
        most_segments = std::max(most_segments, saved->size());
        segments.is_kept(*saved);
        const auto loaded = WindowSegments::load(folder.path(), *saved, wanted);
        ASSERT_TRUE(loaded) << loaded.error().message;
        ASSERT_EQ(targets(*loaded), targets(window.newest(wanted))) << step;
        // What the checkpoint before needs is there still.
        std::uint64_t held = 0;
        for (const WindowSegment& segment : before) held += segment.count;
        ASSERT_TRUE(WindowSegments::load(folder.path(), before, held)) << step;
        before = *saved;
        // Twice the window at most, for each of both.
        ASSERT_LE(bytes_in(folder.path() / "window"), 4 * 3'000 * sizeof(ReplayWindow::Packed)) << step;
    }
    EXPECT_LE(most_segments, 66U);
    // Another run goes on with them.
    WindowSegments resumed(folder.path());
    resumed.restore(before);
    add(window, 10);
    const auto saved = resumed.save(window, window.size());
    ASSERT_TRUE(saved);
    const auto loaded = WindowSegments::load(folder.path(), *saved, window.size());
    ASSERT_TRUE(loaded);
    EXPECT_EQ(targets(*loaded), targets(window.newest(window.size())));
}

TEST(WindowSegments, WriteWhatIsNewAlone) {
    const tests::TemporaryFolder folder;
    ReplayWindow window(100'000);
    WindowSegments segments(folder.path());
    add(window, 50'000);
    const auto first = segments.save(window, window.size());
    ASSERT_TRUE(first);
    segments.is_kept(*first);
    add(window, 5'000);
    const auto second = segments.save(window, window.size());
    ASSERT_TRUE(second);
    ASSERT_EQ(second->size(), 2U);
    EXPECT_EQ(second->front(), first->front());
    EXPECT_EQ(second->back().first, 50'000U);
    EXPECT_EQ(second->back().count, 5'000U);
    segments.is_kept(*second);
    const auto nothing = segments.save(window, window.size());
    ASSERT_TRUE(nothing);
    EXPECT_EQ(*nothing, *second);
}

TEST(WindowSegments, RefuseWhatIsNotWhatWasWritten) {
    const tests::TemporaryFolder folder;
    ReplayWindow window(100);
    WindowSegments segments(folder.path());
    add(window, 50);
    const auto saved = segments.save(window, 50);
    ASSERT_TRUE(saved);
    EXPECT_FALSE(WindowSegments::load(folder.path(), *saved, 51));
    const std::filesystem::path file = std::filesystem::directory_iterator(folder.path() / "window")->path();
    std::vector<WindowSegment> other = *saved;
    ++other.front().hash;
    const auto changed = WindowSegments::load(folder.path(), other, 50);
    ASSERT_FALSE(changed);
    EXPECT_THAT(changed.error().message, HasSubstr(file.filename().string()));
    std::filesystem::resize_file(file, 1'000);
    EXPECT_FALSE(WindowSegments::load(folder.path(), *saved, 50));
    std::filesystem::remove(file);
    EXPECT_FALSE(WindowSegments::load(folder.path(), *saved, 50));
}

}  // namespace
}  // namespace scholar::learning
