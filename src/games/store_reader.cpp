#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "games/store.hpp"
#include "games/store_format.hpp"

namespace scholar::games {

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

base::Result<StoreReader> StoreReader::open(const std::filesystem::path& path) {
    StoreReader reader;
    reader.path_ = path.string();
    const std::string& name = reader.path_;
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return base::fail("{}: cannot open: {}", name, std::strerror(errno));
    reader.file_ = std::make_shared<File>(descriptor);
    struct stat about{};
    if (::fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode))
        return base::fail("{}: not a file, expected a game store", name);
    const auto size = static_cast<std::uint64_t>(about.st_size);
    reader.bytes_ = size;

    const std::string cut_off = name + ": cut off: no index at the end; import its games again";
    auto header = reader.read_at(0, std::min<std::size_t>(size, kStoreHeaderSize));
    if (!header) return std::unexpected(header.error());
    if (!header->starts_with(kStoreMagic)) {
        if (kStoreMagic.starts_with(*header) && !header->empty())
            return std::unexpected(base::Error{cut_off});
        return base::fail("{}: not a game store: it does not begin with '{}'", name, kStoreMagic);
    }
    if (header->size() < kStoreHeaderSize) return std::unexpected(base::Error{cut_off});
    ByteSource fields(std::string_view(*header).substr(kStoreMagic.size()));
    const auto version = fields.fixed<std::uint32_t>();
    fields.fixed<std::uint32_t>();
    if (fields.fixed<std::uint64_t>() != base::hash_text(std::string_view(*header).substr(0, 16)))
        return base::fail("{}: the header is damaged: its checksum differs", name);
    if (version > kStoreVersion)
        return base::fail("{}: version {} of the game store, this program reads up to {}", name, version,
                          kStoreVersion);
    if (version == 0) return base::fail("{}: version 0 of the game store, expected 1", name);

    if (size < kStoreHeaderSize + kIndexFixedSize + kFooterSize) return std::unexpected(base::Error{cut_off});
    auto footer = reader.read_at(size - kFooterSize, kFooterSize);
    if (!footer) return std::unexpected(footer.error());
    if (!footer->ends_with(kFooterMagic)) return std::unexpected(base::Error{cut_off});
    ByteSource footer_fields(*footer);
    const auto index_offset = footer_fields.fixed<std::uint64_t>();
    const auto index_size = footer_fields.fixed<std::uint64_t>();
    if (footer_fields.fixed<std::uint64_t>() != base::hash_text(std::string_view(*footer).substr(0, 16)))
        return base::fail("{}: the footer is damaged: its checksum differs", name);
    if (index_size < kIndexFixedSize || index_size > size - kStoreHeaderSize - kFooterSize ||
        index_offset != size - kFooterSize - index_size)
        return base::fail("{}: the index is not where the footer says", name);

    auto index = reader.read_at(index_offset, index_size);
    if (!index) return std::unexpected(index.error());
    const std::string_view checked = std::string_view(*index).substr(0, index->size() - 8);
    if (!index->starts_with(kIndexMagic) ||
        ByteSource(std::string_view(*index).substr(checked.size())).fixed<std::uint64_t>() !=
            base::hash_text(checked))
        return base::fail("{}: the index is damaged: its checksum differs", name);

    ByteSource source(checked.substr(kIndexMagic.size()));
    const auto count = source.fixed<std::uint64_t>();
    if (count != (index_size - kIndexFixedSize) / kIndexEntrySize ||
        index_size != kIndexFixedSize + count * kIndexEntrySize)
        return base::fail("{}: the index has not the size of {} blocks", name, count);
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t expected_offset = kStoreHeaderSize;
    std::string content_hashes;
    for (std::uint64_t i = 0; i < count; ++i) {
        BlockEntry entry{};
        entry.offset = source.fixed<std::uint64_t>();
        entry.size = source.fixed<std::uint64_t>();
        entry.games = source.fixed<std::uint32_t>();
        entry.plies = source.fixed<std::uint32_t>();
        entry.content_hash = source.fixed<std::uint64_t>();
        if (entry.offset != expected_offset || entry.size > index_offset - entry.offset)
            return base::fail("{}: the index has block {} in the wrong place", name, i + 1);
        expected_offset += entry.size;
        games += entry.games;
        plies += entry.plies;
        put_fixed(content_hashes, entry.content_hash);
        reader.blocks_.push_back(entry);
    }
    reader.games_ = source.fixed<std::uint64_t>();
    reader.plies_ = source.fixed<std::uint64_t>();
    reader.data_hash_ = source.fixed<std::uint64_t>();
    if (expected_offset != index_offset || games != reader.games_ || plies != reader.plies_ ||
        reader.data_hash_ != data_hash_of(content_hashes))
        return base::fail("{}: the index does not add up", name);
    return reader;
}

base::Result<Block> StoreReader::read_block(std::size_t number, const Columns& columns) const {
    const BlockEntry& entry = blocks_[number];
    const std::string where = fmt::format("{}: block {}", path_, number + 1);
    auto bytes = read_at(entry.offset, entry.size);
    if (!bytes) return std::unexpected(bytes.error());
    auto header = parse_block_header(*bytes, bytes->size());
    if (!header) return base::fail_in(where, header.error());
    if (header->content_hash() != entry.content_hash || header->games != entry.games ||
        header->plies != entry.plies)
        return base::fail("{}: not the block that the index names", where);
    auto block = Block::decode(*bytes, columns);
    if (!block) return base::fail_in(where, block.error());
    return block;
}

base::Result<BlockHeader> StoreReader::read_block_header(std::size_t number) const {
    const BlockEntry& entry = blocks_[number];
    auto bytes = read_at(entry.offset, entry.size);
    if (!bytes) return std::unexpected(bytes.error());
    auto header = parse_block_header(*bytes, bytes->size());
    if (!header) return base::fail_in(fmt::format("{}: block {}", path_, number + 1), header.error());
    return header;
}

}  // namespace scholar::games
