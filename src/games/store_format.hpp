#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/hash.hpp"
#include "games/bytes.hpp"
#include "games/store.hpp"

// The parts of a store's file that are not blocks; games/store.hpp draws them. For writer and reader only.

namespace scholar::games {

constexpr std::string_view kStoreMagic = "SCHGAMES";
constexpr std::string_view kIndexMagic = "SCHINDEX";
constexpr std::string_view kFooterMagic = "SCHGEND\n";
constexpr std::size_t kStoreHeaderSize = 24;
constexpr std::size_t kIndexEntrySize = 32;
constexpr std::size_t kIndexFixedSize = 48;
constexpr std::size_t kFooterSize = 32;

// A writer flushes the file to disk after so many bytes of blocks. What a power failure took is less than
// twice that, so no more of a store without index need be verified than its end.
constexpr std::uint64_t kFlushBytes = std::uint64_t{1} << 26;

// Of the content hashes of all blocks, in order.
inline std::uint64_t data_hash_of(std::string_view content_hashes) {
    return base::hash_text(content_hashes);
}
inline std::uint64_t data_hash_of(std::span<const BlockEntry> blocks) {
    std::string content_hashes;
    for (const BlockEntry& block : blocks) put_fixed(content_hashes, block.content_hash);
    return data_hash_of(content_hashes);
}

inline std::string store_header() {
    std::string header(kStoreMagic);
    put_fixed(header, kStoreVersion);
    put_fixed(header, std::uint32_t{0});
    put_fixed(header, base::hash_text(header));
    return header;
}

// Index and footer behind blocks that end at `end`.
std::string store_index(std::span<const BlockEntry> blocks, std::uint64_t end);

}  // namespace scholar::games
