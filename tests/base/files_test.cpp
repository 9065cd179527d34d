#include "base/files.hpp"

#include <cerrno>
#include <csignal>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "support/test_data.hpp"

// The linker puts __wrap_NAME() where NAME() is called, and names the original __real_NAME().
// NOLINTBEGIN(bugprone-reserved-identifier)
namespace {
struct Calls {
    bool close_fails = false;
    int folder_fsync_failure = 0;
    std::vector<std::filesystem::path> flushed;
};
Calls* calls = nullptr;  // of the test that watches them
}  // namespace
extern "C" int __real_close(int descriptor);
extern "C" int __wrap_close(int descriptor) {
    const int result = __real_close(descriptor);
    if (calls == nullptr || !std::exchange(calls->close_fails, false)) return result;
    errno = EDQUOT;
    return -1;
}
extern "C" int __real_fsync(int descriptor);
extern "C" int __wrap_fsync(int descriptor) {
    if (calls != nullptr) {
        const auto name = std::filesystem::read_symlink(fmt::format("/proc/self/fd/{}", descriptor));
        calls->flushed.push_back(name);
        if (calls->folder_fsync_failure != 0 && std::filesystem::is_directory(name)) {
            errno = calls->folder_fsync_failure;
            return -1;
        }
    }
    return __real_fsync(descriptor);
}
// NOLINTEND(bugprone-reserved-identifier)

namespace scholar::base {
namespace {

using tests::TemporaryFolder;

std::size_t files_in(const TemporaryFolder& folder) {
    const std::filesystem::directory_iterator all(folder.path());
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

TEST(AtomicFile, AppearsOnlyWhenWhole) {
    const TemporaryFolder folder;
    auto file = AtomicFile::create(folder / "a.txt");
    ASSERT_TRUE(file.has_value());
    ASSERT_TRUE(file->write("one ").has_value());
    EXPECT_FALSE(std::filesystem::exists(folder / "a.txt"));
    ASSERT_TRUE(file->write("two").has_value());
    ASSERT_TRUE(file->commit().has_value());
    EXPECT_EQ(read_text(folder / "a.txt").value(), "one two");
    EXPECT_EQ(files_in(folder), 1U);
}

TEST(AtomicFile, WithoutCommitTheOldFileStays) {
    const TemporaryFolder folder;
    ASSERT_TRUE(write_atomically(folder / "a.txt", std::string_view("old")).has_value());
    {
        auto file = AtomicFile::create(folder / "a.txt");
        ASSERT_TRUE(file.has_value());
        ASSERT_TRUE(file->write("new").has_value());
        EXPECT_EQ(read_text(folder / "a.txt").value(), "old");
    }
    EXPECT_EQ(read_text(folder / "a.txt").value(), "old");
    EXPECT_EQ(files_in(folder), 1U);
}

TEST(AtomicFile, ReplacesAsAWhole) {
    const TemporaryFolder folder;
    ASSERT_TRUE(write_atomically(folder / "a.txt", std::string_view("a long old text")).has_value());
    ASSERT_TRUE(write_atomically(folder / "a.txt", std::string_view("new")).has_value());
    EXPECT_EQ(read_text(folder / "a.txt").value(), "new");
}

TEST(AtomicFile, MovedFromLeavesTheFileToTheOther) {
    const TemporaryFolder folder;
    auto first = AtomicFile::create(folder / "a.txt");
    ASSERT_TRUE(first.has_value());
    {
        AtomicFile second(std::move(*first));
        ASSERT_TRUE(second.write("x").has_value());
        ASSERT_TRUE(second.commit().has_value());
    }
    EXPECT_EQ(read_text(folder / "a.txt").value(), "x");
}

TEST(AtomicFile, NamesWhatItCannotDo) {
    const TemporaryFolder folder;
    const auto file = AtomicFile::create(folder / "no-such-folder/a.txt");
    ASSERT_FALSE(file.has_value());
    EXPECT_NE(file.error().message.find("no-such-folder/a.txt"), std::string::npos);
    // A name taken by a folder is refused at the end, and nothing is left.
    std::filesystem::create_directory(folder / "taken");
    EXPECT_FALSE(write_atomically(folder / "taken", std::string_view("x")).has_value());
    EXPECT_EQ(files_in(folder), 1U);
}

// The temporary file is nobody's business.
TEST(AtomicFile, ErrorsNameTheFileThatWasAskedFor) {
    const TemporaryFolder folder;
    const std::string missing = (folder / "no-such-folder/a.txt").string();
    EXPECT_EQ(AtomicFile::create(missing).error().message,
              missing + ": cannot create: No such file or directory");
    const std::string taken = (folder / "a.txt").string();
    auto file = AtomicFile::create(taken);
    ASSERT_TRUE(file.has_value());
    std::filesystem::create_directory(taken);
    EXPECT_EQ(file->commit().error().message, taken + ": cannot take this name: Is a directory");
    // Past the largest size that a file may have.
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{100, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    const auto status = write_atomically(folder / "b.txt", std::string(1000, 'x'));
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, handler);
    ASSERT_FALSE(status.has_value());
    EXPECT_EQ(status.error().message, (folder / "b.txt").string() + ": cannot write: File too large");
}

class WatchedCalls : public Calls {
  public:
    WatchedCalls() { calls = this; }
    ~WatchedCalls() { calls = nullptr; }
    WatchedCalls(const WatchedCalls&) = delete;
    WatchedCalls& operator=(const WatchedCalls&) = delete;
};

mode_t mode_of(const std::filesystem::path& path) {
    struct stat state{};
    return ::stat(path.c_str(), &state) == 0 ? state.st_mode & 0777 : 0;
}

TEST(AtomicFile, IsWrittenThroughSymbolicLinks) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "elsewhere");
    ASSERT_TRUE(write_atomically(folder / "elsewhere/a.txt", std::string_view("old")));
    std::filesystem::create_symlink("elsewhere/a.txt", folder / "near.txt");
    std::filesystem::create_symlink(folder / "near.txt", folder / "far.txt");
    std::filesystem::create_symlink("elsewhere/b.txt", folder / "dangling.txt");
    ASSERT_TRUE(write_atomically(folder / "far.txt", std::string_view("new")));
    ASSERT_TRUE(write_atomically(folder / "dangling.txt", std::string_view("first")));
    for (const char* link : {"near.txt", "far.txt", "dangling.txt"})
        EXPECT_TRUE(std::filesystem::is_symlink(folder / link)) << link;
    EXPECT_EQ(read_text(folder / "elsewhere/a.txt").value(), "new");
    EXPECT_EQ(read_text(folder / "elsewhere/b.txt").value(), "first");
    EXPECT_EQ(files_in(folder), 4U);  // and nothing beside them
}

TEST(AtomicFile, LinksInACircleAreRefused) {
    const TemporaryFolder folder;
    std::filesystem::create_symlink("b.txt", folder / "a.txt");
    std::filesystem::create_symlink("a.txt", folder / "b.txt");
    EXPECT_EQ(AtomicFile::create(folder / "a.txt").error().message,
              (folder / "a.txt").string() + ": Too many levels of symbolic links");
}

TEST(AtomicFile, HandsOnTheModeOfTheFileThatItReplaces) {
    const TemporaryFolder folder;
    const mode_t mask = ::umask(027);
    for (const mode_t mode : {0600, 0644, 0664, 0755, 0444}) {
        const auto path = folder / fmt::format("{:o}.txt", mode);
        ASSERT_TRUE(write_atomically(path, std::string_view("old")));
        EXPECT_EQ(mode_of(path), 0640U);
        ASSERT_EQ(::chmod(path.c_str(), mode), 0);
        auto file = AtomicFile::create(path);
        ASSERT_TRUE(file);
        EXPECT_EQ(mode_of(path.string() + fmt::format(".{}.tmp", ::getpid())), mode);
        ASSERT_TRUE(file->write("new"));
        ASSERT_TRUE(file->commit());
        EXPECT_EQ(mode_of(path), mode);
        EXPECT_EQ(read_text(path).value(), "new");
    }
    ::umask(mask);
}

TEST(AtomicFile, ReachesTheDiskWithItsName) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "elsewhere");
    std::filesystem::create_symlink("elsewhere/a.txt", folder / "a.txt");
    WatchedCalls watched;
    ASSERT_TRUE(write_atomically(folder / "a.txt", std::string_view("x")));
    ASSERT_EQ(watched.flushed.size(), 2U);
    EXPECT_NE(watched.flushed[0].string().find(".tmp"), std::string::npos);
    EXPECT_EQ(watched.flushed[1], std::filesystem::canonical(folder / "elsewhere"));
}

TEST(AtomicFile, AFolderThatCannotBeFlushedIsAnErrorUnlessNoneCan) {
    const TemporaryFolder folder;
    WatchedCalls watched;
    watched.folder_fsync_failure = EIO;
    const auto status = write_atomically(folder / "a.txt", std::string_view("x"));
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message,
              (folder / "a.txt").string() + ": cannot flush its folder to disk: Input/output error");
    watched.folder_fsync_failure = EINVAL;
    EXPECT_TRUE(write_atomically(folder / "a.txt", std::string_view("x")));
}

TEST(AtomicFile, AFailureToCloseIsOneToWrite) {
    const TemporaryFolder folder;
    ASSERT_TRUE(write_atomically(folder / "a.txt", std::string_view("old")));
    WatchedCalls watched;
    watched.close_fails = true;
    const auto status = write_atomically(folder / "a.txt", std::string_view("new"));
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message, (folder / "a.txt").string() + ": cannot write: Disk quota exceeded");
    EXPECT_EQ(read_text(folder / "a.txt").value(), "old");
    EXPECT_EQ(files_in(folder), 1U);
}

TEST(AtomicFile, WhatAKillLeftIsRemoved) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) _exit(0);
    ASSERT_EQ(waitpid(child, nullptr, 0), child);  // nobody has this number any more
    const TemporaryFolder folder;
    const std::string left = fmt::format("a.txt.{}.tmp", child);
    const std::vector<std::string> others{fmt::format("a.txt.{}.tmp", getpid()),
                                          fmt::format("a.{}.txt", child),
                                          "a.tmp",
                                          "a..tmp",
                                          "a.12b.tmp",
                                          "a.-1.tmp",
                                          "b.txt"};
    ASSERT_TRUE(write_atomically(folder / left, "half a te"));
    for (const std::string& other : others) ASSERT_TRUE(write_atomically(folder / other, "kept"));
    remove_leftovers(folder.path());
    EXPECT_FALSE(std::filesystem::exists(folder / left));
    for (const std::string& other : others) EXPECT_TRUE(std::filesystem::exists(folder / other)) << other;
    remove_leftovers(folder / "none");
}

TEST(Files, BytesComeBackAsWritten) {
    const TemporaryFolder folder;
    std::vector<std::byte> bytes(100'000);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 37);
    ASSERT_TRUE(write_atomically(folder / "b.bin", std::span<const std::byte>(bytes)).has_value());
    EXPECT_EQ(read_bytes(folder / "b.bin").value(), bytes);
}

TEST(Files, MissingFileAndFolderAreNamed) {
    const TemporaryFolder folder;
    EXPECT_NE(read_text(folder / "none.txt").error().message.find("none.txt"), std::string::npos);
    EXPECT_NE(read_text(folder.path()).error().message.find("is a folder"), std::string::npos);
}

// Reading it would wait for somebody to write.
TEST(Files, APipeIsRefused) {
    const TemporaryFolder folder;
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_NE(read_text(folder / "pipe").error().message.find("pipe: is no ordinary file"),
              std::string::npos);
    EXPECT_NE(read_bytes(folder / "pipe").error().message.find("pipe: is no ordinary file"),
              std::string::npos);
}

}  // namespace
}  // namespace scholar::base
