#include "tablebases/syzygy_file.hpp"

#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/random.hpp"
#include "support/test_data.hpp"
#include "tablebases/syzygy_checksum.hpp"

namespace scholar::tablebases {
namespace {

using testing::HasSubstr;
using tests::TemporaryFolder;

constexpr std::array<const char*, 5> kNames{"KBvK", "KNvK", "KPvK", "KQvK", "KRvK"};
constexpr std::array<SyzygyKind, 2> kKinds{SyzygyKind::Wdl, SyzygyKind::Dtz};

std::string file_name(const std::string& name, SyzygyKind kind) {
    return name + (kind == SyzygyKind::Wdl ? ".rtbw" : ".rtbz");
}

base::Status check(const std::filesystem::path& path, const std::string& name, SyzygyKind kind) {
    return check_syzygy_file(path, parse_material(name).value(), kind);
}

template <class Use>
void for_each_shipped_file(Use&& use) {
    for (const char* name : kNames) {
        for (const SyzygyKind kind : kKinds) {
            const auto path = tests::test_data("syzygy") / file_name(name, kind);
            use(path, std::string(name), kind, base::read_bytes(path).value());
        }
    }
}

TEST(SyzygyFile, NamesThatAreTables) {
    for (const char* name : {"KQvK", "KQvKR", "KRvKR", "KRPvKR", "KQQQQQvK", "KRBNPvKP", "KPPvKPP", "KBvKP"})
        EXPECT_TRUE(parse_material(name)) << name;
    const auto material = parse_material("KRBPPvKQ").value();
    EXPECT_EQ(material.pieces(), 7);
    EXPECT_EQ(material.pawns(chess::White), 2);
    EXPECT_EQ(material.pawns(chess::Black), 0);
    EXPECT_EQ(material.count[chess::Black][chess::Queen], 1);
}

TEST(SyzygyFile, NamesThatAreNot) {
    for (const char* name :
         {"", "KvK", "KQK", "QvK", "KvKQ", "KPvKQ", "KBRvK", "KQvKx", "KQvkr", "KQQQvKRRR", "KKvK"})
        EXPECT_FALSE(parse_material(name)) << name;
}

TEST(SyzygyFile, TheShippedFilesPass) {
    for_each_shipped_file([](const auto& path, const auto& name, SyzygyKind kind, const auto&) {
        const auto status = check(path, name, kind);
        EXPECT_TRUE(status) << status.error().message;
        const auto checksum = check_syzygy_checksum(path);
        EXPECT_TRUE(checksum) << checksum.error().message;
    });
}

// Fathom itself refuses most lengths; those that are 16 more than a multiple of 64 would end the program.
TEST(SyzygyFile, EveryShorterOrLongerFileIsRefused) {
    const TemporaryFolder folder;
    for_each_shipped_file([&](const auto& path, const auto& name, SyzygyKind kind, auto bytes) {
        const auto copy = folder / path.filename().string();
        const auto expect_refused = [&](std::size_t size) {
            auto cut = bytes;
            cut.resize(size);
            ASSERT_TRUE(base::write_atomically(copy, std::span<const std::byte>(cut)));
            const auto status = check(copy, name, kind);
            ASSERT_FALSE(status) << name << " of " << size << " bytes";
            EXPECT_THAT(status.error().message, HasSubstr(copy.string()));
            EXPECT_EQ(status.error().message.find('\n'), std::string::npos);
        };
        for (std::size_t size = 16; size < bytes.size() + 256; size += 64)
            if (size != bytes.size()) expect_refused(size);
        for (const std::size_t size :
             {std::size_t{0}, std::size_t{1}, std::size_t{4}, bytes.size() - 1, bytes.size() + 1})
            expect_refused(size);
    });
}

TEST(SyzygyFile, OneKindForTheOtherIsRefused) {
    const auto folder = tests::test_data("syzygy");
    EXPECT_THAT(check(folder / "KQvK.rtbz", "KQvK", SyzygyKind::Wdl).error().message,
                HasSubstr("expected it to begin with the bytes 71 e8 23 5d"));
    EXPECT_THAT(check(folder / "KQvK.rtbw", "KQvK", SyzygyKind::Dtz).error().message,
                HasSubstr("expected it to begin with the bytes d7 66 0c a5"));
    EXPECT_THAT(check(folder / "KQvK.rtbw", "KRvK", SyzygyKind::Wdl).error().message, HasSubstr("damaged"));
    EXPECT_THAT(check(folder / "SOURCE.md", "KQvK", SyzygyKind::Wdl).error().message, HasSubstr("no Syzygy"));
    EXPECT_THAT(check(folder, "KQvK", SyzygyKind::Wdl).error().message, HasSubstr("not a regular file"));
    EXPECT_THAT(check(folder / "none.rtbw", "KQvK", SyzygyKind::Wdl).error().message,
                HasSubstr("cannot open"));
}

TEST(SyzygyFile, ChecksumsFindEveryChangedByte) {
    const TemporaryFolder folder;
    base::Random random(11);
    for_each_shipped_file([&](const auto& path, const auto&, SyzygyKind, auto bytes) {
        const auto copy = folder / path.filename().string();
        for (int i = 0; i < 20; ++i) {
            auto changed = bytes;
            changed[random.below(bytes.size())] ^= static_cast<std::byte>(1 + random.below(255));
            ASSERT_TRUE(base::write_atomically(copy, std::span<const std::byte>(changed)));
            const auto status = check_syzygy_checksum(copy);
            ASSERT_FALSE(status);
            EXPECT_THAT(status.error().message, HasSubstr("checksum"));
        }
    });
}

// The check must live with any header: it is what stands between such files and the program's end.
TEST(SyzygyFile, DamagedHeadersAreReadSafely) {
    const TemporaryFolder folder;
    base::Random random(12);
    int refused = 0;
    int tried = 0;
    for_each_shipped_file([&](const auto& path, const auto& name, SyzygyKind kind, auto bytes) {
        const auto copy = folder / path.filename().string();
        for (int i = 0; i < 150; ++i) {
            auto changed = bytes;
            const std::size_t header = std::min<std::size_t>(bytes.size(), 160);
            for (std::uint64_t flips = 1 + random.below(3); flips > 0; --flips)
                changed[4 + random.below(header - 4)] = static_cast<std::byte>(random.below(256));
            ASSERT_TRUE(base::write_atomically(copy, std::span<const std::byte>(changed)));
            refused += !check(copy, name, kind);
            ++tried;
        }
    });
    EXPECT_GT(refused, tried / 4);
}

// Sizes that would wrap around when they are added up are no sizes.
TEST(SyzygyFile, AbsurdSizesAreRefused) {
    const TemporaryFolder folder;
    auto bytes = base::read_bytes(tests::test_data("syzygy") / "KQvK.rtbz").value();
    // Its only array begins behind four bytes of magic, one of flags and five of pieces: flags, the size of a
    // block and of an index step as powers of two, then the number of blocks in four bytes.
    constexpr std::size_t kArray = 10;
    ASSERT_EQ(static_cast<unsigned>(bytes[kArray]) & 0x80, 0U);
    bytes[kArray + 1] = std::byte{31};
    for (std::size_t i = 4; i < 8; ++i) bytes[kArray + i] = std::byte{0xFF};
    ASSERT_TRUE(base::write_atomically(folder / "KQvK.rtbz", std::span<const std::byte>(bytes)));
    EXPECT_THAT(check(folder / "KQvK.rtbz", "KQvK", SyzygyKind::Dtz).error().message,
                HasSubstr("the header makes no sense"));
}

// The generator's own program (syzygy1/tb, src/checksum.c) gave these sums of bytes made by xorshift64:
// lengths below and above 240 bytes, and of 1, 2, 4 and 5 pieces of 16 MiB, each of which takes another
// branch of the hash.
TEST(SyzygyFile, ChecksumsOfTheGenerator) {
    struct Known {
        std::size_t size;
        std::array<std::uint64_t, 2> sum;
    };
    constexpr Known kKnown[] = {
        {64, {0x1735c347be62523b, 0xbafba97d6211f79d}},
        {192, {0x1af79af45c43be12, 0x76e7df1461c77242}},
        {256, {0xbd155f7943f8d1e2, 0x864dfa4dfba994ca}},
        {300, {0x70d0fd64560ab8d8, 0xd6c2da3f0ce0fa5d}},
        {16'777'216, {0xd7200cae1b2f07f2, 0x727b1ba49671e3a5}},
        {16'777'280, {0x4567fbe142d92350, 0x026dddc17f1bad39}},
        {67'108'864, {0x800732d9928d9ae7, 0xfa58ddc28abc8a71}},
        {83'886'080, {0x87cad887f2e0cff0, 0x4b75d7d5788edb17}},
    };
    for (const auto& [size, sum] : kKnown) {
        if (tests::kSanitized && size > 20'000'000) continue;
        std::uint64_t state = 88'172'645'463'325'252ULL + size;
        std::vector<std::byte> bytes(size);
        for (auto& byte : bytes) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            byte = static_cast<std::byte>(state);
        }
        EXPECT_EQ(syzygy_checksum(bytes), sum) << size << " bytes";
    }
}

}  // namespace
}  // namespace scholar::tablebases
