#include "base/streams.hpp"

#include <array>
#include <chrono>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

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

std::string name_of(const testing::TestParamInfo<Format>& one) {
    return one.param.name;
}

INSTANTIATE_TEST_SUITE_P(Formats, Streams,
                         testing::Values(kPlain, kZstd, kZstdUnchecked, kZstdLong, kGzip, kBzip2), name_of);
INSTANTIATE_TEST_SUITE_P(Formats, CompressedStreams,
                         testing::Values(kZstd, kZstdUnchecked, kZstdLong, kGzip, kBzip2), name_of);
INSTANTIATE_TEST_SUITE_P(Formats, PaddedStreams, testing::Values(kGzip, kBzip2), name_of);
INSTANTIATE_TEST_SUITE_P(Formats, ChecksummedStreams, testing::Values(kZstd, kZstdLong, kGzip, kBzip2),
                         name_of);

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
