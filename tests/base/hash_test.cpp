#include "base/hash.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace scholar::base {
namespace {

TEST(Hash, IsXxh3) {
    // Values of XXH3_64bits as its authors' xxhsum -H3 prints them.
    EXPECT_EQ(hash_text(""), 0x2d06800538d394c2ULL);
    EXPECT_EQ(hash_text("abc"), 0x78af5f94892f3950ULL);
}

TEST(Hash, BytesAndTextAgreeAndTheSeedMatters) {
    const std::string text = "1. e4 e5";
    EXPECT_EQ(hash_bytes(std::as_bytes(std::span(text))), hash_text(text));
    EXPECT_NE(hash_text(text, 1), hash_text(text, 2));
}

TEST(Hash, HexHasSixteenDigits) {
    EXPECT_EQ(to_hex(0), "0000000000000000");
    EXPECT_EQ(to_hex(0x2d06800538d394c2ULL), "2d06800538d394c2");
    EXPECT_EQ(to_hex(~0ULL), "ffffffffffffffff");
}

}  // namespace
}  // namespace scholar::base
