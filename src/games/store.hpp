#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "games/game.hpp"
#include "games/store_block.hpp"
#include "games/store_journal.hpp"

// The game store, NAME.games: games as a program wants them, checked and packed.
//
//   header   magic "SCHGAMES" (8 bytes), version (4), 0 (4), XXH3-64 of these (8); never rewritten
//   blocks   one after another without gaps (games/store_block.hpp)
//   index    magic "SCHINDEX", number of blocks (8); for each: offset, size (8 each), games, half-moves (4
//            each), content hash (8); then all games, all half-moves, data hash (8 each), XXH3-64 of the
//            index before (8)
//   footer   offset of the index, its size (8 each), XXH3-64 of these (8), magic "SCHGEND\n"
//
// Numbers are little-endian. The data hash is of the blocks' content hashes in order, so of the games alone:
// another level of compression does not change it.
//
// A store under construction has header and blocks; index and footer are written last. A new store grows as
// NAME.games.partial and takes its name when it is finished, so what had that name stays until then. Games
// are appended to a store in its place: the first new block goes where the index was. Whatever kills the
// writer, the blocks are whole but perhaps for the last, and as each block says how long it is and has its
// checksums, walking over them recovers the store (StoreReader with CutOff::Recover). A resumable writer
// also keeps NAME.games.progress (games/store_journal.hpp), which says how far the sources had been read at
// the end of each block.

namespace scholar::games {

constexpr std::uint32_t kStoreVersion = 1;

struct StoreSummary {
    std::uint64_t blocks = 0;
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t bytes = 0;
    std::uint64_t data_hash = 0;
};

struct BlockEntry {
    std::uint64_t offset;
    std::uint64_t size;  // in bytes
    std::uint32_t games;
    std::uint32_t plies;
    std::uint64_t content_hash;
};

// Writes a store. A file has one writer: while it is open, a second is refused.
class StoreWriter {
  public:
    struct Options {
        int compression_level = 12;  // zstd's, 1 to 22
        std::size_t games_per_block = 2'000;
        std::size_t bytes_per_block = 1 << 19;  // before compression
        // Whether blocks written are kept when the writer is dropped or killed before finish(), for resume().
        bool resumable = false;
        // What a resumable store is made of: sources and options, of which a user sees the difference when
        // resume() refuses another.
        std::string session{};
    };

    // A new store. It appears under its name when finish() has succeeded; until then, and if the writer is
    // dropped, whatever had that name stays as it was. Refuses to begin anew where a resumable one did not
    // finish, and where there are games in a NAME.games.partial, whoever left them.
    static base::Result<StoreWriter> create(const std::filesystem::path& path);
    static base::Result<StoreWriter> create(const std::filesystem::path& path, const Options& options);
    // More games for a store that is there, whole or recovered. If the writer is dropped before finish(), the
    // store is as it was before, or has the blocks that were written if it is resumable.
    static base::Result<StoreWriter> append_to(const std::filesystem::path& path, const Options& options);
    // Goes on behind the last block of a create() or append_to() that was resumable and did not finish;
    // progress() then says how much of the sources that block had used up. Where there is nothing at all of
    // that name, creates it. Refuses if the session was another, and if the store is finished already.
    static base::Result<StoreWriter> resume(const std::filesystem::path& path, const Options& options);
    StoreWriter(StoreWriter&&) noexcept;
    StoreWriter& operator=(StoreWriter&&) noexcept;
    ~StoreWriter();

    // Games and half-moves in the store so far, those not yet in a block left out.
    std::uint64_t games() const { return games_; }
    std::uint64_t plies() const { return plies_; }
    // Games added and not yet in a block.
    std::size_t waiting_games() const { return builder_.games(); }

    // How far the sources are used up with the next game or block that is added. Call it before add() or
    // add_block(), that game or block counted in.
    void set_progress(const ImportProgress& progress) { progress_ = progress; }
    const ImportProgress& progress() const { return progress_; }

    // An error is of the file, or says what is wrong with the game; after the latter the writer goes on
    // without it.
    base::Status add(const Game& game);
    // A block as BlockBuilder::finish() made it or StoreReader::read_block_bytes() read it, byte for byte.
    // Games added before go before it, in a block of their own.
    base::Status add_block(std::string_view bytes);
    // Makes a block of the games added since the last one, if there are any.
    base::Status end_block();
    // end_block(), and all that has been written is on the disk, whatever happens to the machine.
    base::Status flush();
    // Whether an error was of the file, so that nothing more can be written.
    bool file_failed() const { return file_failed_; }
    // Nothing can be added afterwards.
    base::Result<StoreSummary> finish();

  private:
    class Output;
    StoreWriter(std::unique_ptr<Output> output, const Options& options);
    void begin_with(std::vector<BlockEntry> entries);
    base::Status write_block(std::string_view bytes, const BlockHeader& header,
                             const ImportProgress& progress);

    std::unique_ptr<Output> output_;
    Options options_;
    BlockBuilder builder_;
    std::vector<BlockEntry> entries_;
    std::uint64_t games_ = 0;
    std::uint64_t plies_ = 0;
    ImportProgress progress_;
    ImportProgress gathered_;  // with the last game in builder_
    bool file_failed_ = false;
};

// What to do with a store that has no sound index, as an import or append that was killed leaves it.
enum class CutOff : std::uint8_t {
    Refuse,
    Recover,  // read the whole blocks, and say so
};

// Reads a store. Opening verifies header, footer and index; reading a block verifies that block. A file that
// is cut off, damaged, of a newer version or no store at all is refused with one line that says which.
class StoreReader {
  public:
    using BlockEntry = games::BlockEntry;

    static base::Result<StoreReader> open(const std::filesystem::path& path, CutOff cut_off = CutOff::Refuse);

    const std::string& path() const { return path_; }
    std::uint32_t version() const { return kStoreVersion; }
    const std::vector<BlockEntry>& blocks() const { return blocks_; }
    std::uint64_t games() const { return games_; }
    std::uint64_t plies() const { return plies_; }
    std::uint64_t bytes() const { return bytes_; }
    std::uint64_t data_hash() const { return data_hash_; }

    // Of a store opened without its index: why, how many blocks are read and how many bytes behind them are
    // not. "" of a sound one.
    const std::string& recovered() const { return recovered_; }
    // Where the blocks end: behind it are index and footer, or what was not recovered.
    std::uint64_t blocks_end() const;
    // Whether a whole block begins somewhere behind blocks_end(): then the store was not just cut off.
    base::Result<bool> has_blocks_beyond() const;

    // May be called from several threads at once.
    base::Result<Block> read_block(std::size_t number, const Columns& columns = Columns::all()) const;
    // As it is in the file; its header is verified, its sections are not.
    base::Result<std::string> read_block_bytes(std::size_t number) const;
    // Only its table of contents.
    base::Result<BlockHeader> read_block_header(std::size_t number) const;

  private:
    class File;
    StoreReader() = default;
    base::Result<std::string> read_at(std::uint64_t offset, std::size_t size) const;
    base::Result<BlockHeader> header_at(std::uint64_t offset) const;
    base::Status read_index();
    base::Status walk_blocks(const std::string& reason);

    std::shared_ptr<const File> file_;
    std::string path_;
    std::string recovered_;
    std::vector<BlockEntry> blocks_;
    std::uint64_t games_ = 0;
    std::uint64_t plies_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint64_t data_hash_ = 0;
};

// All games of a store, in their order: of one that memory has room for.
base::Result<std::vector<Game>> read_all_games(const std::filesystem::path& path);

}  // namespace scholar::games
