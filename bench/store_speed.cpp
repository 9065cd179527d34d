// bench/store_speed STORE... [--rounds N]: of each game store, bytes a half-move by section; half-moves a
// second that one thread replays with no position emitted; and positions a second that the sampler emits,
// shuffled, at one in eight. Medians of N rounds (3) with their range, by the clock and by processor time (on
// a machine that is busy with other things only the second means much).
//
// ninja -C BUILD store_speed makes it.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fmt/core.h>
#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "chess/move_index.hpp"
#include "games/sampler.hpp"
#include "games/store.hpp"

namespace scholar {
namespace {

struct Seconds {
    double wall = 0;
    double processor = 0;  // of this thread
};

Seconds now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    const auto wall = std::chrono::steady_clock::now().time_since_epoch();
    return {std::chrono::duration<double>(wall).count(),
            static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec)};
}

// "12.3 million/s (12.1 to 12.4)".
std::string rates(std::vector<double> all) {
    std::ranges::sort(all);
    return fmt::format("{:6.2f} million/s ({:.2f} to {:.2f})", all[all.size() / 2] / 1e6, all.front() / 1e6,
                       all.back() / 1e6);
}

void show(const char* what, const std::vector<double>& wall, const std::vector<double>& processor) {
    fmt::print("  {:<46} {} by the clock\n", what, rates(wall));
    fmt::print("  {:<46} {} by processor time\n", "", rates(processor));
}

base::Status show_sizes(const games::StoreReader& store) {
    std::map<std::string, std::uint64_t> sections;
    for (std::size_t number = 0; number < store.blocks().size(); ++number) {
        const auto header = store.read_block_header(number);
        if (!header) return std::unexpected(header.error());
        for (const auto& section : header->sections) sections[section.id] += section.stored_size;
    }
    const auto plies = static_cast<double>(std::max<std::uint64_t>(store.plies(), 1));
    fmt::print("  {:.3f} bytes a half-move:", static_cast<double>(store.bytes()) / plies);
    for (const auto& [id, bytes] : sections) fmt::print(" {} {:.3f}", id, static_cast<double>(bytes) / plies);
    fmt::print("\n");
    return {};
}

// Reads, unpacks and replays all games. The keys of the last positions, so that nothing can be left out.
base::Result<std::uint64_t> replay(const games::StoreReader& store) {
    std::uint64_t keys = 0;
    for (std::size_t number = 0; number < store.blocks().size(); ++number) {
        const auto block = store.read_block(number, {.tags = false, .moves = true, .evaluations = false});
        if (!block) return std::unexpected(block.error());
        for (std::size_t game = 0; game < block->games(); ++game) {
            auto position = block->start(game);
            if (!position) return std::unexpected(position.error());
            for (const std::uint8_t index : block->move_indices(game)) {
                const auto move = chess::index_to_move(*position, index);
                if (!move) return base::fail("{}: block {}: no such move", store.path(), number + 1);
                position->make(*move);
            }
            keys ^= position->key();
        }
    }
    return keys;
}

base::Status run(const std::string& path, int rounds) {
    const auto store = games::StoreReader::open(path);
    if (!store) return std::unexpected(store.error());
    fmt::print("{}: {} games, {} half-moves\n", path, store->games(), store->plies());
    if (auto status = show_sizes(*store); !status) return status;

    std::vector<double> wall;
    std::vector<double> processor;
    for (int round = 0; round < rounds; ++round) {
        const Seconds before = now();
        if (const auto keys = replay(*store); !keys) return std::unexpected(keys.error());
        const Seconds after = now();
        wall.push_back(static_cast<double>(store->plies()) / (after.wall - before.wall));
        processor.push_back(static_cast<double>(store->plies()) / (after.processor - before.processor));
    }
    show("half-moves replayed, no position emitted", wall, processor);

    games::Sampler::Options options;
    options.stores = {path};
    options.sampling.chess960 = true;
    options.sampling.stages = {games::stages::OneIn{.k = 8}};
    auto sampler = games::Sampler::open(options);
    if (!sampler) return std::unexpected(sampler.error());
    wall.clear();
    processor.clear();
    std::vector<games::Sample> samples;
    for (int round = 0; round < rounds; ++round) {
        const double worked = sampler->reading_seconds();
        const Seconds before = now();
        sampler->start_epoch(static_cast<std::uint64_t>(round));
        double emitted = 0;
        while (true) {
            samples.clear();
            const auto count = sampler->next(1 << 14, samples);
            if (!count) return std::unexpected(count.error());
            if (*count == 0) break;
            emitted += static_cast<double>(*count);
        }
        wall.push_back(emitted / (now().wall - before.wall));
        processor.push_back(emitted / (sampler->reading_seconds() - worked));
    }
    show("positions emitted, shuffled, one in eight", wall, processor);
    return {};
}

}  // namespace
}  // namespace scholar

int main(int count, char** words) {
    int rounds = 3;
    std::vector<std::string> stores;
    for (int i = 1; i < count; ++i) {
        if (std::strcmp(words[i], "--rounds") == 0 && i + 1 < count)
            rounds = std::max(1, std::atoi(words[++i]));
        else
            stores.emplace_back(words[i]);
    }
    if (stores.empty()) {
        fmt::print(stderr, "store_speed: no game store given; usage: store_speed STORE... [--rounds N]\n");
        return 1;
    }
    for (const std::string& store : stores) {
        if (const auto status = scholar::run(store, rounds); !status) {
            fmt::print(stderr, "store_speed: {}\n", status.error().message);
            return 1;
        }
    }
    return 0;
}
