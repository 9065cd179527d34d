#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "games/store.hpp"
#include "games/store_format.hpp"

namespace scholar::games {

namespace {

constexpr std::string_view kNoIndex = "cut off: no index at the end";
constexpr std::string_view kAdvice = "an import can be resumed, whole blocks can be merged into a new store";

}  // namespace

// An open file that any thread may read at any place.
class StoreReader::File {
  public:
    explicit File(int descriptor) : descriptor_(descriptor) {}
    ~File() { ::close(descriptor_); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    int descriptor() const { return descriptor_; }

  private:
    int descriptor_;
};

base::Result<std::string> StoreReader::read_at(std::uint64_t offset, std::size_t size) const {
    std::string bytes(size, '\0');
    std::size_t done = 0;
    while (done < size) {
        const ssize_t got =
            ::pread(file_->descriptor(), bytes.data() + done, size - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return base::fail("{}: cannot read: {}", path_, std::strerror(errno));
        if (got == 0) return base::fail("{}: cut off: it became shorter while it was read", path_);
        done += static_cast<std::size_t>(got);
    }
    return bytes;
}

base::Result<StoreReader> StoreReader::open(const std::filesystem::path& path, CutOff cut_off) {
    StoreReader reader;
    reader.path_ = path.string();
    const std::string& name = reader.path_;
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return base::fail("{}: cannot open: {}", name, std::strerror(errno));
    reader.file_ = std::make_shared<File>(descriptor);
    struct stat about{};
    if (::fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode))
        return base::fail("{}: not a file, expected a game store", name);
    reader.bytes_ = static_cast<std::uint64_t>(about.st_size);

    auto header = reader.read_at(0, std::min<std::size_t>(reader.bytes_, kStoreHeaderSize));
    if (!header) return std::unexpected(header.error());
    if (cut_off == CutOff::Recover && header->size() < kStoreHeaderSize &&
        store_header().starts_with(*header)) {
        reader.recovered_ = fmt::format("{}; 0 whole blocks are read", kNoIndex);
        reader.data_hash_ = data_hash_of(reader.blocks_);
        return reader;
    }
    if (!header->starts_with(kStoreMagic)) {
        if (kStoreMagic.starts_with(*header) && !header->empty())
            return base::fail("{}: {}; {}", name, kNoIndex, kAdvice);
        return base::fail("{}: not a game store: it does not begin with '{}'", name, kStoreMagic);
    }
    if (header->size() < kStoreHeaderSize) return base::fail("{}: {}; {}", name, kNoIndex, kAdvice);
    ByteSource fields(std::string_view(*header).substr(kStoreMagic.size()));
    const auto version = fields.fixed<std::uint32_t>();
    fields.fixed<std::uint32_t>();
    if (fields.fixed<std::uint64_t>() != base::hash_text(std::string_view(*header).substr(0, 16)))
        return base::fail("{}: the header is damaged: its checksum differs", name);
    if (version > kStoreVersion)
        return base::fail("{}: version {} of the game store, this program reads up to {}", name, version,
                          kStoreVersion);
    if (version == 0) return base::fail("{}: version 0 of the game store, expected 1", name);

    const auto status = reader.read_index();
    if (status) return reader;
    if (cut_off == CutOff::Refuse) return base::fail("{}: {}; {}", name, status.error().message, kAdvice);
    if (auto walked = reader.walk_blocks(status.error().message); !walked)
        return std::unexpected(walked.error());
    return reader;
}

base::Status StoreReader::read_index() {
    if (bytes_ < kStoreHeaderSize + kIndexFixedSize + kFooterSize) return base::fail("{}", kNoIndex);
    auto footer = read_at(bytes_ - kFooterSize, kFooterSize);
    if (!footer) return std::unexpected(footer.error());
    if (!footer->ends_with(kFooterMagic)) return base::fail("{}", kNoIndex);
    ByteSource footer_fields(*footer);
    const auto index_offset = footer_fields.fixed<std::uint64_t>();
    const auto index_size = footer_fields.fixed<std::uint64_t>();
    if (footer_fields.fixed<std::uint64_t>() != base::hash_text(std::string_view(*footer).substr(0, 16)))
        return base::fail("the footer is damaged: its checksum differs");
    if (index_size < kIndexFixedSize || index_size > bytes_ - kStoreHeaderSize - kFooterSize ||
        index_offset != bytes_ - kFooterSize - index_size)
        return base::fail("the index is not where the footer says");

    auto index = read_at(index_offset, index_size);
    if (!index) return std::unexpected(index.error());
    const std::string_view checked = std::string_view(*index).substr(0, index->size() - 8);
    if (!index->starts_with(kIndexMagic) ||
        ByteSource(std::string_view(*index).substr(checked.size())).fixed<std::uint64_t>() !=
            base::hash_text(checked))
        return base::fail("the index is damaged: its checksum differs");

    ByteSource source(checked.substr(kIndexMagic.size()));
    const auto count = source.fixed<std::uint64_t>();
    if (count != (index_size - kIndexFixedSize) / kIndexEntrySize ||
        index_size != kIndexFixedSize + count * kIndexEntrySize)
        return base::fail("the index has not the size of {} blocks", count);
    std::vector<BlockEntry> blocks;
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t expected_offset = kStoreHeaderSize;
    for (std::uint64_t i = 0; i < count; ++i) {
        BlockEntry entry{};
        entry.offset = source.fixed<std::uint64_t>();
        entry.size = source.fixed<std::uint64_t>();
        entry.games = source.fixed<std::uint32_t>();
        entry.plies = source.fixed<std::uint32_t>();
        entry.content_hash = source.fixed<std::uint64_t>();
        if (entry.offset != expected_offset || entry.size > index_offset - entry.offset)
            return base::fail("the index has block {} in the wrong place", i + 1);
        expected_offset += entry.size;
        games += entry.games;
        plies += entry.plies;
        blocks.push_back(entry);
    }
    const auto all_games = source.fixed<std::uint64_t>();
    const auto all_plies = source.fixed<std::uint64_t>();
    const auto data_hash = source.fixed<std::uint64_t>();
    if (expected_offset != index_offset || games != all_games || plies != all_plies ||
        data_hash != data_hash_of(blocks))
        return base::fail("the index does not add up");
    blocks_ = std::move(blocks);
    games_ = games;
    plies_ = plies;
    data_hash_ = data_hash;
    return {};
}

base::Result<BlockHeader> StoreReader::header_at(std::uint64_t offset) const {
    auto head = read_at(offset, std::min<std::uint64_t>(bytes_ - offset, kMaxBlockHeaderSize));
    if (!head) return std::unexpected(head.error());
    auto header = parse_block_header(*head);
    if (header && header->block_size > bytes_ - offset) return base::fail("the block is cut off");
    return header;
}

base::Status StoreReader::walk_blocks(const std::string& reason) {
    std::uint64_t end = kStoreHeaderSize;
    while (end < bytes_) {
        const auto header = header_at(end);
        if (!header) break;
        blocks_.push_back({end, header->block_size, header->games, header->plies, header->content_hash()});
        end += header->block_size;
    }
    // What had not reached the disk when the power failed is at the end, and is there in name only.
    std::size_t first = blocks_.size();
    while (first > 0 && end - blocks_[first - 1].offset <= 2 * kFlushBytes) --first;
    for (std::size_t i = first; i < blocks_.size(); ++i) {
        auto bytes = read_at(blocks_[i].offset, blocks_[i].size);
        if (!bytes) return std::unexpected(bytes.error());
        if (!verify_block(*bytes)) blocks_.resize(i);
    }
    for (const BlockEntry& block : blocks_) {
        games_ += block.games;
        plies_ += block.plies;
    }
    data_hash_ = data_hash_of(blocks_);
    const std::uint64_t left = bytes_ - blocks_end();
    recovered_ = fmt::format("{}; {} whole block{} read", reason, blocks_.size(),
                             blocks_.size() == 1 ? " is" : "s are");
    if (left > 0) recovered_ += fmt::format(", {} bytes behind are not", left);
    return {};
}

std::uint64_t StoreReader::blocks_end() const {
    if (blocks_.empty()) return std::min<std::uint64_t>(kStoreHeaderSize, bytes_);
    return blocks_.back().offset + blocks_.back().size;
}

base::Result<bool> StoreReader::has_blocks_beyond() const {
    constexpr std::size_t kPiece = 1 << 20;
    const std::size_t overlap = kBlockMagic.size() - 1;
    for (std::uint64_t offset = blocks_end() + 1; offset < bytes_; offset += kPiece - overlap) {
        const auto piece = read_at(offset, std::min<std::uint64_t>(bytes_ - offset, kPiece));
        if (!piece) return std::unexpected(piece.error());
        for (std::size_t at = piece->find(kBlockMagic); at != std::string::npos;
             at = piece->find(kBlockMagic, at + 1))
            if (header_at(offset + at)) return true;
    }
    return false;
}

base::Result<std::string> StoreReader::read_block_bytes(std::size_t number) const {
    const BlockEntry& entry = blocks_[number];
    const std::string where = fmt::format("{}: block {}", path_, number + 1);
    auto bytes = read_at(entry.offset, entry.size);
    if (!bytes) return std::unexpected(bytes.error());
    auto header = parse_block_header(*bytes, bytes->size());
    if (!header) return base::fail_in(where, header.error());
    if (header->content_hash() != entry.content_hash || header->games != entry.games ||
        header->plies != entry.plies)
        return base::fail("{}: not the block that the index names", where);
    return bytes;
}

base::Result<Block> StoreReader::read_block(std::size_t number, const Columns& columns) const {
    auto bytes = read_block_bytes(number);
    if (!bytes) return std::unexpected(bytes.error());
    auto block = Block::decode(*bytes, columns);
    if (!block) return base::fail_in(fmt::format("{}: block {}", path_, number + 1), block.error());
    return block;
}

base::Result<BlockHeader> StoreReader::read_block_header(std::size_t number) const {
    const BlockEntry& entry = blocks_[number];
    auto bytes = read_at(entry.offset, std::min<std::uint64_t>(entry.size, kMaxBlockHeaderSize));
    if (!bytes) return std::unexpected(bytes.error());
    auto header = parse_block_header(*bytes);
    if (header && header->block_size != entry.size)
        header = base::fail("the block is {} bytes, its header says {}", entry.size, header->block_size);
    if (!header) return base::fail_in(fmt::format("{}: block {}", path_, number + 1), header.error());
    return header;
}

base::Result<std::vector<Game>> read_all_games(const std::filesystem::path& path) {
    const auto store = StoreReader::open(path);
    if (!store) return std::unexpected(store.error());
    std::vector<Game> found;
    for (std::size_t number = 0; number < store->blocks().size(); ++number) {
        const auto block = store->read_block(number);
        if (!block) return std::unexpected(block.error());
        for (std::size_t i = 0; i < block->games(); ++i) {
            auto game = block->game(i);
            if (!game) return base::fail_in(path.string(), game.error());
            found.push_back(std::move(*game));
        }
    }
    return found;
}

}  // namespace scholar::games
