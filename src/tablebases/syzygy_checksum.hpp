#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace scholar::tablebases {

// The checksum that ends a Syzygy file, of the bytes before it: CityHashCrc256 of each piece of 16 MiB, and
// CityHashCrc128 of those hashes one after another.
std::array<std::uint64_t, 2> syzygy_checksum(std::span<const std::byte> bytes);

}  // namespace scholar::tablebases
