#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/files.hpp"
#include "games/game.hpp"
#include "games/store_block.hpp"

// The game store, NAME.games: games as a program wants them, checked and packed.
//
//   header   magic "SCHGAMES" (8 bytes), version (4), 0 (4), XXH3-64 of these (8); never rewritten
//   blocks   one after another without gaps (games/store_block.hpp)
//   index    magic "SCHINDEX", number of blocks (8); for each: offset, size (8 each), games, half-moves (4
//   each),
//            content hash (8); then all games, all half-moves, data hash (8 each), XXH3-64 of the index
//            before (8)
//   footer   offset of the index, its size (8 each), XXH3-64 of these (8), magic "SCHGEND\n"
//
// Numbers are little-endian. The data hash is of the blocks' content hashes in order, so of the games alone:
// another level of compression does not change it.

namespace scholar::games {

constexpr std::uint32_t kStoreVersion = 1;

struct StoreSummary {
    std::uint64_t blocks = 0;
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t bytes = 0;
    std::uint64_t data_hash = 0;
};

// Writes a store. It appears under its name when finish() has succeeded; until then, and if the writer is
// dropped, whatever had that name stays as it was.
class StoreWriter {
  public:
    struct Options {
        int compression_level = 12;  // zstd's, 1 to 22
        std::size_t games_per_block = 2'000;
        std::size_t bytes_per_block = 1 << 19;  // before compression
    };
    static base::Result<StoreWriter> create(const std::filesystem::path& path);
    static base::Result<StoreWriter> create(const std::filesystem::path& path, const Options& options);

    // An error is of the file, or says what is wrong with the game; after the latter the writer goes on
    // without it.
    base::Status add(const Game& game);
    // Whether an error of add() was of the file, so that nothing more can be written.
    bool file_failed() const { return file_failed_; }
    base::Result<StoreSummary> finish();

  private:
    struct Entry {
        std::uint64_t offset;
        std::uint64_t size;
        std::uint32_t games;
        std::uint32_t plies;
        std::uint64_t content_hash;
    };
    StoreWriter(base::AtomicFile file, const Options& options) : file_(std::move(file)), options_(options) {}
    base::Status write(std::string_view bytes);
    base::Status flush_block();

    base::AtomicFile file_;
    Options options_;
    BlockBuilder builder_;
    std::vector<Entry> entries_;
    std::uint64_t offset_ = 0;
    bool file_failed_ = false;
};

// Reads a store. Opening verifies header, footer and index; reading a block verifies that block. A file that
// is cut off, damaged, of a newer version or no store at all is refused with one line that says which.
class StoreReader {
  public:
    struct BlockEntry {
        std::uint64_t offset;
        std::uint64_t size;  // in bytes
        std::uint32_t games;
        std::uint32_t plies;
        std::uint64_t content_hash;
    };

    static base::Result<StoreReader> open(const std::filesystem::path& path);

    const std::string& path() const { return path_; }
    std::uint32_t version() const { return kStoreVersion; }
    const std::vector<BlockEntry>& blocks() const { return blocks_; }
    std::uint64_t games() const { return games_; }
    std::uint64_t plies() const { return plies_; }
    std::uint64_t bytes() const { return bytes_; }
    std::uint64_t data_hash() const { return data_hash_; }

    // May be called from several threads at once.
    base::Result<Block> read_block(std::size_t number, const Columns& columns = Columns::all()) const;
    // Only its table of contents.
    base::Result<BlockHeader> read_block_header(std::size_t number) const;

  private:
    class File;
    StoreReader() = default;
    base::Result<std::string> read_at(std::uint64_t offset, std::size_t size) const;

    std::shared_ptr<const File> file_;
    std::string path_;
    std::vector<BlockEntry> blocks_;
    std::uint64_t games_ = 0;
    std::uint64_t plies_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint64_t data_hash_ = 0;
};

}  // namespace scholar::games
