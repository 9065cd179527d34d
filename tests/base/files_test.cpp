#include "base/files.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace scholar::base
