#include "base/streams.hpp"

#include <array>
#include <chrono>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>
#include <zlib.h>

#include "base/random.hpp"
#include "support/test_data.hpp"

namespace scholar::base {
namespace {

using tests::TemporaryFolder;

// Made by the formats' own programs: what this code reads must be what they write.
void run(const std::string& command) {
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
}

void put(const std::filesystem::path& path, std::string_view content) {
    std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
}

std::string slurp(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

Result<std::string> read_all(const std::filesystem::path& path, std::size_t step = 4096) {
    auto stream = open_input(path.string());
    if (!stream) return std::unexpected(stream.error());
    std::string all;
    std::string buffer(step, '\0');
    while (true) {
        auto got = (*stream)->read(buffer);
        if (!got) return std::unexpected(got.error());
        if (*got == 0) return all;
        all.append(buffer, 0, *got);
    }
}

// Text that compresses well, so that a few input bytes stand for much output, then bytes that do not compress
// at all.
std::string sample_text() {
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += "1. e4 e5 2. Nf3 Nc6 ";
    Random random(3);
    for (int i = 0; i < 300'000; ++i) text += static_cast<char>(random.below(256));
    for (int i = 0; i < 20'000; ++i) text += "1. d4 d5 2. c4 e6 ";
    return text;
}

struct Format {
    const char* name;
    const char* compress;  // file in, standard output
};

class Streams : public testing::TestWithParam<Format> {
  protected:
    // Compresses `content` into a file without a telling name.
    std::filesystem::path compressed(const std::string& content, const std::string& name) {
        put(folder_ / "plain", content);
        const auto path = folder_ / name;
        run(std::string(GetParam().compress) + " < '" + (folder_ / "plain").string() + "' > '" +
            path.string() + "'");
        return path;
    }
    TemporaryFolder folder_;
};

TEST_P(Streams, ReadsBackInStepsOfAnySize) {
    const std::string text = sample_text();
    const auto path = compressed(text, "data");
    for (const std::size_t step : {1000, 4096, 65536, 2'000'000})
        EXPECT_EQ(read_all(path, step), text) << step;
}

TEST_P(Streams, OneByteAtATime) {
    const std::string text = sample_text().substr(0, 20'000);
    EXPECT_EQ(read_all(compressed(text, "data"), 1), text);
}

TEST_P(Streams, EmptyContentIsEmpty) {
    EXPECT_EQ(read_all(compressed("", "data")), std::string());
}

TEST_P(Streams, SeveralPartsOneAfterTheOther) {
    const std::string first = slurp(compressed("first ", "one"));
    const std::string second = slurp(compressed("second", "two"));
    put(folder_ / "both", first + second);
    EXPECT_EQ(read_all(folder_ / "both"), "first second");
}

// As tapes and some tools leave it; zstd's own tool refuses it.
class PaddedStreams : public Streams {};

TEST_P(PaddedStreams, ZerosBehindTheEnd) {
    put(folder_ / "padded", slurp(compressed("text", "one")) + std::string(1'000, '\0'));
    EXPECT_EQ(read_all(folder_ / "padded"), "text");
    put(folder_ / "joined", slurp(compressed("text", "one")) + "junk");
    EXPECT_FALSE(read_all(folder_ / "joined"));
}

// A plain file cannot know where it should end.
class CompressedStreams : public Streams {};

TEST_P(CompressedStreams, CutOffIsAnErrorThatNamesTheFile) {
    const std::string whole = slurp(compressed(sample_text(), "data"));
    for (const std::size_t size : {std::size_t{10}, whole.size() / 2, whole.size() - 1}) {
        put(folder_ / "cut", whole.substr(0, size));
        const auto read = read_all(folder_ / "cut");
        ASSERT_FALSE(read.has_value()) << size << " of " << whole.size() << " bytes";
        EXPECT_NE(read.error().message.find("cut"), std::string::npos);
        EXPECT_NE(read.error().message.find("end too soon"), std::string::npos) << read.error().message;
    }
}

class ChecksummedStreams : public Streams {};

TEST_P(ChecksummedStreams, DamageIsAnError) {
    std::string data = slurp(compressed(sample_text(), "data"));
    for (std::size_t i = data.size() / 2; i < data.size() / 2 + 50; ++i)
        data[i] = static_cast<char>(data[i] ^ 0x5A);
    put(folder_ / "damaged", data);
    const auto read = read_all(folder_ / "damaged");
    ASSERT_FALSE(read.has_value());
    EXPECT_NE(read.error().message.find("damaged"), std::string::npos) << read.error().message;
}

constexpr Format kPlain{"Plain", "cat"};
constexpr Format kZstd{"Zstd", "zstd -q -c"};
constexpr Format kZstdUnchecked{"ZstdWithoutChecksum", "zstd -q -c --no-check"};
constexpr Format kZstdLong{"ZstdLong", "zstd -q -c --long=27"};
constexpr Format kGzip{"Gzip", "gzip -c"};
constexpr Format kBzip2{"Bzip2", "bzip2 -c"};
constexpr Format kXz{"Xz", "xz -c"};

std::string name_of(const testing::TestParamInfo<Format>& one) {
    return one.param.name;
}

INSTANTIATE_TEST_SUITE_P(Formats, Streams,
                         testing::Values(kPlain, kZstd, kZstdUnchecked, kZstdLong, kGzip, kBzip2, kXz),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Formats, CompressedStreams,
                         testing::Values(kZstd, kZstdUnchecked, kZstdLong, kGzip, kBzip2, kXz), name_of);
INSTANTIATE_TEST_SUITE_P(Formats, PaddedStreams, testing::Values(kGzip, kBzip2), name_of);
INSTANTIATE_TEST_SUITE_P(Formats, ChecksummedStreams, testing::Values(kZstd, kZstdLong, kGzip, kBzip2, kXz),
                         name_of);

// A zip archive by hand (APPNOTE 4.3): its members stored as they are.
class ZipArchive {
  public:
    void add(std::string_view name, std::string_view content) {
        const std::string checksum_and_sizes =
            number(static_cast<std::uint32_t>(::crc32(0, reinterpret_cast<const Bytef*>(content.data()),
                                                      static_cast<uInt>(content.size()))),
                   4) +
            number(content.size(), 4) + number(content.size(), 4) + number(name.size(), 2) + number(0, 2);
        directory_ += "PK\x01\x02" + number(20, 2) + number(20, 2) + number(0, 8) + checksum_and_sizes +
                      number(0, 2) + number(0, 2) + number(0, 2) + number(0, 4) + number(members_.size(), 4);
        directory_ += name;
        members_ += "PK\x03\x04" + number(20, 2) + number(0, 8) + checksum_and_sizes;
        members_ += name;
        members_ += content;
        ++count_;
    }
    std::string bytes() const {
        return members_ + directory_ + "PK\x05\x06" + number(0, 4) + number(count_, 2) + number(count_, 2) +
               number(directory_.size(), 4) + number(members_.size(), 4) + number(0, 2);
    }

  private:
    static std::string number(std::size_t value, int bytes) {
        std::string text;
        for (int i = 0; i < bytes; ++i) text += static_cast<char>(i < 8 ? value >> (8 * i) & 0xFF : 0);
        return text;
    }
    std::string members_;
    std::string directory_;
    std::size_t count_ = 0;
};

TEST(Archives, TheOnlyPlausibleFileIsRead) {
    const TemporaryFolder folder;
    const std::string games = sample_text();
    const auto with = [&](const std::vector<std::string>& names, std::size_t meant) {
        ZipArchive archive;
        for (std::size_t i = 0; i < names.size(); ++i) archive.add(names[i], i == meant ? games : "other");
        put(folder / "book", archive.bytes());
        return read_all(folder / "book");
    };
    EXPECT_EQ(with({"book.pgn"}, 0), games);
    EXPECT_EQ(with({"whatever"}, 0), games);
    EXPECT_EQ(with({"folder/readme.txt", "folder/Book.PGN", "licence"}, 1), games);
    EXPECT_EQ(with({"__MACOSX/._book.epd", ".DS_Store", "book.epd"}, 2), games);

    const auto several = with({"one.pgn", "readme", "two.epd"}, 0);
    ASSERT_FALSE(several);
    EXPECT_NE(several.error().message.find("book: a zip archive of 2 files, expected one"), std::string::npos)
        << several.error().message;
    EXPECT_NE(several.error().message.find("(one.pgn, two.epd)"), std::string::npos)
        << several.error().message;
    EXPECT_FALSE(with({"readme", "licence"}, 0));
    const auto none = with({}, 0);
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find("without a file"), std::string::npos) << none.error().message;
}

TEST(Archives, DamageAndPipesAreErrorsThatSayWhatTheFileIs) {
    const TemporaryFolder folder;
    ZipArchive archive;
    archive.add("book.pgn", sample_text());
    std::string bytes = archive.bytes();
    put(folder / "cut", bytes.substr(0, bytes.size() / 2));
    const auto cut = read_all(folder / "cut");
    ASSERT_FALSE(cut);
    EXPECT_NE(cut.error().message.find("zip archive"), std::string::npos) << cut.error().message;
    bytes[bytes.size() / 2] ^= 0x10;
    put(folder / "damaged", bytes);
    const auto damaged = read_all(folder / "damaged");
    ASSERT_FALSE(damaged);
    EXPECT_NE(damaged.error().message.find("damaged zip archive"), std::string::npos)
        << damaged.error().message;

    const auto pipe = folder / "pipe";
    run("mkfifo '" + pipe.string() + "'");
    run("cat '" + (folder / "damaged").string() + "' > '" + pipe.string() + "' 2>/dev/null &");
    const auto piped = open_input(pipe.string());
    ASSERT_FALSE(piped);
    EXPECT_NE(piped.error().message.find("a zip archive, which is not read from a pipe"), std::string::npos);
}

TEST(OpenInput, WhatIsNotReadIsNamedForWhatItIs) {
    const TemporaryFolder folder;
    for (const auto& [head, name] : {std::pair{"Rar!\x1A\x07", "a RAR archive"},
                                     {"LZIP", "lzip data"},
                                     {"\x04\x22\x4D\x18", "lz4 data"},
                                     {"\x1F\x9D", ".Z"}}) {
        put(folder / "book", std::string(head) + "and more");
        const auto read = read_all(folder / "book");
        ASSERT_FALSE(read);
        EXPECT_NE(read.error().message.find(name), std::string::npos) << read.error().message;
        EXPECT_NE(read.error().message.find("unpack it first"), std::string::npos) << read.error().message;
    }
    put(folder / "seven", std::string("7z\xBC\xAF\x27\x1C and more"));
    const auto seven = read_all(folder / "seven");
    ASSERT_FALSE(seven);
    EXPECT_NE(seven.error().message.find("7z archive"), std::string::npos) << seven.error().message;
}

TEST(OpenInput, SaysWhatIsWrong) {
    const TemporaryFolder folder;
    EXPECT_NE(open_input((folder / "none.pgn").string()).error().message.find("none.pgn"), std::string::npos);
    EXPECT_NE(open_input(folder.path().string()).error().message.find("is a folder"), std::string::npos);
}

TEST(MemoryInput, GivesTheBytesInPiecesThenTheEnd) {
    const std::string bytes("\x1F\x8B not unpacked", 15);
    const auto input = memory_input(bytes);
    std::string all;
    std::array<char, 4> buffer{};
    while (true) {
        const auto got = input->read(buffer);
        ASSERT_TRUE(got.has_value());
        if (*got == 0) break;
        all.append(buffer.data(), *got);
    }
    EXPECT_EQ(all, bytes);
    EXPECT_EQ(input->read(buffer), 0U);
    EXPECT_EQ(memory_input("")->read(buffer), 0U);
}

TEST(Blocks, RoundTripAndRefusals) {
    const std::string raw = sample_text();
    const std::string block = compress_block(raw, 3);
    EXPECT_LT(block.size(), raw.size());
    EXPECT_EQ(decompress_block(block, raw.size()), raw);
    EXPECT_FALSE(decompress_block(block, raw.size() - 1).has_value());
    EXPECT_NE(decompress_block(block, raw.size() + 1).error().message.find("expected"), std::string::npos);
    EXPECT_FALSE(decompress_block(block.substr(0, block.size() / 2), raw.size()).has_value());
    EXPECT_FALSE(decompress_block("no zstd", 7).has_value());
    EXPECT_EQ(decompress_block(compress_block("", 3), 0), std::string());
}

// The frames that a reader passes over (zstd's format description, 3.1.2); pzstd writes one before each
// frame.
TEST(Zstd, BeginsWithAFrameToPassOver) {
    const TemporaryFolder folder;
    const std::string skippable(
        "\x50\x2A\x4D\x18\x04\x00\x00\x00"
        "abcd",
        12);
    put(folder / "data", skippable + compress_block("text", 3));
    EXPECT_EQ(read_all(folder / "data"), "text");
}

TEST(PlainText, Utf16IsRefusedByName) {
    const TemporaryFolder folder;
    put(folder / "text", std::string("\xFF\xFE[\0E\0", 6));
    const auto read = read_all(folder / "text");
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().message.find("UTF-16"), std::string::npos);
}

// A pipe that nobody writes to: the token ends the wait.
TEST(Pipe, WaitsUntilItIsStopped) {
    const TemporaryFolder folder;
    const auto path = folder / "pipe";
    run("mkfifo '" + path.string() + "'");
    std::stop_source stop;
    std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        stop.request_stop();
    });
    const auto stream = open_input(path.string(), stop.get_token());
    ASSERT_FALSE(stream);
    EXPECT_NE(stream.error().message.find("stopped"), std::string::npos);
}

TEST(Pipe, GivesWhatIsWrittenLate) {
    const TemporaryFolder folder;
    const auto path = folder / "pipe";
    run("mkfifo '" + path.string() + "'");
    run("(sleep 0.2; echo one; sleep 0.2; echo two) > '" + path.string() + "' &");
    EXPECT_EQ(read_all(path), "one\ntwo\n");
}

}  // namespace
}  // namespace scholar::base
