#include "base/hash.hpp"

#include <fmt/format.h>
#include <xxhash.h>

namespace scholar::base {

std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed) {
    return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

std::uint64_t hash_text(std::string_view text, std::uint64_t seed) {
    return XXH3_64bits_withSeed(text.data(), text.size(), seed);
}

std::string to_hex(std::uint64_t value) {
    return fmt::format("{:016x}", value);
}

}  // namespace scholar::base
