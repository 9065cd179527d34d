#include "base/files.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "support/test_data.hpp"

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
