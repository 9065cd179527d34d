#include <algorithm>

#include "games/store.hpp"
#include "games/store_format.hpp"

namespace scholar::games {

base::Result<StoreWriter> StoreWriter::create(const std::filesystem::path& path) {
    return create(path, Options());
}

base::Result<StoreWriter> StoreWriter::create(const std::filesystem::path& path, const Options& options) {
    auto file = base::AtomicFile::create(path);
    if (!file) return std::unexpected(file.error());
    StoreWriter writer(std::move(*file), options);
    std::string header(kStoreMagic);
    put_fixed(header, kStoreVersion);
    put_fixed(header, std::uint32_t{0});
    put_fixed(header, base::hash_text(header));
    if (auto status = writer.write(header); !status) return std::unexpected(status.error());
    return writer;
}

base::Status StoreWriter::write(std::string_view bytes) {
    offset_ += bytes.size();
    return file_.write(bytes);
}

base::Status StoreWriter::add(const Game& game) {
    if (auto status = builder_.add(game); !status) return status;
    const bool full = builder_.games() >= std::min(options_.games_per_block, kMaxBlockGames) ||
                      builder_.plies() + kMaxGamePlies > kMaxBlockPlies ||
                      builder_.raw_size() >= options_.bytes_per_block;
    if (!full) return {};
    auto status = flush_block();
    file_failed_ = !status;
    return status;
}

base::Status StoreWriter::flush_block() {
    Entry entry{};
    entry.offset = offset_;
    entry.games = static_cast<std::uint32_t>(builder_.games());
    entry.plies = builder_.plies();
    const std::string bytes = builder_.finish(options_.compression_level);
    entry.size = bytes.size();
    auto header = parse_block_header(bytes, bytes.size());
    if (!header) return std::unexpected(header.error());
    entry.content_hash = header->content_hash();
    entries_.push_back(entry);
    return write(bytes);
}

base::Result<StoreSummary> StoreWriter::finish() {
    if (builder_.games() > 0)
        if (auto status = flush_block(); !status) return std::unexpected(status.error());

    StoreSummary summary;
    summary.blocks = entries_.size();
    std::string index(kIndexMagic);
    std::string content_hashes;
    put_fixed(index, summary.blocks);
    for (const Entry& entry : entries_) {
        put_fixed(index, entry.offset);
        put_fixed(index, entry.size);
        put_fixed(index, entry.games);
        put_fixed(index, entry.plies);
        put_fixed(index, entry.content_hash);
        put_fixed(content_hashes, entry.content_hash);
        summary.games += entry.games;
        summary.plies += entry.plies;
    }
    summary.data_hash = data_hash_of(content_hashes);
    put_fixed(index, summary.games);
    put_fixed(index, summary.plies);
    put_fixed(index, summary.data_hash);
    put_fixed(index, base::hash_text(index));

    std::string footer;
    put_fixed(footer, offset_);
    put_fixed(footer, static_cast<std::uint64_t>(index.size()));
    put_fixed(footer, base::hash_text(footer));
    footer += kFooterMagic;
    if (auto status = write(index + footer); !status) return std::unexpected(status.error());
    summary.bytes = offset_;
    if (auto status = file_.commit(); !status) return std::unexpected(status.error());
    return summary;
}

}  // namespace scholar::games
