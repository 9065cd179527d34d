#include <algorithm>
#include <optional>
#include <utility>

#include "base/files.hpp"
#include "base/text.hpp"
#include "games/locked_file.hpp"
#include "games/store.hpp"
#include "games/store_format.hpp"

namespace scholar::games {

namespace fs = std::filesystem;

std::string store_index(std::span<const BlockEntry> blocks, std::uint64_t end) {
    std::string index(kIndexMagic);
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    put_fixed(index, static_cast<std::uint64_t>(blocks.size()));
    for (const BlockEntry& block : blocks) {
        put_fixed(index, block.offset);
        put_fixed(index, block.size);
        put_fixed(index, block.games);
        put_fixed(index, block.plies);
        put_fixed(index, block.content_hash);
        games += block.games;
        plies += block.plies;
    }
    put_fixed(index, games);
    put_fixed(index, plies);
    put_fixed(index, data_hash_of(blocks));
    put_fixed(index, base::hash_text(index));

    std::string footer;
    put_fixed(footer, end);
    put_fixed(footer, static_cast<std::uint64_t>(index.size()));
    put_fixed(footer, base::hash_text(footer));
    footer += kFooterMagic;
    return index + footer;
}

namespace {

std::uint64_t end_of(std::span<const BlockEntry> blocks) {
    return blocks.empty() ? kStoreHeaderSize : blocks.back().offset + blocks.back().size;
}

// How far a journal and what is there of its store agree.
struct Agreement {
    std::size_t steps;   // of the journal
    std::size_t blocks;  // of the store
};

std::optional<Agreement> agreement_of(const Journal& journal, std::span<const BlockEntry> blocks) {
    const auto matches = [&blocks](std::uint64_t count, std::uint64_t end) {
        return count <= blocks.size() && end_of(blocks.first(count)) == end;
    };
    for (std::size_t steps = journal.steps.size(); steps > 0; --steps) {
        const Journal::Step& step = journal.steps[steps - 1];
        if (step.blocks > 0 && matches(step.blocks, step.end) &&
            blocks[step.blocks - 1].content_hash == step.content_hash)
            return Agreement{steps, step.blocks};
    }
    const Journal::Begin& begin = journal.begin;
    if (matches(begin.blocks, begin.end) && data_hash_of(blocks.first(begin.blocks)) == begin.data_hash)
        return Agreement{0, begin.blocks};
    return std::nullopt;
}

bool is_there(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

// A session as one line, which the names of files in it need not be.
std::string line_of_session(std::string_view session) {
    std::string line;
    for (const char c : session) {
        if (c == '\\' || c == '\n') line += '\\';
        line += c == '\n' ? 'n' : c;
    }
    return line;
}

base::Result<bool> has_blocks(const StoreReader& store) {
    if (!store.blocks().empty()) return true;
    return store.has_blocks_beyond();
}

// Whether a new store may take the place of what is there of one that was not finished.
base::Status may_begin(const fs::path& path) {
    const auto journal = Journal::read(journal_path(path));
    const fs::path partial = partial_path(path);
    const auto begun = StoreReader::open(partial, CutOff::Recover);
    if (!begun)
        return base::fail("{}, and in its place the store would grow; move it away", begun.error().message);
    const auto worth_keeping = has_blocks(*begun);
    if (!worth_keeping) return std::unexpected(worth_keeping.error());
    if (*worth_keeping) {
        if (journal && agreement_of(*journal, begun->blocks()))
            return base::fail("{}: not finished, and can be resumed; to begin anew, delete {}", path.string(),
                              partial.string());
        return base::fail(
            "{}: {} of a store that was not finished and cannot be resumed; merge it into a store of another "
            "name, or delete it",
            partial.string(), base::counted(begun->games(), "game"));
    }
    if (!journal || !is_there(path)) return {};
    // Games were being appended to the store that is there.
    const auto store = StoreReader::open(path, CutOff::Recover);
    bool resumable = !store || !store->recovered().empty();
    if (!resumable && journal->begin.blocks > 0) {
        const auto agreed = agreement_of(*journal, store->blocks());
        resumable = agreed && agreed->steps > 0;
    }
    if (resumable)
        return base::fail("{}: not finished, and can be resumed; to begin anew, delete {}", path.string(),
                          journal_path(path).string());
    return {};
}

// Removes the beginnings of a new store if games are being appended to that of the name: they came to
// nothing, and the journal is not theirs.
base::Status remove_stray_partial(const fs::path& path) {
    const auto journal = Journal::read(journal_path(path));
    if (!journal || journal->begin.blocks == 0 || !is_there(partial_path(path))) return {};
    auto file = LockedFile::open(partial_path(path), LockedFile::Missing::Refuse);
    if (!file) return std::unexpected(file.error());
    const auto begun = StoreReader::open(file->path(), CutOff::Recover);
    if (!begun) return {};
    const auto worth_keeping = has_blocks(*begun);
    if (!worth_keeping) return std::unexpected(worth_keeping.error());
    if (!*worth_keeping) file->remove();
    return {};
}

}  // namespace

// The files that a writer writes: the store, or what will be the store, and its journal.
class StoreWriter::Output {
  public:
    // `renamed`: whether the file takes the store's name in the end; else it is the store.
    Output(LockedFile file, fs::path store, bool renamed)
        : file_(std::move(file)), store_(std::move(store)), renamed_(renamed) {}

    const fs::path& store() const { return store_; }

    // What the file holds that shall stay. What is behind it goes when the first block is written.
    void keep(std::span<const BlockEntry> blocks) {
        kept_.assign(blocks.begin(), blocks.end());
        end_ = flushed_ = end_of(blocks);
    }

    base::Status begin_file() {
        if (auto status = file_.resize(0); !status) return status;
        return file_.write(0, store_header());
    }

    base::Status begin_journal(const Journal::Begin& begin) {
        auto file = LockedFile::open(journal_path(store_), LockedFile::Missing::Create);
        if (!file) return std::unexpected(file.error());
        journal_.emplace(std::move(*file));
        if (auto status = journal_->resize(0); !status) return status;
        return write_line(Journal::line_of(begin));
    }

    // Goes on with a journal of which the first `end` bytes hold, and with a file that may have lost its
    // index.
    base::Status continue_journal(std::uint64_t end, bool has_steps, bool has_index) {
        auto file = LockedFile::open(journal_path(store_), LockedFile::Missing::Refuse);
        if (!file) return std::unexpected(file.error());
        journal_.emplace(std::move(*file));
        journal_end_ = end;
        worth_resuming_ = has_steps;
        has_index_ = has_index;
        return journal_->resize(end);
    }

    base::Status write_block(std::string_view bytes, const Journal::Step& step) {
        if (!cut_) {
            cut_ = true;
            has_index_ = false;
            if (auto status = file_.resize(end_); !status) return status;
        }
        if (auto status = file_.write(end_, bytes); !status) return status;
        end_ += bytes.size();
        worth_resuming_ = true;
        if (end_ - flushed_ >= kFlushBytes) {
            if (auto status = file_.flush(); !status) return status;
            flushed_ = end_;
        }
        return journal_ ? write_line(Journal::line_of(step)) : base::Status();
    }

    base::Status flush() {
        if (auto status = file_.flush(); !status) return status;
        flushed_ = end_;
        return journal_ ? journal_->flush() : base::Status();
    }

    // The size of the whole.
    base::Result<std::uint64_t> finish(std::span<const BlockEntry> blocks) {
        const auto size = write_index(blocks);
        if (!size) return size;
        if (renamed_) {
            if (auto status = file_.rename(store_); !status) return std::unexpected(status.error());
        }
        // Also that of a writer before this one.
        std::error_code ignored;
        fs::remove(journal_path(store_), ignored);
        finished_ = true;
        return size;
    }

    // Leaves what is to be left of a store that was not finished.
    void abandon(std::span<const BlockEntry> blocks) {
        if (finished_) return;
        const bool resumable = journal_ && worth_resuming_;
        // An error here adds nothing to the one that there was, and the blocks are there all the same.
        if (!renamed_ && !has_index_)
            static_cast<void>(write_index(resumable ? blocks : kept_).has_value());
        else if (renamed_ && !resumable)
            file_.remove();
        if (journal_ && !resumable) journal_->remove();
    }

  private:
    base::Result<std::uint64_t> write_index(std::span<const BlockEntry> blocks) {
        const std::uint64_t end = end_of(blocks);
        const std::string index = store_index(blocks, end);
        if (auto status = file_.resize(end); !status) return std::unexpected(status.error());
        if (auto status = file_.write(end, index); !status) return std::unexpected(status.error());
        if (auto status = file_.flush(); !status) return std::unexpected(status.error());
        return end + index.size();
    }

    base::Status write_line(const std::string& line) {
        auto status = journal_->write(journal_end_, line);
        journal_end_ += line.size();
        return status;
    }

    LockedFile file_;
    fs::path store_;
    std::optional<LockedFile> journal_;
    std::vector<BlockEntry> kept_;
    std::uint64_t end_ = kStoreHeaderSize;  // of the blocks
    std::uint64_t flushed_ = 0;             // to the disk, so far
    std::uint64_t journal_end_ = 0;
    bool renamed_;
    bool cut_ = false;             // whether what is behind the blocks is gone
    bool has_index_ = true;        // behind the blocks, as far as we know; of a store written in its place
    bool worth_resuming_ = false;  // whether there are blocks that the journal names
    bool finished_ = false;
};

StoreWriter::StoreWriter(std::unique_ptr<Output> output, const Options& options)
    : output_(std::move(output)), options_(options) {}
StoreWriter::StoreWriter(StoreWriter&&) noexcept = default;
StoreWriter& StoreWriter::operator=(StoreWriter&& other) noexcept {
    std::swap(output_, other.output_);
    std::swap(options_, other.options_);
    std::swap(builder_, other.builder_);
    std::swap(entries_, other.entries_);
    std::swap(games_, other.games_);
    std::swap(plies_, other.plies_);
    std::swap(progress_, other.progress_);
    std::swap(gathered_, other.gathered_);
    std::swap(file_failed_, other.file_failed_);
    return *this;
}
StoreWriter::~StoreWriter() {
    if (output_) output_->abandon(entries_);
}

void StoreWriter::begin_with(std::vector<BlockEntry> entries) {
    output_->keep(entries);
    entries_ = std::move(entries);
    for (const BlockEntry& entry : entries_) {
        games_ += entry.games;
        plies_ += entry.plies;
    }
}

base::Result<StoreWriter> StoreWriter::create(const fs::path& path) {
    return create(path, Options());
}

base::Result<StoreWriter> StoreWriter::create(const fs::path& path, const Options& options) {
    std::error_code ignored;
    const auto kind = fs::status(path, ignored).type();
    if (kind != fs::file_type::not_found && kind != fs::file_type::regular)
        return base::fail("{}: exists and is no ordinary file: not replaced", path.string());
    auto file = LockedFile::open(partial_path(path), LockedFile::Missing::Create);
    if (!file) return std::unexpected(file.error());

    if (auto status = may_begin(path); !status) {
        // What was made just now goes again.
        if (fs::is_empty(file->path(), ignored)) file->remove();
        return std::unexpected(status.error());
    }
    // A journal of a new store, of which nothing is left, is not of this one.
    const auto journal = Journal::read(journal_path(path));
    if (!options.resumable && journal && journal->begin.blocks == 0) fs::remove(journal_path(path), ignored);
    StoreWriter writer(std::make_unique<Output>(std::move(*file), path, true), options);
    if (auto status = writer.output_->begin_file(); !status) return std::unexpected(status.error());
    if (options.resumable) {
        const Journal::Begin begin{0, kStoreHeaderSize, data_hash_of(writer.entries_),
                                   line_of_session(options.session)};
        if (auto status = writer.output_->begin_journal(begin); !status)
            return std::unexpected(status.error());
    }
    return writer;
}

base::Result<StoreWriter> StoreWriter::append_to(const fs::path& path, const Options& options) {
    auto file = LockedFile::open(path, LockedFile::Missing::Refuse);
    if (!file) return std::unexpected(file.error());
    if (auto status = remove_stray_partial(path); !status) return std::unexpected(status.error());
    if (Journal::read(journal_path(path)) && is_there(partial_path(path)))
        return base::fail("{}: a new store of that name is not finished; resume it, or delete {}",
                          path.string(), partial_path(path).string());
    const auto store = StoreReader::open(path, CutOff::Recover);
    if (!store) return std::unexpected(store.error());
    if (!store->recovered().empty()) {
        if (Journal::read(journal_path(path)))
            return base::fail("{}: not finished, and can be resumed; to append to what is there, delete {}",
                              path.string(), journal_path(path).string());
        const auto beyond = store->has_blocks_beyond();
        if (!beyond) return std::unexpected(beyond.error());
        if (*beyond)
            return base::fail("{}: block {} is damaged and others follow: nothing is appended", path.string(),
                              store->blocks().size() + 1);
    }
    StoreWriter writer(std::make_unique<Output>(std::move(*file), path, false), options);
    writer.begin_with(store->blocks());
    if (store->bytes() < kStoreHeaderSize) {
        if (auto status = writer.output_->begin_file(); !status) return std::unexpected(status.error());
    }
    if (options.resumable) {
        const Journal::Begin begin{store->blocks().size(), end_of(store->blocks()), store->data_hash(),
                                   line_of_session(options.session)};
        if (auto status = writer.output_->begin_journal(begin); !status)
            return std::unexpected(status.error());
    }
    return writer;
}

base::Result<StoreWriter> StoreWriter::resume(const fs::path& path, const Options& options) {
    if (auto status = remove_stray_partial(path); !status) return std::unexpected(status.error());
    const fs::path partial = partial_path(path);
    const bool renamed = is_there(partial);
    const auto nothing = [&path] {
        return base::fail("{}: nothing to resume: no import or append of it is under way", path.string());
    };
    if (!renamed && !is_there(journal_path(path))) {
        if (is_there(path)) return nothing();
        return create(path, options);
    }
    auto file = LockedFile::open(renamed ? partial : path, LockedFile::Missing::Refuse);
    if (!file) return std::unexpected(file.error());
    const auto store = StoreReader::open(file->path(), CutOff::Recover);
    if (!store) return std::unexpected(store.error());

    const auto journal = Journal::read(journal_path(path));
    if (!journal) {
        // Killed before it had begun.
        if (renamed && store->blocks().empty()) {
            {
                const LockedFile released = std::move(*file);
            }
            return create(path, options);
        }
        const auto text = base::read_text(journal_path(path));
        if (!renamed && text && !text->contains('\n')) return nothing();
        return base::fail("{}: cannot be resumed: {}", file->path().string(), journal.error().message);
    }
    if (const std::string session = line_of_session(options.session); journal->begin.session != session)
        return base::fail("{}: cannot be resumed with other sources or options: '{}', expected '{}'",
                          path.string(), session, journal->begin.session);
    const auto agreed = agreement_of(*journal, store->blocks());
    // A new store has its name only when all of it is there: one with other blocks is another store.
    const bool another =
        !agreed || (!renamed && journal->begin.blocks == 0 && agreed->blocks < store->blocks().size());
    if (another)
        return base::fail("{}: cannot be resumed: it is not the store that {} is of", file->path().string(),
                          journal_path(path).string());

    StoreWriter writer(std::make_unique<Output>(std::move(*file), path, renamed), options);
    std::vector<BlockEntry> entries = store->blocks();
    entries.resize(agreed->blocks);
    writer.begin_with(std::move(entries));
    if (store->bytes() < kStoreHeaderSize) {
        if (auto status = writer.output_->begin_file(); !status) return std::unexpected(status.error());
    }
    std::uint64_t journal_end = journal->begin_end;
    if (agreed->steps > 0) {
        journal_end = journal->step_ends[agreed->steps - 1];
        writer.progress_ = journal->steps[agreed->steps - 1].progress;
    }
    if (auto status =
            writer.output_->continue_journal(journal_end, agreed->steps > 0, store->recovered().empty());
        !status)
        return std::unexpected(status.error());
    return writer;
}

base::Status StoreWriter::add(const Game& game) {
    if (auto status = builder_.add(game); !status) return status;
    gathered_ = progress_;
    if (!builder_.full(options_.games_per_block, options_.bytes_per_block)) return {};
    return end_block();
}

base::Status StoreWriter::end_block() {
    if (builder_.empty()) return {};
    const std::string bytes = builder_.finish(options_.compression_level);
    const auto header = parse_block_header(bytes, bytes.size());
    if (!header) return std::unexpected(header.error());
    return write_block(bytes, *header, gathered_);
}

base::Status StoreWriter::flush() {
    if (auto status = end_block(); !status) return status;
    auto status = output_->flush();
    if (!status) file_failed_ = true;
    return status;
}

base::Status StoreWriter::add_block(std::string_view bytes) {
    const auto header = parse_block_header(bytes, bytes.size());
    if (!header) return std::unexpected(header.error());
    if (header->games == 0) return base::fail("a block without games");
    if (auto status = end_block(); !status) return status;
    return write_block(bytes, *header, progress_);
}

base::Status StoreWriter::write_block(std::string_view bytes, const BlockHeader& header,
                                      const ImportProgress& progress) {
    const std::uint64_t offset = end_of(entries_);
    const BlockEntry entry{offset, bytes.size(), header.games, header.plies, header.content_hash()};
    const Journal::Step step{entries_.size() + 1, offset + bytes.size(), entry.content_hash, progress};
    auto status = output_->write_block(bytes, step);
    if (!status) {
        file_failed_ = true;
        return status;
    }
    entries_.push_back(entry);
    games_ += entry.games;
    plies_ += entry.plies;
    return {};
}

base::Result<StoreSummary> StoreWriter::finish() {
    if (auto status = end_block(); !status) return std::unexpected(status.error());
    const auto size = output_->finish(entries_);
    if (!size) {
        file_failed_ = true;
        return std::unexpected(size.error());
    }
    output_.reset();  // and with it the lock
    StoreSummary summary;
    summary.blocks = entries_.size();
    summary.games = games_;
    summary.plies = plies_;
    summary.bytes = *size;
    summary.data_hash = data_hash_of(entries_);
    return summary;
}

}  // namespace scholar::games
