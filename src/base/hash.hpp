#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace scholar::base {

// XXH3, 64 bits: checksums and content names. Stable over versions and machines.
std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed = 0);
std::uint64_t hash_text(std::string_view text, std::uint64_t seed = 0);

// 16 lower-case hexadecimal digits.
std::string to_hex(std::uint64_t value);

}  // namespace scholar::base
