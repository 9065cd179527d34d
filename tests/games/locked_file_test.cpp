#include "games/locked_file.hpp"

#include <cerrno>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <sys/file.h>
#include <utility>

#include "base/files.hpp"
#include "support/test_data.hpp"

// The linker puts __wrap_flock() where flock() is called, and names the original __real_flock().
// NOLINTBEGIN(bugprone-reserved-identifier)
namespace {
int flock_failure = 0;  // what the next call fails of
}
extern "C" int __real_flock(int descriptor, int operation);
extern "C" int __wrap_flock(int descriptor, int operation) {
    if (flock_failure == 0) return __real_flock(descriptor, operation);
    errno = std::exchange(flock_failure, 0);
    return -1;
}
// NOLINTEND(bugprone-reserved-identifier)

namespace scholar::games {
namespace {

using testing::HasSubstr;
using tests::TemporaryFolder;

std::string lock_refusal(const std::filesystem::path& path) {
    const auto file = LockedFile::open(path, LockedFile::Missing::Create);
    return file ? "" : file.error().message;
}

TEST(LockedFile, IsHeldByOneAtATime) {
    const TemporaryFolder folder;
    {
        const auto held = LockedFile::open(folder / "a", LockedFile::Missing::Create);
        ASSERT_TRUE(held);
        EXPECT_EQ(lock_refusal(folder / "a"), (folder / "a").string() + ": another program is writing it");
    }
    EXPECT_EQ(lock_refusal(folder / "a"), "");
}

TEST(LockedFile, WhatCannotBeLockedIsRefusedWithTheReason) {
    const TemporaryFolder folder;
    for (const int failure : {ENOLCK, EOPNOTSUPP, EBADF}) {
        flock_failure = failure;
        EXPECT_EQ(lock_refusal(folder / "a"),
                  (folder / "a").string() +
                      ": cannot keep other programs from writing it: " + std::strerror(failure));
    }
}

TEST(LockedFile, ASignalMeanwhileIsNoFailure) {
    const TemporaryFolder folder;
    flock_failure = EINTR;
    const auto held = LockedFile::open(folder / "a", LockedFile::Missing::Create);
    ASSERT_TRUE(held);
    EXPECT_THAT(lock_refusal(folder / "a"), HasSubstr("another program is writing it"));
}

TEST(LockedFile, ARenamedFileKeepsTheLinkThatLeadsToIt) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "elsewhere");
    std::filesystem::create_symlink("elsewhere/b", folder / "b");
    auto file = LockedFile::open(folder / "a", LockedFile::Missing::Create);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write(0, "text"));
    ASSERT_TRUE(file->rename(folder / "b"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "b"));
    EXPECT_EQ(base::read_text(folder / "elsewhere/b").value(), "text");
}

}  // namespace
}  // namespace scholar::games
