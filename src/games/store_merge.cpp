#include "games/store_merge.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace scholar::games {

namespace {

// A block of fewer games is small: many of them read slowly and compress badly.
constexpr std::size_t kSmallBlock = 500;

base::Result<std::vector<StoreReader>> open_all(const MergeJob& job, MergeSummary& summary) {
    if (job.inputs.empty()) return base::fail("no game store, expected at least one");
    for (const auto& path : job.inputs) {
        std::error_code not_there;
        if (std::filesystem::equivalent(path, partial_path(job.output), not_there))
            return base::fail(
                "{}: an input, and the output {} would grow in its place; expected an output of "
                "another name",
                path.string(), job.output.string());
    }
    std::vector<StoreReader> stores;
    for (const auto& path : job.inputs) {
        auto store = StoreReader::open(path, CutOff::Recover);
        if (!store) return std::unexpected(store.error());
        if (!store->recovered().empty()) {
            const auto beyond = store->has_blocks_beyond();
            if (!beyond) return std::unexpected(beyond.error());
            summary.recovered.push_back(fmt::format("{}: {}{}", store->path(), store->recovered(),
                                                    *beyond ? ", among them whole blocks" : ""));
        }
        stores.push_back(std::move(*store));
    }
    return stores;
}

bool has_unknown_columns(const BlockHeader& header) {
    return std::ranges::any_of(header.sections, [](const BlockHeader::Section& section) {
        return std::ranges::find(kSectionNames, section.id) == kSectionNames.end();
    });
}

std::string where(const StoreReader& store, std::size_t block) {
    return fmt::format("{}: block {}", store.path(), block + 1);
}

using BlockSet = std::set<std::pair<const StoreReader*, std::size_t>>;

// The blocks that are left out because they are damaged.
base::Result<BlockSet> find_damaged(const std::vector<StoreReader>& stores, const MergeJob& job,
                                    MergeSummary& summary) {
    BlockSet damaged;
    if (!job.skip_damaged) return damaged;
    for (const StoreReader& store : stores) {
        for (std::size_t number = 0; number < store.blocks().size(); ++number) {
            if (job.stop.stop_requested())
                return base::fail("stopped: {} was not written", job.output.string());
            const auto bytes = store.read_block_bytes(number);
            auto status = bytes ? verify_block(*bytes) : std::unexpected(bytes.error());
            if (status) continue;
            if (bytes) status = base::fail_in(where(store, number), status.error());
            const std::uint32_t games = store.blocks()[number].games;
            summary.damaged.push_back(fmt::format("{}: {} game{} lost", status.error().message, games,
                                                  games == 1 ? " is" : "s are"));
            summary.games_lost += games;
            damaged.emplace(&store, number);
        }
    }
    return damaged;
}

// Writes blocks as they are, and games of others.
class Copier {
  public:
    Copier(const MergeJob& job, MergeSummary& summary) : job_(job), summary_(summary) {}

    base::Status begin() {
        auto writer = StoreWriter::create(job_.output, {.compression_level = job_.compression_level});
        if (!writer) return std::unexpected(writer.error());
        writer_.emplace(std::move(*writer));
        return {};
    }

    // How many games wait to become a block of their own if another is copied now.
    std::size_t waiting() const { return writer_->waiting_games(); }

    base::Status copy(const StoreReader& store, std::size_t number) {
        const auto bytes = store.read_block_bytes(number);
        if (!bytes) return std::unexpected(bytes.error());
        if (auto status = verify_block(*bytes); !status)
            return base::fail_in(where(store, number), status.error());
        if (auto status = writer_->add_block(*bytes); !status) return status;
        ++summary_.blocks_copied;
        return progress(store.blocks()[number].games);
    }

    // The games of a block that `keep` says yes to, by their number in it.
    template <class Keep>
    base::Status pack(const StoreReader& store, std::size_t number, Keep keep) {
        const auto block = store.read_block(number);
        if (!block) return std::unexpected(block.error());
        for (std::size_t i = 0; i < block->games(); ++i) {
            if (!keep(i)) continue;
            const auto game = block->game(i);
            if (!game) return base::fail_in(where(store, number), game.error());
            if (auto status = writer_->add(*game); !status)
                return base::fail_in(fmt::format("{}: game {}", where(store, number), i + 1), status.error());
        }
        ++summary_.blocks_packed;
        return progress(block->games());
    }

    base::Status finish() {
        auto store = writer_->finish();
        if (!store) return std::unexpected(store.error());
        summary_.store = *store;
        return {};
    }

  private:
    base::Status progress(std::uint64_t games) {
        done_ += games;
        job_.progress(done_);
        if (job_.stop.stop_requested())
            return base::fail("stopped: {} was not written", job_.output.string());
        return {};
    }

    const MergeJob& job_;
    MergeSummary& summary_;
    std::optional<StoreWriter> writer_;
    std::uint64_t done_ = 0;
};

// Small blocks in a row, which may be packed as one.
class SmallBlocks {
  public:
    explicit SmallBlocks(Copier& copier) : copier_(copier) {}

    void add(const StoreReader& store, std::size_t number) { blocks_.emplace_back(&store, number); }

    base::Status write() {
        const bool alone = blocks_.size() == 1;
        for (const auto& [store, number] : blocks_) {
            auto status = alone ? copier_.copy(*store, number)
                                : copier_.pack(*store, number, [](std::size_t) { return true; });
            if (!status) return status;
        }
        blocks_.clear();
        return {};
    }

  private:
    Copier& copier_;
    std::vector<std::pair<const StoreReader*, std::size_t>> blocks_;
};

// One copy of a game, as dedup remembers it.
class Candidate {
  public:
    Candidate(std::uint64_t hash, std::size_t evaluations, std::size_t tags, std::uint64_t place)
        : hash_(hash),
          rank_(std::min<std::uint64_t>(evaluations, kMaxGamePlies) << 48 |
                std::min<std::uint64_t>(tags, 0xFF) << 40 | (kPlaces - place)) {}
    static constexpr std::uint64_t kPlaces = (std::uint64_t{1} << 40) - 1;

    std::uint64_t hash() const { return hash_; }
    // Among the games of all inputs, in order.
    std::uint64_t place() const { return kPlaces - (rank_ & kPlaces); }
    // Copies of one game together, the best of them first.
    bool operator<(const Candidate& other) const {
        return std::tie(hash_, other.rank_) < std::tie(other.hash_, rank_);
    }

  private:
    std::uint64_t hash_;
    std::uint64_t rank_;  // evaluations (16 bits), tags (8), and the place from behind (40)
};
static_assert(sizeof(Candidate) == 16);
static_assert(kMaxGamePlies <= 0xFFFF);

// Which games stay: a bit each, in order.
base::Result<std::vector<bool>> choose(const std::vector<StoreReader>& stores, const BlockSet& damaged,
                                       std::uint32_t min_plies, const MergeJob& job, DedupSummary& summary) {
    std::uint64_t games = 0;
    for (const StoreReader& store : stores) games += store.games();
    if (games > Candidate::kPlaces)
        return base::fail("{} games, at most {} can be compared", games, Candidate::kPlaces);
    summary.games_read = games - summary.games_lost;
    std::vector<Candidate> candidates;
    candidates.reserve(summary.games_read);
    std::uint64_t place = 0;
    for (const StoreReader& store : stores) {
        for (std::size_t number = 0; number < store.blocks().size(); ++number) {
            if (job.stop.stop_requested())
                return base::fail("stopped: {} was not written", job.output.string());
            if (damaged.contains({&store, number})) {
                place += store.blocks()[number].games;
                continue;
            }
            const auto block = store.read_block(number, {.tags = true, .moves = false, .evaluations = true});
            if (!block) return std::unexpected(block.error());
            for (std::size_t i = 0; i < block->games(); ++i, ++place) {
                const Block::GameInfo& info = block->info(i);
                if (info.plies < min_plies) {
                    ++summary.too_short;
                    continue;
                }
                const auto evaluations = std::ranges::count_if(
                    block->evaluations(i), [](const auto& evaluation) { return evaluation.has_value(); });
                candidates.emplace_back(info.hash, static_cast<std::size_t>(evaluations),
                                        block->tags(i).size(), place);
            }
        }
    }
    std::ranges::sort(candidates, std::less<>());
    std::vector<bool> stays(games);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const bool best = i == 0 || candidates[i].hash() != candidates[i - 1].hash();
        stays[candidates[i].place()] = best;
        summary.duplicates += !best;
    }
    return stays;
}

}  // namespace

base::Result<MergeSummary> merge_stores(const MergeJob& job) {
    MergeSummary summary;
    const auto stores = open_all(job, summary);
    if (!stores) return std::unexpected(stores.error());
    const auto damaged = find_damaged(*stores, job, summary);
    if (!damaged) return std::unexpected(damaged.error());
    Copier copier(job, summary);
    if (auto status = copier.begin(); !status) return std::unexpected(status.error());
    SmallBlocks small(copier);
    for (const StoreReader& store : *stores) {
        for (std::size_t number = 0; number < store.blocks().size(); ++number) {
            if (damaged->contains({&store, number})) continue;
            if (store.blocks()[number].games < kSmallBlock) {
                const auto header = store.read_block_header(number);
                if (!header) return std::unexpected(header.error());
                if (!has_unknown_columns(*header)) {
                    small.add(store, number);
                    continue;
                }
            }
            if (auto status = small.write(); !status) return std::unexpected(status.error());
            if (auto status = copier.copy(store, number); !status) return std::unexpected(status.error());
        }
    }
    if (auto status = small.write(); !status) return std::unexpected(status.error());
    if (auto status = copier.finish(); !status) return std::unexpected(status.error());
    return summary;
}

base::Result<DedupSummary> dedup_stores(const MergeJob& job, std::uint32_t min_plies) {
    DedupSummary summary;
    const auto stores = open_all(job, summary);
    if (!stores) return std::unexpected(stores.error());
    const auto damaged = find_damaged(*stores, job, summary);
    if (!damaged) return std::unexpected(damaged.error());
    const auto stays = choose(*stores, *damaged, min_plies, job, summary);
    if (!stays) return std::unexpected(stays.error());

    Copier copier(job, summary);
    if (auto status = copier.begin(); !status) return std::unexpected(status.error());
    std::uint64_t first = 0;  // of the block, among the games of all inputs
    for (const StoreReader& store : *stores) {
        for (std::size_t number = 0; number < store.blocks().size(); ++number) {
            const std::uint32_t games = store.blocks()[number].games;
            if (damaged->contains({&store, number})) {
                first += games;
                continue;
            }
            const auto keep = [&](std::size_t game) { return (*stays)[first + game]; };
            std::uint32_t kept = 0;
            for (std::uint32_t i = 0; i < games; ++i) kept += keep(i);
            const auto header = store.read_block_header(number);
            if (!header) return std::unexpected(header.error());
            const bool unknown = has_unknown_columns(*header);
            const bool whole = kept == games && games > 0;
            if (!whole && unknown && kept > 0)
                return base::fail("{}: has a column that this program does not know, and loses games",
                                  where(store, number));
            const bool leaves_small =
                games < kSmallBlock || (copier.waiting() > 0 && copier.waiting() < kSmallBlock);
            auto status = whole && (unknown || !leaves_small) ? copier.copy(store, number)
                                                              : copier.pack(store, number, keep);
            if (!status) return std::unexpected(status.error());
            first += games;
        }
    }
    if (auto status = copier.finish(); !status) return std::unexpected(status.error());
    return summary;
}

}  // namespace scholar::games
