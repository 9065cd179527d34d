#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "games/game.hpp"
#include "games/store_columns.hpp"

// One block of a game store: some games, column by column.
//
//   offset  size
//   0       4     magic "SBLK"
//   4       4     number of sections
//   8       4     number of games
//   12      4     number of half-moves, of all games
//   16      24×n  section table: id (4 characters), codec (0 plain, 1 zstd), size decoded, size as stored (4
//   each),
//                 XXH3-64 of the decoded bytes (8)
//   16+24n  8     XXH3-64 of everything before
//   …             the sections as stored, in the order of the table
//
// All numbers are little-endian; a block says everything about itself, so an index can be made again by
// walking over the blocks. A reader passes over sections whose id it does not know. Sections, all by game in
// order:
//
//   GAME  results, then endings, then flags (a byte a game each), then numbers of half-moves (varints)
//   HASH  game hashes, 8 bytes each
//   STRT  start positions as FEN (length, text), only of games that do not begin at the standard position
//   TAGS  tag names and values, each distinct value of a name once (BlockBuilder::encode_tags)
//   MOVE  a byte a half-move: the move's index among the legal moves (chess/move_index.hpp)
//   EVLM  a bit a half-move: is there an evaluation; only of games that have any, each from a new byte.
//         A game without moves has one bit, for its position
//   EVLS  scores that are there: 0 and the mate distance, or 1 + the difference from the same player's last
//         score
//   EVLD  their depths, as differences from the same player's last depth
//   CLKM, CLKV; TIMM, TIMV; NODM, NODV
//         clocks (milliseconds), times (milliseconds) and nodes by ply: games/store_columns.hpp
//
// EVLM and all that follow are there only if some game of the block has such a column.

namespace scholar::games {

// A block's table of contents.
struct BlockHeader {
    struct Section {
        std::string id;
        std::uint32_t codec;
        std::uint32_t raw_size;
        std::uint32_t stored_size;
        std::uint64_t checksum;  // of the decoded bytes
    };
    std::uint32_t games = 0;
    std::uint32_t plies = 0;
    std::vector<Section> sections;
    std::size_t header_size = 0;  // where the first section begins
    std::uint64_t block_size = 0;

    // A hash of what the block holds, whatever its compression.
    std::uint64_t content_hash() const;
};

constexpr std::string_view kBlockMagic = "SBLK";
constexpr std::size_t kMaxBlockSections = 1'024;
constexpr std::size_t kMaxBlockHeaderSize = 16 + 24 * kMaxBlockSections + 8;

// Of a block's first bytes, `bytes` (at least the header; kMaxBlockHeaderSize are always enough).
base::Result<BlockHeader> parse_block_header(std::string_view bytes);
// The same, and refuses a block of another size than `block_size`.
base::Result<BlockHeader> parse_block_header(std::string_view bytes, std::size_t block_size);

// Verifies every checksum of a block, also of sections that nobody here can read (if their codec is known).
base::Status verify_block(std::string_view bytes);

// What a block may hold, which bounds what reading one costs: a small file says much about itself, and zstd
// makes gigabytes of a few kilobytes. Writer and reader keep to it; unpacked with all its columns, the
// largest block takes some 350 MB.
constexpr std::size_t kMaxGamePlies = 65'535;
constexpr std::size_t kMaxGameTags = 4'096;
constexpr std::size_t kMaxGameTagBytes = std::size_t{1} << 24;  // of names and values
constexpr std::size_t kMaxBlockGames = 1 << 16;
constexpr std::size_t kMaxBlockPlies = (std::size_t{1} << 22) + kMaxGamePlies;
constexpr std::size_t kMaxBlockTags = std::size_t{1} << 20;
constexpr std::size_t kMaxBlockBytes = std::size_t{1} << 25;  // of all sections, decoded

// Gathers games and packs them as a block. It needs nothing else: several threads may each have one, and
// StoreWriter::add_block() takes what they made.
class BlockBuilder {
  public:
    // Refuses a game with an illegal move or beyond the format's limits, and one for which there is no room,
    // and is then as before.
    base::Status add(const Game& game);
    bool empty() const { return results_.empty(); }
    std::size_t games() const { return results_.size(); }
    std::uint32_t plies() const { return static_cast<std::uint32_t>(moves_.size()); }
    // Bytes before compression, roughly.
    std::size_t raw_size() const;
    // Whether it is time to finish(): as many games or bytes before compression as a block shall have, or no
    // room for another game.
    bool full(std::size_t games_per_block, std::size_t bytes_per_block) const;
    // The block's bytes; the builder is then empty. zstd's compression level, 1 to 22.
    std::string finish(int compression_level);

  private:
    bool has_room() const;
    std::size_t numbers_size() const;
    std::string encode_tags() const;
    void add_evaluations(const Game& game);

    std::string results_, endings_, flags_, ply_counts_, hashes_, starts_, moves_;
    std::string evaluation_mask_, evaluation_scores_, evaluation_depths_;
    std::array<PlyNumbersPacker, kPlyColumns.size()> numbers_;
    std::vector<std::vector<std::pair<std::string, std::string>>> tags_;
    std::size_t tag_bytes_ = 0;
    std::size_t tag_count_ = 0;
};

// A block read and unpacked. Games stay packed until asked for.
class Block {
  public:
    struct GameInfo {
        GameResult result;
        Ending ending;
        bool chess960;
        bool has_evaluations;
        bool standard_start;
        std::uint32_t first_ply;  // where its half-moves begin among the block's
        std::uint32_t plies;
        std::uint64_t hash;

        // Of so many positions there may be one.
        std::uint32_t evaluations() const { return has_evaluations ? std::max(plies, 1U) : 0; }
    };
    using Tag = std::pair<std::string_view, std::string_view>;

    // `bytes`: exactly the block. Every checksum of a column wanted is verified.
    static base::Result<Block> decode(std::string_view bytes, const Columns& columns);

    std::size_t games() const { return infos_.size(); }
    const GameInfo& info(std::size_t game) const { return infos_[game]; }

    // With Columns::tags. "" if there is no such tag.
    std::string_view tag(std::size_t game, std::string_view name) const;
    std::span<const Tag> tags(std::size_t game) const;

    // With Columns::moves.
    base::Result<chess::Position> start(std::size_t game) const;
    std::span<const std::uint8_t> move_indices(std::size_t game) const;

    // With Columns::evaluations; by ply, empty if the game has none; of a game without moves its position's.
    std::span<const std::optional<Evaluation>> evaluations(std::size_t game) const;

    // By ply, empty if the game has none or the column was not read.
    using Numbers = std::span<const std::optional<std::uint64_t>>;
    Numbers clocks(std::size_t game) const { return numbers_[0].of(game); }  // milliseconds left
    Numbers times(std::size_t game) const { return numbers_[1].of(game); }   // milliseconds spent
    Numbers nodes(std::size_t game) const { return numbers_[2].of(game); }

    // All of it, as far as the columns read go.
    base::Result<Game> game(std::size_t number) const;

  private:
    base::Status decode_games(std::string_view raw, std::string_view hashes, const BlockHeader& header);
    base::Status decode_tags(std::string_view raw);
    base::Status decode_starts(std::string_view raw);
    base::Status decode_evaluations(std::string_view mask, std::string_view scores, std::string_view depths);

    std::vector<std::string>
        raw_;  // decoded sections; views below point into it, so it never changes its size
    std::vector<GameInfo> infos_;
    std::vector<Tag> tags_;
    std::vector<std::uint32_t> first_tag_;  // by game, and one more for the end
    std::vector<std::string_view> starts_;  // by game; empty where standard
    std::string_view moves_;
    std::vector<std::optional<Evaluation>> evaluations_;
    std::vector<std::uint32_t> first_evaluation_;  // by game
    std::array<PlyNumbersView, kPlyColumns.size()> numbers_;
};

}  // namespace scholar::games
