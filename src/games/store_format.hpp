#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/hash.hpp"
#include "games/bytes.hpp"

// The parts of a store's file that are not blocks; games/store.hpp draws them. For writer and reader only.

namespace scholar::games {

constexpr std::string_view kStoreMagic = "SCHGAMES";
constexpr std::string_view kIndexMagic = "SCHINDEX";
constexpr std::string_view kFooterMagic = "SCHGEND\n";
constexpr std::size_t kStoreHeaderSize = 24;
constexpr std::size_t kIndexEntrySize = 32;
constexpr std::size_t kIndexFixedSize = 48;
constexpr std::size_t kFooterSize = 32;

// Of the content hashes of all blocks, in order.
inline std::uint64_t data_hash_of(std::string_view content_hashes) {
    return base::hash_text(content_hashes);
}

}  // namespace scholar::games
