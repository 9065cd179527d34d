#include "games/pgn_import.hpp"

#include <ctime>
#include <filesystem>
#include <fmt/chrono.h>
#include <sys/stat.h>

namespace scholar::games {

namespace {

// A stretch of a PGN file becomes one block, so that blocks are made side by side and in the file's order.
constexpr std::size_t kGamesPerBlock = 8'192;
constexpr std::size_t kBytesPerBlock = std::size_t{4} << 20;

// Packs games as they are read, on the thread that reads them.
class BlockSink final : public PgnSink {
  public:
    explicit BlockSink(int level) : level_(level) {}

    base::Status take(Game& game) override { return builder_.add(game); }
    bool full() const override { return builder_.full(kGamesPerBlock, kBytesPerBlock); }
    void end() override {
        if (!builder_.empty()) block_ = builder_.finish(level_);
    }
    // Empty if there was no good game.
    const std::string& block() const { return block_; }

  private:
    int level_;
    BlockBuilder builder_;
    std::string block_;
};

}  // namespace

bool is_lasting(const std::string& file) {
    std::error_code unknown;
    return file != "-" && std::filesystem::is_regular_file(file, unknown);
}

std::string import_session(const PgnImport& import) {
    std::string session = fmt::format("level {}", import.compression_level);
    for (const std::string& file : import.files) {
        if (!is_lasting(file)) continue;
        struct stat about{};
        if (::stat(file.c_str(), &about) != 0) continue;
        std::tm changed{};
        gmtime_r(&about.st_mtim.tv_sec, &changed);
        // To the last digit: a file may change twice in a second.
        session += fmt::format(" | {} ({} bytes, changed {:%F %T}.{:09} UTC)", file, about.st_size, changed,
                               about.st_mtim.tv_nsec);
    }
    return session;
}

base::Status import_pgn(const PgnImport& import, StoreWriter& writer,
                        const std::function<base::Status(const std::string& file, const PgnStretch&)>& watch,
                        const std::stop_token& stop) {
    ImportProgress progress = writer.progress();
    for (; progress.source < import.files.size(); ++progress.source, progress.games = 0) {
        const std::string& file = import.files[progress.source];
        PgnReadOptions reading;
        reading.threads = import.threads;
        reading.skip = progress.games;
        const auto status = read_pgn(
            file, reading, [&] { return std::make_unique<BlockSink>(import.compression_level); },
            [&](const PgnStretch& stretch) -> base::Status {
                if (auto watched = watch(file, stretch); !watched) return watched;
                progress.games += stretch.games;
                progress.skipped += stretch.problems.size();
                const std::string& block = static_cast<const BlockSink&>(*stretch.sink).block();
                writer.set_progress(progress);
                return block.empty() ? base::Status{} : writer.add_block(block);
            },
            stop);
        if (!status || stop.stop_requested()) return status;
    }
    return {};
}

}  // namespace scholar::games
