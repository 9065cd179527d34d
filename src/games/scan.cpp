#include "games/scan.hpp"

#include <atomic>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/cores.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "games/bytes.hpp"
#include "games/worker_exceptions.hpp"

namespace scholar::games {

std::string to_string(std::span<const StoreReader> stores, GamePlace place) {
    return fmt::format("{}: game {}", stores[place.store()].path(), place.number());
}

Columns no_columns() {
    return {.tags = false, .moves = false, .evaluations = false};
}

Columns both(const Columns& one, const Columns& other) {
    return {.tags = one.tags || other.tags,
            .moves = one.moves || other.moves,
            .evaluations = one.evaluations || other.evaluations,
            .clocks = one.clocks || other.clocks,
            .times = one.times || other.times,
            .nodes = one.nodes || other.nodes};
}

unsigned threads_of(unsigned wanted) {
    return static_cast<unsigned>(base::threads_or_cores(static_cast<int>(wanted)));
}

base::Status scan_blocks(std::span<const StoreReader> stores, const ScanOptions& options,
                         const std::function<base::Status(const BlockVisit&, base::Result<Block>)>& use) {
    std::vector<BlockVisit> visits;
    for (std::size_t store = 0; store < stores.size(); ++store) {
        std::uint64_t first_game = 1;
        for (std::size_t block = 0; block < stores[store].blocks().size(); ++block) {
            visits.push_back({0, store, block, first_game});
            first_game += stores[store].blocks()[block].games;
        }
    }

    std::atomic<std::size_t> next = 0;
    std::mutex mutex;  // of what follows
    std::uint64_t done = 0;
    std::optional<base::Error> error;

    const auto work = [&](std::size_t worker) {
        while (!options.stop.stop_requested()) {
            const std::size_t number = next++;
            if (number >= visits.size()) return;
            BlockVisit visit = visits[number];
            visit.worker = worker;
            const StoreReader& store = stores[visit.store];
            const auto status = without_exceptions(
                fmt::format("{}: block {}", store.path(), visit.block + 1),
                [&] { return use(visit, store.read_block(visit.block, options.columns)); });
            const std::scoped_lock lock(mutex);
            if (!status) {
                if (!error) error = status.error();
                next = visits.size();
                return;
            }
            done += store.blocks()[visit.block].games;
            if (options.progress) options.progress(done);
        }
    };
    {
        std::vector<std::jthread> others;
        for (unsigned worker = 1; worker < options.threads; ++worker) others.emplace_back(work, worker);
        work(0);
    }
    if (error) return std::unexpected(*error);
    if (options.stop.stop_requested()) return base::fail("stopped after {}", base::counted(done, "game"));
    return {};
}

std::uint64_t data_hash(std::span<const StoreReader> stores) {
    if (stores.size() == 1) return stores.front().data_hash();
    std::string hashes;
    for (const StoreReader& store : stores) put_fixed(hashes, store.data_hash());
    return base::hash_text(hashes);
}

base::Result<Game> read_game(std::span<const StoreReader> stores, GamePlace place) {
    const StoreReader& store = stores[place.store()];
    std::uint64_t before = 0;
    for (std::size_t number = 0; number < store.blocks().size(); ++number) {
        const std::uint64_t games = store.blocks()[number].games;
        if (place.number() <= before + games) {
            const auto block = store.read_block(number);
            if (!block) return std::unexpected(block.error());
            return block->game(place.number() - before - 1);
        }
        before += games;
    }
    return base::fail("{}: game {}, expected at most {}", store.path(), place.number(), before);
}

}  // namespace scholar::games
